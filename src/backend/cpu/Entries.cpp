#include "backend/cpu/Entries.h"
#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace tessera;

namespace {

/// Builds constant structs as a C compiler would lay them out.
class Data {
public:
  explicit Data(Module &code)
      : code(code), pointer(PointerType::getUnqual(code.getContext())),
        i64(Type::getInt64Ty(code.getContext())), i32(Type::getInt32Ty(code.getContext())) {}

  Constant *number32(int64_t value) { return ConstantInt::getSigned(i32, value); }
  Constant *number64(int64_t value) { return ConstantInt::getSigned(i64, value); }
  Constant *null() { return ConstantPointerNull::get(pointer); }

  Constant *text(StringRef value) {
    return value.empty() ? null()
                         : keep(ConstantDataArray::getString(code.getContext(), value), ".text");
  }
  Constant *record(ArrayRef<Constant *> fields) {
    return ConstantStruct::getAnon(code.getContext(), fields);
  }
  Constant *array(ArrayRef<Constant *> rows) {
    if (rows.empty())
      return null();
    return keep(ConstantArray::get(ArrayType::get(rows.front()->getType(), rows.size()), rows),
                ".table");
  }
  GlobalVariable *keep(Constant *value, const Twine &name,
                       GlobalValue::LinkageTypes linkage = GlobalValue::PrivateLinkage) {
    return new GlobalVariable(code, value->getType(), /*isConstant=*/true, linkage, value, name);
  }

  Module &code;
  PointerType *pointer;
  IntegerType *i64, *i32;
};

StringRef textOf(mlir::DictionaryAttr row, StringRef key) {
  return mlir::cast<mlir::StringAttr>(row.get(key)).getValue();
}
int64_t numberOf(mlir::DictionaryAttr row, StringRef key) {
  return mlir::cast<mlir::IntegerAttr>(row.get(key)).getInt();
}

/// struct tessera_site
Constant *siteOf(Data &data, mlir::DictionaryAttr row) {
  return data.record({data.text(textOf(row, "file")), data.number32(numberOf(row, "line")),
                      data.number32(numberOf(row, "column")), data.text(textOf(row, "message")),
                      data.text(textOf(row, "rule"))});
}

/// struct tessera_dtype, as the 32 bits it is.
Constant *dtypeOf(Data &data, mlir::Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  unsigned kind = mlir::isa<mlir::FloatType>(element) ? 2 : 0;
  return data.number32(kind | bits << 8 | 1 << 16);
}

/// struct tessera_parameter
Constant *parameterOf(Data &data, StringRef name, mlir::Type type) {
  auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
  SmallVector<Constant *> sizes;
  if (memref)
    for (int64_t size : memref.getShape())
      sizes.push_back(data.number64(mlir::ShapedType::isDynamic(size) ? -1 : size));
  mlir::Type element = memref ? memref.getElementType() : type;
  return data.record(
      {data.text(name), dtypeOf(data, element), data.number32(sizes.size()), data.array(sizes)});
}

/// The body of an entry: unpacks the slots and calls MLIR's C interface, which takes a pointer to
/// each descriptor and, where a descriptor is returned, one more in front.
class BodyBuilder {
public:
  BodyBuilder(Data &data, mlir::DictionaryAttr entry)
      : data(data), entry(entry), b(data.code.getContext()),
        parameters(mlir::cast<mlir::ArrayAttr>(entry.get("parameters"))),
        results(mlir::cast<mlir::ArrayAttr>(entry.get("results"))) {}

  Function *build() {
    auto type = FunctionType::get(b.getVoidTy(), {data.pointer}, false);
    Function *body = Function::Create(type, GlobalValue::InternalLinkage,
                                      "body." + textOf(entry, "name"), data.code);
    b.SetInsertPoint(BasicBlock::Create(data.code.getContext(), "entry", body));
    slots = body->getArg(0);
    SmallVector<Value *> arguments;
    bool returnsTensor = !results.empty() && isTensor(resultType());
    if (returnsTensor)
      arguments.push_back(slot(parameters.size()));
    for (auto [index, parameter] : enumerate(parameters)) {
      mlir::Type type = typeOf(parameter);
      Value *at = slot(index);
      arguments.push_back(isTensor(type) ? at : b.CreateLoad(scalarType(type), at));
    }
    Function *callee = data.code.getFunction(("_mlir_ciface_" + textOf(entry, "symbol")).str());
    if (callee->getSubprogram()) // Into a function without source lines, its own would be lost.
      callee->addFnAttr(Attribute::NoInline);
    Value *result = b.CreateCall(callee, arguments);
    if (!results.empty() && !returnsTensor)
      b.CreateStore(result, slot(parameters.size()));
    b.CreateRetVoid();
    return body;
  }

private:
  static mlir::Type typeOf(mlir::Attribute parameter) {
    return mlir::cast<mlir::TypeAttr>(mlir::cast<mlir::DictionaryAttr>(parameter).get("type"))
        .getValue();
  }
  mlir::Type resultType() const { return mlir::cast<mlir::TypeAttr>(results[0]).getValue(); }
  static bool isTensor(mlir::Type type) { return mlir::isa<mlir::MemRefType>(type); }
  Type *scalarType(mlir::Type type) {
    if (type.isF32())
      return b.getFloatTy();
    return b.getIntNTy(type.getIntOrFloatBitWidth());
  }
  Value *slot(unsigned index) {
    return b.CreateLoad(data.pointer, b.CreateConstGEP1_64(data.pointer, slots, index));
  }

  Data &data;
  mlir::DictionaryAttr entry;
  IRBuilder<> b;
  mlir::ArrayAttr parameters, results;
  Value *slots = nullptr;
};

/// struct tessera_signature
GlobalVariable *signatureOf(Data &data, mlir::DictionaryAttr entry, StringRef cpu) {
  SmallVector<Constant *> parameters, results;
  for (mlir::Attribute attribute : mlir::cast<mlir::ArrayAttr>(entry.get("parameters"))) {
    auto row = mlir::cast<mlir::DictionaryAttr>(attribute);
    parameters.push_back(parameterOf(data, textOf(row, "name"),
                                     mlir::cast<mlir::TypeAttr>(row.get("type")).getValue()));
  }
  for (mlir::Attribute attribute : mlir::cast<mlir::ArrayAttr>(entry.get("results")))
    results.push_back(
        parameterOf(data, "result", mlir::cast<mlir::TypeAttr>(attribute).getValue()));
  Function *body = BodyBuilder(data, entry).build();
  Constant *value = data.record({data.text(textOf(entry, "name")), data.number32(parameters.size()),
                                 data.number32(results.size()), data.array(parameters),
                                 data.array(results), data.text(cpu), body});
  return data.keep(value, "tessera_signature." + textOf(entry, "name"),
                   GlobalValue::ExternalLinkage);
}

/// The outside calls these before anybody has looked at the processor: the check is behind them.
void compileForAnyCpu(Function *function) {
  function->addFnAttr("target-cpu", "x86-64");
  function->addFnAttr(Attribute::NoUnwind);
}

/// int NAME(const tessera_view *arguments, tessera_view *results)
void addCFunction(Data &data, GlobalVariable *signature, StringRef name) {
  auto type = FunctionType::get(data.i32, {data.pointer, data.pointer}, false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, name, data.code);
  compileForAnyCpu(function);
  auto invokeType = FunctionType::get(data.i32, {data.pointer, data.pointer, data.pointer}, false);
  IRBuilder<> b(BasicBlock::Create(data.code.getContext(), "entry", function));
  FunctionCallee invoke = data.code.getOrInsertFunction("tessera_rt_invoke", invokeType);
  b.CreateRet(b.CreateCall(invoke, {signature, function->getArg(0), function->getArg(1)}));
}

/// int main(void): runs the program and turns what it says into an exit status.
void addMain(Data &data, GlobalVariable *signature) {
  Function *function = Function::Create(FunctionType::get(data.i32, false),
                                        GlobalValue::ExternalLinkage, "main", data.code);
  compileForAnyCpu(function);
  IRBuilder<> b(BasicBlock::Create(data.code.getContext(), "entry", function));
  FunctionCallee run = data.code.getOrInsertFunction(
      "tessera_rt_main", FunctionType::get(data.i32, {data.pointer}, false));
  b.CreateRet(b.CreateCall(run, {signature}));
}

} // namespace

void cpu::addSites(mlir::ModuleOp module, Module &code) {
  if (Function *trap = code.getFunction("tessera_rt_trap")) {
    trap->addFnAttr(Attribute::NoReturn);
    trap->addFnAttr(Attribute::Cold);
  }
  auto table = module->getAttrOfType<mlir::ArrayAttr>(core::sitesAttr);
  if (!table)
    return;
  Data data(code);
  SmallVector<Constant *> rows;
  for (mlir::Attribute row : table)
    rows.push_back(siteOf(data, mlir::cast<mlir::DictionaryAttr>(row)));
  auto *type = ArrayType::get(rows.front()->getType(), rows.size());
  GlobalVariable *sites = data.keep(ConstantArray::get(type, rows), "tessera.sites");
  for (StringRef name : {"tessera_rt_trap", "tessera_rt_push_call"}) {
    Function *callee = code.getFunction(name);
    if (!callee)
      continue;
    for (User *user : callee->users()) {
      auto *call = cast<CallInst>(user);
      auto *number = cast<ConstantInt>(call->getArgOperand(0));
      Constant *at = ConstantExpr::getInBoundsGetElementPtr(
          type, sites,
          ArrayRef<Constant *>{data.number64(0), data.number64(number->getSExtValue())});
      call->setArgOperand(0, ConstantExpr::getPtrToInt(at, data.i64));
    }
  }
}

void cpu::addEntries(mlir::ModuleOp module, Module &code, StringRef level, Artifact artifact) {
  auto entries = module->getAttrOfType<mlir::ArrayAttr>(entriesAttr);
  Data data(code);
  auto languageAttr = module->getAttrOfType<mlir::StringAttr>(core::languageAttr);
  StringRef language = languageAttr ? languageAttr.getValue() : "";
  bool isAhead = artifact == Artifact::Library || artifact == Artifact::Program;
  for (mlir::Attribute attribute : entries) {
    auto entry = mlir::cast<mlir::DictionaryAttr>(attribute);
    StringRef name = textOf(entry, "name");
    GlobalVariable *signature = signatureOf(data, entry, level);
    if (isAhead)
      signature->setLinkage(GlobalValue::InternalLinkage);
    if (artifact == Artifact::Library)
      addCFunction(data, signature, exportedName(language, name));
    if (artifact == Artifact::Program && name == "main")
      addMain(data, signature);
  }
}
