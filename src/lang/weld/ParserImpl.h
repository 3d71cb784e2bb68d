/// The parser's class, shared by its files: the program and its definitions (Parser.cpp),
/// types (ParseType.cpp), expressions (ParseExpr.cpp, ParseLeaf.cpp).
#ifndef TESSERA_LANG_WELD_PARSERIMPL_H
#define TESSERA_LANG_WELD_PARSERIMPL_H

#include "lang/weld/Diagnostics.h"
#include "lang/weld/Lexer.h"
#include "lang/weld/Parser.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::weld {

class Parser {
public:
  Parser(Program &program, TokenList &list, DiagnosticEngine &diagnostics)
      : program(program), tokens(list.tokens), diagnostics(diagnostics) {
    matchBrackets();
  }

  void parseProgram();

private:
  // Parser.cpp
  void parseAlias();
  void parseMacro();
  size_t forgottenMacro() const;
  void rejectForgottenMacro();
  void parseBody();
  Name parseName(const DiagnosticKind &form);

  // ParseType.cpp
  TypeExpr *parseType();
  TypeExpr parseTypeBody();
  TypeExpr parseParts(Type::Kind kind, unsigned count);
  TypeExpr parseStructType();
  TypeExpr rejectType();
  void rejectArrayType(SourceRange begin);
  Combine parseCombine();
  llvm::ArrayRef<Annotation> parseAnnotations();
  Annotation parseAnnotation();

  // ParseForeign.cpp: what other languages have.
  SourceRange rejectForgottenLet();
  void rejectForeignOperator(SourceRange range, BinaryOp op, const Expr &lhs);
  bool isForeignNot() const;
  Expr *rejectForeignNot();
  bool isForeignCast() const;
  Expr *rejectForeignCast();
  Expr *rejectMethod(Expr *object);
  bool isCallable(llvm::StringRef name, size_t numArguments) const;
  std::optional<Type::Kind> foreignContainer() const;
  TypeExpr rejectContainer(Type::Kind kind);
  Expr *rejectMissingBar(SourceRange begin, llvm::ArrayRef<Variable *> parameters);
  bool forgetsComma() const;
  size_t foreignArrow() const;
  Expr *rejectForeignFunction(size_t arrow);
  void rejectSubscript(const Expr &operand);
  void rejectLateDefinition();
  void adviseStatement(Report report, const Expr &body);
  /// What Weld has for the word that was found.
  void adviseWord(Report report) const;

  // ParseExpr.cpp
  /// A value cannot be a definition whose `let` is missing.
  Expr *parseExpr(bool isValue = false);
  Expr *parseLets();
  bool beginsLet() const;
  Expr *parseLambda();
  Expr *parseLambdaBody(SourceRange begin, llvm::ArrayRef<Variable *> parameters);
  llvm::ArrayRef<Variable *> parseParameters();
  bool continueParameters() const;
  Variable *parseVariable(const DiagnosticKind &form);
  Expr *parseBinary(int minLevel);
  struct Operator {
    Tok token; ///< As Weld writes it.
    unsigned numTokens = 1;
  };
  Operator operatorMeant() const;
  void rejectChain(int level, const Expr &lhs);
  Expr *parseAscription();
  Expr *parseUnary();
  Expr *parseAnnotated();
  Expr *parsePostfix();
  Expr *parseField(Expr *operand);
  Expr *rejectField(const Token &token, Expr *operand);
  /// What arguments are: values, a condition before values, or functions that are conditions.
  enum class Takes { Value, Condition, Predicate };
  llvm::ArrayRef<Expr *> parseArguments(Takes takes = Takes::Value);
  /// Elements up to and including `close`; the opening bracket has been taken.
  void parseList(Tok close, const DiagnosticKind &form, llvm::function_ref<void()> parse);
  llvm::ArrayRef<Expr *> parseExprs(Tok close, const DiagnosticKind &form,
                                    Takes takes = Takes::Value);
  /// Whether an element is `name = value` or, in a struct, `name: value`.
  bool isNamed(size_t start, const DiagnosticKind &form) const;

  // ParseLeaf.cpp
  Expr *parseLeaf();
  Expr *parseVector();
  Expr *parseStruct();
  Expr *parseInteger();
  Expr *parseFloat();
  Expr *parseString();
  llvm::StringRef decode(llvm::StringRef literal);
  Expr *parseParen();
  Expr *parseCall();
  Expr *rejectCall(const Token &name, bool isUnary, llvm::StringRef usage);
  Expr *parseCast();
  Expr *rejectCast(const Token &type);
  Expr *parseFor();
  Expr *parseIterator();
  Expr *parseDeserialize();
  Expr *parseCudf();
  Expr *parseNewBuilder();
  Expr *rejectLeaf();
  void rejectToken(const Token &token);
  Expr *placeholder();
  Iterator *iteratorOf(Expr *expr);

  // The cursor.
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  bool isAt(Tok kind) const { return peek().kind == kind; }
  Token take() { return at + 1 < tokens.size() ? tokens[at++] : tokens[at]; }
  bool accept(Tok kind);
  SourceRange since(SourceRange begin) const {
    return {begin.begin, std::max(begin.begin, previousEnd())};
  }
  uint32_t previousEnd() const { return at ? tokens[at - 1].range.end : 0; }
  llvm::StringRef text(const Token &token) const { return program.file->text(token.range); }
  Name nameOf(const Token &token) const { return {text(token), token.range}; }
  /// How a message calls the token: "`,`", "the name `x`".
  std::string found(const Token &token) const;

  /// Takes the token, or reports `form` with what was expected and found.
  Token expect(Tok kind, const DiagnosticKind &form, llvm::StringRef hint = "");
  /// Like `expect`, between the brackets that the token number `open` opens.
  Token expectIn(size_t open, Tok kind, const DiagnosticKind &form, llvm::StringRef hint = "");
  /// The `;` after a definition. If the next definition follows directly, only the `;` is missing.
  void expectSemicolon(const DiagnosticKind &form);
  /// Reports an error once. What follows is skipped up to a point where parsing can continue.
  template <typename... Ts>
  Report fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values);
  /// Reports a mistake that does not affect parsing.
  template <typename... Ts>
  Report complain(SourceRange range, const DiagnosticKind &kind, Ts &&...values);
  void noteExtension(SourceRange range, const char *what) {
    program.extensions.push_back({range, what});
  }
  /// Skips to the next token of these kinds that is not inside a bracket opened since `start`;
  /// false if there is none before `end`.
  /// Reports a bracket that is never closed.
  void rejectUnclosed(size_t open);
  bool skipTo(Tok kind, Tok orKind, size_t start, size_t end);
  void matchBrackets();

  template <typename T> Expr *make(SourceRange range, T node, unsigned depthBelow = 0);

  /// Counts nesting; beyond the limit the rest of the file is skipped. The outermost expression has
  /// depth 0.
  struct Nesting {
    explicit Nesting(Parser &parser) : parser(parser) {
      if (parser.depth++ > maxNesting && !parser.isRecovering)
        parser.tooDeep(maxNesting);
    }
    ~Nesting() { --parser.depth; }
    Parser &parser;
  };
  void tooDeep(unsigned limit);

  /// Deep enough for any program that a person writes, shallow enough for the stack in every phase.
  static constexpr unsigned maxNesting = 256;

  Program &program;
  std::vector<Token> &tokens;
  DiagnosticEngine &diagnostics;
  /// For each opening bracket the number of its partner; 0 if there is none.
  std::vector<uint32_t> closing;
  /// For each token, the innermost bracket around it, counted from 1; 0 if there is none.
  std::vector<uint32_t> enclosing;
  llvm::DenseSet<size_t> unclosed;    ///< Those that have been reported.
  std::vector<llvm::StringRef> names; ///< Names of the variables in scope.
  size_t at = 0;
  unsigned depth = 0;
  size_t element = SIZE_MAX; ///< Where the element of the innermost list begins.
  bool inCondition = false;  ///< Directly in the condition of an `if`, or what is like one.
  bool isPredicate = false;  ///< A function here is a condition.
  /// Set by an error and cleared where parsing can continue; silences diagnostics in between.
  bool isRecovering = false;
};

/// The depth of the deepest of these, 0 for none.
unsigned depthOf(llvm::ArrayRef<Expr *> exprs);
unsigned depthOf(const Iterator &iterator);
/// A report that is never shown, for what has been reported before.
Report ignoredReport();

template <typename... Ts>
Report Parser::fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
  program.hasSyntaxErrors = true;
  if (isRecovering)
    return ignoredReport();
  isRecovering = true;
  return diagnostics.report(program.file, range, kind, std::forward<Ts>(values)...);
}

template <typename... Ts>
Report Parser::complain(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
  if (isRecovering)
    return ignoredReport();
  program.hasSyntaxErrors |= kind.severity == Severity::Error;
  return diagnostics.report(program.file, range, kind, std::forward<Ts>(values)...);
}

template <typename T> Expr *Parser::make(SourceRange range, T node, unsigned depthBelow) {
  if (depthBelow + 1 > maxExprDepth && !isRecovering)
    tooDeep(maxExprDepth);
  return program.make(Expr{range, std::move(node), depthBelow + 1});
}

} // namespace tessera::weld

#endif
