/// Custom formats for parts of operations that ODS cannot express.
#ifndef TESSERA_LANG_WELD_IR_FORMAT_H
#define TESSERA_LANG_WELD_IR_FORMAT_H

#include "lang/weld/ir/Dialect.h"

namespace tessera::weld::ir {

/// `plain %v : !weld.vec<f64>, range %a, %b, %c`
mlir::ParseResult
parseIterators(mlir::OpAsmParser &parser,
               llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands,
               llvm::SmallVectorImpl<mlir::Type> &types, mlir::ArrayAttr &kinds);
void printIterators(mlir::OpAsmPrinter &printer, ForOp op, mlir::OperandRange operands,
                    mlir::TypeRange types, mlir::ArrayAttr kinds);

} // namespace tessera::weld::ir

#endif
