/// Types of values in memory, as the tables of Generated.h describe them.
#ifndef TESSERA_RUNTIME_TYPE_H
#define TESSERA_RUNTIME_TYPE_H

#include "runtime/Generated.h"

namespace tessera::runtime {

class Type {
public:
  explicit Type(const int32_t *row) : row(row) {}

  tessera_kind kind() const { return tessera_kind(row[0]); }
  int64_t size() const { return row[1]; }
  int64_t alignment() const { return row[2]; }
  bool holdsNoPointers() const { return row[3]; }
  int32_t numParts() const { return row[4]; }
  int64_t offset(int32_t part) const { return row[5 + 2 * part]; }
  Type part(int32_t part) const { return Type(row + row[6 + 2 * part]); }
  bool isScalar() const { return kind() < TESSERA_KIND_STRUCT; }
  const int32_t *table() const { return row; }

private:
  const int32_t *row;
};

inline const char *at(const void *memory, int64_t offset) {
  return static_cast<const char *>(memory) + offset;
}
inline char *at(void *memory, int64_t offset) {
  return static_cast<char *>(memory) + offset;
}

/// A scalar as a key: one zero and one NaN, whatever their bits.
uint64_t hashOf(Type type, const void *value, uint64_t seed);
bool areEqualKeys(Type type, const void *left, const void *right);
/// Gives a key without pointers the bytes that all equal keys have; its padding is already clear.
void canonicalize(Type type, void *key);

} // namespace tessera::runtime

#endif
