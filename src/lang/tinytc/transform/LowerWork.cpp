/// Kernels whose operations are counted, and which are not executed [core/Counted.h]: each
/// work-item, and each point of a `foreach`, is an iteration of its own, and an instruction on
/// tensors or matrices is a loop that performs as many operations as its formula has.
#include "lang/tinytc/transform/CoreLowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

/// The number of real operations; a complex product consists of 4 products and 2 sums.
static int64_t ofProduct(Type lhs, Type rhs) {
  int64_t numComplex = ir::isComplex(lhs) + ir::isComplex(rhs);
  return numComplex == 2 ? 6 : numComplex + 1;
}
static int64_t ofSum(Type type) {
  return ir::isComplex(type) ? 2 : 1;
}
static int64_t ofBinary(ir::Binary function, Type type) {
  if (function == ir::Binary::Mul)
    return ofProduct(type, type);
  // (a + bi) (c - di) / (c² + d²).
  return function == ir::Binary::Div && ir::isComplex(type) ? 11 : ofSum(type);
}

/// Any values of the results' types, which is all that their uses need.
Leaves CoreLowering::anyLeaves(ValueRange results) {
  Leaves all;
  for (Value result : results)
    for (Type type : leafTypes(result.getType()))
      all.push_back(LLVM::ZeroOp::create(b, loc, type));
  return all;
}

/// Performs `count` times `operations` operations on floating-point numbers of the type, or of its
/// parts; they are stored, so that no pass removes them.
void CoreLowering::doWork(Type type, Value count, int64_t operations) {
  auto complex = dyn_cast<ComplexType>(type);
  Type part = complex ? complex.getElementType() : type;
  if (!isa<FloatType>(part) || operations == 0)
    return;
  auto vector = VectorType::get(operations, part.isF64() ? part : b.getF32Type());
  Value slot = stackSlot(vector, 1, 64);
  forEach(number(0), count, number(1), [&](Value) {
    Value operand = loadScalar(vector, slot);
    storeScalar(arith::AddFOp::create(b, loc, operand, operand), slot);
  });
}

//===-- Tensors -----------------------------------------------------------===//

Value CoreLowering::numElements(const Tensor &tensor) {
  Value count = number(1);
  for (Value size : tensor.sizes)
    count = make<arith::MulIOp>(count, size);
  return count;
}

/// The work for alpha and beta at each element; none if they are known to be 1 or, for beta, 0.
static int64_t ofUpdate(ir::BlasOp op, Type combined) {
  Type output = op.getOutput().getType().getElement();
  Value alpha = op.getAlpha(), beta = op.getBeta();
  int64_t scaling = ir::isConstant(alpha, 1) ? 0 : ofProduct(alpha.getType(), combined);
  if (ir::isConstant(beta, 0))
    return scaling;
  bool isAdded = ir::isConstant(beta, 1);
  return scaling + ofSum(output) + (isAdded ? 0 : ofProduct(beta.getType(), output));
}

/// As usual, matrix products count as two operations (complex: eight) per product of elements,
/// whatever alpha and beta are, and sums as one per element.
void CoreLowering::count(ir::BlasOp op) {
  Operation *blas = op;
  Tensor output = tensor(op.getOutput()), a = tensor(op.getInputs()[0]);
  Type left = a.type.getElement();
  if (isa<ir::SumOp, ir::CumsumOp>(blas))
    return doWork(left, numElements(a), ofSum(left));
  if (isa<ir::AxpbyOp>(blas))
    return doWork(output.type.getElement(), numElements(output), ofUpdate(op, left));
  Type right = op.getInputs()[1].getType().getElement(), both = ir::promote(left, right);
  if (isa<ir::HadamardOp>(blas))
    return doWork(output.type.getElement(), numElements(output),
                  ofProduct(left, right) + ofUpdate(op, both));
  Value products = numElements(output);
  if (!isa<ir::GerOp>(blas))
    products = make<arith::MulIOp>(products, a.sizes[op.getTransposes()[0] ? 0 : 1]);
  doWork(both, products, ofProduct(left, right) + ofSum(both));
}

//===-- Work-items --------------------------------------------------------===//

void CoreLowering::countPoints(ir::ForeachOp op, unsigned variable) {
  Value argument = op.getVariables()[variable];
  Type type = argument.getType();
  auto wide = [&](Value value) { return convertReal(leaves(value)[0], type, i64); };
  Value from = wide(op.getFrom()[variable]), to = wide(op.getTo()[variable]);
  forEach(from, to, number(1), [&](Value at) {
    values[argument] = {convertReal(at, i64, type)};
    if (variable == 0)
      lowerBlock(op.getBody().front());
    else
      countPoints(op, variable - 1);
  });
}

void CoreLowering::countItems(ir::ParallelOp op) {
  forSubgroups([&] {
    forEach(number(0), number(ir::subgroupSizeOf(source)), number(1), [&](Value lane) {
      laneId = lane;
      lowerBlock(op.getBody().front());
    });
  });
  laneId = {};
}

/// What a subgroup does as a whole counts for its first work-item.
void CoreLowering::countMatrix(ir::CoopMatrixType type, int64_t operations) {
  when(compareInts(arith::CmpIPredicate::eq, laneId, number(0)), [&] {
    doWork(type.getComponent(), number(type.getRows() * type.getColumns()), operations);
  });
}

static int64_t ofMatrix(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](ir::CoopMulAddOp product) {
        Type left = product.getA().getType().getComponent();
        Type right = product.getB().getType().getComponent();
        return product.getA().getType().getColumns() *
               (ofProduct(left, right) + ofSum(product.getC().getType().getComponent()));
      })
      .Case([](ir::BinaryOp binary) {
        return ofBinary(binary.getFunction(), ir::componentType(binary.getType()));
      })
      .Case<ir::UnaryOp>(
          [](ir::UnaryOp unary) { return ofSum(ir::componentType(unary.getType())); })
      .Case([](ir::CoopScaleOp scale) {
        return ofBinary(ir::Binary::Mul, scale.getResult().getType().getComponent());
      })
      .Case([](ir::CoopStoreOp store) {
        bool isAdded = store.getFlag() == ir::StoreFlag::AtomicAdd;
        return isAdded ? ofSum(store.getMatrix().getType().getComponent()) : 0;
      })
      .Default([](Operation *) { return 0; });
}

static ir::CoopMatrixType matrixOf(Operation &op) {
  if (auto store = dyn_cast<ir::CoopStoreOp>(op))
    return store.getMatrix().getType();
  return op.getNumResults() ? dyn_cast<ir::CoopMatrixType>(op.getResult(0).getType()) : nullptr;
}

/// nullopt if the operation is lowered as usual.
std::optional<Leaves> CoreLowering::lowerCounted(Operation &op) {
  if (ir::CoopMatrixType matrix = matrixOf(op); matrix && !op.getNumRegions()) {
    if (laneId)
      countMatrix(matrix, ofMatrix(&op));
    return anyLeaves(op.getResults());
  }
  return llvm::TypeSwitch<Operation *, std::optional<Leaves>>(&op)
      .Case([&](ir::BlasOp blas) { return count(blas), Leaves(); })
      .Case([&](ir::ForeachOp each) {
        return countPoints(each, each.getVariables().size() - 1), Leaves();
      })
      .Case([&](ir::ParallelOp parallel) { return countItems(parallel), Leaves(); })
      .Case([&](ir::ForOp loop) { return uniformFor(loop); })
      .Case([&](ir::BroadcastOp broadcast) { return leaves(broadcast.getValue()); })
      .Case([&](ir::SubgroupOp together) {
        doWork(together.getType(), number(1), ofSum(together.getType()));
        return leaves(together.getOperand());
      })
      .Case([&](ir::StoreOp store) -> std::optional<Leaves> {
        if (store.getFlag() != ir::StoreFlag::AtomicAdd)
          return std::nullopt;
        doWork(store.getValue().getType(), number(1), ofSum(store.getValue().getType()));
        return anyLeaves(store->getResults());
      })
      .Default([](Operation *) { return std::nullopt; });
}
