#include "lang/tc/Check.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

static std::string indices(size_t count) {
  return llvm::formatv("{0} {1}", count, count == 1 ? "index" : "indices");
}

static bool isArithmetic(Reduction reduction) {
  return reduction == Reduction::Add || reduction == Reduction::Mul;
}

void Checker::check(Comprehension &statement, const Stmt &) {
  variables.clear();
  lets.clear();
  floatLiterals.clear();
  hasErrors = false;
  this->statement = &statement;
  if (!checkTarget(statement.target))
    return;
  checkIndices(statement);
  declareClauses(statement);
  if (!statement.value)
    return;
  Type type = check(*statement.value);
  if (type && isArithmetic(statement.reduction)) // [tc.own.4]
    statement.value = convert(statement.value, arithmeticType(*type));
  orderVariables(statement);
  if (type && !hasErrors) {
    checkLeftOnly();
    if (!hasErrors)
      checkReductions(statement);
  }
  if (type && !hasErrors)
    define(statement);
  if (!hasErrors)
    checkFloatLiterals();
}

bool Checker::checkTarget(const Name &name) {
  Tensor *tensor = tensorNamed(name.text);
  if (std::optional<unsigned> size = sizeNamed(name.text)) {
    if (!tensor) // Otherwise it was reported as a return.
      fail(name.range, diag::AssignsSize, name.text).note(sizes[*size].range, "it is a size here");
  } else if (tensor && tensor->kind == Tensor::Input)
    reportAssignedInput(name, *tensor);
  else if (!tensor && isReservedForBuiltin(name.text))
    fail(name.range, diag::BuiltinAsTensor, name.text);
  else
    return true;
  hasRejectedTarget = true;
  return false;
}

void Checker::reportAssignedInput(const Name &name, const Tensor &tensor) {
  if (inError.insert(name.text).second) // Report it once.
    fail(name.range, diag::AssignsInput, name.text).note(tensor.name.range, "it is declared here");
}

void Checker::checkIndices(const Comprehension &statement) {
  for (auto [at, index] : llvm::enumerate(statement.indices)) {
    Tensor *tensor = tensorNamed(index.text);
    bool isTensor = tensor || index.text == statement.target.text;
    if (isTensor || sizeNamed(index.text)) {
      fail(index.range, diag::IndexIsInScope, index.text,
           isTensor ? "a tensor" : "a size variable");
      continue;
    }
    auto isSame = [&, &index = index](const Name &earlier) { return earlier.text == index.text; };
    if (llvm::any_of(statement.indices.take_front(at), isSame))
      fail(index.range, diag::RepeatedIndex, index.text)
          .note(llvm::find_if(statement.indices, isSame)->range, "the first one");
    else
      variableNamed(index);
  }
}

//===- where ----------------------------------------------------------------------------------===//

/// In the order of the text, because a let name is visible only in later clauses.
void Checker::declareClauses(Comprehension &statement) {
  for (Clause &clause : statement.where) {
    if (auto *range = clause.as<RangeClause>())
      checkRange(*range);
    if (auto *let = clause.as<LetClause>())
      checkLet(*let, clause);
    if (auto *exists = clause.as<ExistsClause>()) {
      rejectIfStrict(clause.range, diag::ExistsClauseUsed);
      isInExists = true;
      check(*exists->value);
      isInExists = false;
    }
  }
}

void Checker::checkRange(RangeClause &clause) {
  auto textOf = [&](const RangeClause &range) {
    return program.excerpt(range.lower->range.upTo(range.upper->range));
  };
  StringRef name = clause.name.text;
  StringRef what = tensorNamed(name)   ? "a tensor"
                   : sizeNamed(name)   ? "a size variable"
                   : lets.lookup(name) ? "the name of an expression"
                                       : "";
  auto isSame = [&](const Name &index) { return index.text == name; };
  if (!what.empty() && llvm::any_of(statement->indices, isSame))
    return; // Reported on the left side.
  if (!what.empty())
    return void(fail(clause.name.range, diag::NotAnIndex, name, what));
  Variable *variable = variableNamed(clause.name);
  if (variable->clause)
    return void(
        fail(clause.name.range, diag::TwoRanges, name, textOf(*variable->clause), textOf(clause))
            .note(variable->clause->name.range, "the first one"));
  variable->clause = &clause;
  checkSizeExpr(*clause.lower);
  checkSizeExpr(*clause.upper);
}

/// Whether the expression could be a bound, if it is correct.
static bool isSizeExpr(const Expr &expr) {
  auto inside = [](const Expr *child) { return isSizeExpr(*child); };
  if (auto *reference = expr.as<Reference>()) {
    if (reference->let)
      return reference->let->isSize;
    const Tensor *tensor = reference->tensor;
    return reference->size || (tensor && tensor->kind == Tensor::Input && isInteger(*expr.type));
  }
  if (auto *paren = expr.as<Paren>())
    return inside(paren->inner);
  if (auto *cast = expr.as<Cast>())
    return cast->isImplicit && isInteger(cast->type) && inside(cast->operand);
  if (auto *unary = expr.as<Unary>())
    return unary->op == UnaryOp::Minus && inside(unary->operand);
  if (auto *binary = expr.as<Binary>())
    return classOf(binary->op) == OpClass::Arithmetic && inside(binary->lhs) && inside(binary->rhs);
  if (auto *apply = expr.as<Apply>())
    return (apply->builtin == Builtin::min || apply->builtin == Builtin::max) &&
           llvm::all_of(apply->arguments, inside);
  return expr.as<IntLiteral>() || expr.as<Extent>();
}

/// Where an expression mentions the name by itself.
static const Expr *useOf(StringRef name, const Expr &expr) {
  const Expr *use = nullptr;
  visitUntil(expr, [&](const Expr &each) {
    auto *reference = each.as<Reference>();
    use = reference && reference->name == name ? &each : nullptr;
    return use != nullptr;
  });
  return use;
}

void Checker::checkLet(LetClause &clause, const Clause &self) {
  StringRef name = clause.name.text;
  rejectIfStrict(self.range, diag::NamedExpression, name);
  auto isVariable = [&](const Variable *v) { return v->name.text == name; };
  StringRef what = tensorNamed(name)                     ? "a tensor"
                   : sizeNamed(name)                     ? "a size variable"
                   : lets.lookup(name)                   ? "the name of an expression"
                   : llvm::any_of(variables, isVariable) ? "an index variable"
                                                         : "";
  if (!what.empty())
    return void(fail(clause.name.range, diag::LetInScope, name, what));
  if (const Expr *use = useOf(name, *clause.value)) {
    inError.insert(name);
    return void(
        fail(use->range, diag::LetOfItself, name).note(clause.name.range, "it is named here"));
  }
  size_t numLiterals = floatLiterals.size();
  clause.isSize = check(*clause.value) && isSizeExpr(*clause.value);
  if (isFloatLiteral(*clause.value)) // Each use has its own type.
    floatLiterals.resize(numLiterals);
  lets[name] = &clause;
}

/// Checks what a bound consists of, and that it is an integer.
void Checker::checkSizeExpr(Expr &expr) {
  isInRange = true;
  Type type = check(expr);
  isInRange = false;
  if (type && !isInteger(*type))
    fail(expr.range, diag::FloatBound, program.excerpt(expr.range), spelling(*type));
}

bool Checker::occursOnTheRight(StringRef name) const {
  return statement->value && useOf(name, *statement->value);
}

//===- Roles ----------------------------------------------------------------------------------===//

Variable *Checker::variableNamed(const Name &name) {
  for (Variable *variable : variables)
    if (variable->name.text == name.text)
      return variable;
  variables.push_back(program.make(Variable{name}));
  return variables.back();
}

/// Puts the variables of the left side first, in its order, then the others in the order of the
/// text.
void Checker::orderVariables(Comprehension &statement) {
  auto isLeft = [&](const Variable *variable) {
    return llvm::any_of(statement.indices,
                        [&](const Name &index) { return index.text == variable->name.text; });
  };
  llvm::SmallVector<Variable *> ordered;
  llvm::copy_if(variables, std::back_inserter(ordered), isLeft);
  size_t numLeft = ordered.size();
  llvm::copy_if(variables, std::back_inserter(ordered), std::not_fn(isLeft));
  llvm::sort(llvm::MutableArrayRef(ordered).drop_front(numLeft),
             [](const Variable *a, const Variable *b) {
               return a->name.range.begin < b->name.range.begin;
             });
  for (auto [index, variable] : llvm::enumerate(ordered)) {
    variable->index = index;
    variable->isReduction = index >= numLeft;
  }
  statement.variables = program.keep<Variable *>(ordered);
}

void Checker::checkReductions(const Comprehension &statement) {
  llvm::SmallVector<const Variable *> reduced;
  llvm::copy_if(statement.variables, std::back_inserter(reduced),
                [](const Variable *variable) { return variable->isReduction; });
  if (!reduced.empty() && statement.reduction == Reduction::None)
    return reportReduction(statement, reduced);
  for (const Variable *variable : reduced)
    if (!variable->isUsed)
      fail(variable->name.range, diag::OnlyInWhere, variable->name.text);
}

/// Reports `=` where a reduction is needed [tc.reduce.2]. A name that occurs in no index may be
/// misspelt.
void Checker::reportReduction(const Comprehension &statement,
                              llvm::ArrayRef<const Variable *> reduced) {
  auto isValue = [](const Variable *variable) { return !variable->isIndex && !variable->clause; };
  const Variable *value = nullptr;
  if (auto found = llvm::find_if(reduced, isValue); found != reduced.end())
    value = *found;
  if (value && laterDefinition(value->name.text))
    return reportUndefined(value->name);
  if (StringRef advice = value ? adviceOnConstant(value->name.text) : ""; !advice.empty())
    return void(
        fail(value->name.range, diag::ForeignConstant, value->name.text).hint("{0}", advice));
  std::string names;
  for (const Variable *variable : reduced)
    names += (names.empty() ? "`" : ", `") + variable->name.text.str() + "`";
  bool isOne = reduced.size() == 1;
  Report report = fail(statement.opRange, diag::ReductionWithoutOperator,
                       names + (isOne ? " is" : " are"), isOne ? "it" : "them");
  for (const Variable *variable : reduced)
    report.label(variable->name.range, "is reduced over");
  if (!value)
    return adviseOperator(statement, reduced, report);
  inError.insert(value->name.text);
  report.hint("no tensor and no size variable is called `{0}`, so it is an index variable",
              value->name.text);
  suggestName(report, value->name.range, value->name.text, scalarNames());
}

static const Expr &withoutCasts(const Expr &expr) {
  const Expr *inner = &expr.bare();
  while (auto *cast = inner->as<Cast>()) {
    if (!cast->isImplicit)
      break;
    inner = &cast->operand->bare();
  }
  return *inner;
}

/// Whether the value is a product of elements, and each of the variables is in the indices of two
/// of them, so that adding up is certainly meant; or a single element.
static bool isContraction(const Expr &value, llvm::ArrayRef<const Variable *> reduced) {
  llvm::SmallVector<const Expr *> factors, waiting = {&value};
  while (!waiting.empty()) {
    const Expr &next = withoutCasts(*waiting.pop_back_val());
    auto *product = next.as<Binary>();
    auto *read = next.as<Apply>();
    if (product && product->op == BinaryOp::Mul)
      waiting.append({product->lhs, product->rhs});
    else if (read && read->tensor)
      factors.push_back(&next);
    else
      return false;
  }
  return llvm::all_of(reduced, [&](const Variable *variable) {
    auto mentions = [&](const Expr *factor) { return mentionsVariable(*factor, *variable); };
    return size_t(llvm::count_if(factors, mentions)) >= std::min<size_t>(2, factors.size());
  });
}

/// Which operator, in place of `=`, may be meant.
void Checker::adviseOperator(const Comprehension &statement,
                             llvm::ArrayRef<const Variable *> reduced, Report report) {
  auto isUnused = [](const Variable *variable) { return !variable->isUsed; };
  auto isUnread = [&](const Variable *variable) {
    return isOnTheLeft(*variable) && !variable->isUsed;
  };
  if (auto unused = llvm::find_if(reduced, isUnused); unused != reduced.end())
    report.hint("`{0}` occurs only after `where`; leave it out there if it is not needed",
                (*unused)->name.text);
  else if (auto unread = llvm::find_if(variables, isUnread); unread != variables.end())
    report.hint("`{0}` does not occur on the right side; perhaps it is meant in place of `{1}`",
                (*unread)->name.text, reduced.front()->name.text);
  else if (isContraction(*statement.value, reduced))
    report.hint("`+=!` adds up").fix(statement.opRange, "+=!");
  else
    report.hint(
        "`+=!` adds up, `*=!` multiplies, and `min=!` and `max=!` keep the smallest and the "
        "largest value");
}

void Checker::checkLeftOnly() {
  StringRef size = sizes.empty() ? "10" : sizes.front().text;
  for (const Variable *variable : variables)
    if (!variable->isUsed && !variable->exists && !variable->clause)
      fail(variable->name.range, diag::LeftOnly, variable->name.text)
          .hint("give it one: `where {0} in 0:{1}`", variable->name.text,
                sizeFor(variable->name.text, sizes, size));
}

//===- Definition -----------------------------------------------------------------------------===//

Tensor *Checker::declareTensor(const Name &name, Scalar element, unsigned rank, SourceRange where) {
  Tensor *tensor = tensorNamed(name.text);
  if (!tensor) {
    rejectIfStrict(where, diag::TemporaryTensor, name.text)
        .hint("return it, too, or write its formula where it is read");
    tensor = tensors[name.text] = program.make(Tensor{name, Tensor::Temporary});
  }
  tensor->name = name;
  tensor->element = element;
  tensor->rank = rank;
  if (!llvm::is_contained(allTensors, tensor))
    allTensors.push_back(tensor);
  return tensor;
}

void Checker::define(Comprehension &statement) {
  Tensor *tensor = tensorNamed(statement.target.text);
  statement.isFirst = !tensor || !isDefined(*tensor);
  if (statement.isFirst)
    defineFirst(statement, *statement.value->type);
  else
    defineAgain(statement, *tensor);
  if (statement.initializes && !statement.isFirst)
    visitUntil(*statement.value, [&](const Expr &expr) {
      checkOwnRead(statement, expr);
      return false;
    });
}

void Checker::defineFirst(Comprehension &statement, Scalar type) {
  const Name &name = statement.target;
  Tensor *known = tensorNamed(name.text);
  const TensorType *declared = known ? known->declared : nullptr;
  size_t rank = statement.indices.size();
  if (declared && declared->dimensions.size() != rank)
    fail(name.range, diag::AnnotatedRank, name.text,
         llvm::formatv("{0} {1}", declared->dimensions.size(),
                       declared->dimensions.size() == 1 ? "dimension" : "dimensions")
             .str(),
         indices(rank))
        .note(declared->range, "it is declared here");
  statement.tensor =
      declareTensor(name, declared ? declared->element : type, rank, statement.target.range);
  if (declared && !convertsTo(type, declared->element))
    hintCast(statement, declared->element,
             fail(statement.value->range, diag::Narrowing, name.text, spelling(type),
                  spelling(declared->element))
                 .note(declared->range, "it is declared here"));
  else
    convertToTensor(statement);
  defined.try_emplace(statement.tensor, name.range);
  bool isInError = inError.contains(name.text); // An earlier statement is meant to define it.
  if (statement.reduction != Reduction::None && !statement.initializes && !isInError)
    warnAccumulation(statement);
}

void Checker::defineAgain(Comprehension &statement, Tensor &tensor) {
  statement.tensor = &tensor;
  const Name &name = statement.target;
  if (inError.contains(name.text) && !tensor.declared)
    return; // What it was meant to be is not known.
  if (tensor.rank != statement.indices.size())
    fail(name.range, diag::OtherRank, name.text, indices(statement.indices.size()),
         indices(tensor.rank))
        .note(tensor.name.range, "it was defined here");
  Scalar type = *statement.value->type;
  if (convertsTo(type, tensor.element))
    return convertToTensor(statement);
  hintCast(statement, tensor.element,
           fail(statement.value->range, diag::LaterNarrowing, name.text, spelling(type),
                spelling(tensor.element))
               .note(tensor.name.range, "it was defined here"));
}

/// A cast to `bool` would not help in a sum, which adds integers even then.
void Checker::hintCast(const Comprehension &statement, Scalar type, Report report) {
  if (type == Scalar::Bool && isArithmetic(statement.reduction))
    report.hint("`max=` computes whether any is true, `min=` whether all are");
  else
    report.hint("if that is meant, write `{0}({1})`", spelling(type),
                program.excerpt(statement.value->range));
}

void Checker::convertToTensor(Comprehension &statement) {
  statement.value = convert(statement.value, statement.tensor->element);
}

void Checker::warnAccumulation(const Comprehension &statement) {
  Tensor &tensor = *statement.tensor;
  StringRef start[] = {"", "0", "1", "the largest value", "the smallest value"};
  std::string initializing = spelling(statement.reduction, true).str();
  if (tensor.kind == Tensor::Temporary)
    fail(statement.opRange, diag::TemporaryNotInitialized, tensor.name.text)
        .fix(statement.opRange, initializing);
  else
    fail(statement.opRange, diag::NotInitialized, tensor.name.text, initializing,
         start[static_cast<int>(statement.reduction)])
        .fix(statement.opRange, initializing)
        .hint("if that is meant, pass the initial value: `--init {0}=...`", tensor.name.text);
  tensor.isInOut = tensor.kind == Tensor::Output;
}

static bool isVariable(const Expr &expr, const Variable *variable) {
  auto *reference = expr.bare().as<Reference>();
  return reference && reference->variable == variable;
}

/// `!` has overwritten the old elements, so a statement can read only the one that it computes.
void Checker::checkOwnRead(const Comprehension &statement, const Expr &expr) {
  auto *apply = expr.as<Apply>();
  if (!apply || apply->tensor != statement.tensor)
    return;
  for (auto [index, argument] : llvm::enumerate(apply->arguments))
    if (index >= statement.variables.size() || !isVariable(*argument, statement.variables[index]))
      return void(fail(expr.range, diag::OwnReadWithInit, apply->callee.text)
                      .hint("`!` discards what `{0}` held; copy it to another tensor first",
                            apply->callee.text));
}
