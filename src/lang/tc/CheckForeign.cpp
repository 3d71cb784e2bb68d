/// Functions of other languages: what to write instead.
#include "lang/tc/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace {
enum class Values { Any, Float, Signed, Unsigned };

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
  Reduction reduction;
};
constexpr ReductionRow reductions[] = {
#define TC_FOREIGN_REDUCTION(name, reduction) {name, Reduction::reduction},
#include "lang/tc/ForeignFunctions.def"
};

struct IdiomRow {
  StringRef name, hint;
};
constexpr IdiomRow idioms[] = {
#define TC_FOREIGN_IDIOM(name, hint) {name, hint},
#include "lang/tc/ForeignFunctions.def"
};

bool isFor(Values values, const Apply &apply) {
  if (values == Values::Any)
    return true;
  constexpr ScalarKind kinds[] = {ScalarKind::Float, ScalarKind::Signed, ScalarKind::Unsigned};
  std::optional<Scalar> type = apply.arguments.front()->type;
  return type && kindOf(*type) == kinds[static_cast<int>(values) - 1];
}

/// Whether an argument needs parentheses in place of a placeholder with this bracket.
bool needsParens(const Expr &expr, char bracket) {
  bool isOperation = expr.as<Unary>() || expr.as<Binary>();
  return bracket != '{' && (expr.as<Conditional>() || (bracket == '[' && isOperation));
}
} // namespace

/// The replacement with the arguments filled in. Its own parentheses are left out if it is a whole
/// right side.
static std::string fillIn(StringRef replacement, const Apply &apply, bool isWhole,
                          const SourceFile &file) {
  if (isWhole && replacement.consume_front("("))
    replacement = replacement.drop_back();
  std::string text;
  for (size_t i = 0; i < replacement.size(); ++i) {
    char bracket = replacement[i];
    if (!StringRef("{[<").contains(bracket) || !llvm::isDigit(replacement[i + 1])) {
      text += bracket;
      continue;
    }
    const Expr &argument = *apply.arguments[replacement[i + 1] - '0'];
    StringRef written = file.text(argument.range);
    text += needsParens(argument, bracket) ? ("(" + written + ")").str() : written.str();
    i += 2;
  }
  return text;
}

/// Whether there is advice about the function. The arguments have been checked.
bool Checker::adviseForeign(const Apply &apply, const Expr &self, Report report) {
  StringRef name = apply.callee.text;
  bool isWhole = statement && statement->value == &self;
  for (const FunctionRow &row : functions)
    if (row.name == name && row.numArguments == apply.arguments.size() &&
        isFor(row.values, apply)) {
      report.fix(self.range, fillIn(row.replacement, apply, isWhole, *program.file));
      return true;
    }
  for (const ReductionRow &row : reductions)
    if (row.name == name && apply.arguments.size() == 1) {
      adviseReduction(row.reduction, apply, self, report);
      return true;
    }
  for (const IdiomRow &row : idioms)
    if (row.name == name) {
      report.hint("{0}", row.hint);
      return true;
    }
  return false;
}

/// `o = sum(A(i))`, where the operator of the statement adds up. Elsewhere the sum needs a
/// statement of its own, whose indices cannot be guessed.
void Checker::adviseReduction(Reduction reduction, const Apply &apply, const Expr &self,
                              Report report) {
  StringRef meant = spelling(reduction, /*initializes=*/true);
  auto isOnTheLeft = [&](const Variable *variable) {
    return llvm::any_of(statement->indices,
                        [&](const Name &index) { return index.text == variable->name.text; });
  };
  bool isWhole = statement && statement->value == &self && statement->where.empty() &&
                 !llvm::all_of(variables, isOnTheLeft);
  bool isPlain = statement && statement->reduction == Reduction::None;
  if (!isWhole || (!isPlain && statement->reduction != reduction))
    return void(report.hint("a statement of its own with `{0}` combines the values over all index "
                            "variables that are not on its left side",
                            meant));
  report.hint("`{0}` combines the values over all index variables that are not on the left side",
              meant);
  if (isPlain)
    report.fix(statement->opRange, meant);
  report.fix(self.range, program.file->text(apply.arguments.front()->range));
}
