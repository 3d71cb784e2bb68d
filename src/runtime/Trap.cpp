/// Traps: how a program ends early, with a message that names the place and the calls to it.
#include "runtime/Memory.h"
#include "runtime/Text.h"
#include "runtime/ThreadState.h"
#include <cstdlib>
#include <unistd.h>

using namespace tessera::runtime;

namespace {

/// Far below what an 8 MiB stack holds, far above what programs mean to do.
/// Stack that a call may still need, and that the report needs.
constexpr uintptr_t stackReserve = 256 << 10;
/// A bound on the list of calls itself, far beyond what any stack holds.
constexpr int32_t maxCallDepth = 1 << 24;
/// Calls shown at each end of a long stack.
constexpr int32_t shownCalls = 10;

/// The site's message with values in place of {0} to {3}.
void addMessage(Text &text, const char *message, const int64_t *values) {
  for (const char *at = message; *at; ++at)
    if (at[0] == '{' && at[1] >= '0' && at[1] <= '3' && at[2] == '}') {
      text.add("%lld", (long long)values[at[1] - '0']);
      at += 2;
    } else {
      text.add(*at);
    }
}

/// Counted from the innermost call; a worker continues with the calls around its parallel loop.
const tessera_site &callAt(const ThreadState &thread, int32_t index) {
  const CallStack &own = thread.calls, &outer = thread.outerCalls;
  return index < own.depth ? *own.sites[own.depth - 1 - index]
                           : *outer.sites[outer.depth - 1 - (index - own.depth)];
}

void addCalls(Text &text, const ThreadState &thread) {
  int32_t depth = thread.calls.depth + thread.outerCalls.depth;
  for (int32_t index = 0; index < depth; ++index) {
    if (depth > 2 * shownCalls && index == shownCalls) {
      text.add("\n  ... %d more calls ...", depth - 2 * shownCalls);
      index = depth - shownCalls;
    }
    const tessera_site &call = callAt(thread, index);
    text.add("\n  in %s, called at %s:%d:%d", call.message, call.file, call.line, call.column);
  }
}

[[noreturn]] void die(const ThreadState &thread) {
  fflush(stdout);
  fprintf(stderr, "%s\n", thread.error);
  _exit(thread.status);
}

} // namespace

int tessera::runtime::runInFrame(Frame &frame, void (*body)(void *), void *context) {
  ThreadState &thread = thisThread();
  frame.outer = thread.frame;
  frame.live = nullptr;
  frame.freedElsewhere.store(nullptr, std::memory_order_relaxed);
  frame.callDepth = thread.calls.depth;
  thread.frame = &frame;
  // After a trap only `frame` may be relied on: other locals may have lived in registers.
  bool trapped = _setjmp(frame.resume);
  if (!trapped)
    body(context);
  thisThread().frame = frame.outer;
  return trapped ? thisThread().status : TESSERA_OK;
}

void tessera::runtime::unwind(ThreadState &thread) {
  if (!thread.frame)
    die(thread);
  thread.calls.depth = thread.frame->callDepth;
  longjmp(thread.frame->resume, 1);
}

void tessera::runtime::trap(const char *format, ...) {
  ThreadState &thread = thisThread();
  char sentence[512];
  va_list values;
  va_start(values, format);
  vsnprintf(sentence, sizeof sentence, format, values);
  va_end(values);
  Text text(thread.error, errorCapacity);
  text.add("%s", sentence);
  addCalls(text, thread);
  thread.status = TESSERA_RUNTIME_ERROR;
  unwind(thread);
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

[[noreturn]] static void end(const tessera_site *site, const int64_t (&values)[4], int status) {
  if (!site)
    trap("run-time error");
  ThreadState &thread = thisThread();
  Text text(thread.error, errorCapacity);
  text.add("%s:%d:%d: error: ", site->file, site->line, site->column);
  addMessage(text, site->message, values);
  if (site->rule)
    text.add(" [%s]", site->rule);
  addCalls(text, thread);
  thread.status = status;
  unwind(thread);
}

void tessera_rt_trap(const tessera_site *site, int64_t v0, int64_t v1, int64_t v2, int64_t v3) {
  end(site, {v0, v1, v2, v3}, TESSERA_RUNTIME_ERROR);
}

void tessera_rt_reject(const tessera_site *site, int64_t v0, int64_t v1, int64_t v2, int64_t v3) {
  end(site, {v0, v1, v2, v3}, TESSERA_INVALID_ARGUMENT);
}

/// Room for one more call; false when there is no memory or no sense in it.
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
    tessera_site tooDeep = {site->file, site->line, site->column,
                            "{0} calls deep, and the stack is full", site->rule};
    tessera_rt_trap(&tooDeep, calls.depth, 0, 0, 0);
  }
  calls.sites[calls.depth++] = site;
}

void tessera_rt_pop_call() {
  --thisThread().calls.depth;
}
