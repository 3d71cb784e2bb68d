/// The parser's class, shared by its five files: defs and types (Parser.cpp), statements
/// (ParseStmt.cpp), expressions (ParseExpr.cpp), forms of other languages (ParseForeign.cpp),
/// conditions where ranges are meant (ParseCondition.cpp).
#ifndef TESSERA_LANG_TC_PARSERIMPL_H
#define TESSERA_LANG_TC_PARSERIMPL_H

#include "lang/tc/Diagnostics.h"
#include "lang/tc/Lexer.h"
#include "lang/tc/Parser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

namespace tessera::tc {

/// What a comparison says about an index variable: `i < N`.
struct Limit {
  llvm::StringRef variable;
  const Expr *value;
  bool isUpper, isStrict;
  int64_t shift; ///< 1 if it is `i + 1` that is compared.
};
using Limits = llvm::SmallVector<Limit>;

/// The limits of one variable; null for an end without one.
struct VariableLimits {
  llvm::StringRef variable;
  const Limit *lower = nullptr, *upper = nullptr;
  bool isRepeated = false; ///< An end has two.
};

class Parser {
public:
  Parser(Program &program, TokenList &list, DiagnosticEngine &diagnostics)
      : program(program), tokens(list.tokens), diagnostics(diagnostics) {
    matchParens();
  }

  void parseProgram();

private:
  // Parser.cpp
  bool acceptForeignDef();
  void rejectTopLevel();
  Def *parseDef();
  void parseHead(Def &def);
  llvm::ArrayRef<Stmt *> parseBody();
  llvm::MutableArrayRef<Parameter> parseParameters();
  void expectEndOfParameters();
  Parameter parseParameter();
  Parameter rejectParameter();
  llvm::MutableArrayRef<Return> parseReturns(const Def &def);
  llvm::MutableArrayRef<Return> parseBareReturns();
  Return parseReturn();
  TensorType parseType();
  TensorType rejectType();
  llvm::MutableArrayRef<Dimension> parseDimensions();
  Dimension parseDimension();
  void rejectDimension();
  const Token *typeWithSize(llvm::StringRef name) const;
  SourceRange withComma(size_t first) const;
  bool isUsedInBound(llvm::StringRef name) const;
  void endParameter();
  Parameter rejectUntyped();
  Parameter rejectTypedSize();
  int64_t literalSize(const Expr &expr, uint64_t size);
  Name parseName(const DiagnosticKind &form);

  // ParseStmt.cpp
  llvm::ArrayRef<Stmt *> parseStmts(Token open);
  Stmt *parseStmt();
  Stmt *parseNameStmt();
  void parseAssignment(Comprehension &stmt, SourceRange target);
  bool takeAssignment(Comprehension &stmt);
  void takeSpacedAssignment(Comprehension &stmt);
  void rejectAssignment(SourceRange target);
  bool takeForeignWhere();
  size_t takeWhereParen();
  llvm::MutableArrayRef<Clause> parseWhere();
  bool acceptSeparator();
  bool atTrailingWhereComma();
  void rejectForBefore();
  Clause parseClause(std::string after);
  RangeClause parseRange(Name name);
  void expectColon(Name name, const Expr &lower);
  Expr *parseBound(Name name, llvm::StringRef which);
  Clause parseLetOrRange(Name name);
  Stmt *parseParenthesizedCall();
  llvm::ArrayRef<Name> parseResults(Name first);
  Stmt *parseCall(SourceRange begin, llvm::ArrayRef<Name> results);
  llvm::ArrayRef<Name> parseNames(const DiagnosticKind &notAName, const DiagnosticKind &form);
  Name parseListedName(const DiagnosticKind *notAName);
  Stmt *rejectStmt();
  void rejectOpenBody(Token open);
  bool isOnPreviousLine(uint32_t begin) const;
  bool acceptSemicolon();
  bool isAtEndOfBody();
  void synchronize();
  bool startsStmt(size_t index) const;
  bool startsParenthesizedCall(size_t index) const;
  bool startsResults(size_t index) const;
  bool isAssignment(size_t index) const;

  // ParseExpr.cpp
  Expr *parseExpr();
  Expr *parseBinary(int minLevel);
  const struct OperatorRow *binaryOperatorHere() const;
  bool isConstraintNext(size_t ahead) const;
  Expr *parseUnary();
  unsigned commasInside(size_t open) const;
  bool startsWhereCall() const;
  Expr *parsePrimary();
  Expr *parseName();
  Expr *parseApply(Name callee);
  Expr *parseExtent(Name tensor);
  void rejectMember(Name object);
  Expr *parseCast();
  Expr *parseParen();
  Expr *parseInteger();
  Expr *parseFloat();
  Expr *rejectPrimary();
  llvm::MutableArrayRef<Expr *> parseArguments();
  void rejectForeign(bool isInPlace = false);
  bool startsExpr(Tok kind) const;
  uint64_t integerValue(const Token &token);

  // ParseForeign.cpp
  bool isWordNot() const;
  Expr *parseWordNot();
  void rejectForeignLogic(const Binary &op);
  bool isBoolean(const Expr &expr) const;
  bool isBoolParameter(llvm::StringRef name) const;
  bool isGroupedAlike(const Expr &operand) const;
  bool isAtWord(llvm::StringRef word) const;
  bool acceptWord(llvm::StringRef word);
  bool isWordAhead(llvm::StringRef word) const;
  bool startsForeignConditional() const;
  Expr *parseForeignConditional();
  Expr *parseBracedValue();
  Expr *parseConditionalAfter(Expr *ifTrue);
  void rejectConditional(SourceRange word, SourceRange whole, const Conditional *meant,
                         bool isWhole);
  bool rejectForeignStmt();
  void rejectStep(SourceRange step, Name name);
  std::optional<RangeClause> rejectRangeCall(Name name, Expr *bound);

  // ParseCondition.cpp
  bool startsCondition(size_t ahead = 0) const;
  Clause rejectCondition(llvm::StringRef after);
  void parseConditions(llvm::SmallVectorImpl<const Expr *> &conditions);
  static bool isCondition(const Expr &expr);
  bool definesName(size_t index) const;
  bool isIndexName(llvm::StringRef name) const;
  bool isBound(const Expr &expr, bool onlySizes) const;
  bool addLimit(const Expr &lhs, BinaryOp op, const Expr &rhs, Limits &limits) const;
  bool collectLimits(const Expr &condition, Limits &limits) const;
  std::string sumOf(const Expr &expr, int64_t offset) const;
  const RangeClause *rangeOf(llvm::StringRef variable) const;
  void noteMeanings() const;
  llvm::StringRef sizeOfHead(llvm::StringRef variable) const;
  std::string rangeText(const VariableLimits &limits) const;
  bool isConstrained(llvm::StringRef variable) const;
  bool isCertain(const VariableLimits &limits) const;
  std::optional<SourceRange> comparedVariables(const Expr &condition) const;
  void adviseRange(llvm::ArrayRef<const Expr *> conditions, SourceRange range, Report report) const;

  // The cursor.
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  Tok kindAt(size_t index) const { return tokens[std::min(index, tokens.size() - 1)].kind; }
  bool isAt(Tok kind) const { return peek().kind == kind; }
  bool isAtForeign(const DiagnosticKind &kind) const;
  Token take() { return at + 1 < tokens.size() ? tokens[at++] : tokens[at]; }
  bool accept(Tok kind);
  /// Reports a `,` that only `close` follows.
  bool atTrailingComma(Tok close, const DiagnosticKind &kind);
  /// Where a token is missing: the next token, or the end of the line if that stands on a later
  /// one.
  SourceRange missingHere() const;
  SourceRange since(SourceRange begin) const { return {begin.begin, previousEnd()}; }
  uint32_t previousEnd() const { return at ? tokens[at - 1].range.end : 0; }
  llvm::StringRef text(const Token &token) const { return program.file->text(token.range); }
  Name nameOf(const Token &token) const { return {text(token), token.range}; }
  /// How a message calls the token: "`,`", "the name `x`".
  std::string found(const Token &token) const;
  bool isReserved(Tok kind) const {
    return kind == Tok::TypeName || (kind >= Tok::KwDef && kind <= Tok::KwMax);
  }

  /// Takes the token, or reports `form` with what was expected and found.
  Token expect(Tok kind, const DiagnosticKind &form);
  /// Reports a mistake after which the parser is lost, once; what follows is skipped up to a token
  /// where parsing can resume.
  template <typename... Ts>
  Report fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values);
  /// Reports a mistake after which parsing continues normally.
  template <typename... Ts>
  Report complain(SourceRange range, const DiagnosticKind &kind, Ts &&...values);
  /// From `offset` on the tree may not be what was meant.
  void noteError(uint32_t offset) {
    program.hasSyntaxErrors = true;
    firstError = std::min(firstError, offset);
  }
  /// After something that has been reported already.
  void skipQuietly() {
    noteError(peek().range.begin);
    isRecovering = true;
  }
  void matchParens();

  template <typename T> Expr *make(SourceRange range, T node, unsigned depthBelow = 0);

  /// Counts nesting; beyond the limit the rest of the def is skipped.
  struct Nesting {
    explicit Nesting(Parser &parser) : parser(parser) {
      if (++parser.depth > maxNesting && !parser.isRecovering)
        parser.tooDeep(diag::TooDeep, maxNesting);
    }
    ~Nesting() { --parser.depth; }
    Parser &parser;
  };
  void tooDeep(const DiagnosticKind &kind, unsigned limit);

  /// Deep enough for any program that a person writes. A chain of operators is as deep a tree as it
  /// is long: Language.cpp gives the phases that recurse over it a stack of their own.
  static constexpr unsigned maxNesting = 256, maxCases = 1000, maxOperators = 10000,
                            maxExprDepth = maxOperators + 4 * maxNesting;

  Program &program;
  std::vector<Token> &tokens;
  DiagnosticEngine &diagnostics;
  /// For each `(` the position of its `)`; 0 if there is none.
  std::vector<uint32_t> closing;
  size_t at = 0, head = 0; ///< The next token, and the `def` of the def being parsed.
  unsigned depth = 0;
  uint32_t firstError = UINT32_MAX; ///< In the def being parsed.
  const Stmt *previous = nullptr;   ///< The statement before the one being parsed.
  /// Set by an error, cleared where parsing resumes; silences echoes in between.
  bool isRecovering = false;
  bool isInForeignConditional = false;
  bool isInCondition = false; ///< After `where`: reported as a whole.
  bool isInBound = false;     ///< Where `and` can only separate constraints.
  /// The ranges that the current `where` has given so far.
  llvm::SmallVector<RangeClause> ranges;
  unsigned foreignBraces = 0; ///< `{` in a body that have no `}` yet.
  /// Names of the def that have a meaning, in the tokens up to `end`.
  struct Meanings {
    size_t head = SIZE_MAX, end = 0;
    bool isInBody = false;
    llvm::StringSet<> names;
  };
  mutable Meanings meanings;
};

template <typename... Ts>
Report Parser::fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
  noteError(range.begin);
  if (isRecovering)
    return ignoredReport();
  isRecovering = true;
  return diagnostics.report(program.file, range, kind, std::forward<Ts>(values)...);
}

template <typename... Ts>
Report Parser::complain(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
  if (isRecovering)
    return ignoredReport();
  return diagnostics.report(program.file, range, kind, std::forward<Ts>(values)...);
}

template <typename T> Expr *Parser::make(SourceRange range, T node, unsigned depthBelow) {
  if (depthBelow + 1 > maxExprDepth && !isRecovering)
    tooDeep(diag::ChainTooLong, maxOperators);
  program.depth = std::max(program.depth, depthBelow + 1);
  return program.make(Expr{range, std::move(node), depthBelow + 1});
}

} // namespace tessera::tc

#endif
