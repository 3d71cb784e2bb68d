/// From tree to typed tree: expands macros, resolves names, infers types, checks that builders are
/// used once.
#ifndef TESSERA_LANG_WELD_CHECK_H
#define TESSERA_LANG_WELD_CHECK_H

#include "lang/weld/Reporter.h"
#include "lang/weld/Unify.h"
#include <functional>

namespace tessera::weld {

/// Returns whether the program is correct; if so, sets its parameters and its value.
bool check(Program &program, const LanguageOptions &options, DiagnosticEngine &diagnostics);
/// The same without trying the fixes that it offers.
bool checkTree(Program &program, const LanguageOptions &options, DiagnosticEngine &diagnostics);

/// Infers all types of a program at once. A requirement on a type that is not known yet is checked
/// once it is. Split by construct: the program and types as written in Check.cpp
/// and CheckType.cpp, expressions in CheckExpr.cpp, built-in operations in CheckCall.cpp, loops and
/// builders in CheckLoop.cpp.
class Checker {
public:
  Checker(Program &program, Reporter &reporter)
      : program(program), reporter(reporter), types(program) {}

  void run();

private:
  // Check.cpp
  void inferProgram();
  void checkBoundaries();
  void checkBoundary(const Type *type, Place place, const std::string &what);
  /// Calls `attempt` now, and again whenever more types are known, until it returns true. `isLast`
  /// asks for a guess.
  void require(const Expr &subject, std::function<bool(bool isLast)> attempt);
  void solve();
  bool tryPending(bool isLast);
  bool giveUpOne();
  void reportAmbiguous(const TypeVariable &variable, const Expr &subject);
  /// Runs when all types are known.
  void later(std::function<void()> check) { finalChecks.push_back(std::move(check)); }
  void finish(Expr &expr);
  void finish(Iterator &iterator);
  void finish(Variable &variable, const Expr &owner);
  const Type *finished(const Type *type, const Expr &subject);

  // CheckType.cpp
  const Type *typeOf(const TypeExpr &written, const Expr *owner, size_t numAliases = SIZE_MAX);
  const Type *aliasType(const TypeExpr &written, const Expr *owner, size_t numAliases);
  const Type *definedType(size_t index, const Expr *owner);
  void checkWellFormed(const Type *type, Place place);
  void checkPart(const Type &whole, Place place);
  bool isInStandardMacro(Place place) const;
  void reportElement(const Type &type, const Type &element, Place place);
  void checkSize(Place place);

  // CheckExpr.cpp
  const Type *infer(Expr &expr);
  const Type *inferNode(IntLiteral &literal, Expr &expr);
  const Type *inferNode(FloatLiteral &literal, Expr &expr);
  const Type *inferNode(BoolLiteral &literal, Expr &expr);
  const Type *inferNode(StringLiteral &literal, Expr &expr);
  const Type *inferNode(VectorLiteral &vector, Expr &expr);
  const Type *inferNode(StructLiteral &literal, Expr &expr);
  const Type *inferNode(Reference &reference, Expr &expr);
  const Type *inferNode(Paren &paren, Expr &expr);
  const Type *inferNode(Let &let, Expr &expr);
  void reportFunction(const Let &let, const Expr &function);
  const Type *inferNode(Lambda &lambda, Expr &expr);
  const Type *inferNode(Apply &apply, Expr &expr);
  const Type *inferNode(Unary &unary, Expr &expr);
  const Type *inferNode(Binary &binary, Expr &expr);
  const Type *inferNode(Field &field, Expr &expr);
  const Type *inferNode(Cast &cast, Expr &expr);
  const Type *inferNode(Ascription &ascription, Expr &expr);
  const Type *inferNode(Call &call, Expr &expr);
  const Type *inferNode(Deserialize &deserialize, Expr &expr);
  const Type *inferNode(Cudf &cudf, Expr &expr);
  const Type *inferNode(NewBuilder &builder, Expr &expr);
  const Type *inferNode(For &loop, Expr &expr);
  const Type *inferNode(IteratorExpr &iterator, Expr &expr);
  void inferRest(llvm::ArrayRef<Expr *> arguments);
  void checkRange(const IntLiteral &literal, const Expr &expr, bool isNegated);
  void checkOperands(const Binary &binary, const Type *type, const Expr &expr);
  void reportOperands(const Expr &expr, llvm::StringRef op, const Expr &lhs, const Expr &rhs);
  bool applyField(const Field &field, const Expr &expr);

  // CheckCall.cpp
  const Type *inferPair(Call &call, Expr &expr);
  const Type *inferCompare(Call &call, Expr &expr);
  const Type *inferMath(Call &call, Expr &expr);
  const Type *inferIf(Call &call, Expr &expr);
  const Type *inferSelect(Call &call, Expr &expr);
  const Type *inferIterate(Call &call, Expr &expr);
  const Type *inferLookup(Call &call, Expr &expr);
  const Type *inferKey(Call &call, Expr &expr);
  const Type *inferLen(Call &call, Expr &expr);
  const Type *inferSlice(Call &call, Expr &expr);
  const Type *inferSort(Call &call, Expr &expr);
  void checkComparator(const Lambda &comparator, const Type *result);
  const Type *inferToVec(Call &call, Expr &expr);
  const Type *inferBroadcast(Call &call, Expr &expr);
  const Type *inferSerialize(Call &call, Expr &expr);
  const Type *inferAssert(Call &call, Expr &expr);
  const Type *inferBranches(Call &call, Expr &expr);
  bool lookUp(const Call &call, const Expr &expr, const Type *result);
  void expectIndex(Expr &expr, const std::string &role);
  /// Both parts of a dictionary; reports anything else.
  std::pair<const Type *, const Type *> expectDict(const Call &call, const Expr &expr);
  const Type *expectVec(const Expr &expr, llvm::StringRef operation);

  // CheckLoop.cpp
  const Type *inferMerge(Call &call, Expr &expr);
  const Type *inferResult(Call &call, Expr &expr);
  bool merge(const Call &call, bool isLast);
  void suggestFields(Report report, const Expr &value, const Type *wanted);
  const Type *resultOf(const Type *builder);
  bool rejectSwapped(const For &loop, const Expr &expr);
  const Type *inferIterator(Iterator &iterator, const Expr &owner);
  const Type *expectIterated(const Expr &data);
  void checkLanes(const Expr &data, const Type *element);
  void checkBuilderArgument(NewBuilder &builder, const Type *type, const Expr &expr);
  void suggestComparator(Report report, const Expr &function);
  /// The type of the body of a function whose parameters have these types; null if it is not a
  /// function.
  const Type *inferFunction(Expr *&function, llvm::ArrayRef<const Type *> parameters,
                            llvm::StringRef of);

  // Messages.
  std::string spell(const Type *type) { return types.spell(type); }
  std::string quote(const Expr &expr) { return program.excerpt(expr); }
  /// Suggests how to convert an expression to the wanted scalar type; returns false if values might
  /// change.
  bool suggest(Report report, const Expr &expr, const Type *wanted);
  /// The same for all of them, or none.
  bool suggestAll(Report report, llvm::ArrayRef<Expr *> exprs, const Type *wanted);
  std::optional<std::string> convertedTo(const Type *wanted, const Expr &expr);
  /// Suggests how to give two expressions the same type.
  void suggestEither(Report report, const Expr &lhs, const Expr &rhs);
  bool suggestParentheses(Report report, const Expr &expr);
  void suggestMerge(Report report, const Expr &expr, llvm::StringRef op, const Expr &builder,
                    const Expr &value);
  void adviseVector(Report report, const Expr &expr, const Expr &lhs, const Expr &rhs);
  void adviseCast(Report report, const Expr &expr, const Type *wanted);
  void noteExtension(Place place, const char *what);
  bool isKnown(const Type *type) { return Inferred::find(type)->kind != Type::Unknown; }
  static const Type *known(const Type *type) { return Inferred::find(type); }

  struct Pending {
    const Expr *subject;
    std::function<bool(bool)> attempt;
  };

  Program &program;
  Reporter &reporter;
  Inferred types;
  std::vector<Pending> pending;
  std::vector<std::function<void()>> finalChecks;
  llvm::DenseMap<size_t, const Type *> definitions; ///< Types of definitions, by number.
  bool hasTooLarge = false; ///< Reported once: types made of such a type are too large, too.
};

} // namespace tessera::weld

#endif
