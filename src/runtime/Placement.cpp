#include "runtime/Placement.h"

using namespace tessera::runtime;

static constexpr int unknownCpu = -1;

void Placement::begin() {
  callersCpu = unknownCpu;
  if (sched_getaffinity(0, sizeof allowed, &allowed))
    CPU_ZERO(&allowed);
}

bool Placement::hasMoved() {
  int cpu = sched_getcpu();
  if (cpu == callersCpu || cpu < 0 || cpu >= CPU_SETSIZE)
    return false;
  callersCpu = cpu;
  others = allowed;
  CPU_CLR(cpu, &others);
  return CPU_COUNT(&others) > 0;
}

// Note [Placement]
//
// On a virtual machine the kernel cannot distinguish an idle CPU from one that the host has taken
// away: both are halted. It then puts a woken thread onto the CPU of the thread that wakes it,
// after the caller, which works without a pause; the worker runs only when the load is balanced, up
// to four milliseconds later, while another CPU idles. Loops of that length ran on one thread.
//
// So before workers are started or woken, the CPU of the caller is removed from those they may run
// on. The kernel can choose among all others. This costs a system call for each worker, but only if
// they sleep and the caller has moved since.
