/// The parser's class, shared by its files: functions and types (Parser.cpp), statements
/// (ParseStmt.cpp), expressions (ParseExpr.cpp), and statements, types and operators of other
/// languages (ParseForeign.cpp, ParseForeignTypes.cpp, ParseForeignOperators.cpp).
#ifndef TESSERA_LANG_TTL_PARSERIMPL_H
#define TESSERA_LANG_TTL_PARSERIMPL_H

#include "lang/ttl/Diagnostics.h"
#include "lang/ttl/Lexer.h"
#include "lang/ttl/Parser.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::ttl {

class Parser {
public:
  Parser(Program &program, TokenList &list, ParseOptions options, DiagnosticEngine &diagnostics)
      : program(program), tokens(list.tokens), options(options), diagnostics(diagnostics) {
    matchBrackets();
  }

  void parseProgram();

private:
  // Parser.cpp
  Function *parseFunction();
  llvm::MutableArrayRef<ParameterDecl> parseParameters();
  ParameterDecl parseParameter();
  void rejectMissingResult();
  bool rejectMisspeltFunction();
  void rejectTopLevel();
  void rejectAfterFunction(Token token);
  bool startsDefinition() const;
  static bool isType(Tok kind) { return kind >= Tok::KwInt && kind <= Tok::KwMatrix; }
  Type parseType(const DiagnosticKind &rangeKind);
  Type parseMatrixType();
  Type parseSizes(SourceRange begin, Type::Kind element);
  Type::Kind parseElementType();
  bool acceptBrackets();
  int64_t parseSize();
  void rejectSize();
  Name parseName(const DiagnosticKind &form);
  void declare(const Name &name, const Type &type) { visible.push_back({name.text, type}); }
  const Type *visibleType(llvm::StringRef name) const;

  // ParseStmt.cpp
  llvm::ArrayRef<Stmt *> parseStmts(Token open);
  Stmt *parseStmt();
  Stmt *parseVarDef();
  Stmt *parseDefinition(SourceRange begin, Type type = {});
  Stmt *parseFor();
  Stmt *parseIf();
  If::Arm parseArm();
  Stmt *parseCompound();
  Stmt *parseReturn();
  Stmt *parseNameStmt();
  Stmt *parseElementAssign();
  Stmt *rejectElementUpdate(Token name, llvm::ArrayRef<Expr *> indices);
  void rejectSeams(Token name, size_t numIndices, llvm::ArrayRef<SourceRange> seams);
  Stmt *parseExprStmt();
  Stmt *rejectStmt();
  void skipBraces();
  void expectSemicolon(llvm::StringRef after);
  void synchronize();
  bool isOneStmt(size_t first) const;
  bool startsStmt(size_t ahead = 0) const;

  // ParseForeign.cpp
  bool startsLoopDefinition() const;
  void rejectLoopDefinition();
  bool isLoopOfAnotherLanguage() const;
  Stmt *rejectLoop();
  Stmt *rejectMissingVar();
  bool startsWithMisspelling() const;
  Stmt *rejectFunctionInside();
  Stmt *rejectNestedFunction();
  Stmt *rejectMisspelling();
  void rejectSliceTarget(const Slice &slice, SourceRange range);
  Stmt *foreignLoop();
  bool startsForeignLoop() const;
  bool acceptElseIf();
  void rejectThen();

  // ParseForeignTypes.cpp
  Type rejectArrayType();
  Type rejectSizesInParens();
  Type rejectSizesAfterName(SourceRange typeRange, Type::Kind element);
  struct SizesAhead {
    std::string text; ///< "[2, 3]"
    llvm::ArrayRef<int64_t> sizes;
    size_t next; ///< How far ahead the token after them is.
  };
  std::optional<SizesAhead> sizesAhead(size_t ahead);
  Type::Kind rejectForeignType(llvm::StringRef prefix = "");
  bool startsForeignDefinition() const;
  Stmt *rejectForeignDefinition();
  void rejectUntyped();
  void mendForeignBool(SourceRange type, const Expr *init);

  // ParseForeignOperators.cpp
  Report rejectForeignOperator(bool isAfterOperand = false);
  Report failForeignOperator();
  bool isAtWordOperator() const;
  bool isAtNot() const;
  void rejectNot();
  void suggestLogic(Report report, Token sign, const Expr &rhs);
  bool startsUpdate(size_t ahead) const;
  Stmt *rejectUpdate(SourceRange target, llvm::StringRef own, llvm::StringRef value,
                     const Type *type);
  bool hasElementKind(const Token &operand, Type::Kind kind) const;

  // ParseExpr.cpp
  Expr *parseExpr();
  Expr *parseBinary(int minLevel);
  Expr *parsePrefix();
  Expr *parsePostfix();
  bool startsBlock() const;
  void matchBrackets();
  size_t pastClose(size_t ahead) const;
  bool isClosed(size_t ahead) const;
  bool isAtMember() const;
  void skipSlice(size_t open);
  void skipMembers();
  void parseMoreBrackets(llvm::SmallVectorImpl<Expr *> &indices,
                         llvm::SmallVectorImpl<SourceRange> &seams);
  llvm::ArrayRef<Expr *> rejectBrackets(const Expr &base, Token open);
  std::optional<int64_t> rankOf(const Expr &expr) const;
  Expr *parsePrimary();
  Expr *parseCall(Name callee);
  Expr *parseParen();
  Expr *parseInteger(bool negated);
  Expr *parseFloat();
  Expr *rejectPrimary();
  Expr *rejectBraces();
  void rejectConversion(Token type);
  bool isMalformed(const Token &number) const;
  Expr *makeList(SourceRange range, llvm::ArrayRef<Expr *> elements);
  llvm::ArrayRef<Expr *> parseExprs(Tok close, const DiagnosticKind &form);

  // The cursor.
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  bool isAt(Tok kind) const { return peek().kind == kind; }
  Token take() { return at + 1 < tokens.size() ? tokens[at++] : tokens[at]; }
  bool accept(Tok kind);
  SourceRange since(SourceRange begin) const { return {begin.begin, previousEnd()}; }
  uint32_t previousEnd() const { return at ? tokens[at - 1].range.end : 0; }
  llvm::StringRef text(const Token &token) const { return program.file->text(token.range); }
  /// How a message calls the token: "`;`", "the name `x`".
  std::string found(const Token &token) const;

  /// Takes the token, or reports `form` with what was expected and found.
  Token expect(Tok kind, const DiagnosticKind &form);
  bool isParenCertain(const DiagnosticKind &form) const;
  /// As `expect`, with a hint that shows the whole form.
  void expectOpening(Tok kind, const DiagnosticKind &form, const char *hint);
  template <typename... Ts>
  Report fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values);
  /// Reports a mistake after which the tree is still the one that was meant: all of it is checked.
  template <typename... Ts>
  Report mend(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    if (isRecovering)
      return ignoredReport();
    return diagnostics.report(program.file, range, kind, std::forward<Ts>(values)...);
  }
  void giveUp();
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

  template <typename T> Expr *make(SourceRange range, T node, unsigned depthBelow = 0);
  /// In place of an expression with an error.
  Expr *makeInvalid(SourceRange range) { return make(range, List{}); }
  static bool isInvalid(const Expr &expr) {
    auto *list = expr.as<List>();
    return list && list->elements.empty();
  }
  template <typename T> Stmt *makeStmt(SourceRange range, T node) {
    return program.make(Stmt{range, std::move(node)});
  }

  /// Counts nested statements, or nested brackets and prefix operators; beyond the limit, the rest
  /// of the file is skipped.
  struct Nesting {
    Nesting(Parser &parser, unsigned &depth) : depth(depth) {
      if (++depth > maxNesting && !parser.isRecovering)
        parser.tooDeep(maxNesting);
    }
    ~Nesting() { --depth; }
    unsigned &depth;
  };
  void tooDeep(unsigned limit);

  /// Deep enough for any program that a person writes, shallow enough for the stack in every phase.
  static constexpr unsigned maxNesting = 256, maxExprDepth = 1000;
  /// No phase recurses along a chain of operators, but later passes are slow for long ones.
  static constexpr unsigned maxChain = 10000;

  Program &program;
  std::vector<Token> &tokens;
  ParseOptions options;
  DiagnosticEngine &diagnostics;
  /// Added after the enclosing function, where they would be with the missing `}`.
  std::vector<Function *> nestedFunctions;
  std::vector<uint32_t> closes; ///< For each opening bracket the token that closes it, or the end.
  struct Visible {
    llvm::StringRef name;
    Type type;
  };
  /// Variables of the open scopes: a fix is certain only if it suits their types.
  std::vector<Visible> visible;
  const Function *enclosing = nullptr; ///< Being parsed.
  struct Replaced {
    size_t at;
    Report report;
  };
  /// A `bool` in place of `int`: the initializer decides whether that is certain.
  struct ForeignBool {
    SourceRange range;
    std::string own;
    Report report;
  };
  std::optional<ForeignBool> foreignBool;
  std::optional<Replaced> replaced; ///< The last operator of another language that TTL has, too.
  size_t at = 0;
  unsigned stmtDepth = 0, exprDepth = 0;
  /// In the function being parsed.
  uint32_t firstError = UINT32_MAX;
  llvm::SmallVector<SourceRange> wrongStmts;
  /// Set by an error, cleared where parsing is back in step; silences echoes in between.
  bool isRecovering = false;
};

template <typename... Ts>
Report Parser::fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
  noteError(range.begin);
  if (isRecovering)
    return ignoredReport();
  isRecovering = true;
  return diagnostics.report(program.file, range, kind, std::forward<Ts>(values)...);
}

template <typename T> Expr *Parser::make(SourceRange range, T node, unsigned depthBelow) {
  if (depthBelow + 1 > maxExprDepth && !isRecovering)
    tooDeep(maxExprDepth);
  return program.make(Expr{range, std::move(node), depthBelow + 1});
}

} // namespace tessera::ttl

#endif
