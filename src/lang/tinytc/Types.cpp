#include "lang/tinytc/Types.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

struct ScalarRow {
  StringRef text;
  NumberKind kind;
  unsigned bytes;
  StringRef promotes;
};

constexpr ScalarRow scalars[] = {
#define TINYTC_SCALAR(name, text, kind, bytes, promotes) {text, NumberKind::kind, bytes, promotes},
#include "lang/tinytc/Types.def"
};

const ScalarRow &row(ScalarType scalar) {
  return scalars[static_cast<int>(scalar)];
}

std::string spellMode(int64_t value) {
  return value == dynamic ? "?" : std::to_string(value);
}

std::string spellMemref(const Type &type) {
  std::string text = ("memref<" + spelling(type.scalar)).str();
  for (int64_t mode : type.shape)
    text += "x" + spellMode(mode);
  if (type.strides != ArrayRef(packedStrides(type.shape))) {
    llvm::SmallVector<std::string> strides;
    for (int64_t stride : type.strides)
      strides.push_back(spellMode(stride));
    text += ",strided<" + llvm::join(strides, ",") + ">";
  }
  return text + (type.space == AddressSpace::Local ? ",local>" : ">");
}

std::string spellGroup(const Type &type) {
  std::string text = "group<" + spelling(*type.member) + "x" + spellMode(type.size);
  return text + (type.offset == 0 ? ">" : ", offset: " + spellMode(type.offset) + ">");
}

} // namespace

StringRef tessera::tinytc::spelling(ScalarType scalar) {
  return row(scalar).text;
}

std::optional<ScalarType> tessera::tinytc::scalarNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<ScalarType>>(name)
#define TINYTC_SCALAR(name, text, kind, bytes, promotes) .Case(text, ScalarType::name)
#include "lang/tinytc/Types.def"
      .Default(std::nullopt);
}

NumberKind tessera::tinytc::kindOf(ScalarType scalar) {
  return row(scalar).kind;
}

unsigned tessera::tinytc::bytesOf(ScalarType scalar) {
  return row(scalar).bytes;
}

ScalarType tessera::tinytc::partOf(ScalarType scalar) {
  return scalar == ScalarType::C32   ? ScalarType::F32
         : scalar == ScalarType::C64 ? ScalarType::F64
                                     : scalar;
}

bool tessera::tinytc::promotes(ScalarType from, ScalarType to) {
  llvm::SmallVector<StringRef> names;
  row(from).promotes.split(names, ' ');
  return llvm::is_contained(names, spelling(to));
}

std::optional<ScalarType> tessera::tinytc::promote(ScalarType left, ScalarType right) {
  if (promotes(left, right))
    return right;
  return promotes(right, left) ? std::optional(left) : std::nullopt;
}

bool tessera::tinytc::isLossless(const Type &from, const Type &to) {
  if (!from.isScalar() || !to.isScalar())
    return false;
  bool isInteger = from.isScalar(NumberKind::Integer);
  bool isRounded = from.isScalar(ScalarType::I32) && to.isScalar(ScalarType::C32);
  return (isInteger && to.isIndex()) || (promotes(from.scalar, to.scalar) && !isRounded);
}

StringRef tessera::tinytc::spelling(MatrixUse use) {
  return use == MatrixUse::A ? "matrix_a" : use == MatrixUse::B ? "matrix_b" : "matrix_acc";
}

std::string tessera::tinytc::spelling(const Type &type) {
  switch (type.kind) {
  case Type::Invalid:
    return "(unknown)";
  case Type::Void:
    return "void";
  case Type::Bool:
    return "bool";
  case Type::Scalar:
    return spelling(type.scalar).str();
  case Type::Memref:
    return spellMemref(type);
  case Type::Group:
    return spellGroup(type);
  case Type::Coopmatrix:
    return ("coopmatrix<" + spelling(type.scalar) + "x" + llvm::Twine(type.rows()) + "x" +
            llvm::Twine(type.columns()) + "," + spelling(type.use) + ">")
        .str();
  }
  llvm_unreachable("no such type");
}

llvm::SmallVector<int64_t> tessera::tinytc::packedStrides(ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides;
  int64_t next = 1;
  for (int64_t mode : shape) {
    strides.push_back(next);
    if (next == dynamic || mode == dynamic || llvm::MulOverflow(next, mode, next))
      next = dynamic;
  }
  return strides;
}

const Type *TypeTable::simple(Type::Kind kind) {
  Type type;
  type.kind = kind;
  return intern(type);
}

const Type *TypeTable::scalar(ScalarType scalar) {
  Type type;
  type.kind = Type::Scalar;
  type.scalar = scalar;
  return intern(type);
}

const Type *TypeTable::memref(ScalarType element, ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> strides, AddressSpace space) {
  Type type;
  type.kind = Type::Memref;
  type.scalar = element;
  type.shape = shape;
  type.strides = strides;
  type.space = space;
  return intern(type);
}

const Type *TypeTable::group(const Type *member, int64_t size, int64_t offset) {
  Type type;
  type.kind = Type::Group;
  type.scalar = member->scalar;
  type.member = member;
  type.size = size;
  type.offset = offset;
  return intern(type);
}

const Type *TypeTable::coopmatrix(ScalarType component, int64_t rows, int64_t columns,
                                  MatrixUse use) {
  int64_t shape[] = {rows, columns};
  Type type;
  type.kind = Type::Coopmatrix;
  type.scalar = component;
  type.shape = shape;
  type.use = use;
  return intern(type);
}

unsigned TypeTable::Contents::getHashValue(const Type *type) {
  return llvm::hash_combine(type->kind, type->scalar, type->space, type->use, type->member,
                            type->size, type->offset,
                            llvm::hash_combine_range(type->shape.begin(), type->shape.end()),
                            llvm::hash_combine_range(type->strides.begin(), type->strides.end()));
}

bool TypeTable::Contents::isEqual(const Type *left, const Type *right) {
  const Type *none[] = {getEmptyKey(), getTombstoneKey()};
  if (left == right || llvm::is_contained(none, left) || llvm::is_contained(none, right))
    return left == right;
  return std::tie(left->kind, left->scalar, left->space, left->use, left->member, left->size,
                  left->offset) == std::tie(right->kind, right->scalar, right->space, right->use,
                                            right->member, right->size, right->offset) &&
         left->shape == right->shape && left->strides == right->strides;
}

const Type *TypeTable::intern(Type type) {
  if (auto known = all.find(&type); known != all.end())
    return *known;
  type.shape = type.shape.copy(arena);
  type.strides = type.strides.copy(arena);
  const Type *kept = new (arena.Allocate<Type>()) Type(type);
  all.insert(kept);
  return kept;
}
