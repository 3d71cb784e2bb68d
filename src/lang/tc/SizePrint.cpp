#include "lang/tc/SizeNode.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::tc {

using Terms = llvm::ArrayRef<Size::Term>;

/// Sizes share parts, so their text may be exponentially longer than they are.
static constexpr size_t maxLength = 400;

namespace {
class Printer {
public:
  void print(Terms terms, int64_t offset);
  void print(Size size) { print(size.terms(), size.offset()); }
  std::string text;

private:
  void printSign(bool isNegative, bool isFirst);
  void printTerm(const Size::Term &term);
  void printFactor(Terms terms, int64_t offset);
  void printFactor(Size size) { printFactor(size.terms(), size.offset()); }
  void printQuotient(Size dividend, Size divisor);
  void printRoundedUp(Size dividend, Size divisor);
  void printDivisor(Size divisor);
  void printList(llvm::ArrayRef<Size> sizes);
  void printProduct(llvm::ArrayRef<Size> factors);
  void printAtom(Size atom);

  llvm::raw_string_ostream out{text};
};
} // namespace

/// A number without its sign, which is printed before it.
static uint64_t magnitude(int64_t number) {
  return number < 0 ? -uint64_t(number) : number;
}

/// For a divisor that is not a constant, ceil(n / d) is -floor(-n / d).
static bool isRoundedUp(const Size::Term &term) {
  return term.atom && term.coefficient < 0 && term.atom.kind() == Size::FloorDiv &&
         !term.atom.operands()[1].constant();
}

static bool isAdded(const Size::Term &term) {
  return (term.coefficient >= 0) != isRoundedUp(term);
}

void Printer::printSign(bool isNegative, bool isFirst) {
  if (isFirst)
    out << (isNegative ? "-" : "");
  else
    out << (isNegative ? " - " : " + ");
}

/// Terms that are added come before those that are subtracted: `H - KH + 1`, `10 - N`.
void Printer::print(Terms terms, int64_t offset) {
  if (text.size() > maxLength) {
    out << "...";
    return;
  }
  llvm::SmallVector<Size::Term> ordered(terms);
  llvm::stable_sort(
      ordered, [](const Size::Term &a, const Size::Term &b) { return isAdded(a) && !isAdded(b); });
  bool hasAdded = !ordered.empty() && isAdded(ordered[0]);
  if (offset != 0 || ordered.empty())
    ordered.insert(offset > 0 && !hasAdded ? ordered.begin() : ordered.end(), {offset, {}});
  for (const Size::Term &term : ordered) {
    bool isFirst = &term == ordered.begin();
    printSign(!isAdded(term), isFirst);
    // A unary minus binds tighter than `%`.
    if (isFirst && term.coefficient == -1 && term.atom && term.atom.kind() == Size::Mod)
      printFactor(term.atom);
    else
      printTerm(term);
  }
}

void Printer::printTerm(const Size::Term &term) {
  if (!term.atom) {
    out << magnitude(term.coefficient);
    return;
  }
  if (magnitude(term.coefficient) != 1)
    out << magnitude(term.coefficient) << '*';
  if (isRoundedUp(term))
    return printRoundedUp(term.atom.operands()[0], term.atom.operands()[1]);
  if (magnitude(term.coefficient) != 1)
    return printFactor(term.atom);
  printAtom(term.atom);
}

void Printer::printFactor(Terms terms, int64_t offset) {
  bool isSum = terms.size() + (offset != 0) > 1;
  bool isRemainder = terms.size() == 1 && terms[0].atom.kind() == Size::Mod;
  out << (isSum || isRemainder ? "(" : "");
  print(terms, offset);
  out << (isSum || isRemainder ? ")" : "");
}

/// By a constant, ceil(n / c) is floor((n + c - 1) / c).
void Printer::printQuotient(Size dividend, Size divisor) {
  auto number = divisor.constant();
  bool roundsUp = number && dividend.offset() == *number - 1;
  out << (roundsUp ? "ceil(" : "floor(");
  printFactor(dividend.terms(), roundsUp ? 0 : dividend.offset());
  printDivisor(divisor);
}

void Printer::printRoundedUp(Size dividend, Size divisor) {
  llvm::SmallVector<Size::Term> terms(dividend.terms());
  for (Size::Term &term : terms)
    term.coefficient = -uint64_t(term.coefficient);
  out << "ceil(";
  printFactor(terms, -uint64_t(dividend.offset()));
  printDivisor(divisor);
}

void Printer::printDivisor(Size divisor) {
  bool isProduct = divisor.kind() == Size::Product;
  out << " / " << (isProduct ? "(" : "");
  printFactor(divisor);
  out << (isProduct ? "))" : ")");
}

void Printer::printList(llvm::ArrayRef<Size> sizes) {
  for (size_t i = 0; i != sizes.size(); ++i) {
    out << (i ? ", " : "(");
    print(sizes[i]);
  }
  out << ')';
}

void Printer::printProduct(llvm::ArrayRef<Size> factors) {
  for (size_t i = 0; i != factors.size(); ++i) {
    out << (i ? "*" : "");
    printFactor(factors[i]);
  }
}

void Printer::printAtom(Size atom) {
  switch (atom.kind()) {
  case Size::Product:
    return printProduct(atom.operands());
  case Size::FloorDiv:
    return printQuotient(atom.operands()[0], atom.operands()[1]);
  case Size::Mod:
    printFactor(atom.operands()[0]);
    out << " % ";
    return printFactor(atom.operands()[1]);
  case Size::Min:
  case Size::Max:
    out << (atom.kind() == Size::Min ? "min" : "max");
    return printList(atom.operands());
  default:
    out << atom.key()->name;
  }
}

std::string Size::str() const {
  if (!node)
    return "?";
  Printer printer;
  printer.print(*this);
  return printer.text;
}

} // namespace tessera::tc
