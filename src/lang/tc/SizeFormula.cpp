#include "lang/tc/SizeFormula.h"
#include "lang/tc/SizeNode.h"

using namespace tessera;
using namespace tessera::tc;

namespace {

/// Sizes share parts, so their formulas may be exponentially longer than they are.
constexpr size_t maxSteps = 100;

class Writer {
public:
  void write(Size size);
  bool isTooLong() const { return steps.size() > maxSteps; }

  SizeFormula steps;

private:
  void writeConstant(int64_t value) { steps.push_back({SizeStep::Constant, value}); }
  void writeTerm(const Size::Term &term, int64_t factor);
  void writeAtom(Size atom);
};

/// Terms that are added come before those that are subtracted, as in `H - KH + 1`.
void Writer::write(Size size) {
  if (isTooLong())
    return;
  llvm::SmallVector<Size::Term> terms(size.terms());
  std::stable_partition(terms.begin(), terms.end(),
                        [](const Size::Term &term) { return term.coefficient > 0; });
  bool isFirst = true;
  for (const Size::Term &term : terms) {
    bool isSubtracted = !isFirst && term.coefficient < 0;
    writeTerm(term, isSubtracted ? -uint64_t(term.coefficient) : term.coefficient);
    if (!isFirst)
      steps.push_back({isSubtracted ? SizeStep::Subtract : SizeStep::Add});
    isFirst = false;
  }
  if (!isFirst && size.offset() == 0)
    return;
  bool isSubtracted = !isFirst && size.offset() < 0;
  writeConstant(isSubtracted ? -uint64_t(size.offset()) : size.offset());
  if (!isFirst)
    steps.push_back({isSubtracted ? SizeStep::Subtract : SizeStep::Add});
}

void Writer::writeTerm(const Size::Term &term, int64_t factor) {
  if (factor != 1)
    writeConstant(factor);
  writeAtom(term.atom);
  if (factor != 1)
    steps.push_back({SizeStep::Multiply});
}

void Writer::writeAtom(Size atom) {
  if (atom.kind() == Size::Symbol) {
    steps.push_back({SizeStep::Name, 0, atom.key()->name.str()});
    return;
  }
  auto kindOf = [](Size::Kind kind) {
    switch (kind) {
    case Size::FloorDiv:
      return SizeStep::FloorDivide;
    case Size::Mod:
      return SizeStep::Modulo;
    case Size::Min:
      return SizeStep::Min;
    case Size::Max:
      return SizeStep::Max;
    default:
      return SizeStep::Multiply;
    }
  };
  write(atom.operands()[0]);
  for (Size operand : atom.operands().drop_front()) {
    write(operand);
    steps.push_back({kindOf(atom.kind())});
  }
}

} // namespace

SizeFormula tc::formulaOf(Size size) {
  Writer writer;
  writer.write(size);
  return writer.isTooLong() ? SizeFormula() : std::move(writer.steps);
}
