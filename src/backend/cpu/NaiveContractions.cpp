#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_NAIVECONTRACTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// matmul on buffers => generic with acc = fma(a, b, acc), which keeps the order of k.
void lowerMatmul(linalg::MatmulOp op) {
  OpBuilder b(op);
  auto body = [](OpBuilder &nested, Location loc, ValueRange v) {
    Value next = isa<FloatType>(v[2].getType())
                     ? Value(math::FmaOp::create(nested, loc, v[0], v[1], v[2]))
                     : arith::AddIOp::create(nested, loc, v[2], arith::MulIOp::create(nested, loc, v[0], v[1]));
    linalg::YieldOp::create(nested, loc, next);
  };
  linalg::GenericOp::create(b, op.getLoc(), TypeRange{}, op.getDpsInputs(), op.getDpsInits(), op.getIndexingMapsArray(),
                            op.getIteratorTypesArray(), body);
  op.erase();
}

struct NaiveContractions final : cpu::impl::NaiveContractionsBase<NaiveContractions> {
  void runOnOperation() override {
    SmallVector<linalg::MatmulOp> ops;
    getOperation().walk([&](linalg::MatmulOp op) { ops.push_back(op); });
    llvm::for_each(ops, lowerMatmul);
  }
};

} // namespace
