#include "lang/tinytc/Boundary.h"
#include "lang/tinytc/LocalMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tessera;
using namespace tessera::tinytc;

static tessera::Scalar elementOf(const Type &type) {
  if (type.kind == Type::Bool)
    return tessera::Scalar::Bool;
  switch (partOf(type.scalar)) {
  case ScalarType::I8:
    return tessera::Scalar::I8;
  case ScalarType::I16:
    return tessera::Scalar::I16;
  case ScalarType::I32:
    return tessera::Scalar::I32;
  case ScalarType::I64:
  case ScalarType::Index:
    return tessera::Scalar::I64;
  case ScalarType::BF16:
    return tessera::Scalar::BF16;
  case ScalarType::F16:
    return tessera::Scalar::F16;
  case ScalarType::F32:
    return tessera::Scalar::F32;
  default:
    return tessera::Scalar::F64;
  }
}

static int64_t extentOf(int64_t value) {
  return value == dynamic ? dynamicSize : value;
}

static void addPromises(KernelType &kernel, const Attr &attributes) {
  if (const Attr *alignment = attributes.find("alignment"))
    kernel.alignment = alignment->integer;
  auto add = [&](llvm::StringRef name, llvm::SmallVector<int64_t, 4> &divisors) {
    if (const Attr *list = attributes.find(name))
      for (const Attr &divisor : list->elements)
        divisors.push_back(divisor.integer);
  };
  add("shape_gcd", kernel.shapeDivisors);
  add("stride_gcd", kernel.strideDivisors);
}

static KernelType kernelTypeOf(const Value &parameter) {
  const Type &type = *parameter.type;
  KernelType kernel;
  kernel.kind = type.isMemref()            ? KernelType::Kind::Memref
                : type.kind == Type::Group ? KernelType::Kind::Group
                                           : KernelType::Kind::Scalar;
  const Type &memory = type.kind == Type::Group ? *type.member : type;
  kernel.element = elementOf(memory);
  kernel.isIndex = memory.kind != Type::Bool && memory.scalar == ScalarType::Index;
  kernel.isComplex = memory.kind != Type::Bool && kindOf(memory.scalar) == NumberKind::Complex;
  llvm::append_range(kernel.shape, llvm::map_range(memory.shape, extentOf));
  llvm::append_range(kernel.strides, llvm::map_range(memory.strides, extentOf));
  kernel.count = extentOf(type.size);
  kernel.offset = extentOf(type.offset);
  if (parameter.attributes)
    addPromises(kernel, *parameter.attributes);
  return kernel;
}

namespace {

/// The parameters whose memory a function writes.
class Written {
public:
  explicit Written(const Function &function) { visitRegion(function.body); }
  bool contains(const Value *parameter) const { return parameters.contains(parameter); }

private:
  void visitRegion(const Region *region) {
    if (!region)
      return;
    for (const Inst *inst : region->body)
      std::visit([this](const auto &node) { visit(node); }, inst->node);
  }

  void visit(const Blas &blas) { write(blas.output); }
  void visit(const Store &store) { write(store.target); }
  void visit(const CoopStore &store) { write(store.target); }
  void visit(const Foreach &loop) { visitRegion(loop.body); }
  void visit(const Parallel &parallel) { visitRegion(parallel.body); }
  void visit(const For &loop) { visitRegion(loop.body); }
  void visit(const If &branch) {
    visitRegion(branch.thenRegion);
    visitRegion(branch.elseRegion);
  }
  template <typename Other> void visit(const Other &) {}

  /// A write to a view or a member of a group counts for the parameter it comes from.
  void write(const Operand &target) {
    const Value *value = target.value;
    while (value && value->inst)
      value = sourceOf(*value->inst);
    parameters.insert(value);
  }
  static const Value *sourceOf(const Inst &inst) {
    if (auto *view = inst.as<Subview>())
      return view->operand.value;
    if (auto *view = inst.as<Expand>())
      return view->operand.value;
    if (auto *view = inst.as<Fuse>())
      return view->operand.value;
    if (auto *load = inst.as<Load>())
      return load->operand.value;
    return nullptr; // An `alloca`.
  }

  llvm::SmallPtrSet<const Value *, 8> parameters;
};

} // namespace

Signature tessera::tinytc::signatureOf(const Function &function) {
  Signature signature;
  signature.name = signature.symbol = function.name.text.drop_front().str();
  signature.declaration = declaration(function);
  signature.language = "tinytc";
  signature.kernel = KernelShape{function.subgroupSize,
                                 {function.workGroupSize[0], function.workGroupSize[1]},
                                 localBytesOf(function)};
  Written written(function);
  for (const Value *value : function.parameters) {
    Parameter parameter;
    parameter.name = value->name.text.drop_front().str();
    parameter.kernel = kernelTypeOf(*value);
    parameter.kernel->isWritten = written.contains(value);
    signature.parameters.push_back(std::move(parameter));
  }
  return signature;
}
