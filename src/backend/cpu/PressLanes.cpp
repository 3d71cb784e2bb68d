#include "backend/cpu/PressLanes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

constexpr unsigned registerBits = 256, placesInRegister = registerBits / 32;

/// The 32-bit positions that the selected lanes come from: one row per mask of a register's lanes.
using Row = SmallVector<uint32_t, placesInRegister>;

} // namespace

static Row rowOf(unsigned mask, unsigned lanes) {
  Row row;
  unsigned placesInLane = placesInRegister / lanes;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned place = 0; (mask >> lane & 1) != 0 && place < placesInLane; ++place)
      row.push_back(lane * placesInLane + place);
  row.resize(placesInRegister);
  return row;
}

static GlobalVariable *tableOf(Module &module, unsigned lanes) {
  std::string name = "tessera.places." + std::to_string(lanes);
  if (GlobalVariable *table = module.getNamedGlobal(name))
    return table;
  SmallVector<Constant *> rows;
  for (unsigned mask = 0; mask < 1U << lanes; ++mask)
    rows.push_back(ConstantDataVector::get(module.getContext(), rowOf(mask, lanes)));
  auto *type = ArrayType::get(rows[0]->getType(), rows.size());
  auto *table = new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                                   ConstantArray::get(type, rows), name);
  table->setAlignment(Align(registerBits / 8));
  return table;
}

/// Permutes the lanes from `first` on that fill a register, with the selected ones first.
static Value *permuted(IRBuilder<> &b, Value *all, Value *mask, unsigned first, unsigned lanes) {
  SmallVector<int> numbers(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    numbers[lane] = int(first + lane);
  auto *places = FixedVectorType::get(b.getInt32Ty(), placesInRegister);
  GlobalVariable *table = tableOf(*b.GetInsertBlock()->getModule(), lanes);
  Value *row = b.CreateInBoundsGEP(places, table, b.CreateZExt(mask, b.getInt64Ty()));
  Value *from = b.CreateAlignedLoad(places, row, Align(registerBits / 8));
  Value *part = b.CreateBitCast(b.CreateShuffleVector(all, numbers), places);
  return b.CreateIntrinsic(Intrinsic::x86_avx2_permd, {part, from});
}

static void storePressed(const IntrinsicInst &press, StoreInst &store) {
  IRBuilder<> b(&store);
  Value *all = press.getArgOperand(0), *place = store.getPointerOperand();
  auto *type = cast<FixedVectorType>(all->getType());
  unsigned lanes = registerBits / type->getScalarSizeInBits();
  Value *masks = b.CreateBitCast(press.getArgOperand(1), b.getIntNTy(type->getNumElements()));
  for (unsigned first = 0; first < type->getNumElements(); first += lanes) {
    Value *mask = b.CreateTrunc(b.CreateLShr(masks, first), b.getIntNTy(lanes));
    b.CreateAlignedStore(permuted(b, all, mask, first, lanes), place, store.getAlign());
    Value *count = b.CreateUnaryIntrinsic(Intrinsic::ctpop, mask);
    place = b.CreateInBoundsGEP(type->getElementType(), place, b.CreateZExt(count, b.getInt64Ty()));
  }
}

/// The store of the compressed lanes, if that is their only use and lanes are as wide as the
/// positions of a permutation, or twice as wide.
static StoreInst *onlyStore(IntrinsicInst *press) {
  if (!press || press->getIntrinsicID() != Intrinsic::experimental_vector_compress ||
      !isa<UndefValue>(press->getArgOperand(2)) || !press->hasOneUse())
    return nullptr;
  auto *type = cast<FixedVectorType>(press->getType());
  bool isFull = type->getPrimitiveSizeInBits() % registerBits == 0;
  bool hasPlaces = type->getScalarSizeInBits() == 32 || type->getScalarSizeInBits() == 64;
  return isFull && hasPlaces ? dyn_cast<StoreInst>(press->user_back()) : nullptr;
}

void tessera::cpu::pressLanes(Module &module) {
  SmallVector<std::pair<IntrinsicInst *, StoreInst *>> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *press = dyn_cast<IntrinsicInst>(&inst); StoreInst *store = onlyStore(press))
        found.emplace_back(press, store);
  for (auto [press, store] : found) {
    storePressed(*press, *store);
    store->eraseFromParent();
    press->eraseFromParent();
  }
}
