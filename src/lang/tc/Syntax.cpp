#include "lang/tc/Syntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

StringRef tessera::tc::spelling(BinaryOp op) {
  static constexpr const char *ofToken[] = {
#define TC_TOKEN(name, text) "",
#define TC_KEYWORD(name, text) text,
#define TC_PUNCTUATION(name, text) text,
#include "lang/tc/Tokens.def"
  };
  static constexpr Tok tokens[] = {
#define TC_BINARY(name, token, level, class) Tok::token,
#include "lang/tc/Operators.def"
  };
  return ofToken[static_cast<int>(tokens[static_cast<int>(op)])];
}

OpClass tessera::tc::classOf(BinaryOp op) {
  static constexpr OpClass classes[] = {
#define TC_BINARY(name, token, level, class) OpClass::class,
#include "lang/tc/Operators.def"
  };
  return classes[static_cast<int>(op)];
}

StringRef tessera::tc::spelling(Reduction reduction, bool initializes) {
  static constexpr const char *plain[] = {"=", "+=", "*=", "min=", "max="};
  static constexpr const char *initializing[] = {"=", "+=!", "*=!", "min=!", "max=!"};
  return (initializes ? initializing : plain)[static_cast<int>(reduction)];
}

namespace {
struct BuiltinRow {
  const char *name;
  unsigned arity;
};
constexpr BuiltinRow builtins[] = {
#define TC_BUILTIN(name, arity) {#name, arity},
#include "lang/tc/Builtins.def"
};
} // namespace

StringRef tessera::tc::spelling(Builtin builtin) {
  return builtins[static_cast<int>(builtin)].name;
}

unsigned tessera::tc::arityOf(Builtin builtin) {
  return builtins[static_cast<int>(builtin)].arity;
}

std::optional<Builtin> tessera::tc::builtinNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<Builtin>>(name)
#define TC_BUILTIN(name, arity) .Case(#name, Builtin::name)
#include "lang/tc/Builtins.def"
      .Default(std::nullopt);
}

bool tessera::tc::isReservedForBuiltin(StringRef name) {
  bool isHideable = llvm::StringSwitch<bool>(name)
#define TC_HIDEABLE(name, arity) .Case(#name, true)
#include "lang/tc/Builtins.def"
                        .Default(false);
  return builtinNamed(name) && !isHideable;
}

StringRef tessera::tc::spelling(Scalar scalar) {
#define TC_TYPE(text, type, isExtension)                                                           \
  if (scalar == Scalar::type)                                                                      \
    return text;
#include "lang/tc/Types.def"
  llvm_unreachable("every scalar has a name in Types.def");
}

std::optional<Scalar> tessera::tc::scalarNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<Scalar>>(name)
#define TC_TYPE(text, type, isExtension) .Case(text, Scalar::type)
#include "lang/tc/Types.def"
      .Default(std::nullopt);
}

std::string tessera::tc::spelling(const TensorType &type) {
  std::string text = spelling(type.element).str();
  if (type.dimensions.empty())
    return text;
  llvm::raw_string_ostream out(text);
  out << '(';
  llvm::interleaveComma(type.dimensions, out, [&](const Dimension &dimension) {
    if (dimension.name.empty())
      out << dimension.size;
    else
      out << dimension.name;
  });
  out << ')';
  return text;
}

namespace {
using Children = llvm::SmallVector<const Expr *, 3>;

Children of(const IntLiteral &) {
  return {};
}
Children of(const FloatLiteral &) {
  return {};
}
Children of(const Reference &) {
  return {};
}
Children of(const Extent &) {
  return {};
}
Children of(const Paren &paren) {
  return {paren.inner};
}
Children of(const Apply &apply) {
  return Children(apply.arguments.begin(), apply.arguments.end());
}
Children of(const Cast &cast) {
  return {cast.operand};
}
Children of(const Unary &unary) {
  return {unary.operand};
}
Children of(const Binary &binary) {
  return {binary.lhs, binary.rhs};
}
Children of(const Conditional &conditional) {
  return {conditional.condition, conditional.ifTrue, conditional.ifFalse};
}
} // namespace

llvm::SmallVector<const Expr *, 3> tessera::tc::childrenOf(const Expr &expr) {
  return std::visit([](const auto &node) { return of(node); }, expr.node);
}

bool tessera::tc::isGuarded(const Expr &expr, size_t child) {
  auto *binary = expr.as<Binary>();
  bool isLazy = expr.as<Conditional>() || (binary && classOf(binary->op) == OpClass::Logic);
  return isLazy && child > 0;
}

/// Each let clause is visited once, because there may be exponentially many paths to it.
bool tessera::tc::visitUntil(const Expr &expr, llvm::function_ref<bool(const Expr &)> visit) {
  llvm::SmallVector<const Expr *> waiting = {&expr};
  llvm::SmallPtrSet<const LetClause *, 8> seen;
  while (!waiting.empty()) {
    const Expr &next = *waiting.pop_back_val();
    if (visit(next))
      return true;
    auto *reference = next.as<Reference>();
    if (reference && reference->let && seen.insert(reference->let).second)
      waiting.push_back(reference->let->value);
    waiting.append(childrenOf(next));
  }
  return false;
}

bool tessera::tc::mentionsVariable(const Expr &expr, const Variable &variable) {
  return visitUntil(expr, [&](const Expr &each) {
    auto *reference = each.as<Reference>();
    return reference && reference->variable == &variable;
  });
}

llvm::ArrayRef<Name> tessera::tc::definedBy(const Stmt &stmt) {
  if (auto *call = stmt.as<CallStmt>())
    return call->results;
  return stmt.as<Comprehension>()->target;
}

std::string Program::excerpt(SourceRange range) const {
  static constexpr size_t maxLength = 80;
  llvm::SmallVector<StringRef> words;
  for (StringRef line : llvm::split(file->text(range), '\n'))
    llvm::SplitString(line.split('#').first, words);
  std::string text = llvm::join(words, " ");
  return text.size() <= maxLength ? text : text.substr(0, maxLength) + "...";
}

StringRef tessera::tc::sizeFor(StringRef index, llvm::ArrayRef<Name> sizes, StringRef other) {
  for (const Name &size : sizes)
    if (size.text.equals_insensitive(index))
      return size.text;
  return other;
}
