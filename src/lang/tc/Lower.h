/// Typed tree with ranges to core: a comprehension is one linalg.generic whose loops are its
/// variables, shifted to begin at 0.
#ifndef TESSERA_LANG_TC_LOWER_H
#define TESSERA_LANG_TC_LOWER_H

#include "core/Build.h"
#include "lang/tc/Affine.h"
#include "lang/tc/Ranges.h"
#include "lang/tc/Syntax.h"
#include "llvm/ADT/ScopedHashTable.h"

namespace tessera::tc {

/// Adds the entry that `inferred` describes to the module.
void lowerDef(const Program &program, Inferred &inferred, const LanguageOptions &options,
              mlir::ModuleOp module, core::Sites &sites);

/// The types of a scalar in memory and in expressions. Halves are computed in float32 [tc.own.5]; a
/// bool is a byte in memory, because tensors of single bits have no addresses.
mlir::Type storageType(Scalar scalar, mlir::MLIRContext &context);
mlir::Type computeType(Scalar scalar, mlir::MLIRContext &context);

/// Size expressions as values of type index, made once each at the beginning of the function.
class SizeValues {
public:
  SizeValues(llvm::ArrayRef<mlir::Value> symbols, mlir::Operation *marker)
      : symbols(symbols), marker(marker) {}
  /// Constants as attributes.
  mlir::OpFoldResult fold(Size size);
  mlir::Value value(Size size);
  /// Whether arguments determine every symbol in it.
  bool isKnown(Size size) const;
  /// Whether one of the values made so far needs more than 64 bits; null if none can.
  mlir::Value isTooLarge() const { return tooLarge; }

private:
  mlir::Value build(Size size);
  mlir::Value buildSum(mlir::OpBuilder &b, mlir::Location loc, Size size);
  mlir::Value buildOther(mlir::OpBuilder &b, mlir::Location loc, Size size);
  mlir::Value added(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiplied(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);
  void note(mlir::OpBuilder &b, mlir::Value overflows);

  llvm::SmallVector<mlir::Value> symbols;
  mlir::Operation *marker; ///< New operations are inserted before it.
  llvm::DenseMap<const SizeNode *, mlir::Value> known;
  mlir::Value tooLarge;
};

/// Converts scalars, all in their compute types.
mlir::Value convertScalar(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, Scalar from,
                          Scalar to);
/// A scalar in its compute type, rounded once to a half or bfloat16 in memory.
mlir::Value roundToHalf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, Scalar from,
                        Scalar to);
mlir::Value fromStorage(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, Scalar type);
mlir::Value toStorage(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, Scalar type);

/// The value of a built-in function; arguments and result have the compute type of `type`.
mlir::Value lowerBuiltin(mlir::OpBuilder &b, mlir::Location loc, mlir::ModuleOp module,
                         Builtin builtin, Scalar type, mlir::ValueRange arguments);
/// Integer and float arithmetic as the language defines it; integer division by zero gives 0.
mlir::Value lowerArithmetic(mlir::OpBuilder &b, mlir::Location loc, BinaryOp op, Scalar type,
                            mlir::Value lhs, mlir::Value rhs);
/// `min` and `max`, of values and of reductions.
mlir::Value lowerMinMax(mlir::OpBuilder &b, mlir::Location loc, bool isMax, Scalar type,
                        mlir::Value lhs, mlir::Value rhs);
/// The value that a reduction starts from.
mlir::TypedAttr identityOf(Reduction reduction, Scalar type, mlir::MLIRContext &context);

/// One def: the values of its tensors while its statements are lowered in order.
class FrameLowering {
public:
  using Value = mlir::Value;

  struct Function {
    const Program &program;
    Inferred &inferred;
    const LanguageOptions &options;
    mlir::ModuleOp module;
    core::Sites &sites;
    SizeValues &sizes;
    mlir::OpBuilder &builder;
  };

  FrameLowering(Function &function, const Frame &frame) : function(function), frame(frame) {}

  /// Tensors, or scalars of rank 0; all in storage types.
  llvm::DenseMap<const Tensor *, Value> values;
  void lowerBody();

private:
  friend class BodyLowering;

  // LowerStmt.cpp
  void lower(const Comprehension &statement, const Stmt &self);
  void lower(const CallStmt &call, const Stmt &self);
  void lowerScalar(const Comprehension &statement, mlir::Location loc);
  bool isEmpty(const Shape &variables);
  Value initialValue(const Comprehension &statement, const Shape &variables, mlir::Location loc);
  Value oldPart(const Comprehension &statement, const Shape &variables, mlir::Location loc);
  Value loopOver(const Comprehension &statement, const Shape &variables, Value initial,
                 mlir::Location loc);
  void store(const Comprehension &statement, const Shape &variables, Value computed,
             mlir::Location loc);
  bool coversAll(const Comprehension &statement, const Shape &variables);
  bool coversNothing(const Comprehension &statement, const Shape &variables);
  llvm::SmallVector<mlir::OpFoldResult> leftExtents(const Comprehension &statement,
                                                    const Shape &variables);
  llvm::SmallVector<mlir::OpFoldResult> leftOffsets(const Comprehension &statement,
                                                    const Shape &variables);
  Scalar accumulatorType(const Comprehension &statement);
  // LowerCheck.cpp
  void checkPoints(const Comprehension &statement, bool isOfSizes, mlir::Location loc);
  void checkPreconditions();
  void checkBounds();
  void checkDivisors(const Expr &bound);

  Size extentOf(const Range &range);
  mlir::Location locationOf(SourceRange range);

  Function &function;
  const Frame &frame;
};

mlir::Location locationOf(const Program &program, SourceRange range, mlir::MLIRContext &context);

/// The lets that both of two branches use: best computed before the branches.
llvm::SmallVector<const LetClause *> sharedLets(const Expr &a, const Expr &b);

/// The right side of a comprehension for one point of its iteration space.
class BodyLowering {
public:
  using Value = mlir::Value;

  /// Each let is computed where it is first used, and visible in nested blocks.
  using Lets = llvm::ScopedHashTable<const LetClause *, Value>;
  using LetScope = Lets::ScopeTy;

  BodyLowering(FrameLowering &parent, const Shape &variables, mlir::OpBuilder &builder)
      : counters(variables.size()), builder(builder), parent(parent), ranges(variables),
        body(builder.getInsertionBlock()) {}

  /// The loop counters, each from 0, in the order of the variables. Null ones are made in the body
  /// of a linalg operation when they are needed.
  llvm::SmallVector<Value> counters;
  /// Elements that the loops provide, by read.
  llvm::DenseMap<const Apply *, Value> elements;
  mlir::OpBuilder builder;

  Value lower(const Expr &expr);
  /// The value of a statement that stores it unchanged.
  Value lowerStored(const Expr &expr);
  /// An integer in 64 bits, as an index.
  Value lowerIndex(const Expr &expr);
  /// Whether the value of a wide int32 is known to fit int32.
  bool fitsInt32(const Expr &expr) const { return boundsOf(expr).has_value(); }
  Lets &letTable() { return lets; }

private:
  Value select(const Conditional &conditional, mlir::Type type, mlir::Location loc,
               llvm::function_ref<Value(const Expr &)> lowerArm);
  Value lower(const IntLiteral &literal, const Expr &self);
  Value lower(const FloatLiteral &literal, const Expr &self);
  Value lower(const Reference &reference, const Expr &self);
  Value lower(const Paren &paren, const Expr &self);
  Value lower(const Apply &apply, const Expr &self);
  Value lower(const Cast &cast, const Expr &self);
  Value lowerCast(const Cast &cast, const Expr &self, bool rounds);
  Value lower(const Extent &extent, const Expr &self);
  Value lower(const Unary &unary, const Expr &self);
  Value lower(const Binary &binary, const Expr &self);
  Value lower(const Conditional &conditional, const Expr &self);
  Value lowerRead(const Apply &read, mlir::Location loc);
  Value readInside(const Apply &read, mlir::Location loc);
  Value lowerLogic(const Binary &op, const Expr &self);
  Value lowerComparison(const Binary &op, mlir::Location loc);
  Value choose(Value condition, mlir::Type type, mlir::Location loc,
               llvm::function_ref<Value()> ifTrue, llvm::function_ref<Value()> ifFalse);
  Value sizeValue(const Expr &expr, mlir::Type type);
  Value counterOf(unsigned loop, mlir::Location loc);
  Value variableValue(const Variable &variable, mlir::Location loc);
  struct Bounds {
    int64_t least, most;
  };
  /// For a sum of index variables and sizes with known ranges, if it fits int32: vectors compare
  /// and convert it faster in 32 bits.
  std::optional<Bounds> boundsOf(const Expr &expr) const;
  bool mayFault(const Expr &expr);
  mlir::Location locationOf(SourceRange range) { return parent.locationOf(range); }

  Value valueOf(const LetClause &let);

  // LowerIndex.cpp
  Value position(const Apply &read, unsigned dimension, mlir::Location loc);
  /// Null: the index is made from the value in its own type.
  template <typename T> Value indexOf(const T &, mlir::Location) { return {}; }
  Value indexOf(const Paren &paren, mlir::Location loc);
  Value indexOf(const Reference &reference, mlir::Location loc);
  Value indexOf(const Cast &cast, mlir::Location loc);
  Value indexOf(const Unary &unary, mlir::Location loc);
  Value indexOf(const Binary &binary, mlir::Location loc);
  Value indexOf(const Apply &apply, mlir::Location loc);
  Value indexOf(const Conditional &conditional, mlir::Location loc);

  FrameLowering &parent;
  const Shape &ranges;
  mlir::Block *body;
  Lets lets; ///< Wide lets are in 64 bits.
  llvm::DenseMap<const Expr *, bool> faulting;
  LetScope outermost{lets};
};

} // namespace tessera::tc

#endif
