/// Writes the parts of a random program. Every part has the requested type.
#ifndef TESSERA_TESTS_RANDOM_WELD_WRITER_H
#define TESSERA_TESTS_RANDOM_WELD_WRITER_H

#include "../Random.h"
#include "lang/weld/Syntax.h"

namespace tessera::weld::random {

struct Local {
  std::string name;
  const Type *type;
};

/// A builder that is being filled, or a struct of them.
struct Target {
  const Type *type;
  std::string fresh;              ///< How it is made.
  std::string vector;             ///< For a vecmerger: the name of its initial vector.
  std::vector<Target> parts = {}; ///< The fields of a struct.
};

/// What a loop iterates over.
struct Source {
  std::string text;     ///< The text of the iterator.
  std::string bindings; ///< "let v = ...; ", before the loop.
  const Type *element;
};

class Writer {
public:
  explicit Writer(uint64_t seed) : random(seed), mayFail(random.chance(25)) {}

  std::string program();

private:
  // WriteType.cpp
  const Type *scalar(Scalar type) { return types.scalar(type); }
  const Type *i64() { return scalar(Scalar::I64); }
  const Type *boolean() { return scalar(Scalar::Bool); }
  const Type *vecOf(const Type *element) { return types.get(Type::Vec, element); }
  const Type *structOf(llvm::ArrayRef<const Type *> fields) {
    return types.get(Type::Struct, fields);
  }
  Scalar numberScalar();
  Scalar intScalar();
  const Type *keyType(int depth);
  const Type *mergedType(); ///< A number, or a struct of them.
  const Type *valueType(int depth);
  const Type *dictType(int depth);
  bool isComparable(const Type *type);
  bool isMerged(const Type *type);
  Combine combine();

  // WriteArguments.cpp
  std::string argument(const Type *type);
  std::string json(const Type *type, bool isKey);
  std::string jsonNumber(Scalar type, bool isKey);
  std::string jsonElements(const Type *type, int64_t count);
  std::string jsonEntries(const Type *type);
  std::string literal(const Type *type);
  std::string numberLiteral(Scalar type);
  std::string intLiteral(Scalar type, int64_t value);
  std::string floatLiteral(Scalar type);

  // WriteExpr.cpp
  std::string expr(const Type *type, int depth);
  std::string leaf(const Type *type);
  std::string anywhere(const Type *type, int depth); ///< Forms that have any type.
  std::string number(const Type *type, int depth);
  std::string arithmetic(const Type *type, int depth);
  std::string divided(const Type *type, int depth);
  std::string ofFloats(const Type *type, int depth);
  std::string condition(int depth);
  std::string vector(const Type *type, int depth);
  std::string sorted(const Type *type, int depth);
  std::string comparator(const Type *element, int depth);
  std::string guardedLookup(const Type *type, int depth);
  std::string dictLookup(const Type *type, int depth);
  std::string iterated(const Type *type, int depth);
  std::string applied(const Type *type, int depth);
  std::string fieldOf(const Type *type, int depth);
  std::string index(const std::string &vector, int depth);
  std::string let(const Type *bound, llvm::function_ref<std::string(const std::string &)> body,
                  int depth);
  const Local *localOf(const Type *type);

  // WriteLoop.cpp
  std::string built(const Type *type, int depth); ///< The result of a loop.
  std::string loop(const Target &target, const std::string &begin, int depth);
  Source source(int depth);
  std::string pipeline(const Type *&element, int depth);
  Source zipped(const std::string &name, const Type *element, int depth);
  Source strided(const std::string &name, const Type *element);
  std::string update(const Target &target, const std::string &builder, int depth);
  std::string merged(const Target &target, const std::string &builder, int depth);
  std::string inner(const Target &target, const std::string &builder, int depth);
  Target targetFor(const Type *result, std::string &bindings, int depth);
  Target targetOf(Type::Kind kind, llvm::ArrayRef<const Type *> parts, Combine combine);
  std::string simdSum(const Type *type, bool isAppender);
  std::pair<std::string, std::string> laneWise(Scalar type, int depth);
  std::string composite(const Type *type, int depth);

  // Names.
  std::string fresh(const char *prefix) { return prefix + std::to_string(numNames++); }
  size_t enter(const std::string &name, const Type *type) {
    scope.push_back({name, type});
    return scope.size() - 1;
  }
  void leave(size_t mark) { scope.resize(mark); }

  Random random;
  TypeTable types;
  bool mayFail;
  int budget = 0; ///< How many more forms the program may have.
  int numNames = 0;
  bool callsMacro = false;
  bool hasLarge = false; ///< Whether an argument is longer than a chunk.
  std::vector<Local> scope;
};

} // namespace tessera::weld::random

#endif
