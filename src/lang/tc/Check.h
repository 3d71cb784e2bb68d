/// From tree to typed tree: names, types and roles of variables; reports every error that can be
/// found without sizes.
#ifndef TESSERA_LANG_TC_CHECK_H
#define TESSERA_LANG_TC_CHECK_H

#include "lang/tc/Diagnostics.h"
#include "lang/tc/Parser.h"
#include "lang/tc/Promote.h"
#include "lang/tc/Syntax.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tessera::tc {

/// Whether it is a number with a point, perhaps with signs and parentheses.
bool isFloatLiteral(const Expr &expr);
/// What to write for a constant of other languages, whose name is an ordinary one here; "" for
/// other names.
llvm::StringRef adviceOnConstant(llvm::StringRef name);

/// Split by construct: defs in Check.cpp, calls in CheckCall.cpp, comprehensions in CheckStmt.cpp,
/// expressions in CheckExpr.cpp. Callees are checked before their callers, because they determine
/// the types of results.
class Checker {
public:
  Checker(Program &program, const LanguageOptions &options, DiagnosticEngine &diagnostics)
      : program(program), options(options), diagnostics(diagnostics) {}

  void checkProgram();

private:
  // Check.cpp
  void collectDefs();
  void checkCallees(Def &def);
  void visitDef(Def &def);
  bool isOnPath(const Def &def) const { return llvm::is_contained(path, &def); }
  void reportRecursion(const Name &call, const Def &callee);
  void checkDef(Def &def);
  void checkParameters(Def &def);
  void declareSizes(TensorType &type, llvm::StringRef owner);
  void checkReturns(Def &def);
  void checkAnnotation(Return &result);
  void checkDefined(Def &def);
  void reportNeverDefined(const Name &name);

  // CheckCall.cpp
  void check(CallStmt &call, const Stmt &self);
  Tensor *argumentOf(const CallStmt &call, unsigned index);
  Tensor *resultOf(const CallStmt &call, unsigned index);
  bool checkCounts(const CallStmt &call);
  void reportNoArgument(const Name &name);
  void bindExisting(Tensor &tensor, const Tensor &produced, const Name &name, const Def &callee);
  /// A statement `x = f(a)` where f is a def, and no tensor yet [tc.call.9].
  Def *calledBy(const Def &def, size_t index) const;
  void rewriteAsCall(Stmt &stmt, Def &callee);

  // CheckStmt.cpp
  void check(Comprehension &statement, const Stmt &self);
  bool checkTarget(const Name &name);
  void reportAssignedInput(const Name &name, const Tensor &tensor);
  void checkIndices(const Comprehension &statement);
  void declareClauses(Comprehension &statement);
  void checkRange(RangeClause &clause);
  void checkLet(LetClause &clause, const Clause &self);
  void checkSizeExpr(Expr &expr);
  void checkSizeName(Reference &reference, Expr &self);
  bool occursOnTheRight(llvm::StringRef name) const;
  void orderVariables(Comprehension &statement);
  void checkReductions(const Comprehension &statement);
  void reportReduction(const Comprehension &statement, llvm::ArrayRef<const Variable *> reduced);
  void adviseOperator(const Comprehension &statement, llvm::ArrayRef<const Variable *> reduced,
                      Report report);
  void checkLeftOnly();
  void define(Comprehension &statement);
  Tensor *declareTensor(const Name &name, Scalar element, unsigned rank, SourceRange where);
  void defineFirst(Comprehension &statement, Scalar type);
  void defineAgain(Comprehension &statement, Tensor &tensor);
  void convertToTensor(Comprehension &statement);
  void hintCast(const Comprehension &statement, Scalar type, Report report);
  void warnAccumulation(const Comprehension &statement);
  void checkOwnRead(const Comprehension &statement, const Expr &expr);

  // CheckExpr.cpp: each function gives the expression its type; nullopt after an error.
  using Type = std::optional<Scalar>;
  Type check(Expr &expr);
  Type check(IntLiteral &literal, Expr &self);
  Type check(FloatLiteral &literal, Expr &self);
  Type check(Reference &reference, Expr &self);
  Type checkNamedLiteral(const LetClause &let, Expr &self);
  Expr *copyOfLiteral(const Expr &literal);
  Type check(Paren &paren, Expr &self);
  Type check(Apply &apply, Expr &self);
  Type check(Cast &cast, Expr &self);
  Type check(Extent &extent, Expr &self);
  Type check(Unary &unary, Expr &self);
  Type check(Binary &binary, Expr &self);
  Type check(Conditional &conditional, Expr &self);
  Type checkRead(Apply &read, Expr &self);
  Type checkBuiltin(Apply &call, Expr &self);
  Type checkArithmetic(Binary &op);
  Type checkComparison(Binary &op);
  Type checkLogic(Binary &op);
  void reportForeignInit(const Expr &negation);
  void requireBool(const Expr &expr, const DiagnosticKind &kind, llvm::StringRef what);
  void reportMinMaxArity(const Apply &call, const Expr &self, const std::string &given);
  void reportUnknownCallee(const Apply &apply, const Expr &self);
  void reportBareTensor(const Tensor &tensor, const Expr &self);
  /// After an error: checks the names in the arguments.
  void checkArguments(const Apply &apply);
  void checkFloatLiterals();
  /// Puts a cast around the expression; a literal just takes the type [tc.type.21].
  Expr *convert(Expr *expr, Scalar type);

  // CheckForeign.cpp
  bool adviseForeign(const Apply &apply, const Expr &self, Report report);
  static bool adviseIdiom(llvm::StringRef name, Report report);
  std::string textFor(char bracket, const Expr &argument) const;
  std::string fillIn(llvm::StringRef replacement, const Apply &apply, bool isWhole) const;
  bool adviseFunction(const Apply &apply, const Expr &self, Report report);
  bool adviseReductionFunction(const Apply &apply, const Expr &self, Report report);
  Type typeOfFirst(const Apply &apply) const;
  bool isOnTheLeft(const Variable &variable) const;
  const Tensor *wholeTensor(const Expr &expr) const;
  std::string elementOf(const Tensor &tensor) const;
  bool hasUsableIndices() const;
  llvm::SmallVector<const Expr *> wholesIn(const Expr &expr) const;
  void adviseElements(const Tensor &tensor, llvm::StringRef value, bool isWhole,
                      Report report) const;
  std::string reducedBy(const Apply &apply) const;
  void adviseReduction(Reduction reduction, const Apply &apply, const Expr &self, Report report);

  // Names of the def: one space for size variables, tensors and, in a statement, index variables.
  Tensor *tensorNamed(llvm::StringRef name) const { return tensors.lookup(name); }
  bool isDefined(const Tensor &tensor) const { return defined.contains(&tensor); }
  void noteErrors(const Stmt &stmt);
  /// Whether a name is missing because of an error that has been reported.
  bool isEcho(llvm::StringRef name) const;
  std::optional<unsigned> sizeNamed(llvm::StringRef name) const;
  Variable *variableNamed(const Name &name);
  const Name *laterDefinition(llvm::StringRef name) const;
  void reportUndefined(const Name &name, const DiagnosticKind &kind = diag::UndefinedTensor);
  std::vector<llvm::StringRef> visibleNames() const;
  /// What a bare name may mean in an expression, other than an index variable.
  std::vector<llvm::StringRef> scalarNames() const;

  /// Extensions [tc.ext].
  template <typename... Ts>
  Report rejectIfStrict(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    return options.strict ? fail(range, kind, std::forward<Ts>(values)...) : ignoredReport();
  }
  template <typename... Ts>
  Report fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    if (current && range.begin >= current->firstSyntaxError)
      return ignoredReport();
    if (kind.severity == Severity::Error) {
      hasErrors = true;
      if (current)
        wrong.insert(current);
    }
    return diagnostics.report(program.file, range, kind, std::forward<Ts>(values)...);
  }

  Program &program;
  const LanguageOptions &options;
  DiagnosticEngine &diagnostics;
  llvm::StringMap<Def *> defs;
  llvm::DenseMap<const Def *, bool> isChecked;
  llvm::DenseSet<const Def *> wrong; ///< Nothing is known about their results.
  std::vector<const Def *> path;     ///< The calls, from the def where checking began.
  // State of the def being checked.
  Def *current = nullptr;
  std::vector<Name> sizes;
  llvm::StringMap<Tensor *> tensors; ///< Also the returns that no statement has defined yet.
  llvm::SmallVector<Tensor *> allTensors;
  llvm::DenseMap<const Tensor *, SourceRange> defined; ///< Where first.
  /// Names whose definition was in error: the error has been reported.
  llvm::StringSet<> inError;
  /// A statement defines something invalid, perhaps in place of a return.
  bool hasRejectedTarget = false;
  size_t statementIndex = 0;
  // State of the statement being checked.
  llvm::SmallVector<Variable *> variables;
  llvm::StringMap<LetClause *> lets;
  const Comprehension *statement = nullptr;
  llvm::SmallVector<const Expr *> floatLiterals;
  bool hasErrors = false; ///< In this statement; consequences of an error are not reported.
  bool isInRange = false; ///< Inside a bound, where names do not become variables.
  bool isInIndex = false; ///< Inside an index of a read.
  bool isInExists = false;
};

} // namespace tessera::tc

#endif
