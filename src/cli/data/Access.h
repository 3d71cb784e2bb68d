/// Parts of values in memory from any source: nothing here relies on alignment.
#ifndef TESSERA_CLI_DATA_ACCESS_H
#define TESSERA_CLI_DATA_ACCESS_H

#include "lang/DataType.h"
#include "runtime/Table.h"

namespace tessera::cli::data {

/// Consecutive elements, or entries of a dictionary.
struct Items {
  const DataType &type;
  const char *first;
  int64_t count;

  const char *operator[](int64_t index) const { return first + index * type.size(); }
};

inline const tessera_table *tableAt(const void *value) {
  const tessera_table *table;
  memcpy(&table, value, sizeof table);
  return table;
}

/// Those of a vector or a dictionary.
inline Items itemsOf(const DataType &type, const void *value) {
  if (type.isVector()) {
    tessera_vector vector = runtime::vectorAt(value);
    return {type.element(), static_cast<const char *>(vector.data), vector.count};
  }
  const tessera_table *table = tableAt(value);
  return {type.entry(), table ? table->entries : nullptr, table ? table->size : 0};
}

inline const char *fieldOf(const DataType &type, const void *value, size_t field) {
  return static_cast<const char *>(value) + type.offset(field);
}

} // namespace tessera::cli::data

#endif
