/// Calls of programs on values in memory, from C: checks, limits of the call, and its result.
#include "runtime/CpuCount.h"
#include "runtime/Invoke.h"
#include "runtime/Run.h"
#include "runtime/Table.h"
#include "runtime/ThreadState.h"
#include <cstdlib>

using namespace tessera::runtime;

namespace {

/// Checks the lengths of vectors, as far as they can be checked.
class ArgumentCheck {
public:
  ArgumentCheck(const char *name, Text &error) : name(name), error(error) {}

  bool check(Type type, const void *value) {
    if (type.holdsNoPointers() || type.kind() == TESSERA_KIND_DICTIONARY)
      return true;
    if (type.kind() == TESSERA_KIND_VECTOR)
      return checkVector(type.part(0), vectorAt(value));
    for (int32_t part = 0; part < type.numParts(); ++part)
      if (!check(type.part(part), at(value, type.offset(part))))
        return false;
    return true;
  }

private:
  bool checkVector(Type element, const tessera_vector &vector) {
    if (vector.count < 0 || (vector.count > 0 && !vector.data)) {
      error.add("argument `%s`: a vector of length %lld%s", name, (long long)vector.count,
                vector.count > 0 ? " without data (null)" : "");
      return false;
    }
    for (int64_t index = 0; !element.holdsNoPointers() && index < vector.count; ++index)
      if (!check(element, at(vector.data, index * element.size())))
        return false;
    return true;
  }

  const char *name;
  Text &error;
};

/// A program may lack the names of its arguments.
const char *nameOf(const tessera_program &program, int32_t argument) {
  const char *const *name = program.names;
  while (name && *name && argument-- > 0)
    ++name;
  return name && *name ? *name : "";
}

bool checkProgramArguments(const tessera_program &program, const void *arguments, Text &error) {
  Type types(program.arguments);
  if (types.numParts() && !arguments) {
    error.add("no arguments (null), expected %d", types.numParts());
    return false;
  }
  for (int32_t part = 0; part < types.numParts(); ++part) {
    ArgumentCheck check(nameOf(program, part), error);
    if (!check.check(types.part(part), at(arguments, types.offset(part))))
      return false;
  }
  return true;
}

bool checkInput(const tessera_program &program, const tessera_input *input, Text &error) {
  if (!input)
    error.add("no input (null)");
  else if (input->threads < 0)
    error.add("%d threads, expected 0 or more", input->threads);
  else if (input->max_memory < 0)
    error.add("a memory limit of %lld bytes, expected 0 or more", (long long)input->max_memory);
  else
    return checkProgramArguments(program, input->arguments, error);
  return false;
}

/// Runs with the limits of the input, which do not apply to what is kept of the run.
int runLimited(const tessera_program &program, const tessera_input &input, void *result,
               tessera_run *&run) {
  ThreadState &thread = thisThread();
  Budget *outerBudget = thread.budget;
  uint32_t outerThreads = thread.numThreads;
  Budget budget{};
  budget.limit = input.max_memory;
  if (input.max_memory)
    thread.budget = &budget;
  if (input.threads)
    thread.numThreads = uint32_t(input.threads) < maxThreads ? input.threads : maxThreads;
  int status = tessera_rt_run(&program, input.arguments, result, &run);
  thread.budget = outerBudget;
  thread.numThreads = outerThreads;
  for (int64_t index = 0; run && input.max_memory && index < run->count; ++index)
    forgetCharge(run->blocks[index]);
  return status;
}

int noteAndPublish(int status, const char *sentence) {
  noteFailure(status, sentence);
  publishError();
  return status;
}

/// The result has its own memory, which is freed with the run.
int call(const tessera_program &program, const tessera_input *input, tessera_run *&run) {
  char sentence[1024];
  Text error(sentence, sizeof sentence);
  if (!checkCpu(program.name, program.cpu, error))
    return noteAndPublish(TESSERA_WRONG_CPU, sentence);
  if (!checkInput(program, input, error))
    return noteAndPublish(TESSERA_INVALID_ARGUMENT, sentence);
  void *result = calloc(1, Type(program.result).size() + 1);
  if (!result)
    return noteAndPublish(TESSERA_RUNTIME_ERROR, "out of memory for a result");
  int status = runLimited(program, *input, result, run);
  if (status != TESSERA_OK) {
    free(result);
    return status;
  }
  run->earlier = input->run;
  run->output = {result, run, TESSERA_OK};
  return TESSERA_OK;
}

const tessera_table *tableOf(const tessera_dict *dict) {
  return reinterpret_cast<const tessera_table *>(dict);
}

} // namespace

tessera_output *tessera_rt_call(const tessera_program *program, const tessera_input *input) {
  tessera_run *run = nullptr;
  int status = call(*program, input, run);
  if (status == TESSERA_OK)
    return &run->output;
  tessera_output &failed = thisThread().failedOutput;
  failed = {nullptr, input ? input->run : nullptr, status};
  return &failed;
}

int64_t tessera_dict_length(const tessera_dict *dict) {
  return dict ? tableOf(dict)->size : 0;
}

const void *tessera_dict_entries(const tessera_dict *dict) {
  return dict ? tableOf(dict)->entries : nullptr;
}
