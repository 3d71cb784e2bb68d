#include "backend/cpu/EntryBody.h"
#include "backend/cpu/Passes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace {

/// MLIR's C interface takes scalars by value and descriptors by pointer. A single scalar is
/// returned; a descriptor, or several results as one struct, is written through an additional first
/// argument.
class BodyBuilder {
public:
  BodyBuilder(Module &code, mlir::DictionaryAttr entry)
      : code(code), entry(entry), b(code.getContext()), parameters(typesIn("parameters")),
        results(typesIn("results")) {}

  Function *build() {
    auto type = FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
    Function *body =
        Function::Create(type, GlobalValue::InternalLinkage, "body." + text("name"), code);
    b.SetInsertPoint(BasicBlock::Create(code.getContext(), "entry", body));
    slots = body->getArg(0);
    SmallVector<Value *> arguments;
    StructType *returned = returnedStruct();
    if (returned)
      arguments.push_back(b.CreateAlloca(returned));
    for (auto [index, parameter] : enumerate(parameters))
      arguments.push_back(argument(parameter, slot(index)));
    Function *callee = code.getFunction(("_mlir_ciface_" + text("symbol")).str());
    // A call from a function without debug information must not be inlined or optimized: the callee
    // would lose its debug information.
    if (callee->getSubprogram())
      for (auto attribute : {Attribute::NoInline, Attribute::OptimizeNone})
        callee->addFnAttr(attribute);
    Value *result = b.CreateCall(callee, arguments);
    if (returned)
      takeApart(returned, arguments.front());
    else if (!results.empty())
      deliver(results.front(), result, slot(parameters.size()));
    b.CreateRetVoid();
    return body;
  }

private:
  StringRef text(StringRef key) const { return entry.getAs<mlir::StringAttr>(key).getValue(); }

  SmallVector<mlir::Type> typesIn(StringRef key) const {
    SmallVector<mlir::Type> types;
    for (auto row : entry.getAs<mlir::ArrayAttr>(key).getAsRange<mlir::DictionaryAttr>())
      types.push_back(row.getAs<mlir::TypeAttr>("type").getValue());
    return types;
  }

  Value *slot(unsigned index) {
    return b.CreateLoad(b.getPtrTy(), b.CreateConstGEP1_64(b.getPtrTy(), slots, index));
  }

  /// MLIR's ranked descriptor: {allocated, aligned, offset, sizes, strides}.
  StructType *descriptorType(mlir::MemRefType type) {
    SmallVector<Type *> fields{b.getPtrTy(), b.getPtrTy(), b.getInt64Ty()};
    if (type.getRank())
      fields.append(2, ArrayType::get(b.getInt64Ty(), type.getRank()));
    return StructType::get(code.getContext(), fields);
  }

  Type *scalarType(mlir::Type type) {
    if (type.isF16())
      return b.getHalfTy();
    if (type.isBF16())
      return b.getBFloatTy();
    if (type.isF32())
      return b.getFloatTy();
    return type.isF64() ? b.getDoubleTy() : b.getIntNTy(type.getIntOrFloatBitWidth());
  }

  Type *valueType(mlir::Type type) {
    auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
    return memref ? descriptorType(memref) : scalarType(type);
  }

  /// Null if one scalar or nothing is returned.
  StructType *returnedStruct() {
    SmallVector<Type *> types(map_range(results, [&](mlir::Type type) { return valueType(type); }));
    if (types.size() == 1)
      return dyn_cast<StructType>(types.front());
    return types.empty() ? nullptr : StructType::get(code.getContext(), types);
  }

  Value *argument(mlir::Type type, Value *at) {
    auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
    if (memref && memref.getRank())
      return at;
    if (memref)
      return descriptorOfScalar(descriptorType(memref), at);
    if (type.isInteger(1)) // A byte in memory.
      return b.CreateIsNotNull(b.CreateLoad(b.getInt8Ty(), at));
    return b.CreateLoad(scalarType(type), at);
  }

  /// Callers see a tensor of rank 0 as a scalar, so its slot serves as its memory.
  Value *descriptorOfScalar(StructType *type, Value *at) {
    Value *descriptor = b.CreateAlloca(type);
    b.CreateStore(at, b.CreateStructGEP(type, descriptor, 0));
    b.CreateStore(at, b.CreateStructGEP(type, descriptor, 1));
    b.CreateStore(b.getInt64(0), b.CreateStructGEP(type, descriptor, 2));
    return descriptor;
  }

  void takeApart(StructType *type, Value *from) {
    if (results.size() == 1)
      return deliver(results.front(), b.CreateLoad(type, from), slot(parameters.size()));
    for (auto [index, result] : enumerate(results)) {
      Value *field = b.CreateStructGEP(type, from, index), *to = slot(parameters.size() + index);
      if (results.size() > tessera::cpu::mostReturned)
        b.CreateCall(delivererOf(result), {field, to});
      else
        deliver(result, b.CreateLoad(type->getElementType(index), field), to);
    }
  }

  /// A function that stores one result: a single block with many results would compile slowly.
  Function *delivererOf(mlir::Type result) {
    Function *&function = deliverers[result];
    if (function)
      return function;
    auto type = FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()}, false);
    function =
        Function::Create(type, GlobalValue::InternalLinkage, "deliver." + text("name"), code);
    function->addFnAttr(Attribute::NoInline);
    IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(BasicBlock::Create(code.getContext(), "entry", function));
    deliver(result, b.CreateLoad(valueType(result), function->getArg(0)), function->getArg(1));
    b.CreateRetVoid();
    return function;
  }

  void deliver(mlir::Type type, Value *value, Value *at) {
    auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
    if (memref && !memref.getRank()) {
      Type *element = scalarType(memref.getElementType());
      Value *first =
          b.CreateGEP(element, b.CreateExtractValue(value, 1), b.CreateExtractValue(value, 2));
      value = b.CreateLoad(element, first);
    }
    b.CreateStore(value->getType()->isIntegerTy(1) ? b.CreateZExt(value, b.getInt8Ty()) : value,
                  at);
  }

  Module &code;
  mlir::DictionaryAttr entry;
  IRBuilder<> b;
  SmallVector<mlir::Type> parameters, results;
  DenseMap<mlir::Type, Function *> deliverers;
  Value *slots = nullptr;
};

} // namespace

Function *tessera::cpu::buildEntryBody(Module &code, mlir::DictionaryAttr entry) {
  return BodyBuilder(code, entry).build();
}
