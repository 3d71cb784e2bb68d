/// Operations on scalars and, component by component, on matrices.
#include "lang/tinytc/transform/CoreLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

/// The numbers to compute with: components of a matrix, or the value itself.
static Type computedType(Value value) {
  Type component = ir::componentType(value.getType());
  return component ? component : value.getType(); // A bool has no component.
}

/// One number; for a matrix in registers, one per column.
SmallVector<Number> CoreLowering::numbers(Value value) {
  Leaves all = leaves(value);
  Type type = computedType(value);
  bool isComplex = ir::isComplex(type);
  if (type.isBF16())
    for (Value &leaf : all)
      leaf = reinterpreted(leaf, like(leaf, type));
  size_t count = isComplex ? all.size() / 2 : all.size();
  SmallVector<Number> result;
  for (size_t index = 0; index < count; ++index)
    result.push_back({all[index], isComplex ? all[count + index] : Value()});
  return result;
}

/// The leaves of a value with components of this type.
Leaves CoreLowering::flat(ArrayRef<Number> numbers, Type type) {
  Leaves all;
  for (const Number &number : numbers)
    all.push_back(number.re);
  if (ir::isComplex(type))
    for (const Number &number : numbers)
      all.push_back(number.im ? number.im : fill(number.re.getType(), 0));
  return all;
}

Number CoreLowering::constant(Attribute value, Type type) {
  if (auto parts = dyn_cast<ArrayAttr>(value))
    return {arith::ConstantOp::create(b, loc, cast<TypedAttr>(parts[0])),
            arith::ConstantOp::create(b, loc, cast<TypedAttr>(parts[1]))};
  if (auto integer = dyn_cast<IntegerAttr>(value); integer && type.isIndex())
    return {number(integer.getInt())};
  return {arith::ConstantOp::create(b, loc, cast<TypedAttr>(value))};
}

Leaves CoreLowering::lower(ir::ConstantOp op) {
  Type type = op.getType(), component = type;
  auto matrix = dyn_cast<ir::CoopMatrixType>(type);
  if (matrix)
    component = matrix.getComponent();
  Number value = constant(op.getValue(), component);
  return fromPieces(type, [&](const Piece &piece) {
    auto filled = [&](Value part) -> Value {
      return part && matrix ? inLanesOf(part, fill(VectorType::get(piece.rows, part.getType()), 0))
                            : part;
    };
    return Number{filled(value.re), filled(value.im)};
  });
}

/// Sums, and products with a value that all lanes share, stay affine.
void CoreLowering::noteAffine(ir::BinaryOp op) {
  Index lhs = index(op.getLhs()), rhs = index(op.getRhs());
  if (!isVarying(op.getResult()) || !lhs.affine || !rhs.affine)
    return;
  const Affine &x = *lhs.affine, &y = *rhs.affine;
  Value result = op.getResult();
  if (op.getFunction() == ir::Binary::Add)
    affines[result] = {folded<arith::AddIOp>(x.base, y.base),
                       folded<arith::AddIOp>(x.step, y.step)};
  if (op.getFunction() == ir::Binary::Sub)
    affines[result] = {folded<arith::SubIOp>(x.base, y.base),
                       folded<arith::SubIOp>(x.step, y.step)};
  if (op.getFunction() != ir::Binary::Mul || (isVarying(op.getLhs()) && isVarying(op.getRhs())))
    return;
  const Affine &lane = isVarying(op.getLhs()) ? x : y;
  Value factor = (isVarying(op.getLhs()) ? y : x).base;
  affines[result] = {folded<arith::MulIOp>(lane.base, factor),
                     folded<arith::MulIOp>(lane.step, factor)};
}

Leaves CoreLowering::lower(ir::BinaryOp op) {
  Type type = computedType(op.getResult());
  bool isWide = type.isIndex() || type.isInteger(64);
  bool cannotWrap = type.isInteger(32) && uniformity.of(op.getResult()).range;
  if (lanes && (isWide || cannotWrap) && type == op.getType())
    noteAffine(op);
  return fromPieces(op.getType(), [&](const Piece &piece) {
    return arithmetic(op.getFunction(), type, pieceOf(op.getLhs(), piece),
                      pieceOf(op.getRhs(), piece));
  });
}

Leaves CoreLowering::lower(ir::UnaryOp op) {
  Type type = computedType(op.getOperand());
  return fromPieces(op.getType(), [&](const Piece &piece) {
    return unary(op.getFunction(), type, pieceOf(op.getOperand(), piece));
  });
}

Leaves CoreLowering::lower(ir::CompareOp op) {
  return {compare(op.getFunction(), op.getLhs().getType(), numbers(op.getLhs())[0],
                  numbers(op.getRhs())[0])};
}

Leaves CoreLowering::lower(ir::CastOp op) {
  Type from = ir::componentType(op.getOperand().getType()), to = ir::componentType(op.getType());
  if (auto known = affines.find(op.getOperand());
      known != affines.end() && (to.isIndex() || to.isInteger(64))) {
    Affine affine = known->second; // A copy, because the map grows.
    affines[op.getResult()] = affine;
  }
  return fromPieces(op.getType(), [&](const Piece &piece) {
    return convert(pieceOf(op.getOperand(), piece), from, to);
  });
}

/// Subgroups are numbered along x first.
Leaves CoreLowering::lower(ir::BuiltinOp op) {
  using Kind = ir::Builtin;
  using Axis = ir::Axis;
  int64_t size = ir::subgroupSizeOf(source);
  int64_t rows = ir::workGroupSizeOf(source)[0] / size, columns = ir::workGroupSizeOf(source)[1];
  bool isFirst = op.getAxis() == Axis::X || op.getAxis() == Axis::Linear;
  auto narrow = [&](Value value) -> Leaves {
    return {arith::TruncIOp::create(b, loc, b.getI32Type(), value)};
  };
  switch (op.getKind()) {
  case Kind::GroupId:
    return {isFirst ? groupId : number(0)};
  case Kind::NumGroups:
    return {isFirst ? numGroups : number(1)};
  case Kind::NumSubgroups: {
    int64_t counts[] = {rows, columns, 1, rows * columns};
    return narrow(number(counts[unsigned(op.getAxis())]));
  }
  case Kind::SubgroupSize:
    return narrow(number(size));
  case Kind::SubgroupId:
    if (op.getAxis() == Axis::X)
      return narrow(make<arith::RemUIOp>(subgroupId, number(rows)));
    if (op.getAxis() == Axis::Y)
      return narrow(make<arith::DivUIOp>(subgroupId, number(rows)));
    return narrow(op.getAxis() == Axis::Z ? number(0) : subgroupId);
  case Kind::SubgroupLocalId:
    if (laneId)
      return narrow(laneId);
    affines[op.getResult()] = {number(0), number(1)};
    return {arith::TruncIOp::create(b, loc, vectorOf(b.getI32Type()), laneNumbers())};
  }
  llvm_unreachable("no such builtin");
}
