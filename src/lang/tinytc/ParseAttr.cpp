#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/ParserImpl.h"
#include "support/Decimal.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

//===-- Constants ---------------------------------------------------------===//

/// From -2^63+1 to 2^63-1 [tinytc.literal.2].
std::optional<int64_t> Parser::integerOf(const Token &token) {
  StringRef digits = text(token);
  bool isNegative = digits.consume_front("-");
  digits.consume_front("+");
  int64_t value = 0;
  if (digits.getAsInteger(10, value)) {
    complain(token.range, diag::IntegerRange, text(token));
    return std::nullopt;
  }
  return isNegative ? -value : value;
}

std::optional<double> Parser::floatOf(const Token &token) {
  StringRef digits = text(token);
  bool isNegative = digits.consume_front("-");
  digits.consume_front("+");
  std::string number = digits.str();
  bool isHex = digits.starts_with_insensitive("0x");
  if (isHex && digits.find_first_of("pP") == StringRef::npos)
    number += "p0"; // LLVM's reader requires an exponent.
  llvm::APFloat value(llvm::APFloat::IEEEdouble());
  auto status =
      value.convertFromString(roundableDecimal(number), llvm::APFloat::rmNearestTiesToEven);
  if (!status || (*status & llvm::APFloat::opOverflow)) {
    llvm::consumeError(status.takeError());
    complain(token.range, diag::FloatRange, text(token));
    return std::nullopt;
  }
  return isNegative ? -value.convertToDouble() : value.convertToDouble();
}

Number Parser::parseInteger() {
  Token token = peek();
  if (isAt(Tok::Variable) && !isRecovering) {
    const Definition *definition = expandVariable();
    if (!definition)
      return {0, token.range};
    auto *literal = std::get_if<Literal>(&definition->value);
    if (literal && literal->kind == Literal::Integer)
      return {literal->integer, token.range};
    if (isOpen(*definition))
      return {dynamic, token.range};
    fail(token.range, diag::VariableKind, definition->name.text, "an integer");
    return {0, token.range};
  }
  if (!isAt(Tok::Integer) || isRecovering) {
    failExpected("an integer");
    return {0, token.range};
  }
  take();
  return {integerOf(token).value_or(0), token.range};
}

/// constant = "true" | "false" | integer | float | complex | variable
const Literal *Parser::parseConstant() {
  Token token = peek();
  if (isAt(Tok::LBracket))
    return parseComplex();
  if (isAt(Tok::Variable)) {
    const Definition *definition = expandVariable();
    auto *literal = definition ? std::get_if<Literal>(&definition->value) : nullptr;
    if (definition && isOpen(*definition))
      return program.make(Literal());
    if (definition && !literal)
      fail(token.range, diag::VariableKind, definition->name.text, "a constant");
    return literal;
  }
  if (isWord("true") || isWord("false"))
    return program.make(Literal{Literal::Bool, text(take()) == "true"});
  if (isAt(Tok::Integer)) {
    take();
    StringRef rest = file.text().drop_front(token.range.end);
    size_t length = rest.take_while(llvm::isAlnum).size();
    if (rest.starts_with("x") && length > 1) // `0xff`
      fail({token.range.begin, uint32_t(token.range.end + length)}, diag::Expected,
           "a decimal integer", "`" + text(token).str() + rest.take_front(length).str() + "`");
    return program.make(Literal{Literal::Integer, integerOf(token).value_or(0)});
  }
  if (isAt(Tok::Float)) {
    take();
    bool hasSuffix = isAt(Tok::Word) && peek().range.begin == token.range.end;
    if (hasSuffix && text(peek()).lower() == "f") // C's `1.0f`.
      complain(token.range.upTo(peek().range), diag::Expected, "a floating-point number",
               "`" + text(token).str() + text(peek()).str() + "`")
          .fix(take().range, "");
    return program.make(Literal{Literal::Float, 0, floatOf(token).value_or(0)});
  }
  if (!rejectUnreadLiteral())
    failExpected("a constant");
  return nullptr;
}

/// `inf`, `-inf` and `nan` of version 0.4, in upper case, too.
bool Parser::rejectUnreadLiteral() {
  bool isNegative = isAt(Tok::Minus);
  size_t sign = isNegative || isAt(Tok::Plus) ? 1 : 0;
  const Token &word = peek(sign), &type = peek(sign + 2);
  std::string name = word.kind == Tok::Word ? text(word).lower() : "";
  bool isInfinity = name == "inf" || name == "infinity";
  if (!isInfinity && name != "nan")
    return false;
  std::string literal = (isNegative ? "-" : "") + std::string(isInfinity ? "inf" : "nan");
  Report report = fail(peek().range.upTo(word.range), diag::UnreadLiteral, literal);
  auto scalar = peek(sign + 1).kind == Tok::Colon ? scalarNamed(text(type)) : std::nullopt;
  if (scalar && kindOf(*scalar) == NumberKind::Integer)
    report.hint("`{0}` has no infinities and no NaN", text(type));
  else
    report.hint("`arith.div` of {0} by 0.0 gives it", !isInfinity  ? "0.0"
                                                      : isNegative ? "-1.0"
                                                                   : "1.0");
  return true;
}

std::optional<double> Parser::parseFloatPart() {
  Token token = peek();
  if (isAt(Tok::Float))
    return floatOf(take());
  if (isAt(Tok::Variable) && !isRecovering) {
    const Definition *definition = expandVariable();
    auto *literal = definition ? std::get_if<Literal>(&definition->value) : nullptr;
    if (literal && literal->kind == Literal::Float)
      return literal->real;
    if (definition && !isOpen(*definition))
      fail(token.range, diag::VariableKind, definition->name.text, "a floating-point number");
    return std::nullopt;
  }
  if (rejectUnreadLiteral())
    return std::nullopt;
  fail(token.range, diag::ComplexPart, found(token));
  return std::nullopt;
}

/// complex = "[" float "," float "]"
const Literal *Parser::parseComplex() {
  take();
  std::optional<double> real = parseFloatPart();
  if (!isAt(Tok::Comma) && !isRecovering)
    fail(peek().range, diag::ComplexPart, found(peek()));
  expect(Tok::Comma);
  std::optional<double> imag = isRecovering ? std::nullopt : parseFloatPart();
  expect(Tok::RBracket);
  if (isRecovering)
    return nullptr;
  return program.make(Literal{Literal::Complex, 0, real.value_or(0), imag.value_or(0)});
}

//===-- Attributes --------------------------------------------------------===//

/// attribute = array | "true" | "false" | dictionary | integer | string | variable
Attr Parser::parseAttr() {
  Nesting nesting(*this);
  Token token = peek();
  if (isRecovering)
    return {};
  if (isAt(Tok::LBracket))
    return parseArray();
  if (isAt(Tok::LBrace))
    return parseDictionary();
  if (isAt(Tok::Variable)) {
    const Definition *definition = expandVariable();
    return definition ? attrOf(*definition, token.range) : Attr();
  }
  if (isWord("true") || isWord("false"))
    return {Attr::Bool, take().range, text(token) == "true"};
  if (isAt(Tok::Integer))
    return {Attr::Integer, take().range, integerOf(token).value_or(0)};
  if (isAt(Tok::String))
    return {Attr::String, take().range, 0, text(token).drop_front().drop_back()};
  if (isAt(Tok::Float))
    fail(token.range, diag::FloatAttribute, text(token));
  else if (!rejectUnreadLiteral())
    failExpected("an attribute");
  return {};
}

/// The attribute with all its ranges set to `range`, where mistakes in it are reported.
Attr Parser::movedTo(SourceRange range, const Attr &attr) {
  Attr moved = attr;
  moved.range = range;
  SmallVector<Attr> elements;
  for (const Attr &element : attr.elements)
    elements.push_back(movedTo(range, element));
  moved.elements = program.keep<Attr>(elements);
  SmallVector<NamedAttr> entries;
  for (const NamedAttr &entry : attr.entries)
    entries.push_back({{entry.name.text, range}, entry.isQuoted, movedTo(range, entry.value)});
  moved.entries = program.keep<NamedAttr>(entries);
  return moved;
}

/// The preprocessor's integer and bool constants are attributes here. A definition on the command
/// line has no position in the file but this use.
Attr Parser::attrOf(const Definition &definition, SourceRange range) {
  if (isOpen(definition))
    return {Attr::Dictionary, range};
  if (auto *attr = std::get_if<Attr>(&definition.value)) {
    Attr copy = definition.file == program.file ? *attr : movedTo(range, *attr);
    copy.range = range;
    return copy;
  }
  auto *literal = std::get_if<Literal>(&definition.value);
  if (literal && literal->kind == Literal::Bool)
    return {Attr::Bool, range, literal->integer};
  if (literal && literal->kind == Literal::Integer)
    return {Attr::Integer, range, literal->integer};
  fail(range, diag::VariableKind, definition.name.text, "an attribute");
  return {};
}

Attr Parser::parseArray() {
  SourceRange begin = take().range;
  SmallVector<Attr> elements;
  parseList(Tok::RBracket, [&] { elements.push_back(parseAttr()); });
  Attr attr{Attr::Array, since(begin)};
  attr.elements = program.keep<Attr>(elements);
  return attr;
}

Attr Parser::parseDictionary() {
  SourceRange begin = take().range;
  SmallVector<NamedAttr> entries;
  parseList(Tok::RBrace, [&] { // Names are checked when all are known.
    NamedAttr entry = parseNamedAttr();
    for (const NamedAttr &other : entries)
      if (other.name.text == entry.name.text)
        complain(entry.name.range, diag::RepeatedAttribute, entry.name.text)
            .label(other.name.range, "first given here");
    entries.push_back(entry);
  });
  rejectAttributeNames(entries);
  Attr attr{Attr::Dictionary, since(begin)};
  attr.entries = program.keep<NamedAttr>(entries);
  return attr;
}

static constexpr StringRef attributeNames[] = {"alignment",     "shape_gcd", "stride_gcd",
                                               "subgroup_size", "unroll",    "work_group_size"};

bool tessera::tinytc::isAttributeName(StringRef name) {
  return llvm::is_contained(attributeNames, name);
}

/// Reports names without quotes that the language does not have.
void Parser::rejectAttributeNames(ArrayRef<NamedAttr> entries) {
  for (const NamedAttr &entry : entries)
    if (!entry.isQuoted && !isAttributeName(entry.name.text))
      suggestAttribute(complain(entry.name.range, diag::AttributeName, entry.name.text), entry.name,
                       entries);
}

/// The attributes that have the name as a part: `shape_gcd` for `gcd`.
static SmallVector<StringRef> attributesWith(StringRef part, ArrayRef<StringRef> names) {
  SmallVector<StringRef> found;
  for (StringRef name : names) {
    SmallVector<StringRef> words;
    name.split(words, '_');
    if (llvm::is_contained(words, part))
      found.push_back(name);
  }
  return found;
}

/// Suggests an attribute of this place that is not given yet.
void Parser::suggestAttribute(Report report, const Name &name, ArrayRef<NamedAttr> entries) {
  SmallVector<StringRef> possible;
  for (StringRef known : attributesHere.empty() ? ArrayRef(attributeNames) : attributesHere)
    if (llvm::none_of(entries, [&](const NamedAttr &entry) { return entry.name.text == known; }))
      possible.push_back(known);
  auto isAlignment = [](const NamedAttr &entry) { return entry.name.text == "alignment"; };
  if (name.text == "align" && llvm::is_contained(possible, "alignment"))
    report.fix(name.range, "alignment");
  else if (name.text == "align" && llvm::any_of(entries, isAlignment))
    report.hint("`alignment` is already given");
  else if (name.text == "align")
    report.hint("`alignment` is an attribute of parameters and of `alloca`");
  else if (auto similar = attributesWith(name.text, possible); !similar.empty())
    report.hint("did you mean `{0}`?", llvm::join(similar, "` or `"));
  else if (!nearestName(name.text, possible).empty())
    suggestName(report, name.range, name.text, possible);
  else
    report.hint("any other name is a string: `\"{0}\"`", name.text);
}

/// entry = ( word | string ) "=" attribute
NamedAttr Parser::parseNamedAttr() {
  Token token = peek();
  NamedAttr entry{nameOf(token), isAt(Tok::String), {}};
  if (isAt(Tok::String)) {
    take();
    entry.name.text = entry.name.text.drop_front().drop_back();
  } else {
    expect(Tok::Word);
  }
  expect(Tok::Assign);
  entry.value = parseAttr();
  return entry;
}

/// Whether the brace here opens a dictionary and not a region. An attribute's value is no
/// instruction; for other names than those of attributes, what follows the closing brace decides.
bool Parser::isAtDictionary(ArrayRef<Tok> followers) const {
  if (!isAt(Tok::LBrace))
    return false;
  bool isValue = peek(3).kind == Tok::Word && isInstruction(text(peek(3)));
  bool isEntry = isAttributeName(text(peek(1))) && peek(2).kind == Tok::Assign && !isValue;
  size_t close = closing[at];
  return isEntry || (close && llvm::is_contained(followers, tokens[close + 1].kind));
}

const Attr *Parser::parseOptionalDictionary(ArrayRef<StringRef> names) {
  bool isVariable =
      isAt(Tok::Variable) && peek(1).kind != Tok::Assign; // Otherwise a definition follows.
  if ((!isAt(Tok::LBrace) && !isVariable) || isRecovering)
    return nullptr;
  attributesHere = names;
  Attr attr = parseAttr();
  attributesHere = {};
  if (attr.kind != Attr::Dictionary && !isRecovering)
    complain(attr.range, diag::NoDictionary, describe(attr.kind));
  return isRecovering ? nullptr : program.make(attr);
}
