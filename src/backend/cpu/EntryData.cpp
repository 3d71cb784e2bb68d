#include "backend/cpu/EntryData.h"

using namespace llvm;
using namespace tessera;
using cpu::EntryData;

EntryData::EntryData(Module &code)
    : code(code), pointer(PointerType::getUnqual(code.getContext())),
      i64(Type::getInt64Ty(code.getContext())), i32(Type::getInt32Ty(code.getContext())) {}

Constant *EntryData::numbers64(ArrayRef<int64_t> values) {
  SmallVector<Constant *> rows(map_range(values, [&](int64_t value) { return number64(value); }));
  return array(rows);
}

Constant *EntryData::text(StringRef value) {
  return value.empty() ? null()
                       : keep(ConstantDataArray::getString(code.getContext(), value), ".text");
}

Constant *EntryData::record(ArrayRef<Constant *> fields) {
  return ConstantStruct::getAnon(code.getContext(), fields);
}

Constant *EntryData::array(ArrayRef<Constant *> rows) {
  if (rows.empty())
    return null();
  return keep(ConstantArray::get(ArrayType::get(rows.front()->getType(), rows.size()), rows),
              ".table");
}

GlobalVariable *EntryData::keep(Constant *value, const Twine &name,
                                GlobalValue::LinkageTypes linkage) {
  return new GlobalVariable(code, value->getType(), /*isConstant=*/true, linkage, value, name);
}

Constant *EntryData::site(mlir::DictionaryAttr row) {
  return record({text(textOf(row, "file")), number32(numberOf(row, "line")),
                 number32(numberOf(row, "column")), text(textOf(row, "message")),
                 text(textOf(row, "rule")), number32(numberOf(row, "endLine")),
                 number32(numberOf(row, "endColumn"))});
}

Constant *EntryData::place(mlir::DictionaryAttr entry) {
  auto row = entry.getAs<mlir::DictionaryAttr>("place");
  return textOf(row, "file").empty() ? null() : keep(site(row), ".place");
}

Constant *EntryData::dtype(core::ElementType element, bool isComplex) {
  static constexpr unsigned codes[] = {6, 0, 1, 2, 4}, // In the order of ElementType::Kind.
      complexCode = 5;
  unsigned code = isComplex ? complexCode : codes[element.kind];
  return number32(code | element.bits * (isComplex ? 2 : 1) << 8 | 1 << 16);
}

Constant *EntryData::dtype(StringRef element) {
  return dtype(*core::elementNamed(element));
}

StringRef cpu::textOf(mlir::DictionaryAttr row, StringRef key) {
  return mlir::cast<mlir::StringAttr>(row.get(key)).getValue();
}

int64_t cpu::numberOf(mlir::DictionaryAttr row, StringRef key) {
  auto number = row.getAs<mlir::IntegerAttr>(key);
  return number ? number.getInt() : 0;
}

void cpu::compileForAnyCpu(Function *function) {
  function->addFnAttr("target-cpu", "x86-64");
  function->addFnAttr(Attribute::NoUnwind);
}

Function *cpu::addCFunction(EntryData &data, StringRef name, FunctionType *type) {
  // The module's own function of that name is internal.
  if (Function *own = data.code.getFunction(name))
    own->setName(name + ".inside");
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, name, data.code);
  compileForAnyCpu(function);
  return function;
}
