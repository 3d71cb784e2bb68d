#include "backend/cpu/Entries.h"
#include "backend/cpu/EntryBody.h"
#include "backend/cpu/EntryData.h"
#include "backend/cpu/KernelEntry.h"
#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace tessera;
using cpu::addCFunction;
using cpu::compileForAnyCpu;
using cpu::numberOf;
using cpu::textOf;
using Data = cpu::EntryData;

namespace {

/// The names of sizes; shapes refer to them by index.
class SizeNames {
public:
  /// A size as struct tessera_parameter encodes it: a constant, any (-1), or the size with this
  /// name.
  int64_t encode(int64_t size, StringRef name) {
    if (!mlir::ShapedType::isDynamic(size))
      return size;
    if (name.empty())
      return -1;
    auto found = find(names, name);
    if (found == names.end())
      found = names.insert(names.end(), name);
    return -2 - (found - names.begin());
  }

  Constant *table(Data &data) const {
    SmallVector<Constant *> texts(
        map_range(names, [&](StringRef name) { return data.text(name); }));
    return data.array(texts);
  }

private:
  SmallVector<StringRef> names;
};

/// struct tessera_parameter
Constant *parameterOf(Data &data, mlir::DictionaryAttr row, SizeNames &names) {
  auto memref = mlir::dyn_cast<mlir::MemRefType>(row.getAs<mlir::TypeAttr>("type").getValue());
  auto sizeNames = row.getAs<mlir::ArrayAttr>("sizes");
  SmallVector<Constant *> sizes;
  if (memref)
    for (auto [dim, size] : enumerate(memref.getShape())) {
      StringRef name = sizeNames ? mlir::cast<mlir::StringAttr>(sizeNames[dim]).getValue() : "";
      sizes.push_back(data.number64(names.encode(size, name)));
    }
  return data.record({data.text(textOf(row, "name")), data.dtype(textOf(row, "element")),
                      data.number32(sizes.size()), data.array(sizes),
                      data.number32(row.contains("initial"))});
}

/// struct tessera_signature
GlobalVariable *signatureOf(Data &data, mlir::DictionaryAttr entry, StringRef cpu) {
  SizeNames names;
  auto describe = [&](StringRef key) {
    SmallVector<Constant *> rows;
    for (auto row : entry.getAs<mlir::ArrayAttr>(key).getAsRange<mlir::DictionaryAttr>())
      rows.push_back(parameterOf(data, row, names));
    return rows;
  };
  SmallVector<Constant *> parameters = describe("parameters"), results = describe("results");
  Function *body = cpu::buildEntryBody(data.code, entry);
  Constant *value =
      data.record({data.text(textOf(entry, "name")), data.number32(parameters.size()),
                   data.number32(results.size()), data.array(parameters), data.array(results),
                   data.text(cpu), body, names.table(data), data.place(entry)});
  return data.keep(value, "tessera_signature." + textOf(entry, "name"),
                   GlobalValue::ExternalLinkage);
}

/// struct tessera_program
GlobalVariable *programOf(Data &data, mlir::DictionaryAttr entry, StringRef cpu) {
  auto types = entry.getAs<mlir::ArrayAttr>("types");
  auto table = [&](unsigned index) -> Constant * {
    return data.code.getNamedGlobal(mlir::cast<mlir::FlatSymbolRefAttr>(types[index]).getValue());
  };
  Function *body = data.code.getFunction(textOf(entry, "symbol"));
  SmallVector<Constant *> names;
  for (auto name : entry.getAs<mlir::ArrayAttr>("names").getAsRange<mlir::StringAttr>())
    names.push_back(data.text(name.getValue()));
  names.push_back(data.null());
  Constant *value = data.record({data.text(textOf(entry, "name")), data.text(cpu), body, table(0),
                                 table(1), data.place(entry), data.array(names),
                                 data.number32(entry.contains("callsOut"))});
  return data.keep(value, "tessera_program." + textOf(entry, "name"), GlobalValue::ExternalLinkage);
}

/// Defines a function that calls the runtime function `callee` with `first` and its own arguments.
void passOn(Data &data, Function *function, StringRef callee, GlobalVariable *first) {
  SmallVector<Type *> types{data.pointer};
  append_range(types, function->getFunctionType()->params());
  SmallVector<Value *> arguments{first};
  append_range(arguments, make_pointer_range(function->args()));
  IRBuilder<> b(BasicBlock::Create(data.code.getContext(), "entry", function));
  FunctionCallee invoke = data.code.getOrInsertFunction(
      callee, FunctionType::get(function->getReturnType(), types, false));
  b.CreateRet(b.CreateCall(invoke, arguments));
}

/// int NAME(const tessera_view *arguments, tessera_view *results)
void addTensorFunction(Data &data, mlir::DictionaryAttr, GlobalVariable *signature,
                       StringRef name) {
  auto type = FunctionType::get(data.i32, {data.pointer, data.pointer}, false);
  passOn(data, addCFunction(data, name, type), "tessera_rt_invoke", signature);
}

/// tessera_output *NAME(const tessera_input *input)
void addDataFunction(Data &data, mlir::DictionaryAttr, GlobalVariable *program, StringRef name) {
  auto type = FunctionType::get(data.pointer, {data.pointer}, false);
  passOn(data, addCFunction(data, name, type), "tessera_rt_call", program);
}

/// What an entry exports: its table, and for libraries also the C function.
struct EntryForm {
  GlobalVariable *(*describe)(Data &, mlir::DictionaryAttr, StringRef cpu);
  void (*addFunction)(Data &, mlir::DictionaryAttr, GlobalVariable *table, StringRef name);
};
const EntryForm &formOf(mlir::DictionaryAttr entry) {
  static constexpr EntryForm onTensors{signatureOf, addTensorFunction},
      onData{programOf, addDataFunction}, kernels{cpu::kernelTable, cpu::addKernelFunction};
  return entry.contains("kernel") ? kernels : entry.contains("types") ? onData : onTensors;
}

void callWith(IRBuilder<> &b, StringRef callee, Constant *argument) {
  Module &code = *b.GetInsertBlock()->getModule();
  b.CreateCall(code.getOrInsertFunction(callee, b.getVoidTy(), argument->getType()), argument);
}

/// int main(void): runs the program and converts the outcome to an exit status.
void addMain(Data &data, GlobalVariable *signature, const Target &target) {
  Function *function = Function::Create(FunctionType::get(data.i32, false),
                                        GlobalValue::ExternalLinkage, "main", data.code);
  compileForAnyCpu(function);
  IRBuilder<> b(BasicBlock::Create(data.code.getContext(), "entry", function));
  if (target.threads)
    callWith(b, "tessera_set_threads", data.number32(target.threads));
  if (target.maxMemory)
    callWith(b, "tessera_rt_set_memory_limit", data.number64(target.maxMemory));
  FunctionCallee run = data.code.getOrInsertFunction(
      "tessera_rt_main", FunctionType::get(data.i32, {data.pointer}, false));
  b.CreateRet(b.CreateCall(run, {signature}));
}

/// Makes linking fail with a runtime other than the one the code was compiled for.
void requireSymbol(Data &data, StringRef name) {
  Constant *symbol = data.code.getOrInsertGlobal(name, Type::getInt8Ty(data.code.getContext()));
  appendToCompilerUsed(data.code, data.keep(symbol, "tessera.version"));
}

} // namespace

void cpu::addSites(mlir::ModuleOp module, Module &code) {
  for (StringRef name : {"tessera_rt_trap", "tessera_rt_trap_key", "tessera_rt_reject"})
    if (Function *end = code.getFunction(name)) {
      end->addFnAttr(Attribute::NoReturn);
      end->addFnAttr(Attribute::Cold);
    }
  // Marked as cold so that loops keep the location it returns instead of searching again.
  if (Function *add = code.getFunction("tessera_rt_table_add"))
    add->addFnAttr(Attribute::Cold);
  for (StringRef name : {"tessera_rt_region_alloc", "tessera_rt_region_create"})
    if (Function *allocate = code.getFunction(name))
      allocate->addRetAttr(Attribute::NoAlias);
  auto table = module->getAttrOfType<mlir::ArrayAttr>(core::sitesAttr);
  if (!table)
    return;
  Data data(code);
  SmallVector<Constant *> rows;
  for (mlir::Attribute row : table)
    rows.push_back(data.site(mlir::cast<mlir::DictionaryAttr>(row)));
  auto *type = ArrayType::get(rows.front()->getType(), rows.size());
  GlobalVariable *sites = data.keep(ConstantArray::get(type, rows), "tessera.sites");
  // The functions that take a site, and the index of that argument.
  static constexpr std::pair<StringLiteral, unsigned> takers[] = {
      {"tessera_rt_trap", 0},
      {"tessera_rt_reject", 0},
      {"tessera_rt_push_call", 0},
      {allocateFunction, 1},
      {"tessera_rt_region_create", 0},
      {"tessera_rt_region_alloc", 2},
      {"tessera_rt_region_grow", 4},
      {"tessera_rt_copy", 3},
      {"tessera_rt_serialize", 3},
      {"tessera_rt_deserialize", 3},
      {"tessera_rt_check_result", 2},
      {"tessera_rt_table_create", 3},
      {"tessera_rt_table_insert", 2},
      {"tessera_rt_table_add", 2},
      {"tessera_rt_trap_key", 0},
      {"tessera_rt_table_expect", 4},
      {"tessera_rt_table_settle", 1},
      {"tessera_rt_table_create_merged", 3},
      {"tessera_rt_table_piece", 2},
      {"tessera_rt_parts_create", 4},
      {"tessera_rt_parts_table", 3},
      {"tessera_rt_parts_finish", 3},
      {"tessera_rt_parts_join", 3},
      {"tessera_rt_groups_create", 2},
      {"tessera_rt_groups_add", 3},
      {"tessera_rt_groups_append", 2},
      {"tessera_rt_groups_finish", 1},
      {"tessera_rt_count_strided", 6},
      {"tessera_rt_accesses_create", 3},
      {"tessera_rt_accesses_touch", 5},
      {"tessera_rt_accesses_note", 6}};
  for (auto [name, argument] : takers) {
    Function *callee = code.getFunction(name);
    if (!callee)
      continue;
    for (User *user : callee->users()) {
      auto *call = cast<CallInst>(user);
      // A constant, or one of several if calls were merged.
      Value *number = call->getArgOperand(argument);
      IRBuilder<> b(call);
      Value *at = b.CreateInBoundsGEP(type, sites, {data.number64(0), number});
      call->setArgOperand(argument, b.CreatePtrToInt(at, data.i64));
    }
  }
}

void cpu::addEntries(mlir::ModuleOp module, Module &code, const Target &target, StringRef level,
                     Artifact artifact) {
  auto entries = module->getAttrOfType<mlir::ArrayAttr>(entriesAttr);
  Data data(code);
  auto languageAttr = module->getAttrOfType<mlir::StringAttr>(core::languageAttr);
  StringRef language = languageAttr ? languageAttr.getValue() : "";
  bool isAhead = artifact == Artifact::Library || artifact == Artifact::Program;
  if (isAhead && !target.runtimeSymbol.empty())
    requireSymbol(data, target.runtimeSymbol);
  for (mlir::Attribute attribute : entries) {
    auto entry = mlir::cast<mlir::DictionaryAttr>(attribute);
    StringRef name = textOf(entry, "name");
    const EntryForm &form = formOf(entry);
    GlobalVariable *described = form.describe(data, entry, level);
    if (isAhead)
      described->setLinkage(GlobalValue::InternalLinkage);
    if (artifact == Artifact::Library)
      form.addFunction(data, entry, described, exportedName(language, name));
    if (artifact == Artifact::Program && name == "main")
      addMain(data, described, target);
  }
}
