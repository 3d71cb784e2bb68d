#include "backend/cpu/KernelEntry.h"
#include "core/Kernel.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace tessera;
using core::KernelParameter;
using cpu::EntryData;

namespace {

std::vector<KernelParameter> parametersOf(mlir::DictionaryAttr entry) {
  std::vector<KernelParameter> parameters;
  for (mlir::Attribute row : entry.getAs<mlir::ArrayAttr>("kernel"))
    parameters.push_back(*KernelParameter::read(row)); // Already checked by the verifier.
  return parameters;
}

/// One divisor per mode; 1 if there is no guarantee.
Constant *divisors(EntryData &data, const KernelParameter &parameter, ArrayRef<int64_t> promised) {
  SmallVector<int64_t> all(parameter.shape.size(), 1);
  llvm::copy(promised, all.begin());
  return data.numbers64(all);
}

/// struct tessera_kernel_parameter
Constant *rowOf(EntryData &data, const KernelParameter &parameter) {
  return data.record({data.text(parameter.name), data.dtype(parameter.element, parameter.isComplex),
                      data.number32(int64_t(parameter.kind)), data.number64(parameter.shape.size()),
                      data.numbers64(parameter.shape), data.numbers64(parameter.strides),
                      data.number64(parameter.count), data.number64(parameter.offset),
                      data.number64(parameter.alignment),
                      divisors(data, parameter, parameter.shapeDivisors),
                      divisors(data, parameter, parameter.strideDivisors)});
}

/// The x86-64 calling convention for the fields of the arguments.
class Convention {
public:
  explicit Convention(LLVMContext &context) : b(context) {}

  /// Adds the function parameters for one field.
  void add(Type *field, core::ElementType::Kind kind) {
    auto *parts = dyn_cast<StructType>(field);
    if (parts && parts->getElementType(0)->isDoubleTy())
      return addPair(parts);
    if (parts) // Two floats share a register.
      return addFloats(FixedVectorType::get(b.getFloatTy(), 2), 1);
    if (field->isFloatTy() || field->isDoubleTy())
      return addFloats(field, 1);
    if (field->is16bitFPTy()) // Passed as bits: not all compilers have the type.
      return addInteger(b.getInt16Ty(), /*isSigned=*/false);
    addInteger(field, kind == core::ElementType::Int);
  }

  Function *declare(EntryData &data, StringRef name) {
    Function *function =
        cpu::addCFunction(data, name, FunctionType::get(b.getInt32Ty(), types, false));
    for (auto [index, attribute] : attributes)
      function->addParamAttr(index, attribute);
    return function;
  }

private:
  static constexpr unsigned numVectorRegisters = 8;

  void addFloats(Type *type, unsigned registers) {
    types.push_back(type);
    usedRegisters += registers;
  }
  /// A pair is passed in two registers or in memory, never in both.
  void addPair(StructType *pair) {
    if (usedRegisters + 2 <= numVectorRegisters) {
      addFloats(b.getDoubleTy(), 1);
      return addFloats(b.getDoubleTy(), 1);
    }
    unsigned index = types.size();
    attributes.push_back({index, Attribute::getWithByValType(b.getContext(), pair)});
    attributes.push_back({index, Attribute::getWithAlignment(b.getContext(), Align(8))});
    types.push_back(b.getPtrTy());
  }
  /// Compilers rely on the caller to extend integers narrower than int.
  void addInteger(Type *type, bool isSigned) {
    if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
      attributes.push_back(
          {types.size(),
           Attribute::get(b.getContext(), isSigned ? Attribute::SExt : Attribute::ZExt)});
    types.push_back(type);
  }

  IRBuilder<> b;
  SmallVector<Type *> types{b.getPtrTy()};
  std::vector<std::pair<unsigned, Attribute>> attributes;
  unsigned usedRegisters = 0;
};

/// Stores the function's parameters, from `next` on, to a field.
void storeField(IRBuilder<> &b, Type *field, Value *place, Function::arg_iterator &next) {
  Argument *first = &*next++;
  if (first->hasByValAttr()) {
    b.CreateStore(b.CreateLoad(field, first), place);
    return;
  }
  b.CreateStore(first, place);
  if (field->isStructTy() && first->getType()->isDoubleTy())
    b.CreateStore(&*next++, b.CreateStructGEP(field, place, 1));
}

} // namespace

GlobalVariable *cpu::kernelTable(EntryData &data, mlir::DictionaryAttr entry, StringRef cpu) {
  SmallVector<Constant *> rows;
  for (const KernelParameter &parameter : parametersOf(entry))
    rows.push_back(rowOf(data, parameter));
  Function *body = data.code.getFunction(textOf(entry, "symbol"));
  Constant *value = data.record({data.text(textOf(entry, "name")), data.text(cpu), body,
                                 data.number64(rows.size()), data.array(rows), data.place(entry)});
  return data.keep(value, "tessera_kernel." + textOf(entry, "name"), GlobalValue::ExternalLinkage);
}

void cpu::addKernelFunction(EntryData &data, mlir::DictionaryAttr entry, GlobalVariable *table,
                            StringRef name) {
  LLVMContext &context = data.code.getContext();
  std::vector<KernelParameter> parameters = parametersOf(entry);
  mlir::LLVM::TypeToLLVMIRTranslator translator(context);
  auto *type = cast<StructType>(
      translator.translateType(core::argumentsType(entry.getContext(), parameters)));
  Convention convention(context);
  unsigned field = 0;
  for (const KernelParameter &parameter : parameters)
    for (size_t end = field + parameter.fields(entry.getContext()).size(); field < end; ++field)
      convention.add(type->getElementType(field), parameter.element.kind);
  Function *function = convention.declare(data, name);
  IRBuilder<> b(BasicBlock::Create(context, "entry", function));
  Value *arguments = b.CreateAlloca(type);
  auto next = std::next(function->arg_begin());
  for (unsigned index = 0; index < type->getNumElements(); ++index)
    storeField(b, type->getElementType(index), b.CreateStructGEP(type, arguments, index), next);
  FunctionCallee launch = data.code.getOrInsertFunction("tessera_rt_launch", data.i32, data.pointer,
                                                        data.pointer, data.pointer);
  b.CreateRet(b.CreateCall(launch, {table, arguments, function->getArg(0)}));
}
