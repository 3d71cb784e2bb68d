#include "backend/cpu/Passes.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_CALLLIBRARY
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

llvm::ArrayRef<llvm::StringLiteral> cpu::libraryFunctions() {
#define TESSERA_LIBRARY(name) llvm::StringLiteral(#name), llvm::StringLiteral(#name "f"),
  static constexpr llvm::StringLiteral names[] = {
#include "backend/cpu/Library.def"
  };
  return names;
}

namespace {

/// Lowers the remaining mathematical functions. Other operations have instructions, possibly
/// through LLVM's intrinsics.
struct CallLibrary final : cpu::impl::CallLibraryBase<CallLibrary> {
  void runOnOperation() override {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp, math::AtanOp,
                        math::Atan2Op, math::AtanhOp, math::CbrtOp, math::CosOp, math::CoshOp,
                        math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
                        math::LogOp, math::Log10Op, math::Log1pOp, math::Log2Op, math::PowFOp,
                        math::SinOp, math::SinhOp, math::TanOp, math::TanhOp>();
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
