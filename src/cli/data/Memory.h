/// Memory for values that are passed to a program, with everything they point to.
#ifndef TESSERA_CLI_DATA_MEMORY_H
#define TESSERA_CLI_DATA_MEMORY_H

#include "lang/DataType.h"
#include "runtime/Generated.h"
#include "llvm/Support/Allocator.h"
#include <memory>
#include <optional>

namespace tessera::cli::data {

/// Memory that is freed all at once. Only one thread may use it.
class Memory {
public:
  Memory() = default;
  Memory(const Memory &) = delete;
  ~Memory();

  /// Cleared; aligned for any type, or to 64 bytes if it has as many. Null if there is not enough
  /// memory.
  void *allocate(size_t bytes);
  /// Keeps memory of another kind, such as a mapped file, as long as this.
  void keep(std::shared_ptr<const void> owner) { owners.push_back(std::move(owner)); }

  /// Makes a dictionary of `count` consecutive entries. Null if there is not enough memory, or if
  /// the key of entry number `repeated` equals an earlier one.
  tessera_table *makeTable(const DataType &dictionary, const char *entries, size_t count,
                           std::optional<size_t> &repeated);

private:
  llvm::BumpPtrAllocator small;
  std::vector<std::shared_ptr<const void>> owners;
  tessera_region *region = nullptr; ///< The memory of the tables.
  size_t largeBytes = 0;
};

/// A value with its memory.
struct Value {
  explicit Value(const DataType &type) : type(type), bytes(type.size() / sizeof(uint64_t) + 1) {}

  void *slot() { return bytes.data(); }
  const void *slot() const { return bytes.data(); }

  DataType type;
  Memory memory;
  std::vector<uint64_t> bytes; ///< Aligned for any type.
};

/// A type as the runtime describes it; see Generated.h.
std::vector<int32_t> tableOf(const DataType &type);
/// Whether such a description matches this type.
bool describes(const int32_t *table, const DataType &type);

} // namespace tessera::cli::data

#endif
