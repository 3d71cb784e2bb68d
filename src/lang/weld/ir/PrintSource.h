/// The dialect as source text of Weld, which `tessera check` accepts.
#ifndef TESSERA_LANG_WELD_IR_PRINT_SOURCE_H
#define TESSERA_LANG_WELD_IR_PRINT_SOURCE_H

#include "lang/weld/ir/Dialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera::weld::ir {

void printSource(mlir::ModuleOp module, llvm::raw_ostream &out);

/// "dict[i64,vec[f32]]"
std::string sourceType(mlir::Type type);
/// "-1L", "u8(200L)": text that can be an operand anywhere.
std::string sourceConstant(mlir::Attribute value);

} // namespace tessera::weld::ir

#endif
