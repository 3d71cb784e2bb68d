/// Pairs of key and value that wait to be merged, divided by the hashes of their keys.
#ifndef TESSERA_RUNTIME_PARTS_H
#define TESSERA_RUNTIME_PARTS_H

#include "runtime/Table.h"

namespace tessera::runtime {

/// From now on the table takes all pairs as they come.
void makeCollector(tessera_table &table, const tessera_site *site);
/// A new pair with this key, whose value is not set.
char *collect(tessera_table &table, const void *key, const tessera_site *site);

} // namespace tessera::runtime

#endif
