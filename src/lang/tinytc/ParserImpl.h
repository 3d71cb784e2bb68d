/// The parser's class, shared by its files: the program, functions and regions (Parser.cpp),
/// definitions (ParseDefine.cpp), types (ParseType.cpp), constants and attributes (ParseAttr.cpp),
/// instructions (ParseResults.cpp, ParseInst.cpp, ParseBlas.cpp, ParseControl.cpp, ParseMemory.cpp,
/// ParseSpmd.cpp).
#ifndef TESSERA_LANG_TINYTC_PARSERIMPL_H
#define TESSERA_LANG_TINYTC_PARSERIMPL_H

#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/Lexer.h"
#include "lang/tinytc/Parser.h"
#include "lang/tinytc/Reporter.h"
#include "lang/tinytc/Scopes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::tinytc {

class Parser {
public:
  Parser(Reporter &reporter, const SourceFile &file, TokenList &list, Scopes &scopes)
      : program(reporter.program), reporter(reporter), file(file), tokens(list.tokens),
        scopes(scopes) {
    matchBrackets();
  }

  void parseProgram();
  /// One definition and nothing else, from the command line.
  void parseCommandLine();

private:
  /// An instruction's name, as far as it has been read.
  struct Head {
    Token word;
    llvm::SmallVector<Token, 3> modifiers;
    unsigned next = 0; ///< The first modifier that has not been accepted.
    /// The modifiers that would have been accepted next.
    llvm::SmallVector<llvm::StringRef, 8> offered;
    /// Those that would have been accepted before the last one.
    llvm::SmallVector<llvm::StringRef, 8> passed;
    llvm::SmallVector<Value *, 1> results;
  };
  using Node = decltype(Inst::node);

  // Parser.cpp
  void rejectTopLevel();
  bool isForgottenVariable() const;
  void parseFunction();
  void parseParameters(Function &function);
  Value *parseTypeFirst(TypeRef &type);
  const Attr *parseFunctionAttributes();
  Region *parseRegion();
  void parseStatement(llvm::SmallVectorImpl<Inst *> &body);
  void skipToFunction();
  void skipStatement(size_t start);
  bool isFirstOnLine(size_t index) const;
  size_t indentation(SourceRange range) const;
  bool startsStatement(size_t index) const;
  bool endsStatement() const;

  // ParseDefine.cpp
  void parseDefinition();
  void parseRightSide(Definition &definition);
  void parseDefinedType(Definition &definition);
  bool isDefinable(const Name &name);
  std::optional<Literal> parseCalculation();
  bool calculate(const Token &op, llvm::SmallVectorImpl<int64_t> &stack);
  std::string inPostfix() const;
  void rejectInfix(SourceRange begin, llvm::StringRef postfix);
  /// Takes the variable here and returns its definition; null if there is none (reported).
  const Definition *expandVariable();

  // ParseType.cpp
  TypeRef parseType();
  bool isAtType() const;
  const Type *parseTypeBody();
  const Type *parseMemref();
  const Type *parseGroup();
  void rejectGroupSize();
  const Type *parseCoopmatrix();
  std::optional<ScalarType> parseElement(llvm::StringRef owner);
  std::optional<MatrixUse> parseUse();
  llvm::SmallVector<Number> parseShape();
  /// `?` or an integer that is not negative.
  Number parseExtent(const DiagnosticKind &negative);
  const Type *makeMemref(SourceRange range, ScalarType element, llvm::ArrayRef<Number> shape,
                         std::optional<llvm::SmallVector<Number>> strides, AddressSpace space);
  bool areStridesLegal(SourceRange range, llvm::ArrayRef<Number> shape,
                       llvm::ArrayRef<Number> strides);
  void rejectType();

  // ParseAttr.cpp
  std::optional<int64_t> integerOf(const Token &token);
  std::optional<double> floatOf(const Token &token);
  /// An integer constant, or a variable that stands for one.
  Number parseInteger();
  const Literal *parseConstant();
  std::optional<double> parseFloatPart();
  const Literal *parseComplex();
  Attr parseAttr();
  Attr parseArray();
  Attr parseDictionary();
  NamedAttr parseNamedAttr();
  Attr movedTo(SourceRange range, const Attr &attr);
  Attr attrOf(const Definition &definition, SourceRange range);
  /// A dictionary, or a variable that stands for one; null if there is none here.
  /// `names` are the attributes that are possible there.
  const Attr *parseOptionalDictionary(llvm::ArrayRef<llvm::StringRef> names);
  bool isAtDictionary(llvm::ArrayRef<Tok> followers) const;
  void rejectAttributeNames(llvm::ArrayRef<NamedAttr> entries);
  void suggestAttribute(Report report, const Name &name, llvm::ArrayRef<NamedAttr> entries);
  bool rejectUnreadLiteral();

  // ParseResults.cpp
  bool parseResults(Head &head);
  bool parseBareResult(Head &head);
  void explainBareResult(Report report, SourceRange range, llvm::StringRef name);
  void skipDefiningWord();
  Value *makeValue(const Name &name);
  void checkResults(const Head &head, const Inst &inst);

  // ParseInst.cpp
  Inst *parseInst();
  Node parseNode(Head &head);
  std::optional<Node> parseOperation(Head &head, llvm::StringRef name);
  std::optional<Node> parsePrefixed(Head &head, llvm::StringRef name);
  std::optional<Node> parseLater(Head &head, llvm::StringRef name);
  std::optional<Node> parsePlain(Head &head, llvm::StringRef name);
  std::optional<Node> parseFlagged(Head &head, llvm::StringRef name);
  Node parseBinary(BinaryOp op);
  Node parseUnary(UnaryOp op);
  Node parseCompare(CompareOp op);
  Node parseConstantInst();
  Node parseCast();
  Node parseBarrier(Head &head);
  void rejectBarrierArguments(Barrier &barrier);
  std::optional<Node> parseBuiltin(Head &head, llvm::StringRef name, bool isSeed);
  TypeRef parseBuiltinType(Builtin::Kind kind, llvm::StringRef name, bool isSeed);
  void finishModifiers(Head &head);
  const UnreadInstruction *unreadUpdate(const Head &head) const;
  Node rejectInst(const Head &head);
  Node rejectExpression();
  /// The first of these modifiers, which exclude each other; nullopt if none is there.
  std::optional<size_t> acceptOneOf(Head &head, llvm::ArrayRef<llvm::StringRef> texts);
  bool acceptModifier(Head &head, llvm::StringRef text) {
    return acceptOneOf(head, text).has_value();
  }
  Operand parseOperand();
  llvm::MutableArrayRef<Operand> parseOperands(Tok close);
  /// Expects `,` between operands, after `given` of them; reports how many there should be.
  void expectNextOperand(unsigned given, unsigned count, llvm::StringRef names = "");
  Operand parseNextOperand(unsigned given, unsigned count, llvm::StringRef names = "");
  void rejectOperandCount(unsigned given, unsigned count, llvm::StringRef names);
  void rejectOperandTypes(const Head &head);
  /// A local identifier or an integer.
  Operand parseIntegerOperand();
  Operand literalOperand(SourceRange range, Literal literal);
  /// `:` and a type; version 0.3 has `->`.
  TypeRef parseResultType();

  // ParseBlas.cpp
  Node parseBlas(Head &head, BlasOp op);
  void parseBlasModifiers(Head &head, Blas &blas);
  unsigned splitTransposes(Head &head, Blas &blas, unsigned given);
  Node parseAlloca();

  // ParseControl.cpp
  Node parseForeach();
  bool isAtOldForeach() const;
  Node parseOldForeach();
  void expectBound(llvm::StringRef word);
  void moveLoopType(TypeRef &type, SourceRange variables);
  Node parseParallel();
  Node parseFor();
  void parseBounds(For &loop);
  void parseCarried(For &loop);
  Node parseIf();
  Operand parseCondition();
  Region *parseElseIf(bool hasResults);
  Node parseYield();
  Node parseOldYield();
  llvm::ArrayRef<TypeRef> parseReturnTypes();
  llvm::MutableArrayRef<Operand> parseOperandList();

  // ParseMemory.cpp
  Node parseLoad();
  Node parseStore(Head &head, std::optional<StoreFlag> later);
  Node parseSize();
  Node parseSubview();
  Slice parseSlice();
  Node parseExpand();
  Node parseFuse();
  Node parseLifetimeStop();
  llvm::MutableArrayRef<Operand> parseIndices();
  void skipMemoryOrder(Head &head);

  // ParseSpmd.cpp
  Node parseCoopLoad(Head &head);
  Node parseCoopStore(Head &head, std::optional<StoreFlag> later);
  Node parseCoopMulAdd();
  Node parseCoopScale();
  CheckedFlag parseChecked(Head &head);
  StoreFlag parseStoreFlag(Head &head);
  void parsePosition(Operand &row, Operand &column);
  Node parseBroadcast();
  Node parseSubgroup(Head &head, SubgroupOp::Op op);
  std::optional<Node> parseLaterSubgroup(Head &head, llvm::StringRef name);

  // The cursor.
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  bool isAt(Tok kind) const { return peek().kind == kind; }
  bool isWord(llvm::StringRef word, size_t ahead = 0) const {
    return peek(ahead).kind == Tok::Word && text(peek(ahead)) == word;
  }
  Token take() { return at + 1 < tokens.size() ? tokens[at++] : tokens[at]; }
  bool accept(Tok kind);
  bool acceptWord(llvm::StringRef word);
  SourceRange since(SourceRange begin) const {
    return {begin.begin, std::max(begin.end, previousEnd())};
  }
  uint32_t previousEnd() const { return at ? tokens[at - 1].range.end : 0; }
  llvm::StringRef text(const Token &token) const { return file.text(token.range); }
  Name nameOf(const Token &token) const { return {text(token), token.range}; }
  /// The token in messages.
  std::string found(const Token &token) const;
  /// Takes the token, or reports what was expected.
  Token expect(Tok kind);
  void expectWord(llvm::StringRef word);
  /// Reports a mistake, once; what follows is skipped until parsing can resume.
  template <typename... Ts>
  Report fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    program.hasSyntaxErrors = true;
    if (isRecovering || isAt(Tok::Error)) { // The lexer has reported it.
      isRecovering = true;
      return ignoredReport();
    }
    isRecovering = true;
    return reporter.report(range, kind, std::forward<Ts>(values)...);
  }
  /// Reports a mistake after which parsing continues as if it were not there.
  template <typename... Ts>
  Report complain(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    if (isRecovering)
      return ignoredReport();
    program.hasSyntaxErrors |= kind.severity == Severity::Error;
    return reporter.report(range, kind, std::forward<Ts>(values)...);
  }
  /// Where something is missing, and what is there instead.
  struct Failure {
    SourceRange range;
    std::string found;
  };
  Failure failurePlace() const;
  Report failExpected(llvm::StringRef what);
  size_t lengthOfBareName() const;
  bool isBareName(Tok kind) const;
  std::optional<SourceRange> malformedName() const;
  void parseList(Tok close, llvm::function_ref<void()> element);
  void matchBrackets();
  void beginLine() {
    program.lineStarts.push_back(peek().range.begin);
    statementStart = at;
  }

  /// Counts nesting; beyond the limit the rest of the file is skipped.
  struct Nesting {
    explicit Nesting(Parser &parser) : parser(parser) {
      if (++parser.depth > maxNesting && !parser.isRecovering)
        parser.tooDeep();
    }
    ~Nesting() { --parser.depth; }
    Parser &parser;
  };
  void tooDeep();

  static constexpr unsigned maxNesting = 256;

  Program &program;
  Reporter &reporter;
  const SourceFile &file;
  std::vector<Token> &tokens;
  Scopes &scopes;
  /// For each opening bracket the index of its partner, or 0.
  std::vector<uint32_t> closing;
  size_t at = 0, statementStart = 0;
  /// The first region of the function that ends with a brace further left than its beginning.
  std::optional<SourceRange> suspect;
  llvm::SmallVector<SourceRange> skipped; ///< The statements of the function that were not read.
  /// The instruction that is being read, up to its regions: for messages.
  llvm::StringRef instruction;
  llvm::ArrayRef<llvm::StringRef> attributesHere; ///< Those of the place of a dictionary.
  bool isResultType = false;                      ///< Whether the type of a result is being read.
  unsigned depth = 0;
  /// Set by an error and cleared when parsing resumes; silences echoes in between.
  bool isRecovering = false;
};

} // namespace tessera::tinytc

#endif
