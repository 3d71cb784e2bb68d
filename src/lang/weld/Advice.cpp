#include "lang/weld/Advice.h"
#include "lang/weld/Reporter.h"
#include "lang/weld/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

//===-- How calls are written ---------------------------------------------===//

StringRef tessera::weld::usageOf(Builtin builtin) {
  switch (builtin) {
  case Builtin::If:
    return "`if(condition, value, other)` has both values; in a loop, `other` may be the builder";
  case Builtin::Merge:
    return "a pair is one value: `merge(b, {key, value})`";
  case Builtin::Sort:
    return "`sort(v, |a, b| compare(a, b))` sorts from small to large";
  case Builtin::Iterate:
    return "`iterate(start, |x| {next, continues})`";
  case Builtin::Lookup:
    return "`lookup(v, 0L)` is the first element of a vector";
  case Builtin::Slice:
    return "`slice(v, start, size)`";
  case Builtin::Min:
    return "a `merger[T,min]` finds the smallest element of a vector";
  case Builtin::Max:
    return "a `merger[T,max]` finds the largest element of a vector";
  default:
    return "";
  }
}

StringRef tessera::weld::usageOfStandard(StringRef macro) {
  return llvm::StringSwitch<StringRef>(macro)
      .Case("map", "`map(v, |x| ...)` takes a vector or an iterator, and a function")
      .Case("filter", "`filter(v, |x| ...)` takes a vector or an iterator, and a condition")
      .Case("flatten", "`flatten(v)` takes a vector of vectors")
      .Case("compare", "`compare(x, y)` takes two values of the same type that can be ordered")
      .Case("sum", "`sum(v)` takes a vector of numbers")
      .Default("");
}

bool tessera::weld::beginsOperand(Tok kind) {
  return kind == Tok::Identifier || kind == Tok::Integer || kind == Tok::Float ||
         kind == Tok::String || kind == Tok::LParen || kind == Tok::LBracket ||
         kind == Tok::LBrace || kind == Tok::KwTrue || kind == Tok::KwFalse ||
         kind == Tok::BuiltinName || kind == Tok::ScalarName || kind == Tok::Not ||
         kind == Tok::KwFor || kind == Tok::KwDeserialize || kind == Tok::KwCudf;
}

bool tessera::weld::endsOperand(Tok kind) {
  return kind == Tok::Identifier || kind == Tok::Integer || kind == Tok::Float ||
         kind == Tok::String || kind == Tok::RParen || kind == Tok::RBracket ||
         kind == Tok::RBrace || kind == Tok::KwTrue || kind == Tok::KwFalse;
}

bool tessera::weld::isForeignLet(StringRef word) {
  return llvm::is_contained({"var", "val", "const", "auto", "def"}, word);
}

//===-- Rewriting ---------------------------------------------------------===//

static bool binds(const Expr &expr, StringRef name) {
  if (auto *let = expr.as<Let>(); let && let->variable->name.text == name)
    return true;
  if (auto *lambda = expr.as<Lambda>())
    return llvm::any_of(lambda->parameters, [&](auto *each) { return each->name.text == name; });
  return false;
}

/// Finds where an expression uses a name in the program's text; false if the name may mean
/// something else there.
static bool findUses(const Expr &expr, StringRef name, llvm::SmallVectorImpl<SourceRange> &uses) {
  bool isClear = !binds(expr, name);
  auto *reference = expr.as<Reference>();
  if (reference && reference->name.text == name && !expr.expansion)
    uses.push_back(expr.range);
  forEachChild(expr, [&](Expr &child) { isClear &= findUses(child, name, uses); });
  return isClear;
}

namespace {
struct Renaming {
  StringRef name;
  std::string replacement;
};
} // namespace

/// The text of an expression with other names; nullopt if they cannot be replaced one by one.
static std::optional<std::string> renamed(const SourceFile &file, const Expr &expr,
                                          llvm::ArrayRef<Renaming> renamings) {
  SourceRange range = Reporter::placeOf(expr);
  llvm::SmallVector<std::pair<uint32_t, const Renaming *>> uses;
  for (const Renaming &renaming : renamings) {
    llvm::SmallVector<SourceRange> places;
    if (!findUses(expr, renaming.name, places))
      return std::nullopt;
    for (SourceRange place : places)
      uses.push_back({place.begin, &renaming});
  }
  llvm::sort(uses);
  uses.erase(llvm::unique(uses), uses.end()); // A macro may have copied an argument.
  std::string text;
  uint32_t at = range.begin;
  for (auto [begin, renaming] : uses) {
    text += file.text({at, begin});
    text += renaming->replacement;
    at = begin + renaming->name.size();
  }
  return text + file.text({at, range.end}).str();
}

/// Whether a word occurs in a text, as whatever.
static bool mentions(StringRef text, StringRef word) {
  auto continuesWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  for (size_t at = text.find(word); at != StringRef::npos; at = text.find(word, at + 1)) {
    StringRef after = text.substr(at + word.size());
    bool isWhole = (at == 0 || !continuesWord(text[at - 1])) &&
                   (after.empty() || !continuesWord(after.front()));
    if (isWhole)
      return true;
  }
  return false;
}

/// Names for two elements, or for one.
static constexpr std::pair<StringRef, StringRef> elementNames[] = {
    {"a", "b"}, {"x", "y"}, {"e", "f"}, {"left", "right"}, {"first", "second"}};

/// The first of these that mean nothing in the text, not even as a macro; "" if there are none.
static std::pair<StringRef, StringRef> freeNames(StringRef text) {
  const auto *free = llvm::find_if(elementNames, [&](auto &names) {
    return !mentions(text, names.first) && !mentions(text, names.second);
  });
  return free == std::end(elementNames) ? std::pair<StringRef, StringRef>() : *free;
}

std::string tessera::weld::namesOf(llvm::ArrayRef<Variable *> parameters) {
  auto names = llvm::map_range(parameters, [](auto *each) { return each->name.text; });
  return llvm::join(names, ", ");
}

std::optional<std::string> tessera::weld::zippedCall(const Program &program, StringRef macro,
                                                     const Apply &call) {
  if (call.arguments.empty())
    return std::nullopt;
  auto data = call.arguments.drop_back();
  auto *function = call.arguments.back()->bare().as<Lambda>();
  if (!function || data.size() < 2 || function->parameters.size() != data.size())
    return std::nullopt;
  StringRef text = program.file->text(function->body->range);
  StringRef element = mentions(text, "e") ? freeNames(text).first : "e";
  std::vector<Renaming> fields;
  std::vector<std::string> vectors;
  for (auto [index, parameter] : llvm::enumerate(function->parameters)) {
    fields.push_back({parameter->name.text, (element + ".$" + llvm::Twine(index)).str()});
    vectors.push_back(program.file->text(data[index]->range).str());
  }
  std::optional<std::string> body = renamed(*program.file, *function->body, fields);
  if (!body || element.empty())
    return std::nullopt;
  return (macro + "(zip(" + llvm::join(vectors, ", ") + "), |" + element + "| " + *body + ")")
      .str();
}

std::optional<std::string> tessera::weld::keyComparator(const Program &program, const Lambda &key) {
  StringRef name = key.parameters.front()->name.text;
  StringRef text = program.file->text(Reporter::placeOf(*key.body));
  auto [first, second] = freeNames(text);
  auto left = renamed(*program.file, *key.body, Renaming{name, first.str()});
  auto right = renamed(*program.file, *key.body, Renaming{name, second.str()});
  if (!left || !right || first.empty())
    return std::nullopt;
  return ("|" + first + ", " + second + "| compare(" + *left + ", " + *right + ")").str();
}

/// Whether the two sides are the same but for the parameters: `k(a)` and `k(b)`.
static bool areAlike(const SourceFile &file, const Expr &lhs, const Expr &rhs, StringRef first,
                     StringRef second) {
  std::optional<std::string> other = renamed(file, lhs, Renaming{first, second.str()});
  StringRef text = file.text(Reporter::placeOf(lhs));
  return other && *other != text && *other == file.text(Reporter::placeOf(rhs));
}

std::optional<std::string> tessera::weld::comparison(const Program &program,
                                                     const Lambda &comparator) {
  const Expr &answer = comparator.body->bare();
  auto *binary = answer.as<Binary>();
  if (!binary || answer.expansion)
    return std::nullopt;
  bool isLess = binary->op == BinaryOp::Less || binary->op == BinaryOp::LessEqual;
  StringRef lhs = program.file->text(Reporter::placeOf(*binary->lhs));
  StringRef rhs = program.file->text(Reporter::placeOf(*binary->rhs));
  if (isLess && lhs.starts_with("compare(") && rhs == "0")
    return lhs.str();
  StringRef first = comparator.parameters[0]->name.text,
            second = comparator.parameters[1]->name.text;
  auto compares = [&](StringRef left, StringRef right) {
    return areAlike(*program.file, *binary->lhs, *binary->rhs, left, right);
  };
  bool isCertain = compares(first, second) ? isLess || binary->op == BinaryOp::Sub
                                           : binary->op == BinaryOp::Sub && compares(second, first);
  return isCertain ? std::optional(("compare(" + lhs + ", " + rhs + ")").str()) : std::nullopt;
}

std::string tessera::weld::indexText(const SourceFile &file, const Expr &expr) {
  StringRef text = file.text(expr.range);
  auto *unary = expr.as<Unary>();
  auto *literal = (unary && unary->op == UnaryOp::Minus ? *unary->operand : expr).as<IntLiteral>();
  return text.str() + (literal && literal->type == Scalar::I32 ? "L" : "");
}
