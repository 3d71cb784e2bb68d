/// Builders: new ones, merges, results.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

/// The leaves of an appender.
enum { Data, Count, Capacity, Home };

/// The scalars of a value that builders combine.
static SmallVector<Type> scalarsOf(Type type) {
  auto fields = dyn_cast<ir::StructType>(type);
  return fields ? SmallVector<Type>(fields.getFields()) : SmallVector<Type>{type};
}

/// The identity in core's types, whose integers have no signs.
static TypedAttr coreIdentity(Type scalar, ir::Combine combine) {
  TypedAttr value = ir::identityOf(scalar, combine);
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer)
    return value;
  auto type = IntegerType::get(scalar.getContext(), scalar.getIntOrFloatBitWidth());
  return IntegerAttr::get(type, integer.getValue());
}

Leaves CoreLowering::identity(Type type, ir::Combine combine) {
  Leaves result;
  for (Type scalar : scalarsOf(type))
    result.push_back(arith::ConstantOp::create(b, loc, coreIdentity(scalar, combine)));
  return result;
}

/// The order of merges is free, so that sums may be computed in parts.
Leaves CoreLowering::combine(Type type, ir::Combine combine, const Leaves &lhs, const Leaves &rhs) {
  Leaves result;
  auto free = arith::FastMathFlags::reassoc;
  for (auto [scalar, left, right] : llvm::zip_equal(scalarsOf(type), lhs, rhs)) {
    bool isFloat = isa<FloatType>(scalar);
    if (isFloat && combine == ir::Combine::Add)
      result.push_back(arith::AddFOp::create(b, loc, left, right, free));
    else if (isFloat && combine == ir::Combine::Mul)
      result.push_back(arith::MulFOp::create(b, loc, left, right, free));
    else
      result.push_back(arithmetic(combine == ir::Combine::Add   ? ir::Binary::Add
                                  : combine == ir::Combine::Mul ? ir::Binary::Mul
                                  : combine == ir::Combine::Min ? ir::Binary::Min
                                                                : ir::Binary::Max,
                                  scalar, left, right));
  }
  return result;
}

Value CoreLowering::copyVector(Type element, Value data, Value count) {
  Value bytes = make<arith::MulIOp>(count, elementBytes(element));
  Value copy = allocate(bytes);
  LLVM::MemcpyOp::create(b, loc, copy, data, bytes, /*isVolatile=*/false);
  return copy;
}

Value CoreLowering::newTable(ir::DictMergerType type, Value capacity) {
  return callFor(
      "tessera_rt_table_create_merged", pointerType,
      {entryType(type.getKey(), type.getValue()), region, capacity, site("OutOfMemory")});
}

/// A builder without merges; a vecmerger is a copy of its argument.
Leaves CoreLowering::newBuilder(ir::BuilderType type) {
  if (isa<ir::AppenderType>(type))
    return {null(), number(0), number(0), region};
  if (auto merger = dyn_cast<ir::MergerType>(type))
    return merger.getCombine() == ir::Combine::Add
               ? zero(merger.getValue())
               : identity(merger.getValue(), merger.getCombine());
  if (auto dict = dyn_cast<ir::DictMergerType>(type))
    return tableLeaves(dict.getKey(), newTable(dict, number(0)));
  auto group = cast<ir::GroupBuilderType>(type);
  return {callFor("tessera_rt_groups_create", pointerType,
                  {entryType(group.getKey(), ir::VecType::get(group.getValue())), region,
                   site("OutOfMemory")})};
}

/// The expected number of elements or keys; null if there is none.
Value CoreLowering::expectedSize(ir::NewBuilderOp op) {
  for (StringRef name : {"size", "num_keys"})
    if (auto given = ir::annotatedNumber(op, name))
      return number(std::max<int64_t>(*given, 0));
  return op.getArgument() ? make<arith::MaxSIOp>(leaf(op.getArgument()), number(0)) : Value();
}

/// For how many elements of `bytes` bytes to reserve space. A wrong number costs little, and never
/// takes memory that others need. Null if nothing is known.
Value CoreLowering::advisedSize(ir::NewBuilderOp op, int64_t bytes) {
  constexpr int64_t most = 1 << 20;
  Value expected = expectedSize(op);
  if (!expected)
    return nullptr;
  Value spare = callFor("tessera_rt_spare_bytes", i64, {});
  Value fitting = make<arith::DivUIOp>(spare, number(std::max<int64_t>(bytes, 1)));
  return make<arith::MinSIOp>(make<arith::MinSIOp>(expected, number(most)), fitting);
}

/// Roughly the bytes that a table needs per key: some places for entries are free, and places have
/// numbers.
static int64_t keyBytes(ir::DictMergerType type) {
  constexpr int64_t placesPerKey = 10, numberBytes = 8;
  return (layoutOf(TypeRange{type.getKey(), type.getValue()}).size + numberBytes) * placesPerKey;
}

Leaves CoreLowering::lower(ir::NewBuilderOp op) {
  if (auto type = dyn_cast<ir::VecMergerType>(op.getType())) {
    Leaves vec = leaves(op.getArgument());
    return {copyVector(type.getElement(), vec[0], vec[1]), vec[1]};
  }
  if (auto type = dyn_cast<ir::DictMergerType>(op.getType()))
    if (Value size = advisedSize(op, keyBytes(type)))
      return tableLeaves(type.getKey(), newTable(type, size));
  if (op.getArgument() && isa<ir::MergerType>(op.getType()))
    return leaves(op.getArgument());
  Leaves fresh = newBuilder(cast<ir::BuilderType>(op.getType()));
  auto appender = dyn_cast<ir::AppenderType>(op.getType());
  Value size = appender ? advisedSize(op, layoutOf(appender.getElement()).size) : nullptr;
  return size ? withRoom(appender.getElement(), fresh, size) : fresh;
}

/// An appender with space for `more` elements. Together with the present ones, they may need all 64
/// bits.
Leaves CoreLowering::withRoom(Type element, const Leaves &appender, Value more) {
  Value wanted = make<arith::AddIOp>(appender[Count], more);
  Value isFull = compare(Predicate::ugt, wanted, appender[Capacity]);
  Leaves grown = either(
      isFull, {pointerType, i64},
      [&] {
        Value twice = make<arith::AddIOp>(appender[Capacity], appender[Capacity]);
        Value capacity = make<arith::MaxUIOp>(make<arith::MaxUIOp>(twice, wanted), number(16));
        Value used = make<arith::MulIOp>(appender[Count], elementBytes(element));
        Value data = callFor("tessera_rt_region_grow", pointerType,
                             {appender[Home], appender[Data], used,
                              product(capacity, layoutOf(element).size), site("OutOfMemory")});
        return Leaves{data, capacity};
      },
      [&] { return Leaves{appender[Data], appender[Capacity]}; });
  return {grown[0], appender[Count], grown[1], appender[Home]};
}

Leaves CoreLowering::append(ir::MergeOp op) {
  Type element = cast<ir::AppenderType>(op.getTarget().getType()).getElement();
  Leaves appender = leaves(op.getTarget());
  bool isSimd = isa<ir::SimdType>(op.getValue().getType());
  Value added = number(isSimd ? numLanes : 1);
  if (!roomy.contains(op))
    appender = withRoom(element, appender, added);
  store(layoutOf(op.getValue().getType()), leaves(op.getValue()),
        elementAt(element, appender[Data], appender[Count]));
  appender[Count] = make<arith::AddIOp>(appender[Count], added);
  return appender;
}

Leaves CoreLowering::mergeInto(ir::DictMergerType type, const Leaves &builder, const Leaves &key,
                               const Leaves &value) {
  Layout layout = layoutOf(type.getValue());
  auto begin = [&](Value place) { store(layout, value, place); };
  auto goOn = [&](Value place) {
    store(layout, combine(type.getValue(), type.getCombine(), load(layout, place), value), place);
  };
  return mergeEntry(type, builder, key, {begin, goOn});
}

Leaves CoreLowering::mergeInto(ir::VecMergerType type, ir::MergeOp op) {
  Leaves builder = leaves(op.getTarget()), value = leaves(op.getValue());
  Value index = value[0];
  if (!roomy.contains(op))
    trapIf(compare(Predicate::uge, index, builder[1]), outOfBounds, {index, builder[1]});
  Layout layout = layoutOf(type.getElement());
  Value place = elementAt(type.getElement(), builder[0], index);
  value.erase(value.begin());
  store(layout, combine(type.getElement(), type.getCombine(), load(layout, place), value), place);
  return builder;
}

static vector::CombiningKind kindOf(Type scalar, ir::Combine combine) {
  using Kind = vector::CombiningKind;
  bool isFloat = isa<FloatType>(scalar), isUnsigned = scalar.isUnsignedInteger();
  switch (combine) {
  case ir::Combine::Add:
    return Kind::ADD;
  case ir::Combine::Mul:
    return Kind::MUL;
  case ir::Combine::Min:
    return isFloat ? Kind::MINIMUMF : isUnsigned ? Kind::MINUI : Kind::MINSI;
  default:
    return isFloat ? Kind::MAXIMUMF : isUnsigned ? Kind::MAXUI : Kind::MAXSI;
  }
}

/// Combines the lanes of a simd value into one.
Value CoreLowering::reduced(ir::MergerType type, Value lanes) {
  bool isFloatSum = isa<FloatType>(type.getValue()) && type.getCombine() == ir::Combine::Add;
  // MLIR would start from 0.0, so that sums of -0.0 would become 0.0.
  Value start = isFloatSum ? identity(type.getValue(), type.getCombine())[0] : Value();
  return vector::ReductionOp::create(b, loc, kindOf(type.getValue(), type.getCombine()), lanes,
                                     start, arith::FastMathFlags::reassoc);
}

Leaves CoreLowering::lower(ir::MergeOp op) {
  Type type = op.getTarget().getType();
  if (isa<ir::AppenderType>(type))
    return append(op);
  if (auto vec = dyn_cast<ir::VecMergerType>(type))
    return mergeInto(vec, op);
  Leaves builder = leaves(op.getTarget()), value = leaves(op.getValue());
  if (auto merger = dyn_cast<ir::MergerType>(type)) {
    if (isa<ir::SimdType>(op.getValue().getType()))
      value[0] = reduced(merger, value[0]);
    if (builder.size() != leafTypes(type).size())
      return withExtreme(merger.getCombine(), builder, value[0]);
    return combine(merger.getValue(), merger.getCombine(), builder, value);
  }
  Leaves key = fieldOf(value, op.getValue().getType(), 0),
         added = fieldOf(value, op.getValue().getType(), 1);
  if (auto dict = dyn_cast<ir::DictMergerType>(type))
    return mergeInto(dict, builder, key, added);
  auto group = cast<ir::GroupBuilderType>(type);
  call("tessera_rt_groups_add", {},
       {builder[0], storedKey(group.getKey(), key), spill(group.getValue(), added),
        site("OutOfMemory")});
  return builder;
}

Leaves CoreLowering::lower(ir::ResultOp op) {
  Leaves builder = leaves(op.getTarget());
  if (isa<ir::AppenderType>(op.getTarget().getType()))
    return {builder[Data], builder[Count]};
  if (isa<ir::GroupBuilderType>(op.getTarget().getType()))
    return {callFor("tessera_rt_groups_finish", pointerType, {builder[0], site("OutOfMemory")})};
  if (isa<ir::DictMergerType>(op.getTarget().getType())) {
    settle(builder[Table]);
    return {builder[Table]};
  }
  return builder;
}
