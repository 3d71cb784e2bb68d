/// The `weld` dialect; Weld.td describes it.
#ifndef TESSERA_LANG_WELD_IR_DIALECT_H
#define TESSERA_LANG_WELD_IR_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lang/weld/ir/Dialect.h.inc"
#include "lang/weld/ir/Enums.h.inc"
#include "lang/weld/ir/Linear.h"
#include "lang/weld/ir/TypeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lang/weld/ir/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "lang/weld/ir/Types.h.inc"

#include "lang/weld/ir/OpInterfaces.h.inc"

namespace tessera::weld::ir {

/// bool, an integer, f32 or f64.
bool isScalar(mlir::Type type);
/// A scalar, or a struct of scalars: what builders combine.
bool isCombinable(mlir::Type type);
/// What vectors and dictionaries hold: no simd and no builder, at any depth.
bool isStorable(mlir::Type type);
/// A scalar, or a struct or vector of keys.
bool isKey(mlir::Type type);
/// A builder, or a struct of builders.
bool isBuilderLike(mlir::Type type);
/// The scalar itself, or that of a simd type; null for other types.
mlir::Type laneType(mlir::Type type);
/// The same with another scalar.
mlir::Type withLanes(mlir::Type like, mlir::Type scalar);
/// What `merge` accepts: the builder's own type, or a simd of it if that is a scalar.
bool acceptsMerge(BuilderType builder, mlir::Type value);

/// The identity of a combining operator, for a scalar type.
mlir::TypedAttr identityOf(mlir::Type scalar, Combine combine);

/// The element type of a vector or the entry type of a dictionary; null for other types.
mlir::Type keyType(mlir::Type collection);
mlir::Type valueType(mlir::Type collection);
mlir::Type optionType(mlir::Type dict);
mlir::Type entriesType(mlir::Type dict);

/// The value of an annotation, `@(name: value)` in a program; "" if there is none.
inline constexpr llvm::StringLiteral annotationsAttr = "weld.annotations";
llvm::StringRef annotation(mlir::Operation *op, llvm::StringRef name);
/// The same for an integer.
std::optional<int64_t> annotatedNumber(mlir::Operation *op, llvm::StringRef name);

/// One iterator of a loop. The operands are those that Weld.td lists for the kind.
struct IteratorOperands {
  IteratorKind kind;
  llvm::SmallVector<mlir::Value, 4> operands;
  mlir::Location loc; ///< Its position in the program.

  static unsigned numOperands(IteratorKind kind);
  /// The vector; null for a range.
  mlir::Value data() const { return kind == IteratorKind::Range ? mlir::Value() : operands[0]; }
  /// The type that the loop's region receives.
  mlir::Type elementType() const;
  /// Whether both visit the same elements in the same order.
  bool isSameAs(const IteratorOperands &other) const {
    return kind == other.kind && operands == other.operands;
  }
};

/// The resource of errors: operations that may fail write it.
struct Failure : mlir::SideEffects::Resource::Base<Failure> {
  llvm::StringRef getName() final { return "weld.failure"; }
};

/// Whether the operation, or any in its regions, may fail.
bool mayFail(mlir::Operation *op);
/// Whether it contains a call of a C function.
bool callsForeign(mlir::Operation *op);

} // namespace tessera::weld::ir

#define GET_OP_CLASSES
#include "lang/weld/ir/Ops.h.inc"

#endif
