/// Executes one work-group.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_MACHINE_H
#define TESSERA_TESTS_RANDOM_TINYTC_MACHINE_H

#include "Evaluator.h"

namespace tessera::tinytc::random {

/// A region that a thread is executing.
struct Frame {
  const Region *region;
  const Inst *owner = nullptr; ///< The `for` or `if`; null for the outermost one.
  size_t next = 0;             ///< The next instruction.
  int64_t arm = 0;             ///< 1: the `else` of an `if`.
  int64_t iteration = 0;       ///< The iteration of a `for`.
  int64_t variable = 0, to = 0, step = 1;
  std::vector<Datum> values = {}; ///< Carried values so far; the result of the last `yield`.
};

/// One thread of control: of the whole group, of a work-item, or of a point of a `foreach`.
struct Thread {
  enum State { Running, Waiting, Done };

  const Thread *outer = nullptr;    ///< Its values are visible here.
  int64_t item = -1;                ///< -1: the whole group.
  int64_t subgroup = -1, lane = -1; ///< -1 in a `foreach`, where they are unspecified.
  State state = Running;
  std::vector<Frame> frames;
  llvm::DenseMap<const Value *, Datum> values;

  const Inst &waitsAt() const { return *frames.back().region->body[frames.back().next]; }
  /// Its position, such that positions are in program order.
  llvm::SmallVector<int64_t> position() const;
};

class Machine {
public:
  Machine(const Function &function, llvm::ArrayRef<Datum> arguments, int64_t group,
          int64_t numGroups, int64_t &steps);
  void run();

private:
  // Machine.cpp: threads.
  void enter(Thread &thread, const Region *region);
  void runUntilItWaits(Thread &thread);
  void step(Thread &thread);
  void leaveRegion(Thread &thread);
  void runTogether(llvm::MutableArrayRef<Thread> items);
  bool advanceSubgroups(llvm::MutableArrayRef<Thread> items);
  void passBarrier(llvm::MutableArrayRef<Thread> items);
  bool isTogether(const Inst &inst, const Thread &thread) const;
  /// Executes one instruction for all lanes that have reached it.
  void actTogether(llvm::ArrayRef<Thread *> lanes);

  // Values of a thread.
  const Datum &datum(const Operand &operand, const Thread &thread) const;
  Quantity number(const Operand &operand, const Thread &thread) const;
  int64_t integer(const Operand &operand, const Thread &thread) const;
  const Memref &memref(const Operand &operand, const Thread &thread) const;
  const Matrix &matrix(const Operand &operand, const Thread &thread) const;
  Actor actor(const Thread &thread) const { return {group, epoch, thread.item}; }
  /// A value on which all lanes must agree.
  int64_t shared(const Operand &operand, llvm::ArrayRef<Thread *> lanes) const;

  /// One result, or none. Instructions that act together are declared below.
  using Result = std::optional<Datum>;
  // Control.cpp
  Result act(const Foreach &loop, const Inst &inst, Thread &thread);
  Result act(const Parallel &parallel, const Inst &inst, Thread &thread);
  Result act(const For &loop, const Inst &inst, Thread &thread);
  Result act(const If &branch, const Inst &inst, Thread &thread);
  Result act(const Yield &yield, const Inst &inst, Thread &thread);
  Result act(const Barrier &, const Inst &, Thread &) { return {}; } // Done for the whole group.
  Result act(const Builtin &builtin, const Inst &inst, Thread &thread);
  bool nextIteration(Thread &thread);
  // Values.cpp
  Result act(const Binary &binary, const Inst &inst, Thread &thread);
  Result act(const Unary &unary, const Inst &inst, Thread &thread);
  Result act(const Cast &cast, const Inst &inst, Thread &thread);
  Result act(const Compare &compare, const Inst &inst, Thread &thread);
  Result act(const Constant &constant, const Inst &inst, Thread &thread);
  // Views.cpp
  Result act(const Alloca &alloca, const Inst &inst, Thread &thread);
  Result act(const LifetimeStop &stop, const Inst &inst, Thread &thread);
  Result act(const Expand &expand, const Inst &inst, Thread &thread);
  Result act(const Fuse &fuse, const Inst &inst, Thread &thread);
  Result act(const Subview &view, const Inst &inst, Thread &thread);
  Result act(const Size &size, const Inst &inst, Thread &thread);
  Result act(const Load &load, const Inst &inst, Thread &thread);
  Result act(const Store &store, const Inst &inst, Thread &thread);
  // Blas.cpp
  Result act(const Blas &blas, const Inst &inst, Thread &thread);
  // Together.cpp: for subgroups.
  Result act(const CoopLoad &load, const Inst &inst, Thread &thread);
  Result act(const CoopMulAdd &product, const Inst &inst, Thread &thread);
  Result act(const CoopScale &scale, const Inst &inst, Thread &thread);
  Result act(const CoopStore &store, const Inst &inst, Thread &thread);
  Result act(const Broadcast &, const Inst &, Thread &);
  Result act(const SubgroupOp &, const Inst &, Thread &);
  Result act(const Broken &, const Inst &, Thread &) { return {}; }
  void broadcast(const Broadcast &broadcast, const Inst &inst, llvm::ArrayRef<Thread *> lanes);
  void combine(const SubgroupOp &op, const Inst &inst, llvm::ArrayRef<Thread *> lanes);
  void checkUniform(const Inst &inst, llvm::ArrayRef<Thread *> lanes) const;

  void finish(const Inst &inst, Thread &thread, const Result &result);

  const Function &function;
  int64_t group, numGroups;
  int64_t &steps; ///< The remaining steps.
  int64_t epoch = 0;
  Thread whole;
};

/// Thrown when no steps remain.
struct TooLong {};

} // namespace tessera::tinytc::random

#endif
