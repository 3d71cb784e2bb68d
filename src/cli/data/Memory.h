/// Where values on their way into a program lie, with all that they point to.
#ifndef TESSERA_CLI_DATA_MEMORY_H
#define TESSERA_CLI_DATA_MEMORY_H

#include "lang/DataType.h"
#include "runtime/Generated.h"
#include "llvm/Support/Allocator.h"
#include <memory>
#include <optional>

namespace tessera::cli::data {

/// Freed all at once. For one thread.
class Memory {
public:
  Memory() = default;
  Memory(const Memory &) = delete;
  ~Memory();

  /// Cleared; aligned for any type, from a cache line on to 64 bytes. Null where this machine has
  /// not that much.
  void *allocate(size_t bytes);
  /// Memory of another kind, such as a mapped file, stays as long as this.
  void keep(std::shared_ptr<const void> owner) { owners.push_back(std::move(owner)); }

  /// Makes a dictionary of `count` entries, which lie one behind the other. Null where there is no
  /// memory, or where the key of entry number `repeated` is that of one before it.
  tessera_table *makeTable(const DataType &dictionary, const char *entries, size_t count,
                           std::optional<size_t> &repeated);

private:
  llvm::BumpPtrAllocator small;
  std::vector<std::shared_ptr<const void>> owners;
  tessera_region *region = nullptr; ///< Of the tables.
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
/// Whether such a description is one of this type.
bool describes(const int32_t *table, const DataType &type);

} // namespace tessera::cli::data

#endif
