/// A function of a TTL file in this folder, compiled as `tessera run` does, and its arguments.
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

  /// False on failure, which `error` explains.
  bool run();
  /// Of the last run; an int counts as one float.
  llvm::ArrayRef<float> result();
  const std::string &error() const { return failure; }

private:
  void load(llvm::StringRef file, llvm::StringRef function);

  std::unique_ptr<jit::Program> program;
  const tessera_signature *entry = nullptr;
  std::list<int32_t> scalars;
  std::list<std::vector<int64_t>> shapes;
  std::vector<tessera_view> arguments;
  tessera_view output = {};
  float number = 0;
  std::string failure;
};

} // namespace tessera::bench

#endif
