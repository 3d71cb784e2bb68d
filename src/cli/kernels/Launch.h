/// A kernel with its arguments, ready to be launched.
#ifndef TESSERA_CLI_KERNELS_LAUNCH_H
#define TESSERA_CLI_KERNELS_LAUNCH_H

#include "cli/CallArguments.h"
#include "cli/kernels/Memory.h"

namespace tessera::cli {
struct Invocation;
}

namespace tessera::cli::kernels {

class Launch {
public:
  /// Reads the arguments and --groups. Reports every mistake; returns null if there is one.
  static std::unique_ptr<Launch> read(const Signature &kernel, const Invocation &invocation,
                                      Terminal &terminal);

  /// The struct of the arguments, as kernels take it, and the number of work-groups.
  const void *arguments() const { return packed.data(); }
  const tessera_launch &size() const { return launch; }

  /// A kernel changes its arguments, which count as its results. Members of a group that differ in
  /// shape are separate results, named `A[0]`.
  Signature signature() const;
  std::vector<tessera_view> results();
  /// The result of a parameter or, for a group, its results; none if the name is unknown.
  std::vector<size_t> resultsOf(llvm::StringRef parameter) const;

  /// The memory of the numbers in arguments: the struct, the launch, and sizes of members.
  std::vector<llvm::StringRef> numberMemory() const;

  /// All bytes that the kernel may write, to be compared and restored.
  std::string contents() const;
  void restore(llvm::StringRef contents);
  /// The bytes of the elements of all memrefs.
  size_t numBytes() const;

private:
  explicit Launch(const Signature &kernel) : kernel(kernel) {}
  void pack();
  void listResults();

  /// A result: an array of an argument.
  struct Result {
    size_t parameter;
    std::string name;
    Array array;
  };

  const Signature kernel;
  std::vector<Argument> values; ///< One for each parameter.
  std::vector<Result> arrays;
  std::vector<uint64_t> packed;
  /// The arrays that pointers of groups point to.
  std::vector<std::vector<void *>> pointers;
  std::vector<std::vector<int64_t>> numbers;
  tessera_launch launch = {};
};

} // namespace tessera::cli::kernels

#endif
