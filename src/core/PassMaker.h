/// What tables of passes hold: `tessera opt` knows a pass by its argument.
#ifndef TESSERA_CORE_PASSMAKER_H
#define TESSERA_CORE_PASSMAKER_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace tessera {

using PassMaker = std::unique_ptr<mlir::Pass> (*)();

} // namespace tessera

#endif
