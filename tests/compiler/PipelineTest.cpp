#include "compiler/Pipeline.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/PatternMatch.h"
#include <gtest/gtest.h>

using namespace mlir;

// MLIR excludes a pattern by name and silently ignores a name that no pattern has: loops whose
// tensors change size would be compiled wrongly.
TEST(Pipeline, ExcludesAnExistingPattern) {
  MLIRContext context;
  context.loadDialect<scf::SCFDialect>();
  RewritePatternSet patterns(&context);
  scf::ForOp::getCanonicalizationPatterns(patterns, &context);
  bool isFound = llvm::any_of(patterns.getNativePatterns(), [](auto &pattern) {
    return pattern->getDebugName() == tessera::unprovedLoopTypes;
  });
  EXPECT_TRUE(isFound);
}
