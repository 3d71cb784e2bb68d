/// Functions and constants of other languages: what to write instead.
#include "lang/tc/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace {
enum class Values { Any, Float, Signed, Unsigned, UnsignedRead, Bool };

struct FunctionRow {
  StringRef name;
  Values values;
  unsigned numArguments;
  StringRef replacement;
};
constexpr FunctionRow functions[] = {
#define TC_FOREIGN_FUNCTION(name, values, numArguments, replacement)                               \
  {name, Values::values, numArguments, replacement},
#include "lang/tc/ForeignFunctions.def"
};

struct ReductionRow {
  StringRef name;
  Values values;
  Reduction reduction;
};
constexpr ReductionRow reductions[] = {
#define TC_FOREIGN_REDUCTION(name, values, reduction) {name, Values::values, Reduction::reduction},
#include "lang/tc/ForeignFunctions.def"
};

struct IdiomRow {
  StringRef name, hint;
};
constexpr IdiomRow idioms[] = {
#define TC_FOREIGN_IDIOM(name, hint) {name, hint},
#include "lang/tc/ForeignFunctions.def"
};

/// Whether a value of this type is one of these; one in error may be.
bool isOf(Values values, std::optional<Scalar> type, bool isRead) {
  if (values == Values::Any || !type)
    return true;
  switch (kindOf(*type)) {
  case ScalarKind::Bool:
    return values == Values::Bool;
  case ScalarKind::Signed:
    return values == Values::Signed;
  case ScalarKind::Unsigned:
    return values == Values::Unsigned || (values == Values::UnsignedRead && isRead);
  case ScalarKind::Float:
    return values == Values::Float;
  }
  return false;
}

/// Whether sums of such values often exceed their type.
bool isSmallInteger(std::optional<Scalar> type) {
  return type == Scalar::I8 || type == Scalar::I16 || type == Scalar::U8 || type == Scalar::U16;
}

/// Whether an argument needs parentheses in place of a placeholder with this bracket.
bool needsParens(const Expr &expr, char bracket) {
  bool isOperation = expr.as<Unary>() || expr.as<Binary>();
  return bracket != '{' && (expr.as<Conditional>() || (bracket == '[' && isOperation));
}

} // namespace

StringRef tessera::tc::adviceOnConstant(StringRef name) {
  if (llvm::isDigit(name.front()) && name.ends_with_insensitive("e"))
    return "an exponent has digits: `1e6`";
  return llvm::StringSwitch<StringRef>(name)
#define TC_FOREIGN_CONSTANT(name, hint) .Case(name, hint)
#include "lang/tc/ForeignFunctions.def"
      .Default("");
}

/// The text of an argument for a placeholder with this bracket.
std::string Checker::textFor(char bracket, const Expr &argument) const {
  std::string text;
  uint32_t end = argument.range.begin;
  for (const Expr *name : wholesIn(argument)) {
    text += program.file->text({end, name->range.begin}).str() + elementOf(*wholeTensor(*name));
    end = name->range.end;
  }
  text += program.file->text({end, argument.range.end});
  return needsParens(argument, bracket) ? "(" + text + ")" : text;
}

/// Where the expression names tensors as wholes, in the order of the text.
llvm::SmallVector<const Expr *> Checker::wholesIn(const Expr &expr) const {
  llvm::SmallVector<const Expr *> wholes;
  visitUntil(expr, [&](const Expr &each) {
    if (each.as<Reference>() && wholeTensor(each))
      wholes.push_back(&each);
    return false;
  });
  llvm::sort(wholes, [](const Expr *a, const Expr *b) { return a->range.begin < b->range.begin; });
  return wholes;
}

/// The replacement with the arguments filled in. Its own parentheses are left out if it is a whole
/// right side.
std::string Checker::fillIn(StringRef replacement, const Apply &apply, bool isWhole) const {
  if (isWhole && replacement.consume_front("("))
    replacement = replacement.drop_back();
  std::string text;
  for (size_t i = 0; i < replacement.size(); ++i) {
    char bracket = replacement[i];
    if (!StringRef("{[<").contains(bracket) || !llvm::isDigit(replacement[i + 1])) {
      text += bracket;
      continue;
    }
    text += textFor(bracket, *apply.arguments[replacement[i + 1] - '0']);
    i += 2;
  }
  return text;
}

/// Whether there is advice about the function. The arguments have been checked.
bool Checker::adviseForeign(const Apply &apply, const Expr &self, Report report) {
  return (!apply.arguments.empty() &&
          (adviseFunction(apply, self, report) || adviseReductionFunction(apply, self, report))) ||
         adviseIdiom(apply.callee.text, report);
}

Checker::Type Checker::typeOfFirst(const Apply &apply) const {
  const Expr &first = *apply.arguments.front();
  const Tensor *whole = wholeTensor(first);
  return whole ? whole->element : first.type;
}

/// A fix only if the arguments are correct: otherwise their errors would have to be mended, too.
bool Checker::adviseFunction(const Apply &apply, const Expr &self, Report report) {
  bool isRead = apply.arguments.front()->bare().as<Apply>();
  const FunctionRow *row = llvm::find_if(functions, [&](const FunctionRow &each) {
    return each.name == apply.callee.text && each.numArguments == apply.arguments.size() &&
           isOf(each.values, typeOfFirst(apply), isRead);
  });
  if (row == std::end(functions))
    return false;
  bool isWhole = statement && statement->value == &self;
  bool areTyped =
      llvm::all_of(apply.arguments, [](const Expr *each) { return each->type.has_value(); });
  std::string text = fillIn(row->replacement, apply, isWhole);
  llvm::SmallVector<const Expr *> wholes = wholesIn(self);
  if (areTyped)
    report.fix(self.range, text);
  else if (statement && statement->indices.empty() && !wholes.empty())
    adviseElements(*wholeTensor(*wholes.front()), text, isWhole, report);
  else
    report.hint("write `{0}`", text);
  return true;
}

/// `O = relu(A)`, where each element is meant.
void Checker::adviseElements(const Tensor &tensor, StringRef value, bool isWhole,
                             Report report) const {
  std::string indices = elementOf(tensor).substr(tensor.name.text.size());
  report.hint(isWhole ? "a statement defines each element: `{0} = {1}`"
                      : "a statement defines each element: write `{0}` and `{1}`",
              statement->target.text.str() + indices, value);
}

/// `any` of numbers would be their largest one.
bool Checker::adviseReductionFunction(const Apply &apply, const Expr &self, Report report) {
  const ReductionRow *row = llvm::find_if(
      reductions, [&](const ReductionRow &each) { return each.name == apply.callee.text; });
  if (row == std::end(reductions))
    return false;
  if (isOf(row->values, typeOfFirst(apply), /*isRead=*/true))
    adviseReduction(row->reduction, apply, self, report);
  else
    report.hint("`{0}` computes that for values of type `bool`; a number is compared: `{1} != 0`",
                spelling(row->reduction, /*initializes=*/true),
                textFor('[', *apply.arguments.front()));
  return true;
}

bool Checker::adviseIdiom(StringRef name, Report report) {
  const IdiomRow *idiom =
      llvm::find_if(idioms, [&](const IdiomRow &row) { return row.name == name; });
  if (idiom == std::end(idioms))
    return false;
  report.hint("{0}", idiom->hint);
  return true;
}

bool Checker::isOnTheLeft(const Variable &variable) const {
  return llvm::any_of(statement->indices,
                      [&](const Name &index) { return index.text == variable.name.text; });
}

/// The tensor that an argument names as a whole; null for other expressions.
const Tensor *Checker::wholeTensor(const Expr &expr) const {
  auto *reference = expr.bare().as<Reference>();
  const Tensor *tensor = reference ? tensorNamed(reference->name) : nullptr;
  return tensor && isDefined(*tensor) && tensor->rank ? tensor : nullptr;
}

/// In place of the indices of a tensor that has too many dimensions to name them.
static constexpr const char *noNames = "...";

/// "A(i, j)", with the indices of the left side if there are as many; else with names that mean
/// nothing else.
std::string Checker::elementOf(const Tensor &tensor) const {
  constexpr StringRef letters = "ijklmnopqrstuvwxyzabcdefgh";
  llvm::SmallVector<StringRef> names;
  if (statement->indices.size() == tensor.rank)
    for (const Name &index : statement->indices)
      names.push_back(index.text);
  for (size_t at = 0; at < letters.size() && names.size() < tensor.rank; ++at) {
    StringRef name = letters.substr(at, 1);
    if (!tensorNamed(name) && !sizeNamed(name) && !lets.contains(name) &&
        statement->target.text != name)
      names.push_back(name);
  }
  std::string indices = names.size() < tensor.rank ? noNames : llvm::join(names, ", ");
  return (tensor.name.text + "(" + indices + ")").str();
}

/// Whether an element can be read with the indices of the left side: each is a name of its own.
bool Checker::hasUsableIndices() const {
  llvm::StringSet<> names;
  return llvm::all_of(statement->indices, [&](const Name &index) {
    return !tensorNamed(index.text) && !sizeNamed(index.text) && names.insert(index.text).second;
  });
}

/// What a reduction as a function combines, as its statement would have it: "A(i, j)" for the whole
/// of `A`. "" if the statement would not be correct.
std::string Checker::reducedBy(const Apply &apply) const {
  auto isValue = [](const Expr *each) { return !each->as<Reference>(); };
  auto found = llvm::find_if(apply.arguments, isValue); // Not the `j` of `sum(A(i, j), j)`.
  const Expr &value = found == apply.arguments.end() ? *apply.arguments.front() : **found;
  if (const Tensor *whole = wholeTensor(value)) {
    std::string element = elementOf(*whole);
    return statement->indices.empty() && !StringRef(element).contains(noNames) ? element : "";
  }
  auto isRead = [&](const Variable *each) { return each->isIndex || isOnTheLeft(*each); };
  auto isLeft = [&](const Variable *each) { return isOnTheLeft(*each); };
  bool isReduced = llvm::all_of(variables, isRead) && !llvm::all_of(variables, isLeft);
  return isReduced && value.type ? program.file->text(value.range).str() : "";
}

/// `o = sum(A(i))`, where the operator of the statement adds up. Elsewhere the sum needs a
/// statement of its own, whose indices cannot be guessed.
void Checker::adviseReduction(Reduction reduction, const Apply &apply, const Expr &self,
                              Report report) {
  StringRef meant = spelling(reduction, /*initializes=*/true);
  bool isWhole = statement && statement->value == &self && statement->where.empty();
  bool isPlain = statement && statement->reduction == Reduction::None;
  std::string value = isWhole ? reducedBy(apply) : "";
  if (value.empty() || (!isPlain && statement->reduction != reduction))
    return void(report.hint("a statement of its own with `{0}` combines the values over all index "
                            "variables that are not on its left side",
                            meant));
  report.hint("`{0}` combines the values over all index variables that are not on the left side",
              meant);
  SourceRange left{statement->target.range.begin, statement->opRange.begin};
  bool canOverflow = reduction == Reduction::Add || reduction == Reduction::Mul;
  if (canOverflow && isSmallInteger(typeOfFirst(apply)))
    return void(report.hint("write `{0} {1} int32({2})`: a small integer would wrap around",
                            program.excerpt(left), meant, value));
  if (apply.arguments.size() > 1) // `sum(A(i, j), j)`
    return void(report.hint("write `{0} {1} {2}`", program.excerpt(left), meant, value));
  bool isTight = statement->opRange.begin == statement->target.range.end; // `s=max(A(i))`
  if (isPlain)
    report.fix(statement->opRange, isTight ? " " + meant.str() : meant.str());
  report.fix(self.range, value);
}
