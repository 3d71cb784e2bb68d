/// Object code to callable functions, in this process.
#ifndef TESSERA_JIT_JIT_H
#define TESSERA_JIT_JIT_H

#include "runtime/Generated.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace tessera::jit {

/// A function that is not ours, and where it is.
struct Foreign {
  std::string name;
  void *address;
};

/// A loaded object. Its functions live as long as it does.
class Program {
public:
  /// Null on failure; `error` says why. With `forDebugger` gdb learns of the code.
  /// `foreign` are functions of others that it calls.
  static std::unique_ptr<Program> load(std::string object, bool forDebugger, std::string &error,
                                       llvm::ArrayRef<Foreign> foreign = {});
  ~Program();

  /// The entry of that name; null where it cannot be linked, and `error` says why.
  const tessera_signature *find(llvm::StringRef entry, std::string &error);
  /// The same for an entry that works on values in memory.
  const tessera_program *findProgram(llvm::StringRef entry, std::string &error);
  /// And for a kernel.
  const tessera_kernel *findKernel(llvm::StringRef entry, std::string &error);

private:
  struct State;
  explicit Program(std::unique_ptr<State> state);
  void *lookUp(std::string symbol, std::string &error);
  std::unique_ptr<State> state;
};

} // namespace tessera::jit

#endif
