/// Everything that the driver knows about a language.
#ifndef TESSERA_TESTS_RANDOM_KIND_H
#define TESSERA_TESTS_RANDOM_KIND_H

#include <cstdint>
#include <string>

namespace tessera {

struct Kind {
  const char *language; ///< Its name, which is also the extension of its files.
  const char *comment;  ///< What begins one.
  /// A program that ends in time by itself.
  std::string (*generate)(uint64_t seed);
  /// "" where all ways to run it agree; else what differs. May crash.
  std::string (*compare)(const std::string &text);
  /// The same in a process of its own.
  std::string (*compareApart)(const std::string &text);
  /// What becomes of a program, in a word.
  std::string (*classify)(const std::string &text);
  /// A smaller program that fails the same way.
  std::string (*shrink)(const std::string &text);
};

extern const Kind ttlKind, tcKind, weldKind, tinytcKind;

/// What programs are compiled for, as `--cpu` names it.
inline std::string processor = "native";

} // namespace tessera

#endif
