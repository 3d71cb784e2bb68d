/// Launches kernels: checks, the number of threads, and the run itself.
#include "runtime/CpuCount.h"
#include "runtime/Invoke.h"
#include "runtime/ThreadState.h"
#include <sys/single_threaded.h>

using namespace tessera::runtime;

namespace {

struct Launch {
  const tessera_kernel &kernel;
  const void *arguments;
  tessera_launch launch; ///< With the actual number of threads, and `alone` as it is known.
};

bool checkLaunch(const tessera_launch *launch, Text &error) {
  if (!launch)
    error.add("no launch (null)");
  else if (launch->groups < 0)
    error.add("%lld groups, expected 0 or more", (long long)launch->groups);
  else if (launch->threads < 0)
    error.add("%d threads, expected 0 or more", launch->threads);
  return error.empty();
}

int checkCall(const tessera_kernel &kernel, const void *arguments, const tessera_launch *launch,
              Text &error) {
  if (!checkCpu(kernel.name, kernel.cpu, error))
    return TESSERA_WRONG_CPU;
  return checkLaunch(launch, error) && checkKernelArguments(kernel, arguments, error)
             ? TESSERA_OK
             : TESSERA_INVALID_ARGUMENT;
}

uint32_t threadsOf(const ThreadState &thread, const tessera_launch &launch) {
  if (launch.threads)
    return uint32_t(launch.threads) < maxThreads ? launch.threads : maxThreads;
  return tessera::runtime::threadsOf(thread);
}

/// Whether additions need not be atomic: one thread runs all work-groups, and no other thread
/// launches on the same memory, because the caller says so or the process has no other thread.
bool isAlone(const tessera_launch &launch, uint32_t threads) {
  return threads == 1 && (launch.alone || __libc_single_threaded);
}

void runBody(void *context) {
  auto &call = *static_cast<Launch *>(context);
  call.kernel.body(call.arguments, &call.launch);
}

int runLaunch(Launch &call) {
  ThreadState &thread = thisThread();
  const tessera_site *outerEntry = thread.calls.entry;
  uint32_t outerThreads = thread.numThreads;
  thread.calls.entry = call.kernel.place;
  thread.numThreads = call.launch.threads;
  Frame frame;
  int status = runInFrame(frame, runBody, &call);
  releaseAll(frame);
  thread.numThreads = outerThreads;
  thread.calls.entry = outerEntry;
  return status;
}

} // namespace

int tessera_rt_launch(const tessera_kernel *kernel, const void *arguments,
                      const tessera_launch *launch) {
  char sentence[1024];
  Text error(sentence, sizeof sentence);
  int status = checkCall(*kernel, arguments, launch, error);
  if (status == TESSERA_OK) {
    Launch call{*kernel, arguments, *launch};
    uint32_t threads = threadsOf(thisThread(), *launch);
    call.launch.threads = threads;
    call.launch.alone = isAlone(*launch, threads);
    status = runLaunch(call);
  } else {
    noteFailure(status, sentence);
  }
  if (status != TESSERA_OK)
    publishError();
  return status;
}
