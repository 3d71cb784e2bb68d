/// Operators of other languages, and what TTL has instead.
#include "lang/ttl/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

namespace {
/// TTL's spelling of a foreign operator. A fix only where nothing else can be meant; that of logic
/// depends on its right side.
struct OperatorReplacement {
  StringRef foreign, own;
  Tok kind;
  bool isCertain;
  const char *hint;
};
constexpr const char *andHint = "`&` is TTL's logical and; it always evaluates both sides";
constexpr const char *orHint = "`|` is TTL's logical or; it always evaluates both sides";
constexpr const char *rangeHint = "a range is written `a...b`, and `b` is excluded";
constexpr OperatorReplacement replacements[] = {
    {"&&", "&", Tok::And, false, andHint},
    {"and", "&", Tok::And, false, andHint},
    {"||", "|", Tok::Or, false, orHint},
    {"or", "|", Tok::Or, false, orHint},
    {"..", "...", Tok::Ellipsis, true, rangeHint},
    {":=", "=", Tok::Assign, true, "`=` assigns and initializes"},
    {"<>", "!=", Tok::NotEqual, true, nullptr},
    {"!==", "!=", Tok::NotEqual, true, nullptr},
    {"===", "==", Tok::EqualEqual, true, nullptr},
    {"=<", "<=", Tok::LessEqual, true, nullptr},
    {"=>", ">=", Tok::GreaterEqual, false, "`>=` is greater or equal"},
};

const OperatorReplacement *replacementFor(StringRef text) {
  for (const OperatorReplacement &row : replacements)
    if (row.foreign == text)
      return &row;
  return nullptr;
}

/// What to write where TTL has no such operator; null if there is no advice.
const char *adviceForOperator(StringRef text) {
  return llvm::StringSwitch<const char *>(text)
      .Cases({"<<", "<<="}, "`x * 2` shifts `x` by one place")
      .Cases({">>", ">>="}, "`x / 2` shifts an `x` that is not negative by one place")
      .Cases({"&=", "|="}, "TTL has no operators for bits: `&` and `|` are logical")
      .Case("**", "write a power as a product: `x * x`")
      .Case("++", "write `x = x + 1;` as a statement of its own")
      .Case("->", "the result type stands before the name: `function int f(int x)`")
      .Case("?:", "assign to a variable in both branches of `if`")
      .Default(nullptr);
}

/// Whether evaluating the operand of a condition may stop the program or print.
bool canFail(const Expr &expr) {
  const Expr *link = &expr.bare();
  while (auto *binary = link->as<Binary>()) {
    OpClass kind = classOf(binary->op);
    if (kind ==
        OpClass::SizeOf) // `m $ 0` is safe, because a dimension that is missing is an error.
      return !binary->lhs->bare().as<Reference>() || !binary->rhs->bare().as<IntLiteral>();
    bool isSafe = (kind == OpClass::Arithmetic && binary->op != BinaryOp::Div) ||
                  kind == OpClass::Comparison || kind == OpClass::Logic;
    if (!isSafe || canFail(*binary->rhs))
      return true;
    link = &binary->lhs->bare();
  }
  if (auto *unary = link->as<Unary>())
    return canFail(*unary->operand);
  return !link->as<IntLiteral>() && !link->as<FloatLiteral>() && !link->as<Reference>();
}

bool isArithmeticUpdate(StringRef text) {
  return llvm::is_contained({"+=", "-=", "*=", "/="}, text);
}
} // namespace

/// If TTL has an equivalent, parsing continues as if that were written.
Report Parser::rejectForeignOperator(bool isAfterOperand) {
  Token token = peek();
  constexpr Tok ends[] = {Tok::Comma, Tok::Semicolon, Tok::RParen, Tok::RBrace, Tok::LBrace};
  bool isRange = isAfterOperand && text(token) == ":" && !llvm::is_contained(ends, peek(1).kind);
  if (isRange) { // Its end may be meant to be included.
    tokens[at].kind = Tok::Ellipsis;
    replaced = {at, mend(token.range, diag::ForeignOperator, ":").hint("{0}", rangeHint)};
    return replaced->report;
  }
  const OperatorReplacement *own = replacementFor(text(token));
  if (!own)
    return failForeignOperator();
  Report report = mend(token.range, diag::ForeignOperator, own->foreign);
  if (own->hint)
    report.hint("{0}", own->hint);
  if (own->isCertain)
    report.fix(token.range, own->own);
  tokens[at].kind = own->kind;
  replaced = {at, report};
  return report;
}

Report Parser::failForeignOperator() {
  Token token = peek();
  StringRef spelling = token.kind == Tok::Question ? StringRef("?:") : text(token);
  Report report = fail(token.range, diag::ForeignOperator, spelling);
  const OperatorReplacement *own = replacementFor(spelling);
  if (const char *advice = own ? own->hint : adviceForOperator(spelling))
    report.hint("{0}", advice);
  return report;
}

/// `&&` evaluates its right side only if needed, `&` always [ttl.defined.6].
void Parser::suggestLogic(Report report, Token sign, const Expr &rhs) {
  if ((sign.kind != Tok::And && sign.kind != Tok::Or) || isRecovering)
    return;
  bool isBeforeOr = isAt(Tok::Or) && !(replaced && replaced->at == at);
  if (canFail(rhs))
    report.hint("if the right side may fail, test it in an `if` of its own");
  else if (!isBeforeOr) // `a && b | c` groups differently elsewhere.
    report.fix(sign.range, sign.kind == Tok::And ? "&" : "|");
}

/// `and` and `or` after an operand, where no name can be.
bool Parser::isAtWordOperator() const {
  return isAt(Tok::Identifier) && (text(peek()) == "and" || text(peek()) == "or") && !isRecovering;
}

/// `not x`: before an operand, where no name can be.
bool Parser::isAtNot() const {
  Tok next = peek(1).kind;
  bool isBeforeOperand = next == Tok::Identifier || next == Tok::Integer || next == Tok::Float;
  return isBeforeOperand && isAt(Tok::Identifier) && text(peek()) == "not" && !isRecovering;
}

void Parser::rejectNot() {
  Token word = peek();
  mend(word.range, diag::ForeignOperator, "not").fix({word.range.begin, peek(1).range.begin}, "!");
  tokens[at].kind = Tok::Not;
}

/// `x += 2;`, `x++;`, `x--;`: `ahead` is the sign. The lexer reads `--` as two tokens.
bool Parser::startsUpdate(size_t ahead) const {
  StringRef sign = text(peek(ahead));
  if (peek(ahead).kind == Tok::Minus)
    return peek(ahead + 1).kind == Tok::Minus && peek(ahead + 2).kind == Tok::Semicolon;
  bool isShift = sign == "<<=" || sign == ">>=" || sign == "&=" || sign == "|=";
  return peek(ahead).kind == Tok::Foreign && (sign == "++" || isShift || isArithmeticUpdate(sign));
}

/// After the target, which should be written `own`. `value` is how it is read, `type` null if that
/// is not a variable.
Stmt *Parser::rejectUpdate(SourceRange target, StringRef own, StringRef value, const Type *type) {
  Token sign = peek(), operand = peek(1);
  bool isDecrement = sign.kind == Tok::Minus, isStep = isDecrement || text(sign) == "++";
  if (!isStep && !isArithmeticUpdate(text(sign)))
    return failForeignOperator(), nullptr;
  sign.range.end = isDecrement ? operand.range.end : sign.range.end;
  bool isShort = peek(2).kind == Tok::Semicolon; // Longer operands need parentheses.
  std::string step = type && type->kind == Type::Float ? "1.0" : "1";
  std::string rest = isStep ? step : isShort ? text(operand).str() : "(...)";
  std::string head = ("= " + value + " " + text(sign).take_front(1) + " ").str();
  Report report = fail(sign.range, diag::ForeignOperator, text(sign));
  bool isCertain =
      type && (isStep ? type->isScalar() : isShort && hasElementKind(operand, type->elementKind()));
  if (!isCertain) {
    report.hint("write `{0} {1}{2}`", own, head, rest);
    return nullptr;
  }
  bool touchesTarget = target.end == sign.range.begin;
  bool touchesOperand = operand.range.begin == sign.range.end;
  std::string update = isStep ? head + step : StringRef(head).drop_back(!touchesOperand).str();
  report.fix(sign.range, (touchesTarget ? " " : "") + update);
  return nullptr;
}

/// Whether the token is a scalar of the kind: a literal or a variable.
bool Parser::hasElementKind(const Token &operand, Type::Kind kind) const {
  if (operand.kind == Tok::Integer || operand.kind == Tok::Float)
    return !isMalformed(operand) &&
           kind == (operand.kind == Tok::Integer ? Type::Int : Type::Float);
  const Type *type = operand.kind == Tok::Identifier ? visibleType(text(operand)) : nullptr;
  return type && type->isScalar() && type->kind == kind;
}
