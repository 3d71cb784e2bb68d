/// Ourselves. Variant `model`: the schedules that the model chooses; `records:FILE`: those that
/// `tessera tune` wrote to FILE; `generic`: compiled for any sizes, and never called. Behind
/// `ready` stands the CPU time that this process, which has compiled nothing before, needed to
/// compile.
#include "Program.h"
#include "Serve.h"
#include <ctime>

using namespace tessera::bench;
using llvm::StringRef;

namespace {

double cpuTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

tessera_dtype typeOf(Element element) {
  bool isFloat = element == Element::F32 || element == Element::F64;
  uint8_t code = element == Element::BF16 ? TESSERA_BFLOAT : isFloat ? TESSERA_FLOAT : TESSERA_INT;
  return {code, uint8_t(8 * bytesOf(element)), 1};
}

Answer prepare(Request &r) {
  const FamilyFacts &facts = factsOf(r.kernel.family);
  static auto *call = new Call(facts.file, facts.function); // As long as the process lives.
  for (size_t i = 0; i < r.shape.inputs.size(); ++i)
    call->with(r.operands.inputs[i], typeOf(r.shape.inputs[i].element), r.shape.inputs[i].sizes);
  tessera_set_threads(r.threads);
  StringRef variant = r.variant;
  bool hasRecords = variant.consume_front("records:");
  if (hasRecords)
    call->useRecords(variant.str(), r.threads);
  if (variant == "generic")
    call->makeGeneric();
  double begin = cpuTime();
  if (!call->compile())
    return {.failure = call->error()};
  std::string seconds = std::to_string(cpuTime() - begin);
  if (hasRecords && !call->isTuned())
    return {.failure = "there is no record for it"};
  if (variant == "generic")
    return {.timed = [] { return 0.0; }, .remark = seconds};
  if (!call->run())
    return {.failure = call->error()};
  return {.work = [] { call->run(); },
          .remark = seconds,
          .result = [] { return call->result().vec(); }};
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {[](Family) { return true; }, prepare});
}
