/// Names of other languages, and undefined names in general.
#include "lang/weld/Advice.h"
#include "lang/weld/Reporter.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

namespace {

/// A call that Weld writes differently. In `replacement`, [0] is the first argument, and [i0] the
/// first argument as an index.
struct ForeignCall {
  StringRef name;
  size_t numArguments;
  StringRef replacement;
  enum Needs { Nothing, SignedName, Iterated } needs = Nothing;
};
constexpr ForeignCall foreignCalls[] = {
    {"abs", 1, "max([0], -[0])", ForeignCall::SignedName},
    {"range", 1, "rangeiter(0L, [i0], 1L)", ForeignCall::Iterated},
    {"range", 2, "rangeiter([i0], [i1], 1L)", ForeignCall::Iterated},
    {"range", 3, "rangeiter([i0], [i1], [i2])", ForeignCall::Iterated},
    {"keys", 1, "map(tovec([0]), |e| e.$0)"},
    {"values", 1, "map(tovec([0]), |e| e.$1)"},
    {"count", 1, "len([0])"},
    {"length", 1, "len([0])"},
    {"size", 1, "len([0])"},
    {"double", 1, "f64([0])"},
};

constexpr StringRef combining =
    "`result(for(v, merger[i32,+], |b, i, x| merge(b, x)))` combines the elements with `+`; `*`, "
    "`min` and `max` work alike";
constexpr StringRef mean = "`sum(v) / f64(len(v))` is the average of a `vec[f64]`";
constexpr StringRef noNull = "Weld has no null value; `optlookup` returns `{found, value}`";
constexpr StringRef noOutput = "a program prints nothing; its value is the result";
constexpr StringRef rounding =
    "`i64(x)` truncates toward zero; call a C function with `cudf` for more";
constexpr StringRef foreignMath = "a function that Weld lacks can be written in C; `cudf` calls it";

/// A name for which Weld has no single word.
struct ForeignName {
  StringRef name, advice;
};
constexpr ForeignName foreignNames[] = {
    {"abs", "`max(x, -x)` is the absolute value of a signed or floating-point `x`"},
    {"acosh", foreignMath},
    {"add", "`merge(b, x)` adds to a builder"},
    {"and", "the operator is `&&`"},
    {"append", "`merge(b, x)` adds to a builder"},
    {"asinh", foreignMath},
    {"atan2", foreignMath},
    {"atanh", foreignMath},
    {"average", mean},
    {"avg", mean},
    {"cbrt", foreignMath},
    {"ceil", rounding},
    {"char", "a character is an `i8`: `i8(x)`"},
    {"cmp", "`compare(x, y)` is 1, -1 or 0"},
    {"concat", "`flatten([a, b])` joins vectors"},
    {"contains", "`keyexists(d, key)` looks for a key of a dictionary"},
    {"cot", "`cos(x) / sin(x)` is the cotangent"},
    {"coth", "`cosh(x) / sinh(x)` is the hyperbolic cotangent"},
    {"count", "`len(filter(v, |x| ...))` counts the elements for which a condition holds"},
    {"enumerate", "the function of a `for` receives the index: `|b, i, x|`"},
    {"erfc", "`1.0 - erf(x)` is the complementary error function"},
    {"exp2", "`pow(2.0, x)` is a power of 2"},
    {"expm1", foreignMath},
    {"float", "the floating-point types are `f32` and `f64`: `f64(x)`"},
    {"floor", rounding},
    {"fold", combining},
    {"foldl", combining},
    {"foreach", "`for(vector, builder, |b, i, x| merge(b, x))`"},
    {"get",
     "`lookup(d, key)` stops if the key is missing; `optlookup(d, key)` returns `{found, value}`"},
    {"group", "merge pairs `{key, value}` into a `groupbuilder`"},
    {"groupby", "merge pairs `{key, value}` into a `groupbuilder`"},
    {"head", "`lookup(v, 0L)` is the first element of a vector"},
    {"first", "`lookup(v, 0L)` is the first element of a vector"},
    {"hypot", foreignMath},
    {"ifelse", "`if(condition, value, other)`"},
    {"int", "the integer types are `i8` to `i64` and `u8` to `u64`: `i32(x)`, `i64(x)`"},
    {"items", "`tovec(d)` has the pairs of a dictionary"},
    {"keys", "`map(tovec(d), |e| e.$0)` has the keys of a dictionary"},
    {"last", "`lookup(v, len(v) - 1L)` is the last element of a vector"},
    {"length", "`len(v)` is the length of a vector"},
    {"log10", "`log(x) / log(10.0)` is the decimal logarithm"},
    {"log1p", foreignMath},
    {"log2", "`log(x) / log(2.0)` is the binary logarithm"},
    {"long", "the integer types are `i8` to `i64` and `u8` to `u64`: `i64(x)`"},
    {"mean", mean},
    {"mod", "`a % b` is the remainder"},
    {"nil", noNull},
    {"none", noNull},
    {"not", "the operator is `!`"},
    {"null", noNull},
    {"or", "the operator is `||`"},
    {"print", noOutput},
    {"println", noOutput},
    {"push", "`merge(b, x)` adds to a builder"},
    {"range", "`rangeiter(start, end, stride)` is a range of `i64` that a loop can iterate over; "
              "`stride` is positive"},
    {"reduce", combining},
    {"round", rounding},
    {"sgn", "`if(x > 0.0, 1.0, if(x < 0.0, -1.0, 0.0))` is the sign of a number"},
    {"short", "the integer types are `i8` to `i64` and `u8` to `u64`: `i16(x)`"},
    {"sign", "`if(x > 0.0, 1.0, if(x < 0.0, -1.0, 0.0))` is the sign of a number"},
    {"size", "`len(v)` is the length of a vector"},
    {"sorted", "`sort(v, |a, b| compare(a, b))` sorts from small to large"},
    {"substr", "`slice(v, start, size)` is a part of a vector"},
    {"values", "`map(tovec(d), |e| e.$1)` has the values of a dictionary"},
    {"while", "`iterate(start, |x| {next, continues})`"},
    {"xor", "the operator is `^`"},
};

constexpr StringRef integers = "the integer types are `i8`, `i16`, `i32`, `i64` and `u8` to `u64`";
constexpr StringRef floats = "the floating-point types are `f32` and `f64`";
constexpr StringRef indices = "sizes and indices are `i64`";
constexpr StringRef texts = "a text is `vec[i8]`, a character of it `i8`";
constexpr StringRef vectors = "a vector is `vec[T]`";
constexpr StringRef dictionaries = "a dictionary is `dict[K,V]`";

/// A type of other languages, with the one that is certainly meant or with advice.
struct ForeignType {
  StringRef name, type, advice = "";
};
constexpr ForeignType foreignTypes[] = {
    {"array", "", vectors},
    {"bfloat16", "", floats},
    {"bit", "bool"},
    {"boolean", "bool"},
    {"char", "", texts},
    {"double", "f64"},
    {"f16", "", floats},
    {"float", "", floats},
    {"float16", "", floats},
    {"float32", "f32"},
    {"float64", "f64"},
    {"half", "", floats},
    {"hashmap", "", dictionaries},
    {"int", "", integers},
    {"int16", "i16"},
    {"int16_t", "i16"},
    {"int32", "i32"},
    {"int32_t", "i32"},
    {"int64", "i64"},
    {"int64_t", "i64"},
    {"int8", "i8"},
    {"int8_t", "i8"},
    {"integer", "", integers},
    {"isize", "", indices},
    {"list", "", vectors},
    {"long", "", integers},
    {"map", "", dictionaries},
    {"number", "", integers},
    {"real", "", floats},
    {"short", "", integers},
    {"size_t", "", indices},
    {"str", "", texts},
    {"string", "", texts},
    {"text", "", texts},
    {"uint16", "u16"},
    {"uint16_t", "u16"},
    {"uint32", "u32"},
    {"uint32_t", "u32"},
    {"uint64", "u64"},
    {"uint64_t", "u64"},
    {"uint8", "u8"},
    {"uint8_t", "u8"},
    {"usize", "", indices},
    {"vector", "", vectors},
};

constexpr Callable callables[] = {
#define WELD_BUILTIN(name, text, arity) {text, arity},
#include "lang/weld/Builtins.def"
#define WELD_SCALAR(text, type, suffix) {text, 1},
#include "lang/weld/Types.def"
    {"for", 3},
};

/// Whether an argument of a range is an `i64` as it is or with a suffix.
bool isIndex(const Expr &expr) {
  if (auto *unary = expr.as<Unary>())
    return unary->op == UnaryOp::Minus && isIndex(*unary->operand);
  if (auto *literal = expr.as<IntLiteral>())
    return literal->type == Scalar::I32 || literal->type == Scalar::I64;
  if (auto *call = expr.as<Call>())
    return call->builtin == Builtin::Len;
  return expr.as<Reference>() || expr.as<Cast>();
}

/// A range has a positive stride.
bool isRange(const Apply &call) {
  auto *stride = call.arguments.size() == 3 ? call.arguments[2]->as<IntLiteral>() : nullptr;
  return llvm::all_of(call.arguments, [](const Expr *each) { return isIndex(*each); }) &&
         (call.arguments.size() < 3 || (stride && stride->value > 0));
}

bool fits(const ForeignCall &foreign, const UndefinedName &use) {
  if (!use.call || !use.isWritten || foreign.name != use.name.text ||
      foreign.numArguments != use.call->arguments.size())
    return false;
  switch (foreign.needs) {
  case ForeignCall::SignedName:
    return use.isSigned;
  case ForeignCall::Iterated:
    return use.isIterated && isRange(*use.call);
  case ForeignCall::Nothing:
    return true;
  }
  return false;
}

/// The replacement with the arguments of a call in it.
std::string fill(const ForeignCall &foreign, const SourceFile &file, const Apply &call) {
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

/// Names that fit the use come first; any other is only a question.
void suggestSimilar(Report report, const UndefinedName &use, llvm::ArrayRef<StringRef> fitting,
                    llvm::ArrayRef<StringRef> others) {
  StringRef name = use.name.text;
  if (use.isWritten && !nearestName(name, fitting).empty())
    return suggestName(report, use.name.range, name, fitting);
  llvm::SmallVector<StringRef> all(fitting);
  llvm::append_range(all, others);
  if (StringRef nearest = nearestName(name, all); !nearest.empty())
    report.hint("did you mean `{0}`?", nearest);
}

void suggestCalled(Report report, const UndefinedName &use, llvm::ArrayRef<Callable> macros) {
  llvm::SmallVector<StringRef> fitting, others;
  for (llvm::ArrayRef<Callable> known : {macros, builtinCallables()})
    for (const Callable &each : known)
      if (!each.name.starts_with("$"))
        (each.numArguments == use.call->arguments.size() ? fitting : others).push_back(each.name);
  suggestSimilar(report, use, fitting, others);
}

} // namespace

llvm::ArrayRef<Callable> tessera::weld::builtinCallables() {
  return callables;
}

StringRef tessera::weld::adviceForName(StringRef name) {
  const auto *known = llvm::find_if(
      foreignNames, [&](auto &foreign) { return name.equals_insensitive(foreign.name); });
  return known == std::end(foreignNames) ? "" : known->advice;
}

StringRef tessera::weld::adviceForType(StringRef name, StringRef &fix) {
  const auto *known = llvm::find_if(
      foreignTypes, [&](auto &foreign) { return name.equals_insensitive(foreign.name); });
  if (known == std::end(foreignTypes))
    return "";
  fix = known->type;
  return known->advice;
}

void tessera::weld::adviseUndefined(Report report, const Program &program, const UndefinedName &use,
                                    llvm::ArrayRef<StringRef> variables,
                                    llvm::ArrayRef<Callable> macros) {
  const auto *foreign =
      llvm::find_if(foreignCalls, [&](const ForeignCall &each) { return fits(each, use); });
  if (foreign != std::end(foreignCalls))
    report.fix(use.callRange, fill(*foreign, *program.file, *use.call));
  else if (StringRef advice = adviceForName(use.name.text); !advice.empty())
    report.hint("{0}", advice);
  else if (use.call)
    suggestCalled(report, use, macros);
  else
    suggestSimilar(report, use, variables, {"true", "false"});
}
