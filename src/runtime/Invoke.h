/// The checks in front of a call.
#ifndef TESSERA_RUNTIME_INVOKE_H
#define TESSERA_RUNTIME_INVOKE_H

#include "runtime/Generated.h"
#include "runtime/Text.h"

namespace tessera::runtime {

/// Each writes a sentence into `error` and returns false when something does not fit.
bool checkCpu(const char *name, const char *cpu, Text &error);
bool checkArguments(const tessera_signature &signature, const tessera_view *arguments, Text &error);

/// Results that the caller brings memory for, as far as the signature fixes them.
bool checkResults(const tessera_signature &signature, const tessera_view *results, Text &error);

/// What views that fit by themselves say together, behind the two above: sizes of one name are
/// equal, and what is written is nobody else's.
bool checkNamedSizes(const tessera_signature &signature, const tessera_view *arguments,
                     const tessera_view *results, Text &error);
bool checkOverlaps(const tessera_signature &signature, const tessera_view *arguments,
                   const tessera_view *results, Text &error);

/// The same against the sizes that the program computed.
bool checkResultSizes(const tessera_parameter &result, const tessera_view &view,
                      const int64_t *sizes, Text &error);

/// A result by itself: it has memory for its elements.
bool checkMemory(const tessera_view &view, const char *name, Text &error);

/// What kernels are given: the struct of their arguments.
bool checkKernelArguments(const tessera_kernel &kernel, const void *arguments, Text &error);

/// Keeps a failure outside the program: no place, no calls. Returns the status.
int noteFailure(int status, const char *sentence);

/// Where several libraries have a runtime each, a program that links them calls the first one's
/// tessera_last_error, and so do we here: its text must be the latest failure's, whosever it was.
void publishError();

} // namespace tessera::runtime

#endif
