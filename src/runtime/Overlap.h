/// Whether two views share memory.
#ifndef TESSERA_RUNTIME_OVERLAP_H
#define TESSERA_RUNTIME_OVERLAP_H

#include "tessera/runtime.h"

namespace tessera::runtime {

/// Exact, even if the elements of the views are interleaved, such as two columns of a matrix. This
/// takes about as long as copying one of them; views in separate memory cost nothing.
bool overlap(const tessera_view &a, const tessera_view &b);

/// Whether two elements of a view share memory. Costs nothing unless a dimension reaches into
/// another.
bool overlapsItself(const tessera_view &view);

/// Whether both have the same elements at the same addresses.
bool areTheSame(const tessera_view &a, const tessera_view &b);

} // namespace tessera::runtime

#endif
