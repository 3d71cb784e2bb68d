#include "schedule/Contraction.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

using namespace mlir;
using namespace tessera::schedule;

namespace {

struct Field {
  StringLiteral name;
  int64_t Contraction::*value;
};
constexpr Field fields[] = {{"lanes", &Contraction::lanes},
                            {"rows", &Contraction::rows},
                            {"vectors", &Contraction::vectors},
                            {"depth", &Contraction::depth},
                            {"width", &Contraction::width}};
constexpr StringLiteral kernelNames[] = {"unrolled", "blocked"};

/// Multiply-adds that may stand in the code one by one.
constexpr int64_t maxUnrolled = 512, maxUnrolledDepth = 32;

bool isSmall(ContractionSizes sizes, int64_t lanes) {
  bool isStatic =
      llvm::none_of(ArrayRef{sizes.rows, sizes.columns, sizes.depth}, ShapedType::isDynamic);
  int64_t vectors = (sizes.columns + lanes - 1) / lanes;
  return isStatic && sizes.depth <= maxUnrolledDepth &&
         sizes.rows * vectors * sizes.depth <= maxUnrolled;
}

} // namespace

DictionaryAttr Contraction::toAttribute(MLIRContext &context) const {
  Builder b(&context);
  SmallVector<NamedAttribute> entries{
      b.getNamedAttr("kernel", b.getStringAttr(kernelNames[int(kernel)]))};
  for (auto [name, value] : fields)
    if (this->*value)
      entries.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(this->*value)));
  return b.getDictionaryAttr(entries);
}

Contraction Contraction::fromAttribute(DictionaryAttr attribute) {
  Contraction result;
  auto kernel = attribute.getAs<StringAttr>("kernel");
  result.kernel =
      kernel && kernel.getValue() == kernelNames[0] ? Kernel::Unrolled : Kernel::Blocked;
  for (auto [name, value] : fields)
    if (auto number = attribute.getAs<IntegerAttr>(name))
      result.*value = number.getInt();
  return result;
}

/// Register blocks use nearly all vector registers: 32 of AVX-512, 16 before. A packed panel of
/// `depth` rows stays in the first-level cache, the packed part of the right operand in the second.
Contraction tessera::schedule::chooseContraction(ContractionSizes sizes, Machine machine) {
  Contraction choice;
  choice.lanes = machine.lanes;
  if (isSmall(sizes, machine.lanes)) {
    choice.kernel = Contraction::Kernel::Unrolled;
    return choice;
  }
  choice.rows = machine.lanes >= 16 ? 14 : 6;
  choice.vectors = 2;
  choice.depth = 256;
  choice.width = 1024;
  return choice;
}
