#include "lang/tinytc/Check.h"

using namespace tessera;
using namespace tessera::tinytc;

static bool isTensor(const Type &type) {
  return type.isMemref() || type.kind == Type::Group;
}

void Checker::check(Load &load, Inst &inst) {
  const Type *source = resolve(load.operand, nullptr, isTensor);
  wantsIndices(load.indices, inst);
  setResult(inst, load.type);
  if (source->kind == Type::Invalid)
    return;
  if (!isTensor(*source)) {
    report(load.operand.range, diag::OperandType, "the tensor", spelling(inst),
           "a memref or a group", program.excerpt(load.operand.range), spelling(*source));
    return;
  }
  bool isGroup = source->kind == Type::Group;
  size_t wanted = isGroup ? 1 : source->order();
  if (load.indices.size() != wanted)
    report(load.operand.range, diag::IndexCount, program.excerpt(load.operand.range),
           spelling(*source), counted(wanted, "index", "indices"), load.indices.size());
  const Type *element = isGroup ? source->member : types.scalar(source->scalar);
  const Type &written = *load.type.type;
  bool isAnyGroup = isGroup && written.kind == Type::Group && written.member == source->member;
  if ((&written == source && source != element) || isAnyGroup)
    rejectOperandType(load.type, element, load.operand, inst);
  else
    wantsResult(load.type, element, inst);
  if (isGroup && load.operand.value && !inst.results.empty())
    inst.results[0]->attributes = load.operand.value->attributes;
}

/// Warns of a store in a collective region, where all work-items write the same value.
void Checker::check(Store &store, Inst &inst) {
  bool isMemref = wantsMemref(store.target, {inst, "the tensor"});
  const Type *element = isMemref ? types.scalar(store.target.type->scalar) : types.invalid();
  wantsType(store.value, {inst, "the value"}, element);
  wantsIndices(store.indices, inst);
  if (store.type) {
    setResult(inst, *store.type);
    wantsResult(*store.type, element, inst);
  }
  if (!isMemref)
    return;
  size_t wanted = store.target.type->order();
  if (store.indices.size() != wanted)
    report(store.target.range, diag::IndexCount, program.excerpt(store.target.range),
           spelling(*store.target.type), counted(wanted, "index", "indices"), store.indices.size());
  if (kind == RegionKind::Collective)
    report(inst.nameRange, diag::CollectiveStore);
}

void Checker::check(Size &size, Inst &inst) {
  const Type *source = resolve(size.operand, nullptr, isTensor);
  setResult(inst, size.type);
  if (size.type.type == source && isTensor(*source))
    rejectOperandType(size.type, types.index(), size.operand, inst);
  else
    wantsResult(size.type, types.index(), inst, /*isOnly=*/true);
  if (source->kind == Type::Invalid)
    return;
  if (!isTensor(*source)) {
    report(size.operand.range, diag::OperandType, "the tensor", spelling(inst),
           "a memref or a group", program.excerpt(size.operand.range), spelling(*source));
    return;
  }
  int64_t order = source->kind == Type::Group ? 1 : source->order();
  if (size.mode.value < 0 || size.mode.value >= order)
    report(size.mode.range, diag::SizeMode, size.mode.value, spelling(*source),
           counted(order, "mode", "modes"));
}
