/// Checked tree to the `weld` dialect.
#ifndef TESSERA_LANG_WELD_LOWER_H
#define TESSERA_LANG_WELD_LOWER_H

#include "lang/weld/Syntax.h"
#include "lang/weld/ir/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::weld {

/// A module with one function, `main`. Its parameters carry their names as `tessera.name`.
mlir::OwningOpRef<mlir::ModuleOp> lowerToDialect(const Program &program,
                                                 mlir::MLIRContext &context);

/// Split by construct: the function and types in Lower.cpp, expressions in LowerExpr.cpp, built-in
/// operations in LowerCall.cpp, loops and builders in LowerLoop.cpp.
class Lowering {
public:
  Lowering(const Program &program, mlir::MLIRContext &context)
      : program(program), builder(&context) {}

  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  using Value = mlir::Value;

  // Lower.cpp
  mlir::Type typeOf(const Type &type);
  mlir::Type makeType(const Type &type);
  mlir::Type scalarType(Scalar scalar);
  /// The location at which errors are reported; in a macro's text, that of the call.
  mlir::Location locationOf(SourceRange range, const Expansion *expansion);
  mlir::Location locationOf(const Expr &expr) { return locationOf(expr.range, expr.expansion); }
  void annotate(Value value, mlir::Location loc, llvm::ArrayRef<Annotation> annotations);

  // LowerExpr.cpp
  Value lower(const Expr &expr);
  Value lowerNode(const IntLiteral &literal, const Expr &expr);
  Value lowerNode(const FloatLiteral &literal, const Expr &expr);
  Value lowerNode(const BoolLiteral &literal, const Expr &expr);
  Value lowerNode(const StringLiteral &literal, const Expr &expr);
  Value lowerNode(const VectorLiteral &vector, const Expr &expr);
  Value lowerNode(const StructLiteral &literal, const Expr &expr);
  Value lowerNode(const Reference &reference, const Expr &expr);
  Value lowerNode(const Paren &paren, const Expr &expr);
  Value lowerNode(const Let &let, const Expr &expr);
  Value lowerNode(const Lambda &lambda, const Expr &expr);
  Value lowerNode(const Apply &apply, const Expr &expr);
  Value lowerNode(const Unary &unary, const Expr &expr);
  Value lowerNode(const Binary &binary, const Expr &expr);
  Value lowerNode(const Field &field, const Expr &expr);
  Value lowerNode(const Cast &cast, const Expr &expr);
  Value lowerNode(const Ascription &ascription, const Expr &expr);
  Value lowerNode(const Call &call, const Expr &expr);
  Value lowerNode(const Deserialize &deserialize, const Expr &expr);
  Value lowerNode(const Cudf &cudf, const Expr &expr);
  Value lowerNode(const NewBuilder &builder, const Expr &expr);
  Value lowerNode(const For &loop, const Expr &expr);
  Value lowerNode(const IteratorExpr &iterator, const Expr &expr);
  llvm::SmallVector<Value> lowerAll(llvm::ArrayRef<Expr *> exprs);
  /// The body of a function of the program, with its parameters bound.
  Value lowerBody(const Expr &function, mlir::ValueRange arguments);
  Value constantBool(bool value, mlir::Location loc);
  Value shortCircuit(const Binary &binary, const Expr &expr);

  // LowerCall.cpp
  Value lowerIf(const Call &call, const Expr &expr);
  Value lowerIterate(const Call &call, const Expr &expr);
  Value lowerSort(const Call &call, const Expr &expr);
  /// Operations whose arguments are all values.
  Value lowerValues(Builtin builtin, llvm::ArrayRef<Value> values, const Expr &expr);
  /// min, max, pow and the functions of one float.
  Value lowerMath(Builtin builtin, llvm::ArrayRef<Value> values, mlir::Location loc);
  /// An `if` whose branches return values of this type; a struct of builders is several results.
  Value makeIf(Value condition, mlir::Type type, mlir::Location loc,
               llvm::function_ref<Value()> onTrue, llvm::function_ref<Value()> onFalse);

  // LowerLoop.cpp
  void lowerIterator(const Iterator &iterator, const Expr &owner,
                     llvm::SmallVectorImpl<ir::IteratorOperands> &list);
  mlir::Location iteratorLocation(const Iterator &iterator, const Expr &owner);
  /// The element that a loop's function receives: for zips, a struct.
  Value makeElement(const Iterator &iterator, llvm::ArrayRef<mlir::BlockArgument> &elements,
                    mlir::Location loc);
  Value merge(Value target, Value value, mlir::Location loc);
  Value result(Value target, mlir::Location loc);
  /// The builders of a struct of builders, and back. Any other value is itself.
  void flatten(Value value, llvm::SmallVectorImpl<Value> &leaves);
  void flattenType(mlir::Type type, llvm::SmallVectorImpl<mlir::Type> &leaves);
  Value unflatten(mlir::Type type, mlir::ValueRange &leaves, mlir::Location loc);
  Value field(Value value, int64_t index, mlir::Location loc);
  Value makeStruct(mlir::ValueRange fields, mlir::Location loc);

  const Program &program;
  mlir::OpBuilder builder;
  llvm::DenseMap<const Variable *, Value> values;
  llvm::DenseMap<const Type *, mlir::Type> types;
};

} // namespace tessera::weld

#endif
