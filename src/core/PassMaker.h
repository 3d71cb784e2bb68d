/// An entry in a table of passes; `tessera opt` looks a pass up by its argument.
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
