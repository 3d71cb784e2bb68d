/// A function of a file in this folder, compiled as `tessera run` does, with its arguments.
#ifndef TESSERA_BENCH_PROGRAM_H
#define TESSERA_BENCH_PROGRAM_H

#include "jit/Jit.h"
#include "schedule/Records.h"
#include "llvm/ADT/ArrayRef.h"
#include <list>
#include <memory>
#include <optional>
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

  Call &with(const void *elements, tessera_dtype type, llvm::ArrayRef<int64_t> sizes);

  /// Takes schedules for this number of threads from a file that `tessera tune` wrote, if it has
  /// them for exactly these sizes.
  void useRecords(const std::string &path, int threads);
  /// Whether the last compilation used a record.
  bool isTuned() const { return foundRecord; }
  /// Compiles for any sizes rather than for those of the arguments.
  void makeGeneric() { isGeneric = true; }
  /// For a tinytc kernel: `NAME=VALUE` for its preprocessor, and the number of groups. All
  /// arguments are memrefs, which the kernel changes.
  void launchWith(std::vector<std::string> definitions, int64_t groups);
  /// Returns false and sets `error` on failure.
  bool compile();
  /// The first run compiles, for the sizes of the arguments if the language supports that.
  bool run();
  /// The first result of the last run, as floats; an int counts as one float. For a Weld program,
  /// all numbers of its result.
  llvm::ArrayRef<float> result();
  const std::string &error() const { return failure; }

private:
  void load();
  void find();
  void findOnData();
  bool runOnData();
  void findKernel();

  std::string file, function;
  std::optional<schedule::Book> book;
  bool foundRecord = false, isGeneric = false;
  std::unique_ptr<jit::Program> program;
  const tessera_signature *entry = nullptr;
  const tessera_program *dataEntry = nullptr; ///< For a Weld program.
  const tessera_kernel *kernel = nullptr;     ///< For tinytc; one of these three is set.
  std::vector<std::string> definitions;
  tessera_launch launch = {};
  std::vector<uint64_t> argumentData, resultData;
  tessera_run *lastRun = nullptr; ///< Owns what the result points to.
  std::list<int32_t> scalars;
  std::list<std::vector<int64_t>> shapes;
  std::vector<tessera_view> arguments;
  std::vector<tessera_view> outputs;
  std::vector<float> converted;
  std::string failure;
};

} // namespace tessera::bench

#endif
