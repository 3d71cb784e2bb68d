/// Launches a compiled kernel with arguments of the evaluator.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_INVOCATION_H
#define TESSERA_TESTS_RANDOM_TINYTC_INVOCATION_H

#include "Evaluator.h"
#include "jit/Jit.h"

namespace tessera::tinytc::random {

class Invocation {
public:
  Invocation(const Function &function, llvm::ArrayRef<Datum> arguments);

  /// Returns "" or the error: "it failed: ...", "it wrote outside of its memory".
  std::string run(const tessera_kernel &kernel, int64_t groups, int64_t threads);

  /// Returns "" if memory agrees with the evaluator, else "%A[3]: 1 instead of 2".
  std::string difference(llvm::ArrayRef<Datum> expected) const;
  /// All bytes of memory.
  std::string bytes() const;

private:
  /// The elements of one argument or member, surrounded by memory that must not change.
  struct Block {
    std::string name;
    std::shared_ptr<Memory> memory;
    std::vector<char> bytes;
    size_t begin = 0;
    char *data() { return bytes.data() + begin; }
    const char *data() const { return bytes.data() + begin; }
    size_t size() const { return memory->size() * bytesOf(memory->element); }
    bool isIntact() const;
  };
  void addScalar(const Type &type, const Quantity &value);
  void addMemref(const std::string &name, const Type &type, const Memref &memref);
  void addGroup(const std::string &name, const Type &type, const Group &group);
  void *addBlock(std::string name, const Memref &memref);
  template <typename T> void pack(T value) { pack(&value, sizeof value, alignof(T)); }
  void pack(const void *field, size_t size, size_t alignment);

  std::vector<Block> blocks;
  std::vector<char> packed; ///< The struct of arguments.
  std::vector<std::vector<void *>> pointers;
  std::vector<std::vector<int64_t>> numbers;
};

} // namespace tessera::tinytc::random

#endif
