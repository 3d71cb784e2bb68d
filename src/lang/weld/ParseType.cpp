#include "lang/weld/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

/// type = [ annotations ] ( scalar | kind "[" type { "," type } [ "," combine ] "]" | struct | "?"
///        | name )
TypeExpr *Parser::parseType() {
  Nesting nesting(*this);
  SourceRange begin = peek().range;
  llvm::SmallVector<Annotation> annotations;
  while (isAt(Tok::At) && !isRecovering)
    llvm::append_range(annotations, parseAnnotations());
  TypeExpr type = parseTypeBody();
  if (isAt(Tok::LBracket) && peek(1).kind == Tok::RBracket && !isRecovering)
    rejectArrayType(begin);
  type.range = since(begin);
  type.annotations = program.keep<Annotation>(annotations);
  return program.make(type);
}

TypeExpr Parser::parseTypeBody() {
  if (isRecovering)
    return {};
  TypeExpr type;
  switch (peek().kind) {
  case Tok::ScalarName:
    type.kind = Type::Scalar;
    type.scalar = *scalarNamed(text(take()));
    return type;
  case Tok::Identifier:
    type.alias = text(take());
    return type;
  case Tok::Question:
    noteExtension(take().range, "the unknown type `?`");
    return type;
  case Tok::KwVec:
    return parseParts(Type::Vec, 1);
  case Tok::KwSimd:
    return parseParts(Type::Simd, 1);
  case Tok::KwDict:
    return parseParts(Type::Dict, 2);
  case Tok::KwAppender:
    return parseParts(Type::Appender, 1);
  case Tok::KwMerger:
    return parseParts(Type::Merger, 1);
  case Tok::KwDictMerger:
    return parseParts(Type::DictMerger, 2);
  case Tok::KwGroupMerger:
    noteExtension(peek().range, "the name `groupmerger`");
    return parseParts(Type::GroupBuilder, 2);
  case Tok::KwGroupBuilder:
    return parseParts(Type::GroupBuilder, 2);
  case Tok::KwVecMerger:
    return parseParts(Type::VecMerger, 1);
  case Tok::LBrace:
    return parseStructType();
  default:
    return rejectType();
  }
}

static StringRef usageOfType(Type::Kind kind) {
  switch (kind) {
  case Type::Vec:
    return "a vector type is `vec[T]`";
  case Type::Dict:
    return "a dictionary type is `dict[K,V]`";
  case Type::Merger:
    return "a merger has a type and an operator: `merger[f64,+]`";
  case Type::VecMerger:
    return "a vecmerger has a type and an operator: `vecmerger[f64,+](v)`";
  case Type::DictMerger:
    return "a dictmerger has two types and an operator: `dictmerger[i64,f64,+]`";
  case Type::GroupBuilder:
    return "a groupbuilder has two types: `groupbuilder[K,V]`";
  default:
    return "";
  }
}

/// kind "[" type { "," type } [ "," combine ] "]"; an appender may have no brackets.
TypeExpr Parser::parseParts(Type::Kind kind, unsigned count) {
  take();
  TypeExpr type;
  type.kind = kind;
  llvm::SmallVector<TypeExpr *> parts;
  if (kind == Type::Appender && !isAt(Tok::LBracket)) {
    TypeExpr unknown;
    unknown.range = {previousEnd(), previousEnd()};
    parts.push_back(program.make(unknown));
    type.parts = program.keep<TypeExpr *>(parts);
    return type;
  }
  size_t open = at;
  StringRef usage = usageOfType(kind);
  expect(Tok::LBracket, diag::TypeForm, usage);
  while (parts.size() < count) {
    parts.push_back(parseType());
    if (parts.size() < count)
      expectIn(open, Tok::Comma, diag::TypeForm, usage);
  }
  type.parts = program.keep<TypeExpr *>(parts);
  if (hasCombine(kind)) {
    expectIn(open, Tok::Comma, diag::TypeForm, usage);
    type.combine = parseCombine();
  }
  expectIn(open, Tok::RBracket, diag::TypeForm, usage);
  return type;
}

TypeExpr Parser::parseStructType() {
  TypeExpr type;
  type.kind = Type::Struct;
  SourceRange begin = take().range;
  llvm::SmallVector<TypeExpr *> parts;
  parseList(Tok::RBrace, diag::StructTypeForm, [&] { parts.push_back(parseType()); });
  if (parts.empty() && !isRecovering)
    complain(since(begin), diag::EmptyStruct);
  type.parts = program.keep<TypeExpr *>(parts);
  return type;
}

TypeExpr Parser::rejectType() {
  bool isValue = (isAt(Tok::Integer) || isAt(Tok::Float) || isAt(Tok::String)) &&
                 tokens[at - 1].kind == Tok::Colon;
  expect(Tok::ScalarName, diag::ExpectedType,
         isAt(Tok::LBracket) ? usageOfType(Type::Vec)
         : isValue           ? "`:` is followed by a type; fields of a struct have no names"
                             : "");
  return {};
}

/// `i32[]` of other languages.
void Parser::rejectArrayType(SourceRange begin) {
  StringRef element = program.file->text(since(begin));
  take();
  take();
  complain(since(begin), diag::UnknownType, program.file->text(since(begin)))
      .fix(since(begin), ("vec[" + element + "]").str());
}

/// combine = "+" | "*" | "min" | "max"
Combine Parser::parseCombine() {
  if (isRecovering)
    return Combine::Add;
  Token token = peek();
  for (Combine combine : {Combine::Add, Combine::Mul, Combine::Min, Combine::Max})
    if (text(token) == spelling(combine)) {
      take();
      return combine;
    }
  fail(token.range, diag::CombineForm, found(token));
  return Combine::Add;
}

/// annotations = "@" "(" [ name ":" value { "," name ":" value } ] ")"
llvm::ArrayRef<Annotation> Parser::parseAnnotations() {
  take();
  expect(Tok::LParen, diag::AnnotationForm);
  llvm::SmallVector<Annotation> annotations;
  parseList(Tok::RParen, diag::AnnotationForm, [&] { annotations.push_back(parseAnnotation()); });
  return program.keep<Annotation>(annotations);
}

static StringRef kindOfValue(StringRef name) {
  return name == "predicate" || name == "vectorize" ? "`true` or `false`"
         : name == "size"                           ? "an integer"
                                                    : "";
}

/// A literal, a string or a name; annotations of the seed description accept only the values that
/// it lists.
Annotation Parser::parseAnnotation() {
  Annotation annotation;
  annotation.name = parseName(diag::AnnotationForm);
  expect(Tok::Colon, diag::AnnotationForm);
  SourceRange begin = peek().range;
  accept(Tok::Minus);
  Tok kind = peek().kind;
  bool isBool = kind == Tok::KwTrue || kind == Tok::KwFalse;
  if (!isBool && kind != Tok::Integer && kind != Tok::Float && kind != Tok::String)
    expect(Tok::Identifier, diag::AnnotationForm);
  else
    take();
  annotation.valueRange = since(begin);
  StringRef value = program.file->text(annotation.valueRange);
  annotation.value = kind == Tok::String ? decode(value) : value;
  StringRef name = annotation.name.text;
  bool fits = name == "size" ? kind == Tok::Integer : isBool;
  if (!kindOfValue(name).empty() && !fits && !isRecovering)
    complain(annotation.valueRange, diag::AnnotationValue, name, kindOfValue(name),
             program.excerpt(annotation.valueRange));
  return annotation;
}
