#include "transform/Passes.h"

using namespace mlir;

namespace tessera::transform {
#define GEN_PASS_DEF_DROPVOIDSLICES
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// What is known of the source's sizes: later passes see through casts too.
RankedTensorType sourceType(tensor::ExtractSliceOp slice) {
  Value source = slice.getSource();
  while (auto cast = source.getDefiningOp<tensor::CastOp>()) {
    if (!isa<RankedTensorType>(cast.getSource().getType()))
      break;
    source = cast.getSource();
  }
  return cast<RankedTensorType>(source.getType());
}

/// Whether constants show that the slice has no element of its source.
bool isVoid(tensor::ExtractSliceOp slice) {
  ArrayRef<int64_t> shape = sourceType(slice).getShape();
  for (auto [given, length, size] :
       llvm::zip(slice.getMixedOffsets(), slice.getMixedSizes(), shape)) {
    std::optional<int64_t> offset = getConstantIntValue(given), count = getConstantIntValue(length);
    if ((offset && *offset < 0) || (count && *count <= 0))
      return true;
    if (ShapedType::isDynamic(size))
      continue;
    if (size == 0 || (offset && *offset + count.value_or(1) > size))
      return true;
  }
  return false;
}

/// Elements nobody may read, in the shape of the slice.
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
