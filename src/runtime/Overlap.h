/// Whether two views share memory.
#ifndef TESSERA_RUNTIME_OVERLAP_H
#define TESSERA_RUNTIME_OVERLAP_H

#include "tessera/runtime.h"

namespace tessera::runtime {

/// Exact, also for views that lie between each other's elements, such as two columns of one matrix.
/// Then it takes about as long as copying one of them; views in separate memory cost nothing.
bool overlap(const tessera_view &a, const tessera_view &b);

/// Whether two elements of a view share memory. Costs nothing where no
/// dimension reaches into another.
bool overlapsItself(const tessera_view &view);

/// Whether both have the same elements at the same places.
bool areTheSame(const tessera_view &a, const tessera_view &b);

} // namespace tessera::runtime

#endif
