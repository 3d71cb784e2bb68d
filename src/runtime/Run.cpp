/// Runs a program on values in memory, and keeps what its result points to.
#include "runtime/Run.h"
#include "runtime/Invoke.h"
#include "runtime/Memory.h"
#include "runtime/Table.h"
#include "runtime/ThreadState.h"
#include <cstdlib>

using namespace tessera::runtime;

namespace {

struct Call {
  const tessera_program &program;
  const void *arguments;
  void *result;
};

int compareBlocks(const void *left, const void *right) {
  auto address = [](const void *block) {
    return reinterpret_cast<uintptr_t>(static_cast<const LiveBlock *>(block)->memory);
  };
  return (address(left) > address(right)) - (address(left) < address(right));
}

/// Finds the blocks that a value points to.
class Keeper {
public:
  Keeper(LiveBlock *blocks, bool *isKept, int64_t count)
      : blocks(blocks), isKept(isKept), count(count) {}

  void keep(Type type, const void *value) {
    if (type.holdsNoPointers())
      return;
    if (type.kind() == TESSERA_KIND_VECTOR)
      return keepElements(type.part(0), vectorAt(value));
    if (type.kind() == TESSERA_KIND_DICTIONARY)
      return keepTable(type.part(0), value);
    for (int32_t part = 0; part < type.numParts(); ++part)
      keep(type.part(part), at(value, type.offset(part)));
  }

private:
  void keepElements(Type element, const tessera_vector &vector) {
    if (vector.count == 0)
      return;
    keepBlockOf(vector.data);
    for (int64_t index = 0; !element.holdsNoPointers() && index < vector.count; ++index)
      keep(element, at(vector.data, index * element.size()));
  }

  void keepTable(Type entry, const void *value) {
    const tessera_table *table;
    memcpy(&table, value, sizeof table);
    if (!table)
      return;
    keepBlockOf(table);
    keepBlockOf(table->tags);
    keepBlockOf(table->places);
    keepBlockOf(table->numbers);
    keepElements(entry, {table->entries, table->size});
  }

  bool isIn(int64_t block, const char *memory) const {
    return memory >= blocks[block].memory && memory < blocks[block].memory + blocks[block].bytes;
  }

  /// Memory that is not in a block belongs to the caller or to a C function.
  void keepBlockOf(const void *memory) {
    auto *address = static_cast<const char *>(memory);
    if (count && isIn(last, address)) {
      isKept[last] = true;
      return;
    }
    int64_t low = 0, high = count;
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (blocks[middle].memory <= address)
        low = middle + 1;
      else
        high = middle;
    }
    if (low > 0 && isIn(low - 1, address))
      isKept[last = low - 1] = true;
  }

  LiveBlock *blocks;
  bool *isKept;
  int64_t count, last = 0;
};

/// Null if there is not enough memory to find out; then everything is freed.
tessera_run *keepResult(Frame &frame, Type type, const void *result) {
  int64_t count = countBlocks(frame);
  auto *blocks = static_cast<LiveBlock *>(malloc((count + 1) * sizeof(LiveBlock)));
  auto *isKept = static_cast<bool *>(calloc(count + 1, 1));
  auto *run = static_cast<tessera_run *>(malloc(sizeof(tessera_run) + count * sizeof(void *)));
  if (blocks && isKept && run) {
    listBlocks(frame, blocks);
    qsort(blocks, count, sizeof(LiveBlock), compareBlocks);
    Keeper(blocks, isKept, count).keep(type, result);
    *run = {};
    for (int64_t index = 0; index < count; ++index)
      if (isKept[index])
        detach(frame, run->blocks[run->count++] = blocks[index].memory);
  }
  bool isKnown = blocks && isKept;
  free(blocks);
  free(isKept);
  if (isKnown)
    return run;
  free(run);
  return nullptr;
}

/// Runs in the frame of the call.
void runBody(void *memory) {
  auto &call = *static_cast<Call *>(memory);
  call.program.body(call.arguments, call.result);
}

int runOnce(const tessera_program &program, const void *arguments, void *result,
            tessera_run **run) {
  Call call{program, arguments, result};
  Frame frame;
  int status = runInFrame(frame, runBody, &call);
  if (status == TESSERA_OK && !(*run = keepResult(frame, Type(program.result), result)))
    status = noteFailure(TESSERA_RUNTIME_ERROR, "out of memory for the list of a result's blocks");
  releaseAll(frame);
  return status;
}

int runOnOneThread(const tessera_program &program, const void *arguments, void *result,
                   tessera_run **run) {
  ThreadState &thread = thisThread();
  uint32_t outer = thread.numThreads;
  thread.numThreads = 1;
  int status = runOnce(program, arguments, result, run);
  thread.numThreads = outer;
  return status;
}

/// See Note [Bounded runs].
int runBounded(const tessera_program &program, const void *arguments, void *result,
               tessera_run **run) {
  ThreadState &thread = thisThread();
  int status = TESSERA_RUNTIME_ERROR;
  if (!program.callsOut) {
    thread.isMetered = true;
    status = runOnce(program, arguments, result, run);
    thread.isMetered = false;
  }
  return status == TESSERA_OK ? status : runOnOneThread(program, arguments, result, run);
}

int runChecked(const tessera_program &program, const void *arguments, void *result,
               tessera_run **run) {
  bool isBounded = memoryLimit() > 0 && threadsOf(thisThread()) > 1;
  return (isBounded ? runBounded : runOnce)(program, arguments, result, run);
}

// Note [Bounded runs]
//
// If memory is limited, how a run ends must not depend on threads: they need more memory than one
// thread, at times that are chance. So what one thread would do decides. A run on several threads
// that succeeds is correct if one thread would have succeeded: each chunk of a loop has a meter,
// and after the loop it is known that one thread would not have used more than what all chunks keep
// plus the most that any of them had in addition. A run that fails, for whatever reason, is
// repeated on one thread. C functions must not be called twice: programs that call them run on one
// thread from the start.

} // namespace

int tessera_rt_run(const tessera_program *program, const void *arguments, void *result,
                   tessera_run **run) {
  *run = nullptr;
  char sentence[1024];
  Text error(sentence, sizeof sentence);
  if (!checkCpu(program->name, program->cpu, error))
    return noteFailure(TESSERA_WRONG_CPU, sentence);
  ThreadState &thread = thisThread();
  const tessera_site *outerEntry = thread.calls.entry;
  thread.calls.entry = program->place;
  int status = runChecked(*program, arguments, result, run);
  thread.calls.entry = outerEntry;
  if (status != TESSERA_OK)
    publishError();
  return status;
}

void tessera_run_free(tessera_run *run) {
  while (run) {
    tessera_run *earlier = run->earlier;
    for (int64_t index = 0; index < run->count; ++index)
      tessera_rt_dealloc(run->blocks[index]);
    free(run->output.result);
    free(run);
    run = earlier;
  }
}
