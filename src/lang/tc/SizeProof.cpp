#include "lang/tc/SizeProof.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::tc {

using namespace mlir::presburger;

/// Larger problems are not tried: the search for integers is exponential in the columns, the case
/// distinctions in the choices.
static constexpr unsigned maxColumns = 40, maxIntegerColumns = 18, maxTries = 100;

/// factor * size + shift; nullopt if a number overflows 64 bits.
std::optional<SizeProof::Row> SizeProof::rowOf(Size size, int64_t factor, int64_t shift) {
  if (!size)
    return std::nullopt;
  Row row;
  int64_t number;
  for (const Size::Term &term : size.terms()) {
    unsigned column = columnOf(term.atom);
    if (column == constantColumn || llvm::MulOverflow(term.coefficient, factor, number))
      return std::nullopt;
    row.push_back({column, number});
  }
  if (llvm::MulOverflow(size.offset(), factor, number) || llvm::AddOverflow(number, shift, number))
    return std::nullopt;
  row.push_back({constantColumn, number});
  return row;
}

void SizeProof::add(std::optional<Row> row) {
  if (row)
    rows.push_back(std::move(*row));
  else
    isExact = false;
}

SizeProof &SizeProof::assume(Size nonNegative) {
  add(rowOf(nonNegative));
  return *this;
}

SizeProof &SizeProof::assumeNegative(Size negative) {
  add(rowOf(negative, -1, -1));
  return *this;
}

SizeProof &SizeProof::assumeAny(llvm::ArrayRef<Facts> alternatives) {
  llvm::SmallVector<Rows, 2> choice;
  for (const Facts &facts : alternatives) {
    Rows all;
    for (Size fact : facts)
      if (auto row = rowOf(fact))
        all.push_back(std::move(*row));
      else
        isExact = false;
    choice.push_back(std::move(all));
  }
  choices.push_back(std::move(choice));
  return *this;
}

//===- Columns ------------------------------------------------------------------------------------

unsigned SizeProof::columnOf(Size atom) {
  auto known = columns.find(atom.key());
  if (known != columns.end())
    return known->second;
  if (numColumns == maxColumns)
    return constantColumn;
  unsigned column = columns[atom.key()] = numColumns++;
  define(atom, column);
  return column;
}

void SizeProof::define(Size atom, unsigned column) {
  bound(atom, column);
  switch (atom.kind()) {
  case Size::Symbol:
    return;
  case Size::FloorDiv:
    if (auto divisor = atom.operands()[1].constant())
      return defineQuotient(atom.operands()[0], *divisor, column);
    break;
  case Size::Mod:
    return defineRemainder(atom, column);
  case Size::Min:
  case Size::Max:
    return defineExtreme(atom, column);
  default:
    break;
  }
  isExact = false;
}

/// Bounds an atom by its interval.
void SizeProof::bound(Size atom, unsigned column) {
  int64_t shift;
  if (auto lower = context.lowerBound(atom); lower && !llvm::SubOverflow<int64_t>(0, *lower, shift))
    rows.push_back({{column, 1}, {constantColumn, shift}});
  if (auto upper = context.upperBound(atom))
    rows.push_back({{column, -1}, {constantColumn, *upper}});
}

/// 0 <= dividend - divisor * quotient < divisor
void SizeProof::defineQuotient(Size dividend, int64_t divisor, unsigned column) {
  auto below = rowOf(dividend), above = rowOf(dividend, -1, divisor - 1);
  if (below)
    below->push_back({column, -divisor});
  if (above)
    above->push_back({column, divisor});
  add(std::move(below));
  add(std::move(above));
}

void SizeProof::defineRemainder(Size atom, unsigned column) {
  Size dividend = atom.operands()[0], divisor = atom.operands()[1];
  if (auto number = divisor.constant()) {
    // dividend = number * quotient + remainder; 0 <= remainder < number is its interval.
    unsigned quotient = numColumns++;
    for (int sign : {1, -1}) {
      auto row = rowOf(dividend, sign);
      if (row)
        row->append({{quotient, -sign * *number}, {column, -sign}});
      add(std::move(row));
    }
    return;
  }
  isExact = false;
  Facts isPositive = {context.sub(divisor, context.constant(1)), atom,
                      context.sub(context.sub(divisor, context.constant(1)), atom)};
  Facts isNotPositive = {context.sub(context.constant(0), divisor)};
  assumeAny({isPositive, isNotPositive});
}

/// A maximum is at least each of its operands, and at most one of them.
void SizeProof::defineExtreme(Size atom, unsigned column) {
  int64_t sign = atom.kind() == Size::Max ? 1 : -1;
  llvm::SmallVector<Rows, 2> choice;
  for (Size operand : atom.operands()) {
    auto outside = rowOf(operand, -sign), equal = rowOf(operand, sign);
    if (outside)
      outside->push_back({column, sign});
    add(std::move(outside));
    if (equal)
      equal->push_back({column, -sign});
    else
      isExact = false;
    choice.push_back(equal ? Rows{*equal} : Rows{});
  }
  choices.push_back(std::move(choice));
}

//===- Search -------------------------------------------------------------------------------------

bool SizeProof::isEmpty(llvm::ArrayRef<Row> rows, bool overIntegers) {
  IntegerPolyhedron set(PresburgerSpace::getSetSpace(numColumns));
  for (const Row &row : rows) {
    llvm::SmallVector<llvm::DynamicAPInt> dense(numColumns + 1, llvm::DynamicAPInt(0));
    for (auto [column, coefficient] : row)
      dense[column == constantColumn ? numColumns : column] += coefficient;
    set.addInequality(dense);
  }
  if (!overIntegers)
    return Simplex(set).isEmpty();
  auto point = set.findIntegerSample();
  sample.clear();
  if (point)
    for (const llvm::DynamicAPInt &value : *point)
      sample.push_back(int64_t(value));
  return !point;
}

std::optional<int64_t> SizeProof::valueOf(Size size) {
  std::optional<Row> row = rowOf(size);
  if (!row)
    return std::nullopt;
  int64_t sum = 0, product;
  for (auto [column, coefficient] : *row) {
    if (column != constantColumn && column >= sample.size())
      return std::nullopt;
    int64_t value = column == constantColumn ? 1 : sample[column];
    if (llvm::MulOverflow(value, coefficient, product) || llvm::AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}

SizeProof::Answer SizeProof::search(Rows &facts, unsigned choice) {
  uint64_t effort = uint64_t(numColumns) * facts.size();
  if (++numTries > maxTries || !context.spend(effort))
    return Unknown;
  if (isEmpty(facts, /*overIntegers=*/false))
    return Impossible;
  if (choice == choices.size()) {
    if (numColumns > maxIntegerColumns || !context.spend(10 * effort))
      return Unknown;
    if (isEmpty(facts, /*overIntegers=*/true))
      return Impossible;
    return isExact ? Possible : Unknown;
  }
  Answer answer = Impossible;
  size_t numFacts = facts.size();
  for (const Rows &alternative : choices[choice]) {
    facts.append(alternative);
    Answer found = search(facts, choice + 1);
    facts.truncate(numFacts);
    if (found == Possible)
      return Possible;
    if (found == Unknown)
      answer = Unknown;
  }
  return answer;
}

SizeProof::Answer SizeProof::solve() {
  return search(rows, 0);
}

} // namespace tessera::tc
