#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_DROPVOIDSLICES
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

std::optional<int64_t> sizeOf(Value tensor, unsigned dimension);

/// Later passes also see through casts and tensor sizes.
std::optional<int64_t> numberOf(OpFoldResult given) {
  if (std::optional<int64_t> constant = getConstantIntValue(given))
    return constant;
  auto value = cast<Value>(given);
  if (auto conversion = value.getDefiningOp<arith::IndexCastOp>())
    return numberOf(conversion.getIn());
  auto size = value.getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> dimension = size ? size.getConstantIndex() : std::nullopt;
  return dimension ? sizeOf(size.getSource(), *dimension) : std::nullopt;
}

/// The size of a tensor's dimension, if its definition determines it.
std::optional<int64_t> sizeOf(Value tensor, unsigned dimension) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || dimension >= type.getRank())
    return std::nullopt;
  if (!type.isDynamicDim(dimension))
    return type.getDimSize(dimension);
  if (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    return sizeOf(cast.getSource(), dimension);
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    return numberOf(empty.getMixedSizes()[dimension]);
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return slice.getSourceType().getRank() == type.getRank()
               ? numberOf(slice.getMixedSizes()[dimension])
               : std::nullopt;
  if (auto op = tensor.getDefiningOp<DestinationStyleOpInterface>())
    return sizeOf(op.getTiedOpOperand(cast<OpResult>(tensor))->get(), dimension);
  return std::nullopt;
}

/// Whether constants prove that the slice is empty or outside its source.
bool isVoid(tensor::ExtractSliceOp slice) {
  for (auto [dimension, given] : llvm::enumerate(slice.getMixedOffsets())) {
    std::optional<int64_t> offset = numberOf(given);
    std::optional<int64_t> count = numberOf(slice.getMixedSizes()[dimension]);
    if ((offset && *offset < 0) || (count && *count <= 0))
      return true;
    std::optional<int64_t> size = sizeOf(slice.getSource(), dimension);
    if (size && (*size == 0 || (offset && *offset + count.value_or(1) > *size)))
      return true;
  }
  return false;
}

/// An uninitialized tensor in the shape of the slice.
Value emptyLike(OpBuilder &b, tensor::ExtractSliceOp slice) {
  SmallVector<OpFoldResult> sizes;
  for (OpFoldResult size : slice.getMixedSizes()) {
    std::optional<int64_t> count = getConstantIntValue(size);
    sizes.push_back(count ? OpFoldResult(b.getIndexAttr(std::max<int64_t>(*count, 0))) : size);
  }
  Type type = slice.getType(), element = slice.getType().getElementType();
  Value empty = tensor::EmptyOp::create(b, slice.getLoc(), sizes, element);
  return empty.getType() == type ? empty : tensor::CastOp::create(b, slice.getLoc(), type, empty);
}

struct DropVoidSlices final : tessera::transform::impl::DropVoidSlicesBase<DropVoidSlices> {
  void runOnOperation() override {
    getOperation().walk([](tensor::ExtractSliceOp slice) {
      if (slice.getType().getRank() != slice.getSourceType().getRank() || !isVoid(slice))
        return;
      OpBuilder b(slice);
      slice.replaceAllUsesWith(emptyLike(b, slice));
      slice.erase();
    });
  }
};

} // namespace
