/// How often a loop's body merges into its builders.
#ifndef TESSERA_LANG_WELD_TRANSFORM_MERGE_COUNTS_H
#define TESSERA_LANG_WELD_TRANSFORM_MERGE_COUNTS_H

#include "lang/weld/ir/Dialect.h"

namespace tessera::weld::transform {

/// The merges into one builder of a loop, in one iteration.
ir::MergeCount countMerges(ir::ForOp loop, unsigned builder);

} // namespace tessera::weld::transform

#endif
