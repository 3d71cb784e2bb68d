/// Vectors and structs.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

/// The global that contains these bytes.
Value CoreLowering::constantBytes(StringRef bytes, int64_t alignment) {
  OpBuilder global = OpBuilder::atBlockBegin(sites.module.getBody());
  int64_t count = llvm::range_size(sites.module.getOps<LLVM::GlobalOp>());
  auto text = LLVM::GlobalOp::create(
      global, sites.module.getLoc(), LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, "bytes." + std::to_string(count),
      b.getStringAttr(bytes), alignment);
  return LLVM::AddressOfOp::create(b, loc, text);
}

/// A NUL follows the bytes, for C functions.
Leaves CoreLowering::lower(ir::StringOp op) {
  std::string bytes = op.getBytes().str() + '\0';
  return {constantBytes(bytes, /*alignment=*/1), number(op.getBytes().size())};
}

/// Writes the value if it is known; returns whether it is.
static bool writeConstant(Value value, char *to) {
  if (auto fields = value.getDefiningOp<ir::MakeStructOp>()) {
    int64_t at = 0;
    for (Value field : fields.getFields()) {
      Layout inner = layoutOf(field.getType());
      at = llvm::alignTo(at, inner.alignment);
      if (!writeConstant(field, to + at))
        return false;
      at += inner.size;
    }
    return true;
  }
  auto constant = value.getDefiningOp<ir::ConstantOp>();
  if (!constant)
    return false;
  auto integer = dyn_cast<IntegerAttr>(constant.getValue());
  APInt bits = integer ? integer.getValue()
                       : cast<FloatAttr>(constant.getValue()).getValue().bitcastToAPInt();
  unsigned bytes = layoutOf(value.getType()).size;
  llvm::StoreIntToMemory(bits.zextOrTrunc(8 * bytes), reinterpret_cast<uint8_t *>(to), bytes);
  return true;
}

Leaves CoreLowering::lower(ir::MakeVecOp op) {
  Layout layout = layoutOf(op.getType().getElement());
  int64_t count = op.getElements().size();
  if (count == 0)
    return {null(), number(0)};
  std::string bytes(count * layout.size, 0);
  auto isKnown = [&](auto element) {
    return writeConstant(element.value(), bytes.data() + element.index() * layout.size);
  };
  if (llvm::all_of(llvm::enumerate(op.getElements()), isKnown))
    return {constantBytes(bytes, layout.alignment), number(count)};
  Value data = allocate(number(count * layout.size));
  for (auto [index, element] : llvm::enumerate(op.getElements()))
    store(layout, leaves(element), at(data, index * layout.size));
  return {data, number(count)};
}

Leaves CoreLowering::lower(ir::MakeStructOp op) {
  Leaves all;
  for (Value field : op.getFields())
    llvm::append_range(all, leaves(field));
  return all;
}

Leaves CoreLowering::fieldOf(const Leaves &all, Type type, unsigned index) {
  ArrayRef<Value> rest = all;
  ArrayRef<Type> fields = cast<ir::StructType>(type).getFields();
  for (Type before : fields.take_front(index))
    rest = rest.drop_front(leafTypes(before).size());
  return Leaves(rest.take_front(leafTypes(fields[index]).size()));
}

Leaves CoreLowering::lower(ir::FieldOp op) {
  return fieldOf(leaves(op.getOperand()), op.getOperand().getType(), op.getIndex());
}

Leaves CoreLowering::lower(ir::LookupOp op) {
  auto type = dyn_cast<ir::VecType>(op.getCollection().getType());
  if (!type)
    return lookupKey(op);
  Leaves vec = leaves(op.getCollection());
  Value index = leaf(op.getKey());
  trapIf(compare(Predicate::uge, index, vec[1]), outOfBounds, {index, vec[1]});
  return load(layoutOf(type.getElement()), elementAt(type.getElement(), vec[0], index));
}

Leaves CoreLowering::lower(ir::LenOp op) {
  Leaves collection = leaves(op.getCollection());
  if (isa<ir::VecType>(op.getCollection().getType()))
    return {collection[1]};
  Value table = collection[0];
  return either(
      isNull(table), i64, [&] { return Leaves{number(0)}; },
      [&] { return Leaves{loadLeaf(i64, table)}; });
}

/// A view. The part beyond the end is cut off.
Leaves CoreLowering::lower(ir::SliceOp op) {
  Leaves vec = leaves(op.getVec());
  Value start = leaf(op.getStart()), size = leaf(op.getSize());
  trapIf(compare(Predicate::ugt, start, vec[1]),
         "ArrayOutOfBounds: a slice from {0} of a vector of length {1}", {start, vec[1]});
  trapIf(compare(Predicate::slt, size, number(0)), "ArrayOutOfBounds: a slice of {0} elements",
         {size});
  Value rest = make<arith::SubIOp>(vec[1], start);
  return {elementAt(op.getType().getElement(), vec[0], start), make<arith::MinSIOp>(rest, size)};
}

/// The table's entries are the vector.
Leaves CoreLowering::lower(ir::ToVecOp op) {
  Value table = leaf(op.getDict());
  return either(
      isNull(table), {pointerType, i64}, [&] { return Leaves{null(), number(0)}; },
      [&] { return Leaves{loadLeaf(pointerType, at(table, 8 * Entries)), loadLeaf(i64, table)}; });
}
