/// Traps end a program early, with a message that names the position and the calls that led to it.
#include "runtime/Memory.h"
#include "runtime/Text.h"
#include "runtime/ThreadState.h"
#include <cstdlib>
#include <unistd.h>

using namespace tessera::runtime;

namespace {

/// The stack that a call may still need, and that the report needs.
constexpr uintptr_t stackReserve = 256 << 10;
/// The limit of the list of calls, far beyond what any stack holds.
constexpr int32_t maxCallDepth = 1 << 24;

/// The site's message with values for {0} to {3}, which are unsigned in {0u} to {3u}.
void addMessage(Text &text, const char *message, const int64_t *values) {
  for (const char *at = message; *at; ++at)
    if (at[0] == '{' && at[1] >= '0' && at[1] <= '3' && at[2] == '}') {
      text.add("%lld", (long long)values[at[1] - '0']);
      at += 2;
    } else if (at[0] == '{' && at[1] >= '0' && at[1] <= '3' && at[2] == 'u' && at[3] == '}') {
      text.add("%llu", (unsigned long long)values[at[1] - '0']);
      at += 3;
    } else {
      text.add(*at);
    }
}

/// Counted from the innermost call; a worker continues with the calls around its parallel loop.
const tessera_site *callAt(const ThreadState &thread, int32_t index) {
  const CallStack &own = thread.calls, &outer = thread.outerCalls;
  return index < own.depth ? own.sites[own.depth - 1 - index]
                           : outer.sites[outer.depth - 1 - (index - own.depth)];
}

void keepCalls(Failure &failure, const ThreadState &thread) {
  int32_t depth = thread.calls.depth + thread.outerCalls.depth;
  failure.numHiddenCalls = depth > 2 * shownCalls ? depth - 2 * shownCalls : 0;
  failure.numCalls = depth - failure.numHiddenCalls;
  for (int32_t index = 0; index < failure.numCalls; ++index)
    failure.calls[index] =
        callAt(thread, index < shownCalls ? index : index + failure.numHiddenCalls);
}

void writeText(Failure &failure) {
  Text text(failure.text, failureTextCapacity);
  const tessera_site &place = failure.place;
  if (place.file)
    text.add("%s:%d:%d: error: ", place.file, place.line, place.column);
  text.add("%s", failure.message);
  if (place.file && place.rule)
    text.add(" [%s]", place.rule);
  for (int32_t index = 0; index < failure.numCalls; ++index) {
    if (failure.numHiddenCalls && index == shownCalls)
      text.add("\n  ... %d more calls ...", failure.numHiddenCalls);
    const tessera_site &call = *failure.calls[index];
    text.add("\n  in %s, called at %s:%d:%d", call.message, call.file, call.line, call.column);
  }
}

/// The failure already has its message.
[[noreturn]] void end(ThreadState &thread, const tessera_site &place, int status) {
  Failure &failure = thread.failure;
  failure.status = status;
  failure.place = place;
  keepCalls(failure, thread);
  writeText(failure);
  unwind(thread);
}

const tessera_site *entryOf(const ThreadState &thread) {
  return thread.calls.entry ? thread.calls.entry : thread.outerCalls.entry;
}

[[noreturn]] void die(const ThreadState &thread) {
  fflush(stdout);
  fprintf(stderr, "%s\n", thread.failure.text);
  _exit(thread.failure.status);
}

} // namespace

int tessera::runtime::runInFrame(Frame &frame, void (*body)(void *), void *context) {
  ThreadState &thread = thisThread();
  frame.outer = thread.frame;
  frame.live = nullptr;
  frame.freedElsewhere.store(nullptr, std::memory_order_relaxed);
  frame.callDepth = thread.calls.depth;
  thread.frame = &frame;
  // After a trap only `frame` is reliable: other locals may have been in registers.
  bool trapped = _setjmp(frame.resume);
  if (!trapped)
    body(context);
  thisThread().frame = frame.outer;
  return trapped ? thisThread().failure.status : TESSERA_OK;
}

void tessera::runtime::unwind(ThreadState &thread) {
  if (!thread.frame)
    die(thread);
  thread.calls.depth = thread.frame->callDepth;
  longjmp(thread.frame->resume, 1);
}

void tessera::runtime::trapAt(const tessera_site *site, const char *format, ...) {
  ThreadState &thread = thisThread();
  va_list values;
  va_start(values, format);
  Text message(thread.failure.message, messageCapacity);
  if (site && site->message && *site->message) // What it is about, or the name of the error.
    message.add("%s: ", site->message);
  message.addList(format, values);
  va_end(values);
  const tessera_site *place = site && site->file ? site : entryOf(thread);
  tessera_site known = place ? *place : tessera_site{};
  end(thread, known, TESSERA_RUNTIME_ERROR);
}

int tessera_rt_enter(void (*body)(void *), void *context) {
  Frame frame;
  int status = runInFrame(frame, body, context);
  if (status == TESSERA_OK)
    moveAll(frame, frame.outer);
  else
    releaseAll(frame);
  return status;
}

[[noreturn]] static void endAt(const tessera_site *site, const int64_t (&values)[4], int status) {
  if (!site)
    trapAt(nullptr, "run-time error");
  ThreadState &thread = thisThread();
  Text message(thread.failure.message, messageCapacity);
  addMessage(message, site->message, values);
  end(thread, *site, status);
}

void tessera_rt_trap(const tessera_site *site, int64_t v0, int64_t v1, int64_t v2, int64_t v3) {
  endAt(site, {v0, v1, v2, v3}, TESSERA_RUNTIME_ERROR);
}

void tessera_rt_reject(const tessera_site *site, int64_t v0, int64_t v1, int64_t v2, int64_t v3) {
  endAt(site, {v0, v1, v2, v3}, TESSERA_INVALID_ARGUMENT);
}

/// Makes room for one more call; false if there is no memory or the stack is nearly full.
static bool makeRoom(CallStack &calls) {
  if (calls.depth < calls.capacity)
    return true;
  int32_t capacity = calls.capacity ? calls.capacity * 2 : 256;
  if (capacity > maxCallDepth)
    return false;
  void *sites = realloc(calls.sites, capacity * sizeof(void *));
  if (!sites)
    return false;
  calls.sites = static_cast<const tessera_site **>(sites);
  calls.capacity = capacity;
  return true;
}

void tessera_rt_push_call(const tessera_site *site) {
  ThreadState &thread = thisThread();
  CallStack &calls = thread.calls;
  uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  bool isStackFull = here < stackEndOf(thread) + stackReserve;
  if (isStackFull || !makeRoom(calls)) {
    tessera_site tooDeep = *site;
    tooDeep.message = "stack overflow after {0} nested calls";
    tessera_rt_trap(&tooDeep, calls.depth, 0, 0, 0);
  }
  calls.sites[calls.depth++] = site;
}

void tessera_rt_pop_call() {
  --thisThread().calls.depth;
}
