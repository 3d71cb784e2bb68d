#include "lang/weld/Advice.h"
#include "lang/weld/ParserImpl.h"
#include "lang/weld/Strings.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

Expr *Parser::parseLeaf() {
  if (isRecovering)
    return rejectLeaf();
  switch (peek().kind) {
  case Tok::Integer:
    return parseInteger();
  case Tok::Float:
    return parseFloat();
  case Tok::String:
    return parseString();
  case Tok::KwTrue:
    return make(take().range, BoolLiteral{true});
  case Tok::KwFalse:
    return make(take().range, BoolLiteral{false});
  case Tok::Identifier: {
    Name name = nameOf(take());
    return make(name.range, Reference{name});
  }
  case Tok::LParen:
    return parseParen();
  case Tok::LBracket:
    return parseVector();
  case Tok::LBrace:
    return parseStruct();
  case Tok::ScalarName:
    return parseCast();
  case Tok::BuiltinName:
    return parseCall();
  case Tok::KwFor:
    return parseFor();
  case Tok::KwZip:
  case Tok::KwIter:
  case Tok::KwSimdIter:
  case Tok::KwFringeIter:
  case Tok::KwRangeIter:
  case Tok::KwNdIter:
    return parseIterator();
  case Tok::KwDeserialize:
    return parseDeserialize();
  case Tok::KwCudf:
    return parseCudf();
  case Tok::KwAppender:
  case Tok::KwMerger:
  case Tok::KwDictMerger:
  case Tok::KwGroupBuilder:
  case Tok::KwGroupMerger:
  case Tok::KwVecMerger:
    return parseNewBuilder();
  default:
    return rejectLeaf();
  }
}

Expr *Parser::parseVector() {
  SourceRange begin = take().range;
  llvm::ArrayRef<Expr *> elements = parseExprs(Tok::RBracket, diag::VectorForm);
  return make(since(begin), VectorLiteral{elements}, depthOf(elements));
}

Expr *Parser::parseStruct() {
  SourceRange begin = take().range;
  llvm::ArrayRef<Expr *> fields = parseExprs(Tok::RBrace, diag::StructForm);
  if (fields.empty())
    complain(since(begin), diag::EmptyStruct);
  return make(since(begin), StructLiteral{fields}, depthOf(fields));
}

/// The checker decides whether it fits its type: that depends on a `-` before it.
Expr *Parser::parseInteger() {
  Token token = take();
  StringRef digits = text(token);
  unsigned radix = digits.consume_front("0x") ? 16 : digits.consume_front("0b") ? 2 : 10;
  if (radix != 10)
    noteExtension(token.range, radix == 16 ? "hexadecimal numbers" : "binary numbers");
  Scalar type = Scalar::I32;
  if (digits.consume_back("L") || digits.consume_back("l"))
    type = Scalar::I64;
  else if (digits.consume_back("si"))
    type = Scalar::I16;
  else if (radix != 16 && (digits.consume_back("c") || digits.consume_back("C")))
    type = Scalar::I8;
  if (radix == 16 && (digits.ends_with("c") || digits.ends_with("C")))
    complain(token.range, diag::HexDigitC, text(token))
        .hint("an `i8` is written `i8({0})`", text(token).drop_back());
  uint64_t value = 0;
  if (digits.getAsInteger(radix, value))
    complain(token.range, diag::IntegerTooLarge, text(token), spelling(type));
  return make(token.range, IntLiteral{value, type});
}

Expr *Parser::parseFloat() {
  Token token = take();
  StringRef digits = text(token);
  bool isSingle = digits.consume_back("f") || digits.consume_back("F");
  if (!digits.contains('.'))
    noteExtension(token.range, "floating-point numbers without a point");
  return make(token.range, FloatLiteral{digits, isSingle ? Scalar::F32 : Scalar::F64});
}

Expr *Parser::parseString() {
  Token token = take();
  noteExtension(token.range, "string literals");
  return make(token.range, StringLiteral{decode(text(token))});
}

/// The bytes of a literal, which live in the program's arena.
StringRef Parser::decode(StringRef literal) {
  std::string bytes = unescapedString(literal.drop_front().drop_back());
  return StringRef(bytes).copy(program.arena);
}

Expr *Parser::parseParen() {
  if (isForeignCast())
    return rejectForeignCast();
  size_t open = at;
  SourceRange begin = take().range;
  Expr *inner = parseExpr();
  if (isRecovering && closing[open] && at <= closing[open]) {
    at = closing[open];
    isRecovering = false;
  }
  if (closing[open] && !isAt(Tok::RParen) && !isAt(Tok::Error) && !isRecovering)
    fail(peek().range, diag::MissingParen, found(peek())).label(begin, "opened here");
  expectIn(open, Tok::RParen, diag::MissingParen);
  return make(since(begin), Paren{inner}, inner->depth);
}

/// builtin "(" arguments ")"
Expr *Parser::parseCall() {
  Token name = take();
  Builtin builtin = *builtinNamed(text(name));
  if (!isAt(Tok::LParen))
    return rejectCall(name, arityOf(builtin) == 1, usageOf(builtin));
  if (builtin == Builtin::Assert)
    noteExtension(name.range, "`assert`");
  bool takesCondition =
      builtin == Builtin::If || builtin == Builtin::Select || builtin == Builtin::Assert;
  llvm::ArrayRef<Expr *> arguments =
      parseArguments(takesCondition ? Takes::Condition : Takes::Value);
  SourceRange range = since(name.range);
  if (builtin == Builtin::If && arguments.size() == 1 && beginsOperand(peek().kind))
    fail(range, diag::ArgumentCount, "if", 3, "s", 1).hint("{0}", usageOf(builtin));
  return make(range, Call{builtin, name.range, arguments}, depthOf(arguments));
}

/// The name of an operation without a `(`. As an argument, an operation with a single parameter is
/// meant as a function.
Expr *Parser::rejectCall(const Token &name, bool isUnary, StringRef usage) {
  Report report = fail(name.range, diag::CallForm, text(name), found(peek()));
  bool isArgument = isAt(Tok::Comma) || isAt(Tok::RParen);
  if (isArgument && isUnary)
    report.fix(name.range, ("|x| " + text(name) + "(x)").str());
  else if (!usage.empty())
    report.hint("{0}", usage);
  return rejectLeaf();
}

/// scalar "(" expr ")"
Expr *Parser::parseCast() {
  Token type = take();
  if (!isAt(Tok::LParen) && !isRecovering)
    return rejectCast(type);
  llvm::ArrayRef<Expr *> arguments = parseArguments();
  SourceRange range = since(type.range);
  if (arguments.size() != 1) {
    complain(range, diag::ArgumentCount, text(type), 1, "", arguments.size());
    return placeholder();
  }
  return make(range, Cast{*scalarNamed(text(type)), arguments[0]}, arguments[0]->depth);
}

Expr *Parser::rejectCast(const Token &type) {
  Report report = fail(peek().range, diag::CastForm, describe(Tok::LParen), found(peek()));
  if (isAt(Tok::Comma) || isAt(Tok::RParen))
    report.fix(type.range, ("|x| " + text(type) + "(x)").str());
  return rejectLeaf();
}

/// "for" "(" iterator "," expr "," expr ")"
Expr *Parser::parseFor() {
  Token name = take();
  if (!isAt(Tok::LParen)) {
    fail(peek().range, diag::ForForm, describe(Tok::LParen), found(peek())).hint("{0}", forUsage);
    return rejectLeaf();
  }
  llvm::ArrayRef<Expr *> arguments = parseArguments();
  SourceRange range = since(name.range);
  if (isRecovering)
    return rejectLeaf();
  if (arguments.size() != 3) {
    complain(range, diag::ArgumentCount, "for", 3, "s", arguments.size()).hint("{0}", forUsage);
    return placeholder();
  }
  return make(range, For{iteratorOf(arguments[0]), arguments[1], arguments[2]}, depthOf(arguments));
}

/// What a loop or a zip iterates over: an iterator, in parentheses or not, or a vector.
Iterator *Parser::iteratorOf(Expr *expr) {
  Expr *inner = expr;
  while (auto *paren = inner->as<Paren>())
    inner = paren->inner;
  if (auto *iterator = inner->as<IteratorExpr>())
    return iterator->iterator;
  return program.make(Iterator{Iterator::Plain, expr->range, program.keep<Expr *>(expr)});
}

static Iterator::Kind iteratorKind(Tok kind) {
  switch (kind) {
  case Tok::KwZip:
    return Iterator::Zip;
  case Tok::KwSimdIter:
    return Iterator::Simd;
  case Tok::KwFringeIter:
    return Iterator::Fringe;
  case Tok::KwRangeIter:
    return Iterator::Range;
  case Tok::KwNdIter:
    return Iterator::Nd;
  default:
    return Iterator::Strided;
  }
}

static unsigned numArguments(Iterator::Kind kind) {
  switch (kind) {
  case Iterator::Strided:
    return 4;
  case Iterator::Range:
    return 3;
  case Iterator::Nd:
    return 6;
  default:
    return 1;
  }
}

Expr *Parser::parseIterator() {
  Token name = take();
  if (!isAt(Tok::LParen))
    return rejectCall(name, /*isUnary=*/false, "");
  Iterator iterator;
  iterator.kind = iteratorKind(name.kind);
  iterator.arguments = parseArguments();
  iterator.range = since(name.range);
  if (isRecovering)
    return rejectLeaf();
  unsigned count = iterator.arguments.size(), wanted = numArguments(iterator.kind);
  if (iterator.kind == Iterator::Nd)
    noteExtension(name.range, "`nditer`");
  if (iterator.kind == Iterator::Zip) {
    if (count < 2)
      complain(iterator.range, diag::ZipOperands, count);
    llvm::SmallVector<Iterator *> parts;
    for (Expr *argument : iterator.arguments)
      parts.push_back(iteratorOf(argument));
    iterator.parts = program.keep<Iterator *>(parts);
    iterator.arguments = {};
  } else if (iterator.kind == Iterator::Strided && count == 1) {
    noteExtension(iterator.range, "`iter` with one argument");
    iterator.kind = Iterator::Plain;
  } else if (count != wanted) {
    complain(iterator.range, diag::ArgumentCount, text(name), wanted, wanted == 1 ? "" : "s",
             count);
  }
  Iterator *kept = program.make(iterator);
  return make(iterator.range, IteratorExpr{kept}, depthOf(*kept));
}

/// "deserialize" "[" type "]" "(" expr ")"
Expr *Parser::parseDeserialize() {
  Token name = take();
  size_t open = at;
  expect(Tok::LBracket, diag::DeserializeForm);
  TypeExpr *written = parseType();
  expectIn(open, Tok::RBracket, diag::DeserializeForm);
  expect(Tok::LParen, diag::DeserializeForm);
  llvm::ArrayRef<Expr *> arguments = parseExprs(Tok::RParen, diag::DeserializeForm);
  SourceRange range = since(name.range);
  if (isRecovering)
    return rejectLeaf();
  if (arguments.size() != 1) {
    complain(range, diag::ArgumentCount, "deserialize", 1, "", arguments.size());
    return placeholder();
  }
  return make(range, Deserialize{written, arguments[0]}, arguments[0]->depth);
}

/// "cudf" "[" name "," type "]" "(" [ arguments ] ")"
Expr *Parser::parseCudf() {
  Token token = take();
  size_t open = at;
  expect(Tok::LBracket, diag::CudfForm);
  Name name = parseName(diag::CudfForm);
  expectIn(open, Tok::Comma, diag::CudfForm);
  TypeExpr *written = parseType();
  expectIn(open, Tok::RBracket, diag::CudfForm);
  expect(Tok::LParen, diag::CudfForm);
  llvm::ArrayRef<Expr *> arguments = parseExprs(Tok::RParen, diag::CudfForm);
  if (isRecovering)
    return rejectLeaf();
  // The seed description has typed expressions only here: `cudf[f,i64](x:i64)`.
  llvm::erase_if(program.extensions, [&](const Extension &extension) {
    return llvm::any_of(arguments, [&](const Expr *argument) {
      auto *ascription = argument->as<Ascription>();
      return ascription && ascription->written->range.end == extension.range.end;
    });
  });
  return make(since(token.range), Cudf{name, written, arguments}, depthOf(arguments));
}

/// builder type [ "(" expr ")" ]
Expr *Parser::parseNewBuilder() {
  SourceRange begin = peek().range;
  TypeExpr *written = parseType();
  if (isRecovering)
    return rejectLeaf();
  Expr *argument = nullptr;
  if (isAt(Tok::LParen)) {
    llvm::ArrayRef<Expr *> arguments = parseArguments();
    if (isRecovering)
      return rejectLeaf();
    if (arguments.size() != 1)
      complain(since(begin), diag::ArgumentCount, spelling(written->kind), 1, "", arguments.size());
    else
      argument = arguments[0];
    if (written->kind != Type::VecMerger)
      noteExtension(since(begin), "arguments of builders other than `vecmerger`");
  }
  return make(since(begin), NewBuilder{written, argument}, argument ? argument->depth : 0);
}

/// Stands for a missing expression, so that parsing can continue.
Expr *Parser::rejectLeaf() {
  Token token = peek();
  if (token.kind == Tok::Error)
    program.hasSyntaxErrors = isRecovering = true;
  else if (isReserved(token.kind) && token.kind != Tok::KwLet)
    fail(token.range, diag::ReservedWord, text(token));
  else if (token.kind == Tok::KwLet)
    fail(token.range, diag::ExpectedExpression, found(token))
        .hint("enclose a `let` inside an expression in parentheses");
  else
    rejectToken(token);
  return placeholder();
}

/// Some tokens show what was meant.
void Parser::rejectToken(const Token &token) {
  size_t open = enclosing[std::min(at, tokens.size() - 1)];
  bool ends = token.kind == Tok::End || token.kind == Tok::Semicolon;
  if (ends && open && !closing[open - 1] && !unclosed.contains(open - 1) && !isRecovering)
    return rejectUnclosed(open - 1);
  Report report = fail(token.range, diag::ExpectedExpression, found(token));
  Tok previous = at ? tokens[at - 1].kind : Tok::End;
  if (token.kind == Tok::Star && previous == Tok::Star)
    report.hint("`pow(a, b)` is `a` to the power of `b`");
  else if (token.kind == Tok::Assign)
    report.hint("variables never change; `let` defines a new one");
  else if ((token.kind == Tok::Less || token.kind == Tok::Greater) && token.kind == previous)
    report.hint("a product with a power of 2 shifts the bits to the left, a quotient to the right");
  else if (token.kind == Tok::Comma && (previous == Tok::Comma || previous == Tok::LBracket))
    report.hint("a value is missing before this `,`");
}

Expr *Parser::placeholder() {
  uint32_t here = peek().range.begin;
  return program.make(Expr{{here, here}, BoolLiteral{false}});
}
