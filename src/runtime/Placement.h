/// Which CPUs the workers of the pool may run on.
#ifndef TESSERA_RUNTIME_PLACEMENT_H
#define TESSERA_RUNTIME_PLACEMENT_H

#include <pthread.h>
#include <sched.h>

namespace tessera::runtime {

/// Keeps workers off the CPU of the thread that calls them. See Note [Placement].
class Placement {
public:
  /// For a thread that starts workers, which inherit its set of CPUs.
  void begin();
  /// `workers` are to run on any CPU except the one on which this thread runs now.
  template <typename Worker> void makeRoom(Worker *workers, unsigned count) {
    if (!hasMoved())
      return;
    for (unsigned index = 0; index < count; ++index)
      pthread_setaffinity_np(workers[index].thread, sizeof others, &others);
  }

private:
  /// True if `others` has changed.
  bool hasMoved();

  cpu_set_t allowed, others;
  int callersCpu;
};

} // namespace tessera::runtime

#endif
