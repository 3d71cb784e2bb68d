/// A function of a file in this folder, compiled as `tessera run` does, and its arguments.
#ifndef TESSERA_BENCH_PROGRAM_H
#define TESSERA_BENCH_PROGRAM_H

#include "jit/Jit.h"
#include "llvm/ADT/ArrayRef.h"
#include <list>
#include <memory>
#include <vector>

namespace tessera::bench {

class Call {
public:
  Call(llvm::StringRef file, llvm::StringRef function);
  ~Call();
  Call(const Call &) = delete;

  Call &with(int32_t scalar);
  /// `elements` must outlive the call.
  Call &with(llvm::ArrayRef<float> elements, llvm::ArrayRef<int64_t> sizes);
  Call &with(llvm::ArrayRef<double> elements, llvm::ArrayRef<int64_t> sizes);
  Call &with(llvm::ArrayRef<int32_t> elements, llvm::ArrayRef<int64_t> sizes);

  /// False on failure, which `error` explains. The first one compiles, for the sizes of the
  /// arguments where the language can.
  bool run();
  /// The first one of the last run, as floats; an int counts as one.
  llvm::ArrayRef<float> result();
  const std::string &error() const { return failure; }

private:
  void load();
  void add(const void *elements, tessera_dtype type, llvm::ArrayRef<int64_t> sizes);

  std::string file, function;
  std::unique_ptr<jit::Program> program;
  const tessera_signature *entry = nullptr;
  std::list<int32_t> scalars;
  std::list<std::vector<int64_t>> shapes;
  std::vector<tessera_view> arguments;
  std::vector<tessera_view> outputs;
  std::vector<float> converted;
  std::string failure;
};

} // namespace tessera::bench

#endif
