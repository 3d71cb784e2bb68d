/// Finds common bytes of strided views.
#include "runtime/Overlap.h"
#include "runtime/View.h"

using namespace tessera::runtime;

namespace {

/// No array in any language or library has more dimensions.
constexpr int32_t maxRank = 64;

/// The bytes of a view: `first` plus any sum of index * step with positive steps. The innermost
/// level is the element itself, whose bytes are contiguous.
struct Bytes {
  struct Level {
    int64_t count, step;
    int64_t span; ///< From the first byte to the end of the last one, over all levels from here
                  ///< inwards.
  };
  const char *first;
  Level levels[maxRank + 1];
  int32_t numLevels = 0;

  explicit Bytes(const tessera_view &view)
      : first(static_cast<const char *>(view.data) + view.byte_offset) {
    int64_t size = elementBytes(view.dtype);
    for (int32_t dim = 0; dim < view.ndim; ++dim)
      if (view.shape[dim] > 1)
        insert(view.shape[dim], strideOf(view, dim) * size);
    levels[numLevels++] = {size, 1, size};
    joinLast();
    for (int32_t level = numLevels - 2; level >= 0; --level)
      levels[level].span = (levels[level].count - 1) * levels[level].step + levels[level + 1].span;
  }

  const char *end() const { return first + levels[0].span; }

private:
  /// Largest steps outermost. A broadcast dimension adds no bytes; a reversed one begins elsewhere.
  void insert(int64_t count, int64_t step) {
    if (step == 0)
      return;
    if (step < 0) {
      first += (count - 1) * step;
      step = -step;
    }
    int32_t at = numLevels++;
    for (; at > 0 && levels[at - 1].step < step; --at)
      levels[at] = levels[at - 1];
    levels[at] = {count, step, 0};
  }

  /// Contiguous bytes are one level.
  void joinLast() {
    while (numLevels > 1 && levels[numLevels - 2].step == levels[numLevels - 1].count) {
      levels[numLevels - 2] = {levels[numLevels - 2].count * levels[numLevels - 1].count, 1, 0};
      --numLevels;
    }
    levels[numLevels - 1].span = levels[numLevels - 1].count;
  }
};

/// Whether a byte of `bytes`, from a level inwards, is in [lo, hi), relative to the level's first
/// byte.
bool touches(const Bytes &bytes, int32_t level, int64_t lo, int64_t hi) {
  const Bytes::Level &outer = bytes.levels[level];
  if (hi <= 0 || lo >= outer.span)
    return false;
  if (level + 1 == bytes.numLevels)
    return true;
  int64_t inner = bytes.levels[level + 1].span;
  int64_t begin = lo < inner ? 0 : (lo - inner) / outer.step + 1;
  for (int64_t index = begin; index < outer.count && index * outer.step < hi; ++index)
    if (touches(bytes, level + 1, lo - index * outer.step, hi - index * outer.step))
      return true;
  return false;
}

/// The same for each run of bytes of `a`, from a level inwards, that begins at `offset` in `b`.
bool touches(const Bytes &a, int32_t level, int64_t offset, const Bytes &b) {
  const Bytes::Level &outer = a.levels[level];
  if (offset >= b.levels[0].span || offset + outer.span <= 0)
    return false;
  if (level + 1 == a.numLevels)
    return touches(b, 0, offset, offset + outer.span);
  for (int64_t index = 0; index < outer.count; ++index)
    if (touches(a, level + 1, offset + index * outer.step, b))
      return true;
  return false;
}

int64_t divideDown(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

/// Whether a sum of difference * step over the levels from here inwards, with differences of two
/// indices, is `wanted`. `differs`: a difference further out is not 0.
bool canReach(const Bytes &bytes, int32_t level, int64_t wanted, bool differs) {
  if (level == bytes.numLevels)
    return wanted == 0 && differs;
  auto [count, step, span] = bytes.levels[level];
  int64_t inner = level + 1 < bytes.numLevels ? bytes.levels[level + 1].span - 1 : 0;
  int64_t least = -divideDown(inner - wanted, step), most = divideDown(wanted + inner, step);
  for (int64_t i = least > -count ? least : 1 - count; i <= most && i < count; ++i)
    if (canReach(bytes, level + 1, wanted - i * step, differs || i != 0))
      return true;
  return false;
}

bool hasBroadcast(const tessera_view &view) {
  for (int32_t dim = 0; dim < view.ndim; ++dim)
    if (view.shape[dim] > 1 && strideOf(view, dim) == 0)
      return true;
  return false;
}

bool isEmpty(const tessera_view &view) {
  for (int32_t dim = 0; dim < view.ndim; ++dim)
    if (view.shape[dim] == 0)
      return true;
  return !view.data;
}

} // namespace

bool tessera::runtime::overlap(const tessera_view &a, const tessera_view &b) {
  if (isEmpty(a) || isEmpty(b))
    return false;
  Bytes ofA(a), ofB(b);
  if (ofA.end() <= ofB.first || ofB.end() <= ofA.first)
    return false;
  return touches(ofA, 0, ofA.first - ofB.first, ofB);
}

bool tessera::runtime::overlapsItself(const tessera_view &view) {
  return !isEmpty(view) && (hasBroadcast(view) || canReach(Bytes(view), 0, 0, false));
}

bool tessera::runtime::areTheSame(const tessera_view &a, const tessera_view &b) {
  const char *first = static_cast<const char *>(a.data) + a.byte_offset;
  if (first != static_cast<const char *>(b.data) + b.byte_offset || a.ndim != b.ndim ||
      !(a.dtype == b.dtype))
    return false;
  for (int32_t dim = 0; dim < a.ndim; ++dim)
    if (a.shape[dim] != b.shape[dim] || (a.shape[dim] > 1 && strideOf(a, dim) != strideOf(b, dim)))
      return false;
  return true;
}
