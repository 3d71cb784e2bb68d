/// Loads object code into this process as callable functions.
#ifndef TESSERA_JIT_JIT_H
#define TESSERA_JIT_JIT_H

#include "runtime/Generated.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace tessera::jit {

/// A foreign function and its address.
struct Foreign {
  std::string name;
  void *address;
};

/// A loaded object. Its functions live as long as it does.
class Program {
public:
  /// Returns null and sets `error` on failure. With `forDebugger` the code is registered with gdb.
  /// `foreign` are the foreign functions that it calls.
  static std::unique_ptr<Program> load(std::string object, bool forDebugger, std::string &error,
                                       llvm::ArrayRef<Foreign> foreign = {});
  ~Program();

  /// The entry with this name; returns null and sets `error` if it cannot be linked.
  const tessera_signature *find(llvm::StringRef entry, std::string &error);
  /// The same for an entry that takes values in memory.
  const tessera_program *findProgram(llvm::StringRef entry, std::string &error);
  /// The same for a kernel.
  const tessera_kernel *findKernel(llvm::StringRef entry, std::string &error);

private:
  struct State;
  explicit Program(std::unique_ptr<State> state);
  void *lookUp(std::string symbol, std::string &error);
  std::unique_ptr<State> state;
};

} // namespace tessera::jit

#endif
