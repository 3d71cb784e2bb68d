/// The dialect as source text of tinytc, which `tessera check` accepts.
#ifndef TESSERA_LANG_TINYTC_IR_PRINTSOURCE_H
#define TESSERA_LANG_TINYTC_IR_PRINTSOURCE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::tinytc::ir {

void printSource(mlir::ModuleOp module, llvm::raw_ostream &out);

} // namespace tessera::tinytc::ir

#endif
