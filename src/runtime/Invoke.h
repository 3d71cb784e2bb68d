/// The checks before a call.
#ifndef TESSERA_RUNTIME_INVOKE_H
#define TESSERA_RUNTIME_INVOKE_H

#include "runtime/Generated.h"
#include "runtime/Text.h"

namespace tessera::runtime {

/// Each function writes a sentence into `error` and returns false if something does not fit.
bool checkCpu(const char *name, const char *cpu, Text &error);
bool checkArguments(const tessera_signature &signature, const tessera_view *arguments, Text &error);

/// Checks results in the caller's memory, as far as the signature fixes their sizes.
bool checkResults(const tessera_signature &signature, const tessera_view *results, Text &error);

/// Checks views against each other, after the two functions above: sizes of the same name must be
/// equal, and results must not overlap anything else.
bool checkNamedSizes(const tessera_signature &signature, const tessera_view *arguments,
                     const tessera_view *results, Text &error);
bool checkOverlaps(const tessera_signature &signature, const tessera_view *arguments,
                   const tessera_view *results, Text &error);

/// Checks a result in the caller's memory against the sizes that the program computed.
bool checkResultSizes(const tessera_parameter &result, const tessera_view &view,
                      const int64_t *sizes, Text &error);

/// Checks that a result has memory for its elements.
bool checkMemory(const tessera_view &view, const char *name, Text &error);

/// Checks the struct of a kernel's arguments.
bool checkKernelArguments(const tessera_kernel &kernel, const void *arguments, Text &error);

/// Records a failure outside of the program, without a position or calls. Returns the status.
int noteFailure(int status, const char *sentence);

/// If several libraries contain a runtime, a program that links them calls the first one's
/// tessera_last_error, and so does this function: the text must be that of the latest failure in
/// any of them.
void publishError();

} // namespace tessera::runtime

#endif
