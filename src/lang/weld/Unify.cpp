#include "lang/weld/Unify.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;

const Type *Inferred::fresh(const Expr *origin) {
  TypeVariable variable;
  variable.origin = origin;
  return program.make(variable);
}

const Type *Inferred::make(Type::Kind kind, llvm::ArrayRef<const Type *> parts, Combine combine) {
  unsigned size = 1;
  for (const Type *part : parts)
    size += numParts(part);
  if (size > maxParts) {
    hasOverflow = true;
    return invalid();
  }
  const Type *type = program.make(Type{kind, Scalar::I32, combine, program.keep(parts)});
  sizes[type] = size;
  return type;
}

unsigned Inferred::numParts(const Type *type) {
  auto found = sizes.find(find(type));
  return found == sizes.end() ? 1 : found->second;
}

const Type *Inferred::find(const Type *type) {
  while (type->kind == Type::Unknown) {
    const Type *bound = static_cast<const TypeVariable *>(type)->bound;
    if (!bound)
      return type;
    type = bound;
  }
  return type;
}

/// The cast is safe, because only `fresh` makes variables, in writable memory.
void Inferred::bind(const Type *variable, const Type *type) {
  const_cast<TypeVariable *>(static_cast<const TypeVariable *>(variable))->bound = type;
}

void Inferred::giveUp(const TypeVariable &variable, const Type *invalid) {
  bind(&variable, invalid);
}

bool Inferred::occurs(const Type *variable, const Type *in) {
  in = find(in);
  return in == variable ||
         llvm::any_of(in->parts, [&](const Type *part) { return occurs(variable, part); });
}

bool Inferred::unify(const Type *a, const Type *b) {
  a = find(a), b = find(b);
  if (a == b || (a->kind == Type::Invalid && b->kind != Type::Unknown) ||
      (b->kind == Type::Invalid && a->kind != Type::Unknown))
    return true;
  if (a->kind != Type::Unknown)
    std::swap(a, b);
  if (a->kind == Type::Unknown) {
    if (occurs(a, b))
      return false;
    bind(a, b);
    return true;
  }
  if (a->kind != b->kind || a->scalar != b->scalar || a->parts.size() != b->parts.size() ||
      (hasCombine(a->kind) && a->combine != b->combine))
    return false;
  bool agree = true;
  for (auto [left, right] : llvm::zip(a->parts, b->parts))
    agree &= unify(left, right);
  return agree;
}

const Type *Inferred::resolve(const Type *type) {
  type = find(type);
  if (type->kind == Type::Unknown)
    return type;
  if (type->kind == Type::Scalar)
    return scalar(type->scalar);
  llvm::SmallVector<const Type *> parts;
  for (const Type *part : type->parts)
    parts.push_back(resolve(part));
  return program.types.get(type->kind, parts, type->combine);
}

const TypeVariable *Inferred::unknownIn(const Type *type) {
  type = find(type);
  if (type->kind == Type::Unknown)
    return static_cast<const TypeVariable *>(type);
  for (const Type *part : type->parts)
    if (const TypeVariable *variable = unknownIn(part))
      return variable;
  return nullptr;
}
