#include "lang/tinytc/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static std::string spellExtent(int64_t value) {
  return value == dynamic ? "?" : std::to_string(value);
}

/// `?` where a factor is, or where the product does not fit.
static int64_t product(int64_t left, int64_t right) {
  int64_t result = 0;
  bool isKnown = left != dynamic && right != dynamic && !llvm::MulOverflow(left, right, result);
  return isKnown ? result : dynamic;
}

//===-- What all views share ----------------------------------------------===//

/// Element type, address space and order of the result.
bool Checker::checkViewType(const Type &source, const TypeRef &result, size_t order, Inst &inst) {
  const Type &type = *result.type;
  if (type.scalar != source.scalar) {
    report(result.range, diag::ViewElement, spelling(inst), spelling(source.scalar),
           spelling(type.scalar));
    return false;
  }
  if (type.space != source.space) {
    bool isLocal = source.space == AddressSpace::Local;
    report(result.range, diag::ViewSpace, spelling(inst), isLocal ? "local" : "global",
           isLocal ? "global" : "local");
    return false;
  }
  if (type.shape.size() != order) {
    report(result.range, diag::ViewOrder, spelling(inst), order, spelling(type), type.order());
    return false;
  }
  return true;
}

void Checker::wantsMode(const TypeRef &result, size_t mode, int64_t wanted, Inst &inst) {
  int64_t found = result.type->shape[mode];
  if (found != wanted)
    report(result.range, diag::ViewMode, mode, spelling(inst), spellExtent(wanted),
           spellExtent(found));
}

/// `?` is always right.
void Checker::wantsStride(const TypeRef &result, size_t mode, int64_t wanted, Inst &inst) {
  int64_t found = result.type->strides[mode];
  if (found != wanted && found != dynamic)
    report(result.range, diag::ViewStride, mode, spelling(inst), spellExtent(wanted),
           spellExtent(found))
        .hint("the type with all strides is written `memref<...,strided<...>>`");
}

void Checker::wantsExtent(Operand &operand, StringRef name, Inst &inst) {
  if (operand.literal && operand.literal->integer < 0)
    report(operand.range, diag::NegativeExtent, name, spelling(inst), operand.literal->integer);
  wantsType(operand, {inst, name}, types.index());
}

//===-- subview -----------------------------------------------------------===//

std::optional<int64_t> Checker::checkSlice(Slice &slice, int64_t mode, Inst &inst) {
  if (slice.isWhole)
    return mode == 0 ? std::nullopt : std::optional(mode);
  wantsExtent(slice.offset, "an offset", inst);
  if (slice.size)
    wantsExtent(*slice.size, "a size", inst);
  bool isRemoved = !slice.size || (slice.size->literal && slice.size->literal->integer == 0);
  // Known offsets and sizes may be out of bounds in plain sight.
  int64_t offset = slice.offset.literal ? slice.offset.literal->integer : 0;
  int64_t size = isRemoved ? 1 : slice.size->literal ? slice.size->literal->integer : 0;
  bool isInside = mode == dynamic || (offset <= mode && size <= mode - offset);
  if (!isInside && offset >= 0 && size >= 0)
    report(slice.range, diag::SliceBounds, program.excerpt(slice.range), mode);
  if (isRemoved)
    return std::nullopt;
  return slice.size->literal ? slice.size->literal->integer : dynamic;
}

void Checker::check(Subview &view, Inst &inst) {
  setResult(inst, view.type);
  bool areMemrefs = wantsMemref(view.operand, {inst, "the tensor"});
  areMemrefs &= isMemref(view.type, inst);
  const Type &source = *view.operand.type;
  bool fitsOrder = areMemrefs && view.slices.size() == size_t(source.order());
  if (areMemrefs && !fitsOrder)
    report(view.operand.range, diag::SliceCount, spelling(source), source.order(),
           view.slices.size());
  SmallVector<int64_t> modes, strides;
  for (auto [index, slice] : llvm::enumerate(view.slices)) {
    std::optional<int64_t> kept =
        checkSlice(slice, fitsOrder ? source.shape[index] : dynamic, inst);
    if (!fitsOrder || !kept)
      continue;
    modes.push_back(*kept);
    strides.push_back(source.strides[index]);
  }
  if (!fitsOrder || !checkViewType(source, view.type, modes.size(), inst))
    return;
  for (size_t mode = 0; mode < modes.size(); ++mode) {
    wantsMode(view.type, mode, modes[mode], inst);
    wantsStride(view.type, mode, strides[mode], inst);
  }
}

//===-- expand ------------------------------------------------------------===//

static int64_t valueOf(const Operand &factor) {
  return factor.literal ? factor.literal->integer : dynamic;
}

/// Whether their product is the size of the mode, as far as both are known.
bool Checker::checkFactors(Expand &expand, int64_t mode, Inst &inst) {
  int64_t known = 1;
  bool isComplete = true, isPositive = true;
  for (Operand &factor : expand.factors) {
    wantsExtent(factor, "a factor", inst);
    isComplete &= factor.literal != nullptr;
    isPositive &= !factor.literal || factor.literal->integer >= 0;
    if (factor.literal)
      known = product(known, factor.literal->integer);
  }
  if (mode == dynamic || !isPositive)
    return isPositive;
  bool isRight =
      isComplete ? known == mode : known != dynamic && (known ? mode % known : mode) == 0;
  SourceRange range = expand.factors.front().range.upTo(expand.factors.back().range);
  if (!isRight)
    report(range, diag::ExpandProduct, program.excerpt(range), spellExtent(known), mode);
  return isRight;
}

void Checker::check(Expand &expand, Inst &inst) {
  setResult(inst, expand.type);
  bool areMemrefs = wantsMemref(expand.operand, {inst, "the tensor"});
  areMemrefs &= isMemref(expand.type, inst);
  if (expand.factors.size() < 2)
    report(expand.factors.front().range, diag::ExpandFactors, expand.factors.size());
  const Type &source = *expand.operand.type;
  int64_t mode = expand.mode.value, count = expand.factors.size();
  bool isMode = areMemrefs && mode >= 0 && mode < source.order();
  if (areMemrefs && !isMode)
    report(expand.mode.range, diag::ViewRange, mode, spelling(inst), spelling(source));
  bool areRight = checkFactors(expand, isMode ? source.shape[mode] : dynamic, inst);
  if (!areRight || !isMode || count < 2 ||
      !checkViewType(source, expand.type, source.order() + count - 1, inst))
    return;
  for (int64_t at = 0; at < source.order(); ++at)
    if (at != mode) {
      size_t place = at < mode ? at : at + count - 1;
      wantsMode(expand.type, place, source.shape[at], inst);
      wantsStride(expand.type, place, source.strides[at], inst);
    }
  int64_t stride = source.strides[mode];
  for (auto [index, factor] : llvm::enumerate(expand.factors)) {
    wantsMode(expand.type, mode + index, valueOf(factor), inst);
    wantsStride(expand.type, mode + index, stride, inst);
    stride = product(stride, valueOf(factor));
  }
}

//===-- fuse --------------------------------------------------------------===//

/// Each fused mode begins where the one before it ends.
bool Checker::isFusable(const Fuse &fuse, const Type &source) {
  for (int64_t mode = fuse.from.value; mode < fuse.to.value; ++mode) {
    int64_t end = product(source.strides[mode], source.shape[mode]);
    int64_t next = source.strides[mode + 1];
    if (end == dynamic || next == dynamic || end == next)
      continue;
    report(fuse.operand.range, diag::FuseStrides, mode, mode + 1, source.strides[mode],
           source.shape[mode], next);
    return false;
  }
  return true;
}

void Checker::check(Fuse &fuse, Inst &inst) {
  setResult(inst, fuse.type);
  bool areMemrefs = wantsMemref(fuse.operand, {inst, "the tensor"});
  areMemrefs &= isMemref(fuse.type, inst);
  if (!areMemrefs)
    return;
  const Type &source = *fuse.operand.type;
  int64_t from = fuse.from.value, to = fuse.to.value, dropped = to - from;
  if (from < 0 || from >= to || to >= source.order()) {
    report(fuse.from.range.upTo(fuse.to.range), diag::FuseRange, from, to, source.order());
    return;
  }
  if (!isFusable(fuse, source) || !checkViewType(source, fuse.type, source.order() - dropped, inst))
    return;
  int64_t fused = 1;
  for (int64_t mode = from; mode <= to; ++mode)
    fused = product(fused, source.shape[mode]);
  for (int64_t at = 0; at < source.order(); ++at) {
    if (at > from && at <= to)
      continue;
    size_t place = at <= from ? at : at - dropped;
    wantsMode(fuse.type, place, at == from ? fused : source.shape[at], inst);
    wantsStride(fuse.type, place, source.strides[at], inst);
  }
}
