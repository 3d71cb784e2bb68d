/// Tables of types, for tests.
#ifndef TESSERA_TESTS_RUNTIME_VALUES_H
#define TESSERA_TESTS_RUNTIME_VALUES_H

#include "runtime/Generated.h"
#include <functional>
#include <vector>

namespace tessera::tests {

using Words = std::vector<int32_t>;

inline Words scalar(tessera_kind kind, int32_t size) {
  return {kind, size, size, 1, 0};
}

/// A row followed by these parts.
inline Words row(Words head, const std::vector<std::pair<int32_t, Words>> &parts) {
  Words words = std::move(head);
  int32_t at = int32_t(words.size() + 2 * parts.size());
  for (auto &[offset, part] : parts) {
    words.insert(words.end(), {offset, at});
    at += int32_t(part.size());
  }
  for (auto &[offset, part] : parts)
    words.insert(words.end(), part.begin(), part.end());
  return words;
}

inline Words vectorOf(const Words &element) {
  return row({TESSERA_KIND_VECTOR, 16, 8, 0, 1}, {{0, element}});
}

/// A struct of two fields, the second at this offset.
inline Words pairOf(const Words &first, const Words &second, int32_t offset, int32_t size) {
  return row({TESSERA_KIND_STRUCT, size, 8, first[3] && second[3], 2},
             {{0, first}, {offset, second}});
}

inline Words dictionaryOf(const Words &entry) {
  return row({TESSERA_KIND_DICTIONARY, 8, 8, 0, 1}, {{0, entry}});
}

inline int enter(std::function<void()> body) {
  return tessera_rt_enter([](void *body) { (*static_cast<std::function<void()> *>(body))(); },
                          &body);
}

} // namespace tessera::tests

#endif
