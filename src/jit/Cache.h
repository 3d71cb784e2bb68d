/// Compiled objects on disk: found by the content they were made from, written atomically, safe to
/// delete at any moment, bounded in size. Every failure is a miss, never an error.
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
  /// $XDG_CACHE_HOME/tessera or ~/.cache/tessera; switched off by TESSERA_CACHE=off.
  static Cache open();

  /// A name for what is made of `parts`: the program, the options, the CPU, the version.
  static std::string keyOf(llvm::ArrayRef<llvm::StringRef> parts);

  enum class Entry {
    Object,  ///< A compiled program.
    Kernels, ///< What is to be known of a program before its object can be named.
  };
  std::optional<std::string> find(llvm::StringRef key, Entry entry = Entry::Object) const;
  void store(llvm::StringRef key, llvm::StringRef contents, Entry entry = Entry::Object) const;

  llvm::StringRef directory() const { return folder; }
  bool isEnabled() const { return enabled; }
  /// In words, why programs are compiled again each time; "" where they are kept.
  std::string whyUnused() const;
  struct Usage {
    uint64_t entries = 0, bytes = 0;
  };
  Usage usage() const;
  /// How many objects were removed. Files that nobody finished writing go too, uncounted.
  uint64_t clear() const;

  /// Beyond either those entries go that were not used for longest. To look at many more files
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
