/// Types that are still being inferred: unknown ones are variables, which unification binds.
#ifndef TESSERA_LANG_WELD_UNIFY_H
#define TESSERA_LANG_WELD_UNIFY_H

#include "lang/weld/Syntax.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera::weld {

/// Every Unknown type of inference is one of these.
struct TypeVariable : Type {
  const Type *bound = nullptr;
  const Expr *origin = nullptr; ///< Where it was made, for a message if it stays unknown.
};

class Inferred {
public:
  Inferred(Program &program) : program(program) {}

  const Type *fresh(const Expr *origin = nullptr);
  const Type *make(Type::Kind kind, llvm::ArrayRef<const Type *> parts,
                   Combine combine = Combine::Add);
  const Type *scalar(Scalar scalar) { return program.types.scalar(scalar); }
  const Type *boolean() { return scalar(Scalar::Bool); }
  const Type *index() { return scalar(Scalar::I64); }
  const Type *vec(const Type *element) { return make(Type::Vec, element); }
  const Type *invalid() { return program.types.get(Type::Invalid, {}); }

  /// Whether a type has become larger than types may be since the last call.
  bool takeOverflow() { return std::exchange(hasOverflow, false); }
  /// How many parts a type may have on all levels together; lets can double the number line by
  /// line.
  static constexpr unsigned maxParts = 10'000;

  /// The type at the end of a variable's bindings.
  static const Type *find(const Type *type);
  /// Unifies both types; false if they differ. Types in error match everything, and unknown parts
  /// of what they match become errors too.
  bool unify(const Type *a, const Type *b);
  /// The type with known variables replaced; unknown parts stay. It is made in the program's table.
  const Type *resolve(const Type *type);
  std::string spell(const Type *type) { return spelling(*resolve(type)); }

  /// The first part that is not known, or null.
  static const TypeVariable *unknownIn(const Type *type);
  /// Records that the variable will never be known.
  static void giveUp(const TypeVariable &variable, const Type *invalid);
  /// The same for all unknown parts of a type.
  static void giveUpParts(const Type *type, const Type *invalid);

private:
  static void bind(const Type *variable, const Type *type);
  static bool occurs(const Type *variable, const Type *in);

  unsigned numParts(const Type *type);

  Program &program;
  llvm::DenseMap<const Type *, unsigned> sizes; ///< The sizes of types made by `make`.
  bool hasOverflow = false;
};

} // namespace tessera::weld

#endif
