/// Calls a compiled function: views in, memref descriptors to the body, views out.
#include "runtime/Invoke.h"
#include "runtime/Memory.h"
#include "runtime/ThreadState.h"
#include "runtime/View.h"
#include <cstring>

using namespace tessera::runtime;

namespace {

/// MLIR's ranked memref descriptor: {allocated, aligned, offset, sizes[ndim], strides[ndim]}.
struct Descriptor {
  int64_t *words;
  int32_t ndim;

  void *&allocated() { return *reinterpret_cast<void **>(words); }
  void *&aligned() { return *reinterpret_cast<void **>(words + 1); }
  int64_t &offset() { return words[2]; }
  int64_t *sizes() { return words + 3; }
  int64_t *strides() { return words + 3 + ndim; }
};

/// Precedes the shape of a result in memory of the runtime, so that tessera_free recognizes it.
struct Ownership {
  uint64_t mark;
  void *base;
};
constexpr uint64_t ownershipMark = 0x7e55e7a0'0d5ea1ed;

struct Call {
  const tessera_signature &signature;
  const tessera_view *arguments;
  tessera_view *results;
  Frame frame;
  Text &error;
  void **slots;
  int status;
};

/// A scalar's largest type is complex128.
int64_t slotBytes(const tessera_parameter &parameter) {
  return parameter.ndim == 0 ? 16 : (3 + 2 * parameter.ndim) * 8;
}

/// One block holds the pointers, followed by what they point to.
void layOutSlots(Call &call) {
  const tessera_signature &signature = call.signature;
  int32_t numSlots = signature.num_parameters + signature.num_results;
  auto at = [&](int32_t index) -> const tessera_parameter & {
    return index < signature.num_parameters ? signature.parameters[index]
                                            : signature.results[index - signature.num_parameters];
  };
  int64_t bytes = numSlots * 8;
  for (int32_t index = 0; index < numSlots; ++index)
    bytes += slotBytes(at(index));
  auto *memory = static_cast<char *>(tessera_rt_alloc(bytes));
  memset(memory, 0, bytes);
  call.slots = reinterpret_cast<void **>(memory);
  memory += numSlots * 8;
  for (int32_t index = 0; index < numSlots; ++index) {
    call.slots[index] = memory;
    memory += slotBytes(at(index));
  }
}

/// The data of a view in row-major order, aligned to its elements.
void *rowMajorData(const tessera_view &view) {
  char *data = static_cast<char *>(view.data) + view.byte_offset;
  int64_t size = elementBytes(view.dtype), bytes;
  int64_t alignment = view.dtype.code == TESSERA_COMPLEX ? size / 2 : size;
  bool inPlace = !view.strides || isRowMajor(view.ndim, view.shape, view.strides);
  if (inPlace && reinterpret_cast<uintptr_t>(data) % alignment == 0)
    return data;
  countBytes(view.ndim, view.shape, size, bytes);
  void *packed = tessera_rt_alloc(bytes);
  if (inPlace)
    return memcpy(packed, data, bytes);
  auto *strides = static_cast<int64_t *>(tessera_rt_alloc(view.ndim * 8));
  fillRowMajorStrides(view.ndim, view.shape, strides);
  copyElements({packed, strides}, {data, view.strides}, view.ndim, view.shape, size);
  tessera_rt_dealloc(strides);
  return packed;
}

void passArgument(const tessera_view &view, void *slot) {
  if (view.ndim == 0) {
    memcpy(slot, static_cast<char *>(view.data) + view.byte_offset, elementBytes(view.dtype));
    return;
  }
  Descriptor descriptor{static_cast<int64_t *>(slot), view.ndim};
  void *data = view.data ? rowMajorData(view) : slot; // Empty: any address is valid.
  descriptor.allocated() = descriptor.aligned() = data;
  memcpy(descriptor.sizes(), view.shape, view.ndim * 8);
  fillRowMajorStrides(view.ndim, view.shape, descriptor.strides());
}

/// What the body left in a result's slot; `data` is its first element.
struct Produced {
  void *base, *data;
  const int64_t *sizes, *strides;
};

Produced readResult(Call &call, int32_t index) {
  const tessera_parameter &result = call.signature.results[index];
  void *slot = call.slots[call.signature.num_parameters + index];
  if (result.ndim == 0)
    return {nullptr, slot, nullptr, nullptr};
  Descriptor descriptor{static_cast<int64_t *>(slot), result.ndim};
  auto *data = static_cast<char *>(descriptor.aligned());
  return {descriptor.allocated(), data + descriptor.offset() * elementBytes(result.dtype),
          descriptor.sizes(), descriptor.strides()};
}

bool resultsFit(Call &call, Text &error) {
  for (int32_t index = 0; index < call.signature.num_results; ++index)
    if (call.results[index].data &&
        !checkResultSizes(call.signature.results[index], call.results[index],
                          readResult(call, index).sizes, error))
      return false;
  return true;
}

/// Copies into the caller's memory. `strides` has room for those of a row-major view.
void copyOut(const Produced &produced, const tessera_view &view, int64_t *strides) {
  fillRowMajorStrides(view.ndim, view.shape, strides);
  copyElements(
      {static_cast<char *>(view.data) + view.byte_offset, view.strides ? view.strides : strides},
      {produced.data, produced.strides}, view.ndim, view.shape, elementBytes(view.dtype));
}

bool isHandedOnAlready(Call &call, int32_t index, void *base) {
  for (int32_t earlier = 0; earlier < index; ++earlier)
    if (readResult(call, earlier).base == base)
      return true;
  return false;
}

/// A block that holds exactly this result: that of the body, or a copy.
void *blockFor(Call &call, int32_t index, const Produced &produced, int64_t bytes) {
  const tessera_parameter &result = call.signature.results[index];
  if (result.ndim && produced.data == produced.base && owns(call.frame, produced.base) &&
      isRowMajor(result.ndim, produced.sizes, produced.strides) &&
      !isHandedOnAlready(call, index, produced.base))
    return produced.base;
  void *copy = tessera_rt_alloc(bytes);
  auto *strides = static_cast<int64_t *>(tessera_rt_alloc(result.ndim * 8));
  fillRowMajorStrides(result.ndim, produced.sizes, strides);
  if (bytes)
    copyElements({copy, strides}, {produced.data, produced.strides}, result.ndim, produced.sizes,
                 elementBytes(result.dtype));
  tessera_rt_dealloc(strides);
  return copy;
}

/// A view in memory of the runtime. All blocks stay in the frame until all results exist.
tessera_view makeView(Call &call, int32_t index) {
  const tessera_parameter &result = call.signature.results[index];
  Produced produced = readResult(call, index);
  int64_t bytes;
  if (!countBytes(result.ndim, produced.sizes, elementBytes(result.dtype), bytes))
    trapAt(nullptr, "out of memory: result `%s` is too large", result.name);
  auto *ownership =
      static_cast<Ownership *>(tessera_rt_alloc(sizeof(Ownership) + 2 * result.ndim * 8));
  void *block = blockFor(call, index, produced, bytes);
  *ownership = {ownershipMark, block};
  auto *shape = reinterpret_cast<int64_t *>(ownership + 1);
  if (result.ndim)
    memcpy(shape, produced.sizes, result.ndim * 8);
  fillRowMajorStrides(result.ndim, shape, shape + result.ndim);
  return {block, {1, 0}, result.ndim, result.dtype, shape, shape + result.ndim, 0};
}

void deliver(Call &call) {
  int32_t count = call.signature.num_results, maxRank = 0;
  for (int32_t index = 0; index < count; ++index)
    maxRank =
        call.signature.results[index].ndim > maxRank ? call.signature.results[index].ndim : maxRank;
  auto *strides = static_cast<int64_t *>(tessera_rt_alloc(maxRank * 8));
  auto *made = static_cast<tessera_view *>(tessera_rt_alloc(count * sizeof(tessera_view)));
  for (int32_t index = 0; index < count; ++index)
    if (!call.results[index].data)
      made[index] = makeView(call, index);
  // From here on nothing fails.
  for (int32_t index = 0; index < count; ++index)
    if (call.results[index].data) {
      copyOut(readResult(call, index), call.results[index], strides);
    } else {
      detach(call.frame, made[index].data);
      detach(call.frame, reinterpret_cast<Ownership *>(made[index].shape) - 1);
      call.results[index] = made[index];
    }
}

void run(void *context) {
  auto &call = *static_cast<Call *>(context);
  layOutSlots(call);
  for (int32_t index = 0; index < call.signature.num_parameters; ++index)
    passArgument(call.arguments[index], call.slots[index]);
  call.signature.body(call.slots);
  if (resultsFit(call, call.error))
    deliver(call);
  else
    call.status = TESSERA_INVALID_ARGUMENT;
}

int checkCall(const tessera_signature &signature, const tessera_view *arguments,
              const tessera_view *results, Text &error) {
  if (!checkCpu(signature.name, signature.cpu, error))
    return TESSERA_WRONG_CPU;
  bool fits = checkArguments(signature, arguments, error) &&
              checkResults(signature, results, error) &&
              checkNamedSizes(signature, arguments, results, error) &&
              checkOverlaps(signature, arguments, results, error);
  return fits ? TESSERA_OK : TESSERA_INVALID_ARGUMENT;
}

} // namespace

void tessera::runtime::publishError() {
  char *own = thisThread().failure.text, *seen = const_cast<char *>(tessera_last_error());
  if (seen != own)
    Text(seen, failureTextCapacity).add("%s", own);
}

int tessera::runtime::noteFailure(int status, const char *sentence) {
  Failure &failure = thisThread().failure;
  failure = {};
  failure.status = status;
  Text(failure.message, messageCapacity).add("%s", sentence);
  Text(failure.text, failureTextCapacity).add("%s", sentence);
  return status;
}

int tessera_rt_invoke(const tessera_signature *signature, const tessera_view *arguments,
                      tessera_view *results) {
  char sentence[1024];
  Text error(sentence, sizeof sentence);
  ThreadState &thread = thisThread();
  int status = checkCall(*signature, arguments, results, error);
  if (status == TESSERA_OK) {
    Call call{*signature, arguments, results, {}, error, nullptr, TESSERA_OK};
    const tessera_site *outerEntry = thread.calls.entry;
    thread.calls.entry = signature->place;
    if (int trapped = runInFrame(call.frame, run, &call))
      call.status = trapped;
    releaseAll(call.frame);
    thread.calls.entry = outerEntry;
    status = call.status;
  }
  if (!error.empty())
    noteFailure(status, sentence);
  if (status != TESSERA_OK)
    publishError();
  return status;
}

int tessera_check_result(tessera_view *result, const char *name) {
  if (result->data)
    return TESSERA_OK;
  char sentence[1024];
  Text error(sentence, sizeof sentence);
  if (checkMemory(*result, name, error)) {
    result->data = result; // No element is written, but an entry point allocates nothing.
    return TESSERA_OK;
  }
  noteFailure(TESSERA_INVALID_ARGUMENT, sentence);
  publishError();
  return TESSERA_INVALID_ARGUMENT;
}

void tessera_free(tessera_view *result) {
  // Only an entry point puts the strides directly after the shape, and its mark before it.
  if (!result || !result->data || !result->shape || result->strides != result->shape + result->ndim)
    return;
  auto *ownership = reinterpret_cast<Ownership *>(result->shape) - 1;
  if (ownership->mark != ownershipMark)
    return;
  void *base = ownership->base;
  ownership->mark = 0;
  tessera_rt_dealloc(base);
  tessera_rt_dealloc(ownership);
  *result = {};
}
