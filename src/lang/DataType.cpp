#include "lang/DataType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;

namespace {
struct ScalarRow {
  const char *name;
  ScalarKind kind;
  unsigned bits;
};
constexpr ScalarRow scalars[] = {
#define TESSERA_SCALAR(name, text, kind, bits) {text, ScalarKind::kind, bits},
#include "lang/Scalars.def"
};
const ScalarRow &rowOf(Scalar scalar) {
  return scalars[static_cast<int>(scalar)];
}
} // namespace

llvm::StringRef tessera::name(Scalar scalar) {
  return rowOf(scalar).name;
}
ScalarKind tessera::kindOf(Scalar scalar) {
  return rowOf(scalar).kind;
}
unsigned tessera::bitsOf(Scalar scalar) {
  return rowOf(scalar).bits;
}

DataType DataType::scalar(tessera::Scalar scalar) {
  size_t bytes = bitsOf(scalar) / 8;
  DataType type(Kind::Scalar, bytes, bytes);
  type.myScalar = scalar;
  return type;
}

DataType DataType::vector(DataType element) {
  DataType type(Kind::Vector, sizeof(void *) + sizeof(int64_t), alignof(void *));
  type.parts.push_back(std::move(element));
  return type;
}

DataType DataType::structOf(std::vector<DataType> fields) {
  DataType type(Kind::Struct, 0, 1);
  for (const DataType &field : fields) {
    type.offsets.push_back(llvm::alignTo(type.mySize, field.alignment()));
    type.mySize = type.offsets.back() + field.size();
    type.myAlignment = std::max(type.myAlignment, field.alignment());
  }
  type.mySize = llvm::alignTo(type.mySize, type.myAlignment);
  type.parts = std::move(fields);
  return type;
}

DataType DataType::dictionary(DataType key, DataType value) {
  DataType type(Kind::Dictionary, sizeof(void *), alignof(void *));
  type.parts.push_back(structOf({std::move(key), std::move(value)}));
  return type;
}

bool DataType::isText() const {
  return isVector() && element().isScalar() &&
         (element().scalar() == Scalar::I8 || element().scalar() == Scalar::U8);
}

bool DataType::holdsNoPointers() const {
  return isScalar() || (isStruct() && llvm::all_of(parts, [](const DataType &part) {
                          return part.holdsNoPointers();
                        }));
}

static std::string textOf(Scalar scalar) {
  static constexpr const char *letters[] = {"bool", "i", "u", "f"};
  std::string text = letters[static_cast<int>(kindOf(scalar))];
  return scalar == Scalar::Bool ? text : text + std::to_string(bitsOf(scalar));
}

std::string DataType::text() const {
  auto list = [](llvm::ArrayRef<DataType> types) {
    return llvm::join(llvm::map_range(types, [](const DataType &type) { return type.text(); }),
                      ",");
  };
  switch (myKind) {
  case Kind::Scalar:
    return textOf(myScalar);
  case Kind::Vector:
    return "vec[" + list(parts) + "]";
  case Kind::Struct:
    return "{" + list(parts) + "}";
  case Kind::Dictionary:
    return "dict[" + list(entry().fields()) + "]";
  }
  return "";
}

bool DataType::operator==(const DataType &other) const {
  return myKind == other.myKind && parts == other.parts &&
         (!isScalar() || myScalar == other.myScalar);
}
