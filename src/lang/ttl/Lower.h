/// Typed tree to core. Mutable variables become SSA values here: control flow is structured, so the
/// variables assigned in a body are its loop-carried values.
#ifndef TESSERA_LANG_TTL_LOWER_H
#define TESSERA_LANG_TTL_LOWER_H

#include "core/Build.h"
#include "lang/Language.h"
#include "lang/ttl/Partial.h"
#include "lang/ttl/Syntax.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <array>

namespace tessera::ttl {

mlir::OwningOpRef<mlir::ModuleOp> lower(const Program &program, const LanguageOptions &options,
                                        mlir::MLIRContext &context);

/// Split by construct: functions in Lower.cpp, statements in LowerStmt.cpp, branches and loops in
/// LowerControl.cpp, expressions in LowerExpr.cpp, operators in LowerOperators.cpp, checks in
/// LowerCheck.cpp.
class Lowering {
public:
  Lowering(const Program &program, const LanguageOptions &options, mlir::MLIRContext &context);
  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  using Value = mlir::Value;
  using Location = mlir::Location;

  /// A variable's current value. `written` holds one flag per element if --checked has to know
  /// which were written; if it is null, all were.
  struct Binding {
    Value value, written;
  };
  struct Bounds {
    Value begin, end; // index
  };
  using Variables = llvm::SetVector<const Variable *>;

  // Lower.cpp
  void lowerFunction(const Function &function);
  void makeEntry(const Function &function);
  mlir::FunctionType functionType(const Function &function);
  mlir::Type typeOf(const Type &type);
  mlir::Type elementType(Type::Kind kind);
  mlir::Type maskType(const Type &type);
  static std::string symbolOf(const Function &function) {
    return ("ttl." + function.name.text).str();
  }
  Location locationOf(SourceRange range);
  bool isPartial(const Variable *variable) const { return partial.variables.contains(variable); }

  // LowerStmt.cpp
  void lower(llvm::ArrayRef<Stmt *> body);
  void lower(const Stmt &stmt);
  void lower(const VarDef &def, const Stmt &self);
  void lower(const Assign &assign, const Stmt &self);
  void lower(const ElementAssign &assign, const Stmt &self);
  void lower(const CallStmt &stmt, const Stmt &self);
  void lower(const Compound &compound, const Stmt &self);
  void lower(const Return &stmt, const Stmt &self);
  void lowerPrint(const Expr &argument, Location loc);
  Binding initialValue(const VarDef &def);
  Value rangeMatrix(const VarDef &def);
  Value reshaped(const VarDef &def, Value list);
  /// What a variable holds before its first assignment: zeros; each `?` in its type is size 0.
  Binding defaultValue(const Type &type, const Variable *variable, Location loc);

  // LowerControl.cpp
  void lower(const For &loop, const Stmt &self);
  void lower(const If &branch, const Stmt &self);
  void lowerArms(llvm::ArrayRef<If::Arm> arms, const Stmt *elseBody);
  void lowerSwitch(const If &branch, Location loc);
  void lowerCases(Value number, llvm::ArrayRef<int64_t> numbers, const Variables &carried,
                  Location loc, llvm::function_ref<void(size_t)> body);
  Value chooseArm(const If &branch, int64_t otherwise, Location loc);
  Value firstArm(const If &branch, size_t first, size_t last, Value none);
  Value lowerEither(Value condition, Location loc,
                    std::array<llvm::function_ref<Value()>, 2> numbers);
  void defineUnbraced(const Stmt *body);
  /// Variables of enclosing scopes that the statement assigns.
  const Variables &assignedIn(const Stmt &stmt);
  void collectAssigned(const Stmt &stmt, Variables &assigned);
  void lowerBranch(Value condition, const Variables &carried, Location loc,
                   std::array<llvm::function_ref<void()>, 2> bodies);
  Variables carriedBy(llvm::ArrayRef<const Stmt *> bodies, const Variable *except);
  llvm::SmallVector<Value> currentValues(const Variables &variables);
  void rebind(const Variables &variables, mlir::ValueRange values);
  Value lastIteration(const For &loop, Bounds bounds, Value step, Location loc);

  // LowerExpr.cpp
  Value lower(const Expr &expr);
  /// Like `lower`, but also gives the flags of a matrix that may be partial.
  Binding lowerBinding(const Expr &expr);
  /// Like `lower`, for a value that is read as a whole.
  Value lowerRead(const Expr &expr);
  Value lowerIndex(const Expr &expr);
  Value lowerIndexChain(const Expr &expr);
  bool isIndexOperator(const Expr &expr) const;
  /// Like `lowerIndex`, for numbers that do not address elements: they wrap [ttl.defined.2].
  Value lowerNumber(const Expr &expr);
  Bounds lowerRange(const Expr &expr);
  Binding lowerCall(const Call &call, Location loc);
  Binding lowerSlice(const Slice &slice, const Expr &self);
  Value partOf(Location loc, Value base, llvm::ArrayRef<mlir::OpFoldResult> offsets,
               llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::OpFoldResult sliceOffset(Location loc, Value begin, Value length);
  Value lowerList(const List &list, const Expr &self);
  Value castTo(Location loc, Value value, mlir::Type type);
  Value constantInt(Location loc, int64_t value) { return constantInt(builder, loc, value); }
  Value constantInt(mlir::OpBuilder &b, Location loc, int64_t value);
  Value toInt(Location loc, Value index);

  // LowerOperators.cpp
  Value lowerUnary(const Unary &unary, const Expr &self);
  Value lowerBinary(const Binary &binary, const Expr &self);
  Value lowerMatMul(const Binary &op, const Expr &self);
  Value lowerSizeOf(const Binary &op, const Expr &self);
  Value lowerElementwise(const Binary &op, const Expr &self);
  Value lowerComparison(const Binary &op, Location loc);
  Value lowerLogic(const Binary &op, Location loc);
  Value scalarOp(mlir::OpBuilder &b, Location loc, BinaryOp op, Value lhs, Value rhs);
  Value divideInts(mlir::OpBuilder &b, Location loc, Value lhs, Value rhs);
  Value isTrue(const Expr &expr);

  // LowerCheck.cpp: none of these do anything without --checked.
  void checkIndex(Location loc, Value index, Value matrix, unsigned dim);
  void checkRange(Location loc, Bounds bounds, Value matrix, unsigned dim);
  void checkNotReversed(Location loc, Bounds bounds);
  void checkCount(Location loc, Bounds bounds, int64_t expected);
  void checkSameSize(Location loc, Value lhs, Value rhs, unsigned lhsDim, unsigned rhsDim,
                     llvm::StringRef message, llvm::StringRef rule);
  void checkShapes(Location loc, Value lhs, Value rhs);
  void checkStaticSizes(Location loc, Value value, mlir::RankedTensorType type);
  void checkDimension(Location loc, Value dim, int64_t rank);
  void checkStep(Location loc, Value step);
  /// A matrix's flags; all set if it has none, because all of it was written.
  Value flagsOf(Location loc, Binding matrix, mlir::Type type);
  void checkWritten(Location loc, Binding matrix);
  void checkElementWritten(Location loc, Value written, mlir::ValueRange indices);
  /// Checks that `value` is not the least `int`, which has no negative; `where` (null: always) says
  /// whether it is negated.
  void checkNegatable(mlir::OpBuilder &b, Location loc, Value value, Value where,
                      llvm::StringRef message);
  Value checkedMatMul(Location loc, Value lhs, Value rhs);
  Value checkedInt(mlir::OpBuilder &b, Location loc, BinaryOp op, Value lhs, Value rhs);
  void trapIf(mlir::OpBuilder &b, Value condition, Location loc, llvm::StringRef message,
              llvm::StringRef rule, mlir::ValueRange values);

  const Program &program;
  const LanguageOptions &options;
  mlir::MLIRContext &context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder builder;
  core::Sites sites;
  PartialMatrices partial;
  llvm::DenseMap<const Variable *, Binding> bindings;
  llvm::DenseMap<const Stmt *, std::unique_ptr<Variables>> assigned;
  /// The `index` that an `int` was made from: indexing with a loop variable needs no conversion.
  llvm::DenseMap<Value, Value> indexOf;
  /// The left operand of the operator that is lowered next, as `int` and as `index`.
  std::pair<const Expr *, Value> loweredLeft, loweredLeftIndex;
  size_t openBranches = 0; ///< The number of branches around the insertion point.
};

} // namespace tessera::ttl

#endif
