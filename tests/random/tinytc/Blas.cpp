/// Collective instructions, by their definitions.
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;
using Indices = llvm::SmallVector<int64_t>;

namespace {

/// An input after op(), converted to the type of sums.
class Input {
public:
  Input(const Memref &tensor, bool isTransposed, ScalarType type, Actor who)
      : tensor(tensor), isTransposed(isTransposed && tensor.order() == 2), type(type), who(who) {}

  int64_t size(int64_t mode) const { return tensor.shape[isTransposed ? 1 - mode : mode]; }
  Quantity operator()(Indices at) const {
    if (isTransposed)
      std::swap(at[0], at[1]);
    return convert(tensor.memory->read(tensor.at(at), who), tensor.memory->element, type);
  }

private:
  const Memref &tensor;
  bool isTransposed;
  ScalarType type;
  Actor who;
};

/// The terms that are summed for an element of the output.
using Terms = llvm::function_ref<void(QuantitySum &, llvm::ArrayRef<int64_t>)>;

bool isZero(const Quantity &number) {
  return number.integer == 0 && number.re.value == 0 && number.im.value == 0;
}

} // namespace

Machine::Result Machine::act(const Blas &blas, const Inst &, Thread &thread) {
  const Memref &output = memref(blas.output, thread);
  ScalarType element = output.memory->element, type = accumulationType(element);
  Actor who = actor(thread);
  Quantity alpha = convert(number(blas.alpha, thread), blas.alpha.type->scalar, type);
  Quantity beta = convert(number(blas.beta, thread), blas.beta.type->scalar, type);
  Input a(memref(blas.inputs[0], thread), blas.isTransposed[0], type, who);
  Input b(memref(blas.inputs.back(), thread), blas.isTransposed[1], type, who);

  // All sums precede the first write: inputs that overlap with the output have their old values.
  std::vector<QuantitySum> sums;
  auto sumUp = [&](Terms terms) {
    forEachIndex(output.shape, [&](llvm::ArrayRef<int64_t> at) {
      QuantitySum sum(type);
      terms(sum, at);
      sums.push_back(sum);
    });
  };
  using At = llvm::ArrayRef<int64_t>;
  switch (blas.op) {
  case BlasOp::Axpby:
    sumUp([&](QuantitySum &sum, At at) { sum.add(a(Indices(at))); });
    break;
  case BlasOp::Cumsum:
    sumUp([&](QuantitySum &sum, At at) {
      Indices from(at);
      for (from[blas.mode.value] = 0; from[blas.mode.value] <= at[blas.mode.value];
           ++from[blas.mode.value])
        sum.add(a(from));
    });
    break;
  case BlasOp::Gemm:
    sumUp([&](QuantitySum &sum, At at) {
      for (int64_t k = 0; k < a.size(1); ++k)
        sum.addProduct(a({at[0], k}), b({k, at[1]}));
    });
    break;
  case BlasOp::Gemv:
    sumUp([&](QuantitySum &sum, At at) {
      for (int64_t k = 0; k < a.size(1); ++k)
        sum.addProduct(a({at[0], k}), b({k}));
    });
    break;
  case BlasOp::Ger:
    sumUp([&](QuantitySum &sum, At at) { sum.addProduct(a({at[0]}), b({at[1]})); });
    break;
  case BlasOp::Hadamard:
    sumUp([&](QuantitySum &sum, At at) { sum.addProduct(a(Indices(at)), b(Indices(at))); });
    break;
  case BlasOp::Sum:
    sumUp([&](QuantitySum &sum, At at) {
      int64_t summed = output.order(); // The last mode of op(A).
      for (int64_t k = 0; k < a.size(summed); ++k)
        sum.add(at.empty() ? a({k}) : a({at[0], k}));
    });
    break;
  }
  size_t next = 0;
  forEachIndex(output.shape, [&](llvm::ArrayRef<int64_t> at) {
    int64_t cell = output.at(at);
    QuantitySum result(type);
    result.addScaled(sums[next++], alpha);
    if (blas.isAtomic && !isZero(beta)) {
      if (type == element)
        output.memory->add(cell, result, who);
      else
        output.memory->add(cell, convert(result.result(), type, element), who);
      return;
    }
    if (!isZero(beta)) // Otherwise the old value does not matter.
      result.addProduct(beta, convert(output.memory->read(cell, who), element, type));
    output.memory->write(cell, convert(result.result(), type, element), who);
  });
  return {};
}
