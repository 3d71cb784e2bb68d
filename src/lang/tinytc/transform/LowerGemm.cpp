/// Products of matrices.
#include "lang/tinytc/transform/CoreLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

Leaves CoreLowering::lower(ir::GemmOp op) {
  Tensor a = tensor(op.getA()), other = tensor(op.getB());
  Value depth = a.sizes[op.getTransA() ? 0 : 1];
  forOutput(op, [&](ArrayRef<Index> at, Type type) {
    return sumOver(number(0), depth, number(1), zeroSum(type), [&](Value k, Number sum) {
      SmallVector<Index> left{at[0], {k, Affine{k, number(0)}}}, right{left[1], at[1]};
      if (op.getTransA())
        std::swap(left[0], left[1]);
      if (op.getTransB())
        std::swap(right[0], right[1]);
      return multiplyAdd(type, element(a, left, type), element(other, right, type), sum);
    });
  });
  return {};
}
