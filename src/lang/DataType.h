/// Types of values at a program's boundary that go beyond tensors, with C's memory layout: a bool
/// is a byte, a vector is {data, int64_t count}, a struct is laid out as in C, and a dictionary is
/// a pointer to a table of the runtime, or null.
#ifndef TESSERA_LANG_DATATYPE_H
#define TESSERA_LANG_DATATYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// Element types at a program's boundary.
enum class Scalar : uint8_t {
#define TESSERA_SCALAR(name, text, kind, bits) name,
#include "lang/Scalars.def"
};
enum class ScalarKind : uint8_t { Bool, Signed, Unsigned, Float };
llvm::StringRef name(Scalar); // "int32", "float32": NumPy's names
ScalarKind kindOf(Scalar);
unsigned bitsOf(Scalar);

class DataType {
public:
  enum class Kind : uint8_t { Scalar, Vector, Struct, Dictionary };

  static DataType scalar(Scalar scalar);
  static DataType vector(DataType element);
  static DataType structOf(std::vector<DataType> fields);
  static DataType dictionary(DataType key, DataType value);

  Kind kind() const { return myKind; }
  bool isScalar() const { return myKind == Kind::Scalar; }
  bool isVector() const { return myKind == Kind::Vector; }
  bool isStruct() const { return myKind == Kind::Struct; }
  bool isDictionary() const { return myKind == Kind::Dictionary; }
  /// Whether it is a vector of bytes, which may be written as a string.
  bool isText() const;

  Scalar scalar() const { return myScalar; }
  const DataType &element() const { return parts.front(); }
  /// The entry of a dictionary: a struct of key and value.
  const DataType &entry() const { return parts.front(); }
  llvm::ArrayRef<DataType> fields() const { return parts; }
  size_t offset(size_t field) const { return offsets[field]; }

  size_t size() const { return mySize; }
  size_t alignment() const { return myAlignment; }
  /// Whether values are self-contained, without pointers.
  bool holdsNoPointers() const;

  /// In Weld's syntax: "vec[{i64,f32}]".
  std::string text() const;
  bool operator==(const DataType &other) const;

private:
  DataType(Kind kind, size_t size, size_t alignment)
      : mySize(size), myAlignment(alignment), myKind(kind) {}

  std::vector<DataType> parts;
  std::vector<size_t> offsets;
  size_t mySize, myAlignment;
  Kind myKind;
  Scalar myScalar = Scalar::I32;
};

} // namespace tessera

#endif
