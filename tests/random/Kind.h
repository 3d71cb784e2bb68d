/// What the driver knows about a language.
#ifndef TESSERA_TESTS_RANDOM_KIND_H
#define TESSERA_TESTS_RANDOM_KIND_H

#include <cstdint>
#include <string>

namespace tessera {

struct Kind {
  const char *language; ///< Its name, which is also the extension of its files.
  const char *comment;  ///< The text that begins a comment.
  /// Generates a program that terminates in reasonable time.
  std::string (*generate)(uint64_t seed);
  /// Returns "" if all ways to run it agree, else the difference. May crash.
  std::string (*compare)(const std::string &text);
  /// The same in a process of its own.
  std::string (*compareApart)(const std::string &text);
  /// The outcome of a program, in a word.
  std::string (*classify)(const std::string &text);
  /// Finds a smaller program that fails the same way.
  std::string (*shrink)(const std::string &text);
};

extern const Kind ttlKind, tcKind, weldKind, tinytcKind;

/// The processor that programs are compiled for, as in `--cpu`.
inline std::string processor = "native";

} // namespace tessera

#endif
