#include "lang/weld/TypeRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;

static bool allParts(const Type &type, bool (*holds)(const Type &)) {
  return llvm::all_of(type.parts, [&](const Type *part) { return holds(*part); });
}

bool tessera::weld::isOpen(const Type &type) {
  return type.kind == Type::Unknown || type.kind == Type::Invalid;
}

bool tessera::weld::isScalarOrUnknown(const Type &type) {
  return type.kind == Type::Scalar || isOpen(type);
}

const Type &tessera::weld::lane(const Type &type) {
  return type.kind == Type::Simd ? *type.parts[0] : type;
}

static bool isLane(const Type &type, llvm::ArrayRef<ScalarKind> kinds) {
  const Type &scalar = lane(type);
  return isOpen(scalar) ||
         (scalar.kind == Type::Scalar && llvm::is_contained(kinds, kindOf(scalar.scalar)));
}

bool tessera::weld::isNumeric(const Type &type) {
  return isLane(type, {ScalarKind::Signed, ScalarKind::Unsigned, ScalarKind::Float});
}

bool tessera::weld::isFloat(const Type &type) {
  return isLane(type, ScalarKind::Float);
}

bool tessera::weld::hasBits(const Type &type) {
  return isLane(type, {ScalarKind::Bool, ScalarKind::Signed, ScalarKind::Unsigned});
}

bool tessera::weld::isBool(const Type &type) {
  return type.kind != Type::Simd && isLane(type, ScalarKind::Bool);
}

bool tessera::weld::isScalarOrSimd(const Type &type) {
  return isScalarOrUnknown(type) || type.kind == Type::Simd;
}

bool tessera::weld::isComparable(const Type &type) {
  if (isScalarOrUnknown(type))
    return true;
  return (type.kind == Type::Vec || type.kind == Type::Struct) && allParts(type, isComparable);
}

bool tessera::weld::isComparableOrSimd(const Type &type) {
  return type.kind == Type::Simd || isComparable(type);
}

bool tessera::weld::isKey(const Type &type) {
  return isComparable(type);
}

bool tessera::weld::isStorable(const Type &type) {
  bool isContainer = type.kind == Type::Vec || type.kind == Type::Dict || type.kind == Type::Struct;
  return isScalarOrUnknown(type) || (isContainer && allParts(type, isStorable));
}

bool tessera::weld::isMergeable(const Type &type) {
  auto isNumber = [](const Type &part) { return part.kind != Type::Simd && isNumeric(part); };
  return isNumber(type) || (type.kind == Type::Struct && allParts(type, isNumber));
}

bool tessera::weld::isSerializable(const Type &type) {
  return isStorable(type);
}
