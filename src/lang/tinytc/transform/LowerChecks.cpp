/// Run-time errors for behavior that the language leaves undefined, for --checked.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;
using arith::CmpIPredicate;

/// "... in work-group {n}", and the work-item if there is one.
static std::string placed(StringRef message, size_t numValues, bool hasItem) {
  std::string text = (message + " in work-group {" + std::to_string(numValues) + "}").str();
  return hasItem ? text + ", work-item {" + std::to_string(numValues + 1) + "}" : text;
}

/// `about` fills {0}, {1}... of the message. The work-group and, in SPMD regions, the first
/// work-item that fails follow; of work-items that share a value, the first.
void CoreLowering::trapIf(Value isBad, StringRef message, StringRef rule, ValueRange about) {
  SmallVector<Value> all(about);
  all.push_back(groupId);
  bool hasItem = lanes && about.size() < 3; // A message has room for four numbers.
  std::string text = placed(message, about.size(), hasItem);
  auto itemAt = [&](Value lane) {
    return make<arith::AddIOp>(lane, make<arith::MulIOp>(subgroupId, number(lanes)));
  };
  if (!hasLanes(isBad)) {
    if (hasItem)
      all.push_back(itemAt(mask ? firstOf(mask) : number(0)));
    return core::trapIf(b, sites, isBad, {loc, text, rule}, all);
  }
  Value bad = andOf(mask, isBad);
  auto values = [&](OpBuilder &) {
    Value lane = firstOf(bad);
    for (Value &value : all)
      if (hasLanes(value))
        value = LLVM::ExtractElementOp::create(b, loc, value, lane);
    all.push_back(itemAt(lane));
    return all;
  };
  Value fails = anyOf(bad);
  when(fails, [&] { core::trapIf(b, sites, fails, {loc, text, rule}, values(b)); });
}

void CoreLowering::checkIndices(const Tensor &tensor, ArrayRef<Index> indices) {
  for (auto [index, size] : llvm::zip_equal(indices, tensor.sizes)) {
    Value at = laneValue(index);
    Value isBad = make<arith::OrIOp>(compareInts(CmpIPredicate::slt, at, number(0)),
                                     compareInts(CmpIPredicate::sge, at, size));
    trapIf(isBad, "index {0} is outside a mode of size {1},", "tinytc.checked.1", {at, size});
  }
}

void CoreLowering::checkMember(ir::LoadOp op) {
  auto group = cast<ir::GroupType>(op.getOperand().getType());
  Leaves all = leaves(op.getOperand());
  Value size = group.getSize() != ir::dynamic
                   ? number(group.getSize())
                   : all[all.size() - (group.getOffset() == ir::dynamic ? 2 : 1)];
  Value at = leaves(op.getIndices()[0])[0];
  Value isBad = make<arith::OrIOp>(compareInts(CmpIPredicate::slt, at, number(0)),
                                   compareInts(CmpIPredicate::sge, at, size));
  trapIf(isBad, "index {0} is outside a group of {1} members,", "tinytc.checked.1", {at, size});
}

/// Whether `size` elements from `begin` on are not all inside a mode; their sum may overflow.
Value CoreLowering::isOutside(Value begin, Value size, Value mode) {
  Value isBefore = compareInts(CmpIPredicate::slt, begin, number(0));
  Value isNegative = compareInts(CmpIPredicate::slt, size, number(0));
  Value isBehind = compareInts(CmpIPredicate::sgt, begin, make<arith::SubIOp>(mode, size));
  return make<arith::OrIOp>(make<arith::OrIOp>(isBefore, isNegative), isBehind);
}

void CoreLowering::checkView(ir::SubviewOp op) {
  Tensor from = tensor(op.getOperand());
  SmallVector<OpFoldResult> offsets = op.mixedOffsets(), sizes = op.mixedSizes();
  for (int64_t mode = 0; mode < from.type.order(); ++mode) {
    Value begin = mixed(offsets[mode]), size = op.keepsMode(mode) ? mixed(sizes[mode]) : number(1);
    Value isBad = isOutside(begin, size, from.sizes[mode]);
    if (op.keepsMode(mode) && isa<Value>(sizes[mode]))
      trapIf(compareInts(CmpIPredicate::eq, size, number(0)),
             "a view of a mode of size {0} is empty,", "tinytc.checked.10", from.sizes[mode]);
    if (lanes)
      trapIf(isBad, "a view from index {0} ends outside a mode of size {1},", "tinytc.checked.2",
             {begin, from.sizes[mode]});
    else
      trapIf(isBad, "a view of {0} elements from index {1} is outside a mode of size {2},",
             "tinytc.checked.2", {size, begin, from.sizes[mode]});
  }
}

void CoreLowering::checkView(ir::ExpandOp op) {
  Value product = number(1), size = tensor(op.getOperand()).sizes[op.getMode()];
  Value isBad = fill(i1, 0);
  for (OpFoldResult each : op.mixedFactors()) {
    Value factor = mixed(each), before = inLanesOf(product, factor);
    auto wide = arith::MulSIExtendedOp::create(b, loc, before, inLanesOf(factor, product));
    product = wide.getLow();
    Value isTooLarge = compareInts(CmpIPredicate::ne, wide.getHigh(), fill(product.getType(), 0));
    Value isNegative = compareInts(CmpIPredicate::slt, factor, number(0));
    isBad = make<arith::OrIOp>(isBad, make<arith::OrIOp>(isTooLarge, isNegative));
  }
  trapIf(isBad, "factors of a mode of size {0} are negative or too large,", "tinytc.checked.3",
         size);
  trapIf(compareInts(CmpIPredicate::ne, product, size),
         "the product of the factors is {0}, but the mode has size {1},", "tinytc.checked.3",
         {product, size});
}

void CoreLowering::checkView(ir::FuseOp op) {
  Tensor from = tensor(op.getOperand());
  for (int64_t mode = op.getFrom(); mode < int64_t(op.getTo()); ++mode) {
    Value end = make<arith::MulIOp>(from.strides[mode], from.sizes[mode]);
    Value isBad = compareInts(CmpIPredicate::ne, end, from.strides[mode + 1]);
    trapIf(isBad, "a mode that ends after {0} elements is fused with one of stride {1},",
           "tinytc.checked.3", {end, from.strides[mode + 1]});
  }
}

/// Checks sizes of modes that must be equal.
void CoreLowering::checkShapes(ir::BlasOp op) {
  Tensor output = tensor(op.getOutput());
  SmallVector<Tensor, 2> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(tensor(input));
  SmallVector<bool, 2> transposes = op.getTransposes();
  struct Mode {
    Value size;
    std::string name;
  };
  auto mode = [&](unsigned input, unsigned number) -> Mode {
    bool isSwapped =
        input < transposes.size() && transposes[input] && inputs[input].sizes.size() == 2;
    unsigned own = isSwapped ? 1 - number : number;
    return {inputs[input].sizes[own],
            llvm::formatv("mode {0} of the {1} tensor", own, input ? "second" : "first")};
  };
  auto outputMode = [&](unsigned number) -> Mode {
    return {output.sizes[number], llvm::formatv("mode {0} of the result", number)};
  };
  auto equal = [&](const Mode &lhs, const Mode &rhs) {
    trapIf(compareInts(CmpIPredicate::ne, lhs.size, rhs.size),
           lhs.name + " has size {0}, but " + rhs.name + " has {1},", "tinytc.checked.4",
           {lhs.size, rhs.size});
  };
  Operation *blas = op;
  if (isa<ir::GemmOp, ir::GemvOp>(blas))
    equal(mode(0, 1), mode(1, 0));
  if (isa<ir::GemmOp>(blas))
    equal(mode(1, 1), outputMode(1));
  if (isa<ir::GerOp>(blas))
    equal(mode(1, 0), outputMode(1));
  bool isElementwise = isa<ir::AxpbyOp, ir::CumsumOp, ir::HadamardOp>(blas);
  for (unsigned number = 0; number < output.sizes.size(); ++number) {
    if (number == 0 || isElementwise)
      equal(mode(0, number), outputMode(number));
    if (isa<ir::HadamardOp>(blas))
      equal(mode(1, number), outputMode(number));
  }
}

void CoreLowering::checkStep(ir::ForOp op) {
  if (!op.getStep())
    return;
  Value step = convertReal(leaves(op.getStep())[0], op.getStep().getType(), i64);
  Value isBad = compareInts(CmpIPredicate::sle, step, number(0));
  trapIf(isBad, "the step {0} of a loop is not positive,", "tinytc.checked.5", step);
}

void CoreLowering::checkDivisors(ir::BinaryOp op, ir::CoopMatrixType type) {
  using Function = ir::Binary;
  bool divides = op.getFunction() == Function::Div || op.getFunction() == Function::Rem;
  if (!divides || !ir::isInteger(type.getComponent()))
    return;
  forPieces(type, [&](const Piece &piece) {
    Value divisors = pieceOf(op.getRhs(), piece).re;
    Value isZero = compareInts(CmpIPredicate::eq, divisors, fill(divisors.getType(), 0));
    Value any = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, isZero);
    trapIf(any, "division by zero,", "tinytc.checked.6", {});
  });
}

void CoreLowering::checkOperands(ir::BinaryOp op) {
  Type type = op.getType();
  using Function = ir::Binary;
  if (auto matrix = dyn_cast<ir::CoopMatrixType>(type))
    return checkDivisors(op, matrix);
  if (!ir::isInteger(type))
    return;
  Value rhs = convertReal(leaves(op.getRhs())[0], type, i64);
  if (op.getFunction() == Function::Div || op.getFunction() == Function::Rem) {
    Value isBad = compareInts(CmpIPredicate::eq, rhs, number(0));
    trapIf(isBad, "division by zero,", "tinytc.checked.6", {});
  }
  if (op.getFunction() != Function::Shl && op.getFunction() != Function::Shr)
    return;
  int64_t width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value isBad = make<arith::OrIOp>(compareInts(CmpIPredicate::slt, rhs, number(0)),
                                   compareInts(CmpIPredicate::sge, rhs, number(width)));
  trapIf(isBad, "a shift of a {1}-bit integer by {0},", "tinytc.checked.6", {rhs, number(width)});
}

/// NaN is out of range. A number that is truncated toward zero is in range if it is below the first
/// integer that is not; these powers of two are all representable.
void CoreLowering::checkRange(ir::CastOp op) {
  Type from = ir::componentType(op.getOperand().getType()), to = ir::componentType(op.getType());
  if (!isa<FloatType>(from) || !ir::isInteger(to))
    return;
  double limit = std::ldexp(1.0, (to.isIndex() ? 64 : to.getIntOrFloatBitWidth()) - 1);
  Type wide = from.isF64() ? from : b.getF32Type();
  auto matrix = dyn_cast<ir::CoopMatrixType>(op.getType());
  auto check = [&](const Piece &piece) {
    Value operand = pieceOf(op.getOperand(), piece).re;
    Value whole = math::TruncOp::create(b, loc, convertReal(operand, from, wide));
    auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
      return arith::CmpFOp::create(b, loc, predicate, whole, fill(whole.getType(), bound));
    };
    Value isBad = make<arith::OrIOp>(compare(arith::CmpFPredicate::ULT, -limit),
                                     compare(arith::CmpFPredicate::UGE, limit));
    if (matrix)
      isBad = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, isBad);
    trapIf(isBad, "a cast of a number outside the range of the integer type,", "tinytc.checked.11",
           {});
  };
  if (matrix)
    forPieces(matrix, check);
  else
    check({});
}

/// Checks that all active lanes have the same value, bit for bit.
void CoreLowering::checkUniform(Value value, StringRef what) {
  for (Value leaf : leaves(value)) {
    if (!hasLanes(leaf))
      continue;
    if (Type element = getElementTypeOrSelf(leaf.getType()); isa<FloatType>(element))
      leaf = arith::BitcastOp::create(
          b, loc, like(leaf, b.getIntegerType(element.getIntOrFloatBitWidth())), leaf);
    Value isBad = compareInts(CmpIPredicate::ne, leaf, uniform(leaf));
    trapIf(isBad, ("the " + what + " differs among work-items,").str(), "tinytc.checked.7", {});
  }
}

/// Checks that the address, sizes and strides of a tensor are uniform.
void CoreLowering::checkUniform(const Tensor &tensor) {
  SmallVector<Value> numbers{tensor.pointer};
  if (hasLanes(tensor.pointer))
    numbers[0] = LLVM::PtrToIntOp::create(b, loc, vectorOf(i64), tensor.pointer);
  llvm::append_range(numbers, tensor.sizes);
  llvm::append_range(numbers, tensor.strides);
  for (Value each : numbers)
    if (hasLanes(each))
      trapIf(compareInts(CmpIPredicate::ne, each, uniform(each)),
             "the tensor differs among work-items,", "tinytc.checked.7", {});
}

/// If a branch or a loop has matrices as results, the whole subgroup must decide alike.
void CoreLowering::checkMatrices(ValueRange results, Value condition) {
  bool hasMatrix = llvm::any_of(results.getTypes(), llvm::IsaPred<ir::CoopMatrixType>);
  if (isChecked && hasMatrix)
    trapIf(make<arith::XOrIOp>(condition, inLanes(uniform(condition))),
           "work-items diverge where a matrix is chosen,", "tinytc.checked.8", {});
}

/// Checks that all work-items of the subgroup take part in an operation on matrices.
void CoreLowering::checkMatrixOp(Operation &op) {
  auto hasMatrix = [](TypeRange types) {
    return llvm::any_of(types, llvm::IsaPred<ir::CoopMatrixType>);
  };
  if (lanes && !op.getNumRegions() &&
      (hasMatrix(op.getOperandTypes()) || hasMatrix(op.getResultTypes())))
    checkReached("matrix operation");
  if (auto scale = dyn_cast<ir::CoopScaleOp>(op))
    checkUniform(scale.getScalar(), "factor");
}

/// Checks that all lanes are active; otherwise the error names the first that is not.
void CoreLowering::checkReached(StringRef what) {
  if (!mask)
    return;
  Value outer = mask;
  mask = {};
  trapIf(make<arith::XOrIOp>(outer, fill(outer.getType(), 1)),
         ("a " + what + " is not reached by all work-items,").str(), "tinytc.checked.8", {});
  mask = outer;
}

/// Checks that the whole work-group decides alike whether to continue to a barrier.
void CoreLowering::checkAgreement(llvm::function_ref<Value()> decision) {
  if (!isChecked)
    return;
  actAsFirst();
  Value first = uniform(decision());
  forSubgroups([&] {
    Value isBad = compareInts(CmpIPredicate::ne, decision(), first);
    trapIf(isBad, "work-items diverge before a barrier,", "tinytc.checked.8", {});
  });
}

/// The number of iterations of a loop with barriers.
Value CoreLowering::tripsOf(ir::ForOp op) {
  Type type = op.getVariable().getType();
  auto wide = [&](Value value) { return convertReal(leaves(value)[0], type, i64); };
  Value from = wide(op.getFrom()), to = wide(op.getTo());
  Value step = op.getStep() ? make<arith::MaxSIOp>(wide(op.getStep()), number(1)) : number(1);
  Value last = make<arith::SubIOp>(make<arith::SubIOp>(to, from), number(1));
  Value trips = make<arith::AddIOp>(make<arith::DivUIOp>(last, step), number(1));
  Value isEmpty = compareInts(CmpIPredicate::sge, from, to);
  return arith::SelectOp::create(b, loc, inLanesOf(isEmpty, trips), inLanesOf(number(0), trips),
                                 trips);
}

void CoreLowering::checkLane(ir::BroadcastOp op) {
  checkUniform(op.getLane(), "lane");
  Value lane = convertReal(uniform(leaves(op.getLane())[0]), b.getI32Type(), i64);
  trapIf(isOutside(lane, number(1), number(lanes)), "lane {0} is outside a subgroup of {1},",
         "tinytc.checked.7", {lane, number(lanes)});
}

void CoreLowering::checkMatrix(const MatrixAccess &access) {
  checkUniform(access.row, "row");
  checkUniform(access.column, "column");
  checkUniform(tensor(access.memref));
  Tensor memory = uniformTensor(access.memref);
  unsigned down = access.isTransposed ? 1 : 0;
  int64_t counts[] = {access.type.getRows(), access.type.getColumns()};
  bool areChecked[] = {access.checked == ir::Checked::Rows || access.checked == ir::Checked::Both,
                       access.checked == ir::Checked::Columns ||
                           access.checked == ir::Checked::Both};
  Value begins[] = {uniform(leaves(access.row)[0]), uniform(leaves(access.column)[0])};
  for (unsigned axis : {0u, 1u}) {
    unsigned mode = axis == 0 ? down : 1 - down;
    if (areChecked[axis])
      continue;
    Value isBad = isOutside(begins[mode], number(counts[axis]), memory.sizes[mode]);
    std::string text = "a matrix of " + std::to_string(counts[axis]) +
                       " elements from index {0} is outside a mode of size {1},";
    trapIf(isBad, text, "tinytc.checked.2", {begins[mode], memory.sizes[mode]});
  }
}
