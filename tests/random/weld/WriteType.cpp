#include "Writer.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

Scalar Writer::intScalar() {
  static constexpr Scalar all[] = {Scalar::I8,  Scalar::U8,  Scalar::I16, Scalar::U16, Scalar::I32,
                                   Scalar::U32, Scalar::I64, Scalar::U64, Scalar::I32, Scalar::I64};
  return random.pick(all);
}

Scalar Writer::numberScalar() {
  return random.chance(65) ? intScalar() : random.chance(60) ? Scalar::F64 : Scalar::F32;
}

const Type *Writer::keyType(int depth) {
  int64_t kind = random.below(100);
  if (depth <= 0 || kind < 65)
    return scalar(random.chance(10) ? Scalar::Bool : numberScalar());
  if (kind < 80)
    return vecOf(random.chance(60) ? scalar(Scalar::I8) : keyType(depth - 1));
  return structOf({keyType(depth - 1), keyType(depth - 1)});
}

const Type *Writer::mergedType() {
  if (random.chance(70))
    return scalar(numberScalar());
  std::vector<const Type *> fields;
  for (int64_t i = random.between(1, 3); i > 0; --i)
    fields.push_back(scalar(numberScalar()));
  return structOf(fields);
}

const Type *Writer::dictType(int depth) {
  const Type *key = keyType(depth - 1);
  const Type *value = random.chance(60) ? mergedType() : vecOf(valueType(depth - 1));
  return types.get(Type::Dict, {key, value});
}

const Type *Writer::valueType(int depth) {
  int64_t kind = random.below(100);
  if (depth <= 0 || kind < 40)
    return scalar(random.chance(15) ? Scalar::Bool : numberScalar());
  if (kind < 70)
    return vecOf(valueType(depth - 1));
  if (kind < 85)
    return dictType(depth - 1);
  std::vector<const Type *> fields;
  for (int64_t i = random.between(1, 3); i > 0; --i)
    fields.push_back(valueType(depth - 1));
  return structOf(fields);
}

bool Writer::isComparable(const Type *type) {
  return type->kind != Type::Dict &&
         llvm::all_of(type->parts, [&](const Type *part) { return isComparable(part); });
}

bool Writer::isMerged(const Type *type) {
  auto isNumber = [](const Type *part) {
    return part->kind == Type::Scalar && part->scalar != Scalar::Bool;
  };
  return type->kind == Type::Struct ? llvm::all_of(type->parts, isNumber) : isNumber(type);
}

Combine Writer::combine() {
  static constexpr Combine all[] = {Combine::Add, Combine::Add, Combine::Mul, Combine::Min,
                                    Combine::Max};
  return random.pick(all);
}
