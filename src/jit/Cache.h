/// Compiled objects on disk: content-addressed, written atomically, safe to delete at any time,
/// bounded in size. Every failure is a miss, never an error.
#ifndef TESSERA_JIT_CACHE_H
#define TESSERA_JIT_CACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tessera::jit {

class Cache {
public:
  /// $XDG_CACHE_HOME/tessera or ~/.cache/tessera; disabled by TESSERA_CACHE=off.
  static Cache open();

  /// The name for something made from `parts`: the program, the options, the CPU, the version.
  static std::string keyOf(llvm::ArrayRef<llvm::StringRef> parts);

  enum class Entry {
    Object,  ///< A compiled program.
    Kernels, ///< Facts about a program that are needed to name its object.
  };
  std::optional<std::string> find(llvm::StringRef key, Entry entry = Entry::Object) const;
  void store(llvm::StringRef key, llvm::StringRef contents, Entry entry = Entry::Object) const;

  llvm::StringRef directory() const { return folder; }
  bool isEnabled() const { return enabled; }
  /// Explains why programs are compiled again each time; "" if they are cached.
  std::string whyUnused() const;
  struct Usage {
    uint64_t entries = 0, bytes = 0;
  };
  Usage usage() const;
  /// Returns how many objects were removed. Unfinished files are removed too, but not counted.
  uint64_t clear() const;

  /// Beyond either limit, the least recently used entries are removed. Examining many more files
  /// would take longer than most compilations.
  static constexpr uint64_t maxBytes = uint64_t(512) << 20, maxFiles = 4096;

private:
  std::string pathOf(llvm::StringRef key, Entry entry) const;
  void prune() const;

  std::string folder;
  bool enabled = false;
};

} // namespace tessera::jit

#endif
