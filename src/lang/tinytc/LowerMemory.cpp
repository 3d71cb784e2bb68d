#include "lang/tinytc/Lower.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::SmallVector;

static mlir::IntegerAttr numberOf(mlir::OpBuilder &builder, const Attr *attributes,
                                  llvm::StringRef name) {
  const Attr *number = attributes ? attributes->find(name) : nullptr;
  return number ? builder.getI64IntegerAttr(number->integer) : mlir::IntegerAttr();
}

void Lowering::lower(const Alloca &alloca, const Inst &inst) {
  bind(inst, ir::AllocaOp::create(builder, locationOf(inst), typeOf(*inst.results[0]->type),
                                  numberOf(builder, alloca.attributes, "alignment"),
                                  /*offset=*/nullptr)
                 ->getResults());
}

void Lowering::lower(const LifetimeStop &stop, const Inst &inst) {
  ir::LifetimeStopOp::create(builder, locationOf(inst), valueOf(stop.operand));
}

//===-- Tensors -----------------------------------------------------------===//

void Lowering::lower(const Blas &blas, const Inst &inst) {
  mlir::Location loc = locationOf(inst);
  mlir::Value alpha = valueOf(blas.alpha), beta = valueOf(blas.beta), out = valueOf(blas.output);
  const Literal *known = blas.beta.value ? blas.beta.value->folded : nullptr;
  if (known && !beta.getDefiningOp<ir::ConstantOp>()) // If beta is 0, the output is not read.
    beta = constant(*known, *blas.beta.type, loc);
  SmallVector<mlir::Value> in = valuesOf(blas.inputs);
  bool isAtomic = blas.isAtomic, first = blas.isTransposed[0], second = blas.isTransposed[1];
  switch (blas.op) {
  case BlasOp::Axpby:
    ir::AxpbyOp::create(builder, loc, alpha, in[0], beta, out, isAtomic, first);
    return;
  case BlasOp::Cumsum:
    ir::CumsumOp::create(builder, loc, alpha, in[0], beta, out, isAtomic, blas.mode.value);
    return;
  case BlasOp::Gemm:
    ir::GemmOp::create(builder, loc, alpha, in[0], in[1], beta, out, isAtomic, first, second);
    return;
  case BlasOp::Gemv:
    ir::GemvOp::create(builder, loc, alpha, in[0], in[1], beta, out, isAtomic, first);
    return;
  case BlasOp::Ger:
    ir::GerOp::create(builder, loc, alpha, in[0], in[1], beta, out, isAtomic);
    return;
  case BlasOp::Hadamard:
    ir::HadamardOp::create(builder, loc, alpha, in[0], in[1], beta, out, isAtomic);
    return;
  case BlasOp::Sum:
    ir::SumOp::create(builder, loc, alpha, in[0], beta, out, isAtomic, first);
    return;
  }
  llvm_unreachable("no such operation");
}

//===-- Views -------------------------------------------------------------===//

void Lowering::lower(const Subview &view, const Inst &inst) {
  mlir::Value operand = valueOf(view.operand);
  auto type = mlir::cast<ir::MemrefType>(operand.getType());
  SmallVector<mlir::OpFoldResult> offsets, sizes;
  for (auto [mode, slice] : llvm::enumerate(view.slices)) {
    mlir::OpFoldResult none = builder.getIndexAttr(0), size = none;
    offsets.push_back(slice.isWhole ? none : mixedOf(slice.offset));
    if (slice.isWhole && type.size(mode) == dynamic)
      size = ir::SizeOp::create(builder, locationOf(slice.range), builder.getIndexType(), operand,
                                mode)
                 .getResult();
    else if (slice.isWhole)
      size = builder.getIndexAttr(type.size(mode));
    else if (slice.size)
      size = mixedOf(*slice.size);
    sizes.push_back(size);
  }
  auto result = mlir::cast<ir::MemrefType>(typeOf(*inst.results[0]->type));
  bind(inst, ir::SubviewOp::create(builder, locationOf(inst), result, operand, offsets, sizes)
                 ->getResults());
}

void Lowering::lower(const Expand &expand, const Inst &inst) {
  auto result = mlir::cast<ir::MemrefType>(typeOf(*inst.results[0]->type));
  SmallVector<mlir::OpFoldResult> factors;
  for (const Operand &factor : expand.factors)
    factors.push_back(mixedOf(factor));
  bind(inst, ir::ExpandOp::create(builder, locationOf(inst), result, valueOf(expand.operand),
                                  expand.mode.value, factors)
                 ->getResults());
}

void Lowering::lower(const Fuse &fuse, const Inst &inst) {
  bind(inst, ir::FuseOp::create(builder, locationOf(inst), typeOf(*inst.results[0]->type),
                                valueOf(fuse.operand), fuse.from.value, fuse.to.value)
                 ->getResults());
}

void Lowering::lower(const Size &size, const Inst &inst) {
  bind(inst, ir::SizeOp::create(builder, locationOf(inst), builder.getIndexType(),
                                valueOf(size.operand), size.mode.value)
                 ->getResults());
}

//===-- Elements ----------------------------------------------------------===//

void Lowering::lower(const Load &load, const Inst &inst) {
  SmallVector<mlir::Value> indices = valuesOf(load.indices);
  bind(inst, ir::LoadOp::create(builder, locationOf(inst), typeOf(*inst.results[0]->type),
                                valueOf(load.operand), indices)
                 ->getResults());
}

void Lowering::lower(const Store &store, const Inst &inst) {
  mlir::Value value = valueOf(store.value);
  SmallVector<mlir::Value> indices = valuesOf(store.indices);
  bind(inst, ir::StoreOp::create(
                 builder, locationOf(inst), store.type ? typeOf(*store.type->type) : mlir::Type(),
                 value, valueOf(store.target), indices, static_cast<ir::StoreFlag>(store.flag))
                 ->getResults());
}
