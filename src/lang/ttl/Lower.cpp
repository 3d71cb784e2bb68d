#include "lang/ttl/Lower.h"
#include "core/Attributes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::ttl;

Lowering::Lowering(const Program &program, const LanguageOptions &options, MLIRContext &context)
    : program(program), options(options), context(context),
      module(ModuleOp::create(FileLineColLoc::get(&context, program.file->name(), 1, 1))),
      builder(&context), sites(*module) {
  if (options.checked)
    partial = findPartialMatrices(program);
}

OwningOpRef<ModuleOp> Lowering::run() {
  for (const Function *function : program.functions) {
    lowerFunction(*function);
    bool isEntry = options.entry == "*" || function->name.text == options.entry;
    if (isEntry)
      makeEntry(*function);
  }
  sites.attach();
  return std::move(module);
}

Location Lowering::locationOf(SourceRange range) {
  LineColumn begin = program.file->position(range.begin), end = program.file->position(range.end);
  return FileLineColRange::get(StringAttr::get(&context, program.file->name()), begin.line,
                               begin.column, end.line, end.column);
}

mlir::Type Lowering::elementType(ttl::Type::Kind kind) {
  return kind == ttl::Type::Float ? mlir::Type(builder.getF32Type()) : builder.getI32Type();
}

static SmallVector<int64_t> mlirSizes(const ttl::Type &type) {
  SmallVector<int64_t> sizes(type.sizes);
  llvm::replace(sizes, ttl::Type::dynamic, ShapedType::kDynamic);
  return sizes;
}

mlir::Type Lowering::typeOf(const ttl::Type &type) {
  if (type.isMatrix())
    return RankedTensorType::get(mlirSizes(type), elementType(type.element));
  return elementType(type.kind);
}

mlir::Type Lowering::maskType(const ttl::Type &type) {
  return RankedTensorType::get(mlirSizes(type), builder.getI8Type());
}

/// Parameters, then the flags of those that may be partial; results likewise.
FunctionType Lowering::functionType(const Function &function) {
  SmallVector<mlir::Type> parameters, results;
  for (const ParameterDecl &parameter : function.parameters)
    parameters.push_back(typeOf(parameter.type));
  for (const ParameterDecl &parameter : function.parameters)
    if (isPartial(parameter.variable))
      parameters.push_back(maskType(parameter.type));
  if (function.returnType.kind != ttl::Type::Void)
    results.push_back(typeOf(function.returnType));
  if (partial.results.contains(&function))
    results.push_back(maskType(function.returnType));
  return builder.getFunctionType(parameters, results);
}

void Lowering::lowerFunction(const Function &function) {
  builder.setInsertionPointToEnd(module->getBody());
  Location loc = locationOf(function.name.range);
  auto op = func::FuncOp::create(builder, loc, symbolOf(function), functionType(function));
  op.setPrivate();
  Block *block = op.addEntryBlock();
  builder.setInsertionPointToStart(block);
  bindings.clear();
  indexOf.clear();
  unsigned mask = function.parameters.size();
  for (auto [parameter, argument] : llvm::zip(function.parameters, block->getArguments())) {
    Binding binding{argument, {}};
    if (isPartial(parameter.variable))
      binding.written = block->getArgument(mask++);
    bindings[parameter.variable] = binding;
  }
  lower(function.body);
  if (function.returnType.kind == ttl::Type::Void)
    func::ReturnOp::create(builder, locationOf({function.range.end - 1, function.range.end}));
}

/// Makes the function that callers of the program use, which forwards to `function`. Arguments from
/// outside are fully written.
void Lowering::makeEntry(const Function &function) {
  builder.setInsertionPointToEnd(module->getBody());
  Location loc = locationOf(function.name.range);
  unsigned numParameters = function.parameters.size();
  bool hasResult = function.returnType.kind != ttl::Type::Void;
  FunctionType inner = functionType(function);
  auto type = builder.getFunctionType(inner.getInputs().take_front(numParameters),
                                      inner.getResults().take_front(hasResult));
  auto op = func::FuncOp::create(builder, loc, ("entry." + function.name.text).str(), type);
  op->setAttr(core::entryAttr, builder.getStringAttr(function.name.text));
  for (auto [index, parameter] : llvm::enumerate(function.parameters)) {
    op.setArgAttr(index, core::nameAttr, builder.getStringAttr(parameter.name.text));
    if (parameter.type.isMatrix())
      op.setArgAttr(index, "bufferization.writable", builder.getBoolAttr(false));
  }
  builder.setInsertionPointToStart(op.addEntryBlock());
  SmallVector<Value> arguments(op.getArguments());
  for (auto [parameter, argument] : llvm::zip(function.parameters, op.getArguments()))
    if (isPartial(parameter.variable))
      arguments.push_back(flagsOf(loc, {argument, {}}, maskType(parameter.type)));
  auto call = func::CallOp::create(builder, loc, symbolOf(function), inner.getResults(), arguments);
  if (call.getNumResults() > 1) // Callers read the whole result.
    checkWritten(loc, {call.getResult(0), call.getResult(1)});
  func::ReturnOp::create(builder, loc, call.getResults().take_front(hasResult));
}

OwningOpRef<ModuleOp> tessera::ttl::lower(const Program &program, const LanguageOptions &options,
                                          MLIRContext &context) {
  return Lowering(program, options, context).run();
}
