/// The `tinytc` dialect; Tinytc.td describes it.
#ifndef TESSERA_LANG_TINYTC_IR_DIALECT_H
#define TESSERA_LANG_TINYTC_IR_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <optional>

#include "lang/tinytc/ir/Dialect.h.inc"
#include "lang/tinytc/ir/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lang/tinytc/ir/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "lang/tinytc/ir/Types.h.inc"

#include "lang/tinytc/ir/OpInterfaces.h.inc"

namespace tessera::tinytc::ir {

//===-- Types -------------------------------------------------------------===//

constexpr int64_t dynamic = mlir::ShapedType::kDynamic;

bool isInteger(mlir::Type type); ///< Including `index`, but not bool.
bool isFloat(mlir::Type type);
bool isComplex(mlir::Type type);
/// An integer, a float or a complex number: what tensors and matrices hold.
bool isScalar(mlir::Type type);
/// Whether loops and branches may carry the type: bools, scalars and matrices.
bool isCarried(mlir::Type type);
/// The scalar itself, or that of a matrix; null for others.
mlir::Type componentType(mlir::Type type);
/// The type that `load` returns: an element of a memref, or a member of a group.
mlir::Type loadedType(mlir::Type type);
unsigned bytesOf(mlir::Type scalar);

/// Whether all values of one are values of the other [tinytc.promote.1].
bool promotes(mlir::Type from, mlir::Type to);
/// The type that the other promotes to; null if neither does.
mlir::Type promote(mlir::Type left, mlir::Type right);
/// The type in which products are summed up: f32 for narrower floats, i32 for narrower integers.
mlir::Type accumulationType(mlir::Type scalar);
/// Whether `cast` accepts these scalars: all except from complex to real numbers.
bool canCast(mlir::Type from, mlir::Type to);

/// The product of two sizes or strides: dynamic if one of them is, or if it overflows.
int64_t product(int64_t left, int64_t right);
/// 1, s1, s1*s2...: dynamic after a dynamic mode.
llvm::SmallVector<int64_t> packedStrides(llvm::ArrayRef<int64_t> shape);

//===-- Where operations may occur ----------------------------------------===//

/// Whether the operation is in a region that runs once for each work-item.
bool isInSpmdRegion(mlir::Operation *op);

llvm::LogicalResult verifyCollective(mlir::Operation *op);
llvm::LogicalResult verifySpmd(mlir::Operation *op);

template <typename ConcreteType>
struct CollectiveOp : mlir::OpTrait::TraitBase<ConcreteType, CollectiveOp> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifyCollective(op); }
};
template <typename ConcreteType> struct SpmdOp : mlir::OpTrait::TraitBase<ConcreteType, SpmdOp> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifySpmd(op); }
};
template <typename ConcreteType>
struct MixedOp : mlir::OpTrait::TraitBase<ConcreteType, MixedOp> {};

//===-- Effects -----------------------------------------------------------===//

struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "tinytc.global"; }
};
struct LocalMemory : mlir::SideEffects::Resource::Base<LocalMemory> {
  llvm::StringRef getName() final { return "tinytc.local"; }
};
/// Which work-items are active.
struct ActiveItems : mlir::SideEffects::Resource::Base<ActiveItems> {
  llvm::StringRef getName() final { return "tinytc.active"; }
};

//===-- Attributes --------------------------------------------------------===//

inline constexpr llvm::StringLiteral subgroupSizeAttr = "tinytc.subgroup_size";
inline constexpr llvm::StringLiteral workGroupSizeAttr = "tinytc.work_group_size";
inline constexpr llvm::StringLiteral localBytesAttr = "tinytc.local_bytes";
inline constexpr llvm::StringLiteral attributesAttr = "tinytc.attributes";

/// The subgroup size of a kernel.
int64_t subgroupSizeOf(mlir::Operation *function);
/// The work-group size of a kernel: work-items along both axes.
llvm::ArrayRef<int64_t> workGroupSizeOf(mlir::Operation *function);
int64_t numSubgroupsOf(mlir::Operation *function);

/// The value of an integer, if it is known.
std::optional<int64_t> constantInt(mlir::Value value);
/// Whether a scalar is known to be 0, or 1.
bool isConstant(mlir::Value value, int64_t wanted);

/// The memory that a view is a part of: an `alloca`, an argument, or a member loaded from a group.
mlir::Value rootOf(mlir::Value memref);

} // namespace tessera::tinytc::ir

#define GET_OP_CLASSES
#include "lang/tinytc/ir/Ops.h.inc"

#endif
