/// Memory, calls of the runtime, and pieces of code that all constructs share.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

Value CoreLowering::number(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

Value CoreLowering::null() {
  return LLVM::ZeroOp::create(b, loc, pointerType);
}

Value CoreLowering::isNull(Value pointer) {
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, pointer, null());
}

/// Allocates in the entry block of the function, so that a loop needs no more stack than one
/// iteration.
Value CoreLowering::stackSlot(const Layout &layout) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&target.front());
  Type bytes = LLVM::LLVMArrayType::get(b.getI8Type(), std::max<int64_t>(layout.size, 1));
  return LLVM::AllocaOp::create(b, loc, pointerType, bytes, number(1),
                                std::max<int64_t>(layout.alignment, 8));
}

Value CoreLowering::at(Value base, int64_t offset) {
  if (offset == 0)
    return base;
  return LLVM::GEPOp::create(b, loc, pointerType, b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(offset)});
}

Value CoreLowering::elementAt(int64_t bytes, Value data, Value index) {
  Type element = LLVM::LLVMArrayType::get(b.getI8Type(), bytes);
  return LLVM::GEPOp::create(b, loc, pointerType, element, data, ArrayRef<LLVM::GEPArg>{index});
}

Value CoreLowering::elementAt(Type element, Value data, Value index) {
  return elementAt(layoutOf(element).size, data, index);
}

/// Arguments of a program may be unaligned.
Value CoreLowering::loadLeaf(Type leaf, Value address) {
  Type stored = storedType(leaf);
  Value loaded = LLVM::LoadOp::create(b, loc, stored, address, /*alignment=*/1);
  if (stored == leaf)
    return loaded;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(stored));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, loaded, zero);
}

void CoreLowering::storeLeaf(Value leaf, Value address) {
  Type stored = storedType(leaf.getType());
  Value value = stored == leaf.getType() ? leaf : arith::ExtUIOp::create(b, loc, stored, leaf);
  Type element = getElementTypeOrSelf(stored);
  LLVM::StoreOp::create(b, loc, value, address, unsigned(bytesOf(element)));
}

Leaves CoreLowering::load(const Layout &layout, Value address) {
  Leaves loaded;
  for (const Leaf &leaf : layout.leaves)
    loaded.push_back(loadLeaf(leaf.type, at(address, leaf.offset)));
  return loaded;
}

void CoreLowering::store(const Layout &layout, ArrayRef<Value> leaves, Value address) {
  for (auto [leaf, value] : llvm::zip_equal(layout.leaves, leaves))
    storeLeaf(value, at(address, leaf.offset));
}

Value CoreLowering::spill(Type type, ArrayRef<Value> leaves) {
  Layout layout = layoutOf(type);
  Value slot = stackSlot(layout);
  store(layout, leaves, slot);
  return slot;
}

Leaves CoreLowering::zero(Type type) {
  Leaves zeros;
  for (Type leaf : leafTypes(type))
    zeros.push_back(isa<LLVM::LLVMPointerType>(leaf)
                        ? null()
                        : Value(arith::ConstantOp::create(b, loc, b.getZeroAttr(leaf))));
  return zeros;
}

/// One table per type, shared by all uses.
Value CoreLowering::typeTable(ArrayRef<int32_t> words) {
  auto content = DenseIntElementsAttr::get(
      RankedTensorType::get({int64_t(words.size())}, b.getI32Type()), words);
  for (auto table : sites.module.getOps<LLVM::GlobalOp>())
    if (table.getValueOrNull() == content)
      return LLVM::AddressOfOp::create(b, loc, table);
  OpBuilder global = OpBuilder::atBlockBegin(sites.module.getBody());
  int64_t count = llvm::range_size(sites.module.getOps<LLVM::GlobalOp>());
  auto table = LLVM::GlobalOp::create(
      global, sites.module.getLoc(), LLVM::LLVMArrayType::get(b.getI32Type(), words.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, "type." + std::to_string(count), content);
  return LLVM::AddressOfOp::create(b, loc, table);
}

SmallVector<Value, 1> CoreLowering::call(StringRef callee, TypeRange results,
                                         ValueRange arguments) {
  core::declareRuntime(sites.module, callee, b.getFunctionType(TypeRange(arguments), results));
  auto call = func::CallOp::create(b, loc, callee, results, arguments);
  return SmallVector<Value, 1>(call.getResults());
}

Value CoreLowering::callFor(StringRef callee, Type result, ValueRange arguments) {
  return call(callee, result, arguments)[0];
}

static StringRef ruleOf(StringRef message) {
#define WELD_FAILURE(beginning, rule)                                                              \
  if (message.starts_with(beginning))                                                              \
    return rule;
#include "lang/weld/transform/Failures.def"
  return "";
}

Value CoreLowering::site(StringRef name) {
  return sites.number(b, {loc, name, ruleOf(name)});
}

void CoreLowering::trapIf(Value condition, StringRef message, ValueRange values) {
  core::trapIf(b, sites, condition, {loc, message, ruleOf(message)}, values);
}

Value CoreLowering::createRegion() {
  return callFor("tessera_rt_region_create", pointerType, site("OutOfMemory"));
}

Value CoreLowering::allocate(Value bytes) {
  return callFor("tessera_rt_region_alloc", pointerType, {region, bytes, site("OutOfMemory")});
}

Value CoreLowering::compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
}

/// count * each, saturated at about 2^63, for which no memory has space.
Value CoreLowering::product(Value count, int64_t each) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  Value bounded = make<arith::MinUIOp>(count, number(most / std::max<int64_t>(each, 1)));
  return make<arith::MulIOp>(bounded, number(each));
}

Value CoreLowering::elementBytes(Type element) {
  return number(layoutOf(element).size);
}

/// If there is state, the caller ends the body with a yield.
scf::ForOp CoreLowering::forLoop(Value lo, Value hi, ValueRange state) {
  if (state.empty())
    return scf::ForOp::create(b, loc, lo, hi, number(1));
  return scf::ForOp::create(b, loc, lo, hi, number(1), state,
                            [](OpBuilder &, Location, Value, ValueRange) {});
}

Leaves CoreLowering::either(Value condition, TypeRange types, llvm::function_ref<Leaves()> onTrue,
                            llvm::function_ref<Leaves()> onFalse) {
  if (types.empty()) { // Without results, blocks already have a yield.
    branch(condition, [&] { onTrue(); }, [&] { onFalse(); });
    return {};
  }
  OpBuilder::InsertionGuard guard(b);
  auto choice = scf::IfOp::create(b, loc, types, condition, /*withElse=*/true);
  for (auto [block, side] :
       {std::pair(choice.thenBlock(), onTrue), {choice.elseBlock(), onFalse}}) {
    b.setInsertionPointToEnd(block);
    Leaves results = side();
    scf::YieldOp::create(b, loc, results);
  }
  return Leaves(choice.getResults());
}

void CoreLowering::when(Value condition, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  auto choice = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(choice.thenBlock());
  body();
}

void CoreLowering::branch(Value condition, llvm::function_ref<void()> onTrue,
                          llvm::function_ref<void()> onFalse) {
  OpBuilder::InsertionGuard guard(b);
  auto choice = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.thenBlock());
  onTrue();
  b.setInsertionPointToStart(choice.elseBlock());
  onFalse();
}
