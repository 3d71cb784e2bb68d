/// In kernels with many collective operations, equal ones share a function, because LLVM takes more
/// than twice as long for a function that is twice as long.
#include "core/Attributes.h"
#include "lang/tinytc/transform/CoreLowering.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

static ir::ConstantOp constantAt(Value operand) {
  return operand.getDefiningOp<ir::ConstantOp>();
}

bool CoreLowering::hasManyCollectives(func::FuncOp kernel) {
  constexpr int few = 8; // LLVM optimizes so few better inside the kernel.
  int count = 0;
  kernel.walk([&](ir::BlasOp) { ++count; });
  return count > few;
}

/// Contractions are lowered by the back end, which shares functions itself. Atomic additions depend
/// on the launch, and checked or counted operations on their positions in the source.
bool CoreLowering::canShare(ir::BlasOp op) {
  auto gemm = dyn_cast<ir::GemmOp>(op.getOperation());
  return sharesCollectives && !isChecked && !isCounted && !op.getAtomic() &&
         !(gemm && canContract(gemm));
}

/// The key of collective operations that can share code: everything but memory and run-time values.
static Attribute descriptionOf(ir::BlasOp op) {
  Builder b(op.getContext());
  SmallVector<Attribute> parts{b.getStringAttr(op->getName().getStringRef()),
                               op->getAttrDictionary()};
  for (Value operand : op->getOperands()) {
    parts.push_back(TypeAttr::get(operand.getType()));
    ir::ConstantOp known = constantAt(operand);
    parts.push_back(known ? Attribute(known.getValue()) : b.getUnitAttr());
  }
  return b.getArrayAttr(parts);
}

void CoreLowering::callShared(ir::BlasOp op) {
  Leaves arguments;
  for (Value operand : op->getOperands())
    if (!constantAt(operand))
      llvm::append_range(arguments, leaves(operand));
  func::FuncOp &function = collectives[descriptionOf(op)];
  if (!function)
    function = emitShared(op, TypeRange(ValueRange(arguments)));
  func::CallOp::create(b, loc, function, arguments).setNoInline(true);
}

/// A function whose parameters are everything that is not known about the operands.
func::FuncOp CoreLowering::emitShared(ir::BlasOp op, TypeRange types) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(target);
  std::string name = (target.getName() + ".collective" + Twine(collectives.size())).str();
  auto function = func::FuncOp::create(b, loc, name, b.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(core::buffersAttr, b.getUnitAttr());
  llvm::SaveAndRestore entry(target, function);
  llvm::SaveAndRestore outside(values, llvm::DenseMap<Value, Leaves>());
  b.setInsertionPointToStart(function.addEntryBlock());
  ValueRange arguments = function.getArguments();
  for (Value operand : op->getOperands()) {
    if (ir::ConstantOp known = constantAt(operand)) {
      values[operand] = lower(known);
      continue;
    }
    size_t count = leafTypes(operand.getType()).size();
    values[operand] = Leaves(arguments.take_front(count));
    arguments = arguments.drop_front(count);
  }
  lowerKnown(*op);
  func::ReturnOp::create(b, loc);
  return function;
}
