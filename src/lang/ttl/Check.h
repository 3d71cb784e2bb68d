/// From tree to typed tree; reports every error that is not one of syntax.
#ifndef TESSERA_LANG_TTL_CHECK_H
#define TESSERA_LANG_TTL_CHECK_H

#include "lang/Language.h"
#include "lang/ttl/Diagnostics.h"
#include "lang/ttl/Parser.h"
#include "lang/ttl/Syntax.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tessera::ttl {

/// Split by construct: functions and statements in Check.cpp, initializers in CheckInit.cpp,
/// expressions in CheckExpr.cpp, operators in CheckOperators.cpp, sizes in CheckSizes.cpp.
class Checker {
public:
  Checker(Program &program, const LanguageOptions &options, DiagnosticEngine &diagnostics)
      : program(program), options(options), diagnostics(diagnostics) {}

  void checkProgram();

private:
  void checkFunction(Function &function);
  void checkParameters(Function &function);
  void checkMain();
  void checkEnd(const Function &function);
  void rejectEarlyReturn(SourceRange range);

  void checkStmts(llvm::ArrayRef<Stmt *> stmts);
  void check(Stmt &stmt);
  void check(VarDef &def, const Stmt &self);
  void check(Assign &assign, const Stmt &self);
  void check(ElementAssign &assign, const Stmt &self);
  void check(CallStmt &stmt, const Stmt &self);
  void check(For &loop, const Stmt &self);
  void check(If &branch, const Stmt &self);
  void check(Compound &compound, const Stmt &self);
  void check(Return &stmt, const Stmt &self);
  void checkBody(Stmt *body);
  void checkCondition(Expr &condition);
  void checkLoopRange(For &loop);
  void checkPrint(Call &call, const Expr &self);

  // CheckInit.cpp
  void checkInit(const VarDef &def);
  void checkRangeInit(const VarDef &def);
  void checkScalarInit(const VarDef &def);
  void checkMatrixInit(const VarDef &def);
  void checkReshape(const VarDef &def);

  // CheckExpr.cpp: each function gives the expression its type.
  Type check(Expr &expr);
  Type checkNode(Expr &expr);
  /// Like `check`, but also reports a `void` call.
  Type checkValue(Expr &expr);
  Type check(IntLiteral &, Expr &self);
  Type check(FloatLiteral &, Expr &self);
  Type check(Reference &reference, Expr &self);
  Type check(Paren &paren, Expr &self);
  Type check(List &list, Expr &self);
  Type check(Call &call, Expr &self);
  Type check(Slice &slice, Expr &self);
  void checkSliceBounds(const Slice &slice);
  void checkArguments(const Call &call, const Expr &self);

  // CheckOperators.cpp
  Type check(Unary &unary, Expr &self);
  Type check(Binary &binary, Expr &self);
  Type checkMatMul(Binary &op, Expr &self);
  Type checkSizeOf(Binary &op, Expr &self);
  Type checkArithmetic(Binary &op, Expr &self);
  Type checkElementwise(Binary &op, Expr &self);
  Type checkComparison(Binary &op, Expr &self);
  Type checkLogic(Binary &op, Expr &self);
  Type checkRange(Binary &op, Expr &self);
  void checkConstant(Binary &op, const Expr &self);

  // CheckSizes.cpp: sizes that constants determine where the type has `?`.
  void noteSliceSizes(const Slice &slice, const Expr &self, const Type &type);
  void checkElementwiseSizes(const Binary &op, const Expr &self);
  void checkInnerSizes(const Binary &op, const Expr &self);
  void checkValueSizes(const Type &declared, const Expr &value);
  Type exactType(const Expr &expr) const;
  void noteSizes(const Expr &expr, llvm::ArrayRef<int64_t> sizes) {
    exactSizes[&expr] = keepSizes(sizes);
  }

  // Names.
  Variable *declare(const Name &name, Type type);
  Variable *lookUp(llvm::StringRef name) const { return variables.lookup(name); }
  void reportUnknown(const Name &name, const DiagnosticKind &kind);
  const VarDef *laterDefinition(llvm::StringRef name) const;
  std::vector<llvm::StringRef> visibleNames() const;
  void noteRead(Variable &variable, const Expr &where);

  /// Whether sizes agree wherever both are static; with --pedantic, whether the types are the same.
  bool matches(const Type &declared, const Type &actual) const;
  /// After `matches` failed: whether it would succeed without --pedantic.
  bool onlyPedantic(const Type &declared, const Type &actual) const;
  llvm::ArrayRef<int64_t> keepSizes(llvm::ArrayRef<int64_t> sizes) {
    return program.keep<int64_t>(sizes);
  }

  template <typename... Ts>
  Report fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    if (current && current->isDoubtful(range.begin))
      return ignoredReport();
    return diagnostics.report(program.file, range, kind, std::forward<Ts>(values)...);
  }
  /// Reports what would stop the running program, but only warns where it is never reached.
  template <typename... Ts>
  Report failIfRun(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    if (!neverRuns || current->isDoubtful(range.begin))
      return fail(range, kind, std::forward<Ts>(values)...);
    return diagnostics.warn(program.file, range, kind, std::forward<Ts>(values)...)
        .hint("this never runs; if it did, this would be an error");
  }
  /// `0` where `0.0` is meant, the most common slip.
  void suggestFloat(Report report, const Type &wanted, const Expr &expr);

  llvm::DenseMap<const Expr *, llvm::ArrayRef<int64_t>> exactSizes;
  using Scope = llvm::ScopedHashTableScope<llvm::StringRef, Variable *>;

  Program &program;
  const LanguageOptions &options;
  DiagnosticEngine &diagnostics;
  llvm::StringMap<Function *> functions;
  llvm::ScopedHashTable<llvm::StringRef, Variable *> variables;
  // State of the function being checked.
  Function *current = nullptr;
  std::vector<Variable *> declared;
  std::vector<llvm::ArrayRef<Stmt *>> openBodies;
  std::vector<Variable *> openLoops;
  /// Reported at the loop; reports of their uses would be echoes.
  llvm::StringSet<> undefinedLoopVariables;
  const Expr *checkedLeft = nullptr; ///< A left operand that was checked before its operator.
  /// Reported; a report that the last `return` is missing would be an echo.
  bool hasEarlyReturn = false;
  const VarDef *openDefinition = nullptr;
  const Expr *sizedOnly = nullptr;
  const Expr *copiedOnly = nullptr; ///< Copying does not count as reading [ttl.checked.12].
  bool isCertain = false;           ///< The code being checked runs in every run.
  bool neverRuns = false;           ///< Constant conditions show it.
  unsigned scopeDepth = 0;
};

} // namespace tessera::ttl

#endif
