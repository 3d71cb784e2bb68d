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

/// `?` if a factor is `?`, or if the product overflows.
static int64_t product(int64_t left, int64_t right) {
  int64_t result = 0;
  bool isKnown = left != dynamic && right != dynamic && !llvm::MulOverflow(left, right, result);
  return isKnown ? result : dynamic;
}

//===-- What all views share ----------------------------------------------===//

static bool isStrideMismatch(int64_t wanted, int64_t found) {
  return found != wanted && found != dynamic; // `?` matches any size.
}

/// Reports the first mismatch, if there is one.
std::optional<Report> Checker::reportView(const Type &source, const TypeRef &result,
                                          ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                                          Inst &inst) {
  const Type &type = *result.type;
  if (type.scalar != source.scalar)
    return report(result.range, diag::ViewElement, spelling(inst), spelling(source.scalar),
                  spelling(type.scalar));
  if (type.space != source.space) {
    bool isLocal = source.space == AddressSpace::Local;
    return report(result.range, diag::ViewSpace, spelling(inst), isLocal ? "local" : "global",
                  isLocal ? "global" : "local");
  }
  if (type.shape.size() != shape.size())
    return report(result.range, diag::ViewOrder, spelling(inst), shape.size(), spelling(type),
                  type.order());
  for (auto [mode, wanted] : llvm::enumerate(shape))
    if (type.shape[mode] != wanted)
      return report(result.range, diag::ViewMode, mode, spelling(inst), spellExtent(wanted),
                    spellExtent(type.shape[mode]));
  for (auto [mode, wanted] : llvm::enumerate(strides))
    if (isStrideMismatch(wanted, type.strides[mode]))
      return report(result.range, diag::ViewStride, mode, spelling(inst), spellExtent(wanted),
                    spellExtent(type.strides[mode]));
  return std::nullopt;
}

/// Suggests the right type. If only the strides differ, it is clear what is meant.
void Checker::wantsView(const Operand &operand, const TypeRef &result, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> strides, Inst &inst) {
  const Type &type = *result.type, &source = *operand.type;
  std::optional<Report> report = reportView(source, result, shape, strides, inst);
  if (!report)
    return;
  hideResult(inst);
  std::string wanted = spelling(*types.memref(source.scalar, shape, strides, source.space));
  if (type.scalar == source.scalar && type.space == source.space && shape == type.shape)
    suggestText(*report, result.range, wanted, operand.value);
  else
    report->hint("the type of the result is `{0}`", wanted);
  if (&type == &source)
    report->hint("version 0.3 had the operand's type here");
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
  // If offset and size are known, so is whether they are out of bounds.
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
           counted(view.slices.size(), "slice", "slices"));
  SmallVector<int64_t> modes, strides;
  for (auto [index, slice] : llvm::enumerate(view.slices)) {
    std::optional<int64_t> kept =
        checkSlice(slice, fitsOrder ? source.shape[index] : dynamic, inst);
    if (!fitsOrder || !kept)
      continue;
    modes.push_back(*kept);
    strides.push_back(source.strides[index]);
  }
  if (fitsOrder)
    wantsView(view.operand, view.type, modes, strides, inst);
}

//===-- expand ------------------------------------------------------------===//

static int64_t valueOf(const Operand &factor) {
  return factor.literal ? factor.literal->integer : dynamic;
}

/// Whether the product of the factors can be the size of the mode.
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
    report(range, diag::ExpandProduct, program.excerpt(range), mode);
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
    report(expand.mode.range, diag::ViewRange, mode, spelling(source));
  bool areRight = checkFactors(expand, isMode ? source.shape[mode] : dynamic, inst);
  if (!areRight || !isMode || count < 2)
    return;
  SmallVector<int64_t> shape(source.shape.take_front(mode));
  SmallVector<int64_t> strides(source.strides.take_front(mode));
  int64_t stride = source.strides[mode];
  for (const Operand &factor : expand.factors) {
    shape.push_back(valueOf(factor));
    strides.push_back(stride);
    stride = product(stride, valueOf(factor));
  }
  llvm::append_range(shape, source.shape.drop_front(mode + 1));
  llvm::append_range(strides, source.strides.drop_front(mode + 1));
  wantsView(expand.operand, expand.type, shape, strides, inst);
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
  int64_t from = fuse.from.value, to = fuse.to.value;
  if (from < 0 || from >= to || to >= source.order()) {
    report(fuse.from.range.upTo(fuse.to.range), diag::FuseRange, from, to, source.order());
    return;
  }
  if (!isFusable(fuse, source))
    return;
  SmallVector<int64_t> shape(source.shape.take_front(from));
  SmallVector<int64_t> strides(source.strides.take_front(from + 1));
  shape.push_back(1);
  for (int64_t mode = from; mode <= to; ++mode)
    shape.back() = product(shape.back(), source.shape[mode]);
  llvm::append_range(shape, source.shape.drop_front(to + 1));
  llvm::append_range(strides, source.strides.drop_front(to + 1));
  wantsView(fuse.operand, fuse.type, shape, strides, inst);
}
