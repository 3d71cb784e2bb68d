#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;

Definition *Scopes::find(StringRef name) const {
  for (const auto &scope : llvm::reverse(scopes))
    if (auto found = scope.find(name); found != scope.end())
      return found->second;
  return nullptr;
}

std::vector<StringRef> Scopes::names() const {
  std::vector<StringRef> all;
  for (const auto &scope : scopes)
    for (StringRef name : scope.keys())
      all.push_back(name);
  llvm::sort(all);
  return all;
}

/// The precedence of an operator between its operands; 0 for other tokens.
static int precedenceOf(StringRef op) {
  return llvm::StringSwitch<int>(op).Cases("+", "-", 1).Cases("*", "/", "%", 2).Default(0);
}

/// definition = variable "=" ( constant | attribute | type | variable | "!calc" "(" rpn ")" )
void Parser::parseDefinition() {
  SourceRange begin = peek().range;
  Definition definition;
  definition.name = nameOf(expect(Tok::Variable));
  definition.file = &file;
  expect(Tok::Assign);
  if (!isRecovering)
    parseRightSide(definition);
  if (!isRecovering && !isFirstOnLine(at) && precedenceOf(text(peek())))
    failExpected("the end of the definition")
        .hint("`!calc(1 2 {0})` computes, in reverse Polish notation", text(peek()));
  definition.range = since(begin);
  if (!isDefinable(definition.name))
    return;
  program.definitions.push_back(program.make(definition));
  scopes.add(program.definitions.back());
}

/// A name is defined once in a scope and the scopes inside it.
bool Parser::isDefinable(const Name &name) {
  const Definition *known = scopes.find(name.text);
  if (!known || name.text.empty())
    return !name.text.empty();
  bool wasRecovering = std::exchange(isRecovering, false);
  if (known->file == program.file)
    complain(name.range, diag::Redefined, name.text).note(known->range, "it is defined here");
  else
    complain(name.range, diag::RedefinedOption, name.text, known->file->text().drop_front());
  isRecovering = wasRecovering;
  return false;
}

void Parser::parseRightSide(Definition &definition) {
  if (rejectUnreadLiteral())
    return;
  switch (peek().kind) {
  case Tok::Calc:
    if (std::optional<Literal> value = parseCalculation())
      definition.value = *value;
    return;
  case Tok::Variable: {
    SourceRange range = peek().range;
    const Definition *other = expandVariable();
    if (other && std::holds_alternative<Attr>(other->value))
      definition.value = attrOf(*other, range);
    else if (other)
      definition.value = other->value;
    return;
  }
  case Tok::Integer:
  case Tok::Float:
    if (const Literal *literal = parseConstant())
      definition.value = *literal;
    return;
  case Tok::String:
  case Tok::LBracket:
  case Tok::LBrace:
    if (Attr attr = parseAttr(); !isRecovering)
      definition.value = attr;
    return;
  default:
    break;
  }
  if (isWord("true") || isWord("false"))
    definition.value = *parseConstant();
  else if (isAt(Tok::Word) && isInstruction(text(peek())))
    failExpected("a constant, a type, an attribute or `!calc(...)`")
        .hint("a variable stands for the constant itself: `$name = 4`");
  else if (isAt(Tok::Word))
    parseDefinedType(definition);
  else
    failExpected("a constant, a type, an attribute or `!calc(...)`");
}

/// Nothing is known about a definition whose type is in error.
void Parser::parseDefinedType(Definition &definition) {
  const Type *type = parseType().type;
  if (type->kind != Type::Invalid)
    definition.value = type;
}

/// `$tyx4` is one name; `$ty x 4` was meant.
static StringRef nameBeforeTimes(StringRef name, llvm::ArrayRef<StringRef> known) {
  for (StringRef candidate : known)
    if (name.starts_with(candidate) && name.drop_front(candidate.size()).starts_with("x"))
      return candidate;
  return "";
}

const Definition *Parser::expandVariable() {
  Token token = take();
  const Definition *definition = scopes.find(text(token));
  if (definition) {
    if (&file == program.file)
      program.expansions.push_back({token.range, definition});
    if (!isOpen(*definition) || scopes.areOpen)
      return definition;
    isRecovering = true; // The error in its definition has been reported.
    return nullptr;
  }
  static const Definition anything{};
  if (scopes.areOpen)
    return &anything;
  Report report = fail(token.range, diag::UndefinedVariable, text(token));
  std::vector<StringRef> names = scopes.names();
  StringRef shorter = nameBeforeTimes(text(token), names);
  if (!shorter.empty())
    report.hint("write a blank after `{0}`: `{0} x`", shorter);
  else
    suggestName(report, token.range, text(token), names);
  return nullptr;
}

//===-- The calculator ----------------------------------------------------===//

/// rpn = integer | variable | rpn rpn ( "^" | "-" | "+" | "*" | "/" | "%" | "min" | "max" )
std::optional<Literal> Parser::parseCalculation() {
  SourceRange begin = take().range;
  bool isClosed = isAt(Tok::LParen) && closing[at];
  expect(Tok::LParen);
  if (!isClosed && !isRecovering) {
    while (!isAt(Tok::End) && !isFirstOnLine(at))
      take();
    failExpected(describe(Tok::RParen));
    return std::nullopt;
  }
  SmallVector<int64_t> stack;
  bool hasOpen = false; // If so, nothing is computed.
  if (std::string postfix = inPostfix(); !postfix.empty()) {
    rejectInfix(begin, postfix);
    return std::nullopt;
  }
  while (!isAt(Tok::RParen) && !isAt(Tok::End) && !isRecovering) {
    bool isOperand = isAt(Tok::Integer) || isAt(Tok::Float) || isAt(Tok::Variable);
    if (isOperand)
      stack.push_back(parseInteger().value);
    else if (hasOpen)
      take();
    else if (!calculate(take(), stack))
      break;
    hasOpen |= !stack.empty() && stack.back() == dynamic;
  }
  expect(Tok::RParen);
  if (isRecovering || hasOpen)
    return std::nullopt;
  if (stack.size() != 1) {
    Report report = complain(since(begin), diag::CalcResult, stack.size());
    if (!stack.empty())
      report.hint("an operator follows its operands: `4 2 +`");
    return std::nullopt;
  }
  return Literal{Literal::Integer, stack.front()};
}

namespace {

enum class CalcFault { None, Unknown, Divisor, Exponent, Overflow };

CalcFault power(int64_t base, int64_t exponent, int64_t &result) {
  if (exponent < 0)
    return CalcFault::Exponent;
  result = 1;
  if (base == 0 || base == 1 || base == -1) {
    result = exponent == 0 ? 1 : base == -1 && exponent % 2 == 0 ? 1 : base;
    return CalcFault::None;
  }
  for (; exponent > 0; --exponent)
    if (llvm::MulOverflow(result, base, result))
      return CalcFault::Overflow;
  return CalcFault::None;
}

CalcFault divide(StringRef op, int64_t a, int64_t b, int64_t &result) {
  if (b == 0)
    return CalcFault::Divisor;
  if (b == -1 && a == INT64_MIN)
    return CalcFault::Overflow;
  result = op == "/" ? a / b : a % b;
  return CalcFault::None;
}

CalcFault apply(StringRef op, int64_t a, int64_t b, int64_t &result) {
  auto checked = [](bool overflows) { return overflows ? CalcFault::Overflow : CalcFault::None; };
  if (op == "+")
    return checked(llvm::AddOverflow(a, b, result));
  if (op == "-")
    return checked(llvm::SubOverflow(a, b, result));
  if (op == "*")
    return checked(llvm::MulOverflow(a, b, result));
  if (op == "^")
    return power(a, b, result);
  if (op == "/" || op == "%")
    return divide(op, a, b, result);
  if (op != "min" && op != "max")
    return CalcFault::Unknown;
  result = op == "min" ? std::min(a, b) : std::max(a, b);
  return CalcFault::None;
}

} // namespace

/// The calculation at the cursor in reverse Polish notation, if it is written with operators
/// between its operands; otherwise "".
std::string Parser::inPostfix() const {
  std::string output;
  SmallVector<StringRef> operators; // And open parentheses.
  bool wantsOperand = true, hasOperator = false;
  auto isAdjacent = [&](size_t index) {
    return tokens[index - 1].range.end == tokens[index].range.begin;
  };
  auto append = [&](StringRef text) { output += (output.empty() ? "" : " ") + text.str(); };
  auto pushOperator = [&](StringRef op) {
    hasOperator = true;
    while (!operators.empty() && precedenceOf(operators.back()) >= precedenceOf(op))
      append(operators.pop_back_val());
    operators.push_back(op);
  };
  for (size_t index = at;; ++index) {
    const Token &token = tokens[std::min(index, tokens.size() - 1)];
    StringRef word = text(token);
    bool isNumber = token.kind == Tok::Integer, isSigned = isNumber && !llvm::isDigit(word[0]);
    if (wantsOperand && (isNumber || token.kind == Tok::Variable)) {
      append(word);
      wantsOperand = false;
    } else if (wantsOperand && token.kind == Tok::LParen) {
      operators.push_back(word);
    } else if (!wantsOperand && isSigned && isAdjacent(index)) { // Not in `4 -2` [tinytc.calc.1].
      pushOperator(word.take_front());
      append(word.drop_front());
    } else if (!wantsOperand && precedenceOf(word)) {
      pushOperator(word);
      wantsOperand = true;
    } else if (!wantsOperand && token.kind == Tok::RParen) {
      while (!operators.empty() && operators.back() != "(")
        append(operators.pop_back_val());
      if (operators.empty())
        return hasOperator ? output : "";
      operators.pop_back();
    } else {
      return "";
    }
  }
}

/// Skips the calculation, whose value is unknown.
void Parser::rejectInfix(SourceRange begin, StringRef postfix) {
  SourceRange operands = peek().range;
  unsigned depth = 1;
  Token last = peek();
  while (depth) {
    last = isAt(Tok::RParen) && depth == 1 ? last : peek();
    depth += isAt(Tok::LParen) ? 1 : isAt(Tok::RParen) ? -1 : 0;
    take();
  }
  complain(since(begin), diag::CalcOrder).fix(operands.upTo(last.range), postfix);
}

/// Applies an operator to the two numbers on top of the stack; false after reporting an error.
bool Parser::calculate(const Token &op, SmallVectorImpl<int64_t> &stack) {
  StringRef name = text(op);
  int64_t result = 0;
  // `%1` is a name, not the remainder by 1.
  bool isKnown = op.kind != Tok::Local && apply(name, 1, 1, result) != CalcFault::Unknown;
  if (op.kind == Tok::Error) { // The lexer has reported it.
    isRecovering = true;
    return false;
  }
  if (!isKnown) {
    Report report = fail(op.range, diag::CalcOperator, escaped(name));
    if (op.kind == Tok::LParen)
      report.hint("in reverse Polish notation, operators follow their operands: `1 2 + 3 *` for (1 "
                  "+ 2) * 3");
    else if (op.kind == Tok::Local)
      report.hint("write a blank after `%` for the remainder");
    else if (scopes.find(("$" + name).str()))
      report.fix(op.range, ("$" + name).str());
    else
      report.hint("the operators are `+`, `-`, `*`, `/`, `%`, `^`, `min` and `max`");
    return false;
  }
  if (stack.size() < 2) {
    fail(op.range, diag::CalcOperands, name, stack.size())
        .hint("in reverse Polish notation, operators follow their operands: `4 2 {0}`", name);
    return false;
  }
  int64_t b = stack.pop_back_val(), a = stack.pop_back_val();
  CalcFault fault = apply(name, a, b, result);
  if (fault == CalcFault::None && result == INT64_MIN) // The language has no such constant.
    fault = CalcFault::Overflow;
  switch (fault) {
  case CalcFault::Divisor:
    fail(op.range, diag::CalcDivisor, a, name, b);
    return false;
  case CalcFault::Exponent:
    fail(op.range, diag::CalcExponent, a, name, b);
    return false;
  case CalcFault::Overflow:
    fail(op.range, diag::CalcOverflow, a, name, b);
    return false;
  default:
    stack.push_back(result);
    return true;
  }
}
