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
         kind == Tok::KwFor;
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

static bool uses(const Expr &expr, StringRef name) {
  llvm::SmallVector<SourceRange> places;
  return !findUses(expr, name, places) || !places.empty();
}

std::string tessera::weld::namesOf(llvm::ArrayRef<Variable *> parameters) {
  auto names = llvm::map_range(parameters, [](auto *each) { return each->name.text; });
  return llvm::join(names, ", ");
}

std::optional<std::string> tessera::weld::zippedCall(const Program &program, StringRef macro,
                                                     const Apply &call) {
  auto data = call.arguments.drop_back();
  auto *function = call.arguments.empty() ? nullptr : call.arguments.back()->bare().as<Lambda>();
  if (!function || data.size() < 2 || function->parameters.size() != data.size() ||
      uses(*function->body, "e"))
    return std::nullopt;
  std::vector<Renaming> fields;
  std::vector<std::string> vectors;
  for (auto [index, parameter] : llvm::enumerate(function->parameters)) {
    fields.push_back({parameter->name.text, "e.$" + std::to_string(index)});
    vectors.push_back(program.file->text(data[index]->range).str());
  }
  std::optional<std::string> body = renamed(*program.file, *function->body, fields);
  if (!body)
    return std::nullopt;
  return (macro + "(zip(" + llvm::join(vectors, ", ") + "), |e| " + *body + ")").str();
}

std::optional<std::string> tessera::weld::keyComparator(const Program &program, const Lambda &key) {
  StringRef name = key.parameters.front()->name.text;
  if ((name != "a" && uses(*key.body, "a")) || (name != "b" && uses(*key.body, "b")))
    return std::nullopt;
  auto left = renamed(*program.file, *key.body, Renaming{name, "a"});
  auto right = renamed(*program.file, *key.body, Renaming{name, "b"});
  if (!left || !right)
    return std::nullopt;
  return "|a, b| compare(" + *left + ", " + *right + ")";
}

std::optional<std::string> tessera::weld::comparison(const Program &program, const Expr &expr) {
  auto *binary = expr.bare().as<Binary>();
  if (!binary || expr.bare().expansion)
    return std::nullopt;
  bool isSwapped = binary->op == BinaryOp::Greater || binary->op == BinaryOp::GreaterEqual;
  bool isOrder = classOf(binary->op) == OpClass::Order;
  if (!isOrder && binary->op != BinaryOp::Sub)
    return std::nullopt;
  StringRef lhs = program.file->text(Reporter::placeOf(*binary->lhs));
  StringRef rhs = program.file->text(Reporter::placeOf(*binary->rhs));
  if (isOrder && !isSwapped && lhs.starts_with("compare(") && rhs == "0")
    return lhs.str();
  if (isSwapped)
    std::swap(lhs, rhs);
  return ("compare(" + lhs + ", " + rhs + ")").str();
}

std::string tessera::weld::indexText(const SourceFile &file, const Expr &expr) {
  StringRef text = file.text(expr.range);
  auto *literal = expr.as<IntLiteral>();
  bool isPlain = literal && literal->type == Scalar::I32 && llvm::all_of(text, llvm::isDigit);
  return text.str() + (isPlain ? "L" : "");
}

//===-- Names of other languages ------------------------------------------===//

namespace {
/// A call that Weld writes differently. In `replacement`, [0] is the first argument, and [i0] the
/// first argument as an index.
struct ForeignCall {
  StringRef name;
  size_t numArguments;
  StringRef replacement;
};
constexpr ForeignCall foreignCalls[] = {
    {"range", 1, "rangeiter(0L, [i0], 1L)"},
    {"range", 2, "rangeiter([i0], [i1], 1L)"},
    {"range", 3, "rangeiter([i0], [i1], [i2])"},
    {"keys", 1, "map(tovec([0]), |e| e.$0)"},
    {"values", 1, "map(tovec([0]), |e| e.$1)"},
    {"count", 1, "len([0])"},
    {"length", 1, "len([0])"},
    {"size", 1, "len([0])"},
    {"not", 1, "!([0])"},
    {"double", 1, "f64([0])"},
    {"get", 2, "lookup([0], [1])"},
};

/// A name for which Weld has no single equivalent.
struct ForeignName {
  StringRef name, advice;
};
constexpr ForeignName foreignNames[] = {
    {"abs", "`max(x, -x)` is the absolute value of a signed or floating-point `x`"},
    {"and", "the operator is `&&`"},
    {"append", "`merge(b, x)` adds to a builder"},
    {"average", "`sum(v) / f64(len(v))` is the average of a `vec[f64]`"},
    {"avg", "`sum(v) / f64(len(v))` is the average of a `vec[f64]`"},
    {"char", "a character is an `i8`: `i8(x)`"},
    {"contains", "`keyexists(d, key)` looks for a key of a dictionary"},
    {"count", "`len(filter(v, |x| ...))` counts the elements for which a condition holds"},
    {"float", "the floating-point types are `f32` and `f64`: `f64(x)`"},
    {"fold", "merge into a `merger` to combine elements with `+`, `*`, `min` or `max`"},
    {"foldl", "merge into a `merger` to combine elements with `+`, `*`, `min` or `max`"},
    {"foreach", "`for(vector, builder, |b, i, x| merge(b, x))`"},
    {"group", "merge pairs `{key, value}` into a `groupbuilder`"},
    {"groupby", "merge pairs `{key, value}` into a `groupbuilder`"},
    {"head", "`lookup(v, 0L)` is the first element of a vector"},
    {"first", "`lookup(v, 0L)` is the first element of a vector"},
    {"int", "the integer types are `i8` to `i64` and `u8` to `u64`: `i32(x)`, `i64(x)`"},
    {"keys", "`map(tovec(d), |e| e.$0)` has the keys of a dictionary"},
    {"last", "`lookup(v, len(v) - 1L)` is the last element of a vector"},
    {"long", "the integer types are `i8` to `i64` and `u8` to `u64`: `i64(x)`"},
    {"mean", "`sum(v) / f64(len(v))` is the average of a `vec[f64]`"},
    {"mod", "`a % b` is the remainder"},
    {"none", "Weld has no null value; `optlookup` returns `{found, value}`"},
    {"not", "the operator is `!`"},
    {"null", "Weld has no null value; `optlookup` returns `{found, value}`"},
    {"or", "the operator is `||`"},
    {"print", "a program prints nothing; its value is the result"},
    {"println", "a program prints nothing; its value is the result"},
    {"push", "`merge(b, x)` adds to a builder"},
    {"range", "`rangeiter(start, end, stride)` is a range that a loop can iterate over"},
    {"reduce", "merge into a `merger` to combine elements with `+`, `*`, `min` or `max`"},
    {"round", "`i64(x)` truncates toward zero; call a C function with `cudf` for more"},
    {"floor", "`i64(x)` truncates toward zero; call a C function with `cudf` for more"},
    {"ceil", "`i64(x)` truncates toward zero; call a C function with `cudf` for more"},
    {"values", "`map(tovec(d), |e| e.$1)` has the values of a dictionary"},
    {"while", "`iterate(start, |x| {next, continues})`"},
    {"xor", "the operator is `^`"},
};
} // namespace

/// The replacement with the arguments of a call in it.
static std::string fill(const ForeignCall &foreign, const SourceFile &file, const Apply &call) {
  std::string text;
  for (StringRef rest = foreign.replacement; !rest.empty();) {
    auto [before, after] = rest.split('[');
    text += before;
    if (after.empty())
      break;
    bool isIndex = after.consume_front("i");
    const Expr &argument = *call.arguments[after.front() - '0'];
    text += isIndex ? indexText(file, argument) : file.text(argument.range).str();
    rest = after.drop_front(2);
  }
  return text;
}

bool tessera::weld::adviseForeignName(Report report, const Program &program, StringRef name,
                                      const Apply *call, SourceRange callRange) {
  for (const ForeignCall &foreign : foreignCalls)
    if (call && foreign.name == name && foreign.numArguments == call->arguments.size()) {
      report.fix(callRange, fill(foreign, *program.file, *call));
      return true;
    }
  for (const ForeignName &foreign : foreignNames)
    if (name.equals_insensitive(foreign.name)) {
      report.hint("{0}", foreign.advice);
      return true;
    }
  return false;
}
