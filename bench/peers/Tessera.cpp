/// Our own side. Variant `model`: the schedules that the model chooses; `records:FILE`: those that
/// `tessera tune` wrote to FILE; `generic`: compiled for any sizes, and never called. After `ready`
/// comes the CPU time that this process, which has compiled nothing before, needed to compile. For
/// tinytc kernels, `nn` has operands transposed beforehand, and `f32` has them as floats.
#include "Program.h"
#include "Serve.h"
#include <bit>
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

/// One or more consecutive matrices, each transposed.
template <typename T> void *turned(const Operand &operand, const void *data) {
  int64_t rows = operand.sizes[0], columns = operand.sizes[1];
  auto *to = static_cast<T *>(allocate(operand.bytes()));
  for (int64_t i = 0; i < operand.count(); ++i) {
    int64_t matrix = i / (rows * columns), row = i % rows, column = i / rows % columns;
    to[(matrix * rows + row) * columns + column] = static_cast<const T *>(data)[i];
  }
  return to;
}

/// Transposes operands, so that C = op(A) op(B) becomes C = A B.
void turnOperands(Request &r) {
  for (size_t i = 0; i < 2; ++i) {
    Operand &operand = r.shape.inputs[i];
    bool isTurned = factsOf(r.kernel.family).function[i] == 't';
    if (!isTurned)
      continue;
    void *&data = r.operands.inputs[i];
    data = operand.element == Element::F64 ? turned<double>(operand, data)
                                           : turned<float>(operand, data);
    std::swap(operand.sizes[0], operand.sizes[1]);
  }
}

void widenOperands(Request &r) {
  for (size_t i = 0; i < r.shape.inputs.size(); ++i) {
    Operand &operand = r.shape.inputs[i];
    float *wide = allocateFloats(operand.count());
    for (int64_t at = 0; at < operand.count(); ++at)
      wide[at] = std::bit_cast<float>(uint32_t(r.operands.in<uint16_t>(i)[at]) << 16);
    r.operands.inputs[i] = wide;
    operand.element = Element::F32;
  }
}

Answer compiled(Call *call) {
  double begin = cpuTime();
  bool isCompiled = call->compile();
  std::string seconds = std::to_string(cpuTime() - begin);
  if (!isCompiled || !call->run())
    return {.failure = call->error()};
  return {.work = [call] { call->run(); }, .remark = seconds};
}

/// For tinytc kernels.
Answer prepareKernel(Request &r) {
  const FamilyFacts &facts = factsOf(r.kernel.family);
  bool isProduct = facts.file == "tinytc/gemm.tinytc", isNarrow = facts.needsTiles();
  std::vector<std::string> definitions = definitionsOf(r.kernel);
  if (r.variant == "nn" && isProduct && facts.function != "nn")
    turnOperands(r);
  else if (r.variant == "f32" && isNarrow)
    widenOperands(r), definitions.back() = "real=f32";
  else if (r.variant != "model")
    return {};
  auto *call = new Call(facts.file, r.variant == "nn" ? "nn" : facts.function);
  for (size_t i = 0; i < r.shape.inputs.size(); ++i)
    call->with(r.operands.inputs[i], typeOf(r.shape.inputs[i].element), r.shape.inputs[i].sizes);
  for (size_t i = 0; i < r.shape.results.size(); ++i)
    call->with(r.operands.results[i], typeOf(r.shape.results[i].element), r.shape.results[i].sizes);
  call->launchWith(std::move(definitions), r.shape.groups);
  tessera_set_threads(r.threads);
  return compiled(call);
}

Answer prepare(Request &r) {
  if (factsOf(r.kernel.family).isBatch())
    return prepareKernel(r);
  const FamilyFacts &facts = factsOf(r.kernel.family);
  static auto *call = new Call(facts.file, facts.function); // Never destroyed.
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
