/// Pairs of key and value that wait to be merged, partitioned by the hashes of their keys.
#ifndef TESSERA_RUNTIME_PARTS_H
#define TESSERA_RUNTIME_PARTS_H

#include "runtime/Table.h"

namespace tessera::runtime {

/// From now on, the table collects pairs instead of merging them.
void makeCollector(tessera_table &table, const tessera_site *site);
/// A new pair with this key and an unset value.
char *collect(tessera_table &table, const void *key, const tessera_site *site);

} // namespace tessera::runtime

#endif
