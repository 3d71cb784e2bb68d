/// Dictionaries, and the results of builders.
#include "Value.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

namespace {

/// The scalars that a builder combines: one, or the fields of a struct.
std::vector<Scalar> scalarsOf(const Type &type) {
  std::vector<Scalar> scalars;
  if (type.kind == Type::Scalar)
    return {type.scalar};
  for (const Type *field : type.parts)
    scalars.push_back(field->scalar);
  return scalars;
}

std::vector<Accumulator> freshSums(const Type &type, Combine combine) {
  std::vector<Accumulator> sums;
  for (Scalar scalar : scalarsOf(type))
    sums.emplace_back(scalar, combine);
  return sums;
}

const Value &scalarAt(const Type &type, const Value &value, size_t index) {
  return type.kind == Type::Scalar ? value : value.field(index);
}

std::vector<Accumulator> sumsFrom(const Type &type, Combine combine, const Value &initial) {
  std::vector<Accumulator> sums;
  for (auto [index, scalar] : llvm::enumerate(scalarsOf(type)))
    sums.push_back(Accumulator::from(scalar, combine, scalarAt(type, initial, index)));
  return sums;
}

void mergeInto(std::vector<Accumulator> &sums, const Type &type, const Value &value) {
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i].merge(scalarAt(type, value, i));
}

Value resultOfSums(const std::vector<Accumulator> &sums, const Type &type) {
  if (type.kind == Type::Scalar)
    return sums.front().result();
  std::vector<Value> fields;
  for (const Accumulator &sum : sums)
    fields.push_back(sum.result());
  return Value::of(std::move(fields));
}

/// The index of the entry with this key, which may be new.
size_t entryOf(Cell &cell, const Type &keyType, const Value &key) {
  auto [place, isNew] = cell.index->insert({canonicalKey(keyType, key), cell.elements.size()});
  if (isNew)
    cell.elements.push_back(place->first);
  return place->second;
}

void mergePair(const Type &builder, Cell &cell, const Value &pair) {
  size_t entry = entryOf(cell, *builder.parts[0], pair.field(0));
  if (builder.kind == Type::GroupBuilder) {
    cell.groups.resize(cell.elements.size());
    cell.groups[entry].push_back(pair.field(1));
    return;
  }
  // The first value of a key is taken directly, without an identity.
  if (entry == cell.sums.size())
    cell.sums.push_back(sumsFrom(*builder.parts[1], builder.combine, pair.field(1)));
  else
    mergeInto(cell.sums[entry], *builder.parts[1], pair.field(1));
}

void mergeAt(const Type &builder, Cell &cell, const Value &pair) {
  int64_t index = pair.field(0).integer;
  if (index < 0 || index >= int64_t(cell.elements.size()))
    throw Failure{"ArrayOutOfBounds"};
  std::vector<Accumulator> &sums = cell.sums[size_t(index)];
  const Type &element = *builder.parts[0];
  if (sums.empty())
    sums = sumsFrom(element, builder.combine, cell.elements[size_t(index)]);
  mergeInto(sums, element, pair.field(1));
}

Value dictOf(const Type &builder, const Cell &cell) {
  std::vector<Value> entries;
  for (size_t i = 0; i < cell.elements.size(); ++i) {
    Value value = builder.kind == Type::GroupBuilder
                      ? Value::of(cell.groups[i])
                      : resultOfSums(cell.sums[i], *builder.parts[1]);
    entries.push_back(Value::of({cell.elements[i], value}));
  }
  return makeDict(builder, std::move(entries));
}

Value vecOf(const Type &builder, const Cell &cell) {
  std::vector<Value> elements = cell.elements;
  for (size_t i = 0; i < cell.sums.size(); ++i)
    if (!cell.sums[i].empty())
      elements[i] = resultOfSums(cell.sums[i], *builder.parts[0]);
  return Value::of(std::move(elements));
}

} // namespace

Value random::canonicalKey(const Type &type, const Value &key) {
  if (type.kind == Type::Scalar) {
    if (!isFloat(type.scalar))
      return key;
    if (key.slack > 0)
      throw Unclear{"a key hangs on the last digits of a float"};
    return Value::ofFloat(key.real == 0 ? 0.0 : std::isnan(key.real) ? double(NAN) : key.real);
  }
  std::vector<Value> parts;
  for (auto [index, part] : llvm::enumerate(key.elements()))
    parts.push_back(canonicalKey(*type.parts[type.kind == Type::Struct ? index : 0], part));
  return Value::of(std::move(parts));
}

Value random::zeroOf(const Type &type) {
  switch (type.kind) {
  case Type::Scalar:
    return {};
  case Type::Struct: {
    std::vector<Value> fields;
    for (const Type *field : type.parts)
      fields.push_back(zeroOf(*field));
    return Value::of(std::move(fields));
  }
  case Type::Dict:
    return makeDict(type, {});
  default:
    return Value::of({});
  }
}

Value random::makeDict(const Type &dict, std::vector<Value> entries) {
  Value value = Value::of(std::move(entries));
  value.cell->index = std::make_unique<KeyIndex>(KeyLess{dict.parts[0]});
  for (auto [number, entry] : llvm::enumerate(value.elements()))
    value.cell->index->insert({entry.field(0), number});
  return value;
}

const Value *random::find(const Type &dict, const Value &value, const Value &key) {
  auto place = value.cell->index->find(canonicalKey(*dict.parts[0], key));
  return place == value.cell->index->end() ? nullptr : &value.field(place->second).field(1);
}

Value random::newBuilder(const Type &type, const Value *argument) {
  Value builder = Value::of({});
  Cell &cell = *builder.cell;
  if (type.kind == Type::Merger)
    cell.sums = {argument ? sumsFrom(*type.parts[0], type.combine, *argument)
                          : freshSums(*type.parts[0], type.combine)};
  if (type.kind == Type::DictMerger || type.kind == Type::GroupBuilder)
    cell.index = std::make_unique<KeyIndex>(KeyLess{type.parts[0]});
  if (type.kind == Type::VecMerger) {
    cell.elements = argument->elements();
    cell.sums.resize(cell.elements.size());
  }
  return builder;
}

void random::merge(const Type &builder, const Value &into, const Value &value) {
  Cell &cell = *into.cell;
  switch (builder.kind) {
  case Type::Appender:
    cell.elements.push_back(value);
    return;
  case Type::Merger:
    return mergeInto(cell.sums.front(), *builder.parts[0], value);
  case Type::VecMerger:
    return mergeAt(builder, cell, value);
  default:
    return mergePair(builder, cell, value);
  }
}

Value random::resultOf(const Type &builder, const Value &value) {
  switch (builder.kind) {
  case Type::Appender:
    return Value::of(value.elements());
  case Type::Merger:
    return resultOfSums(value.cell->sums.front(), *builder.parts[0]);
  case Type::VecMerger:
    return vecOf(builder, *value.cell);
  case Type::Struct: {
    std::vector<Value> fields;
    for (auto [index, field] : llvm::enumerate(builder.parts))
      fields.push_back(resultOf(*field, value.field(index)));
    return Value::of(std::move(fields));
  }
  default:
    return dictOf(builder, *value.cell);
  }
}
