#include "lang/tc/Lower.h"
#include "core/Attributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

Location tc::locationOf(const Program &program, SourceRange range, MLIRContext &context) {
  LineColumn begin = program.file->position(range.begin), end = program.file->position(range.end);
  return FileLineColRange::get(StringAttr::get(&context, program.file->name()), begin.line,
                               begin.column, end.line, end.column);
}

namespace {

/// The function of one entry: its type and attributes, the arguments that determine sizes, and its
/// body.
class EntryLowering {
public:
  EntryLowering(const Program &program, Inferred &inferred, const LanguageOptions &options,
                ModuleOp module, core::Sites &sites)
      : program(program), inferred(inferred), options(options), module(module), sites(sites),
        builder(module.getContext()), frame(inferred.entry()), def(*frame.def) {}

  void run() {
    collectTensors();
    makeFunction();
    Operation *marker = core::constantIndex(builder, op.getLoc(), 0).getDefiningOp();
    SizeValues sizes(findSymbols(marker), marker);
    FrameLowering::Function function{program, inferred, options, module, sites, sizes, builder};
    FrameLowering lowering(function, frame);
    for (auto [tensor, argument] : llvm::zip(arguments, op.getArguments())) {
      lowering.values[tensor] = argument;
      if (tensor->isInOut)
        checkInitial(*tensor, argument, sizes);
    }
    lowering.lowerBody();
    rejectLarge(sizes, marker);
    SmallVector<Value> results;
    for (const Return &result : def.returns)
      results.push_back(castTo(lowering.values.lookup(result.tensor), typeOf(*result.tensor)));
    func::ReturnOp::create(builder, op.getLoc(), results);
    if (marker->use_empty())
      marker->erase();
  }

private:
  /// Rejects sizes that are too large, before anything depends on them [tc.limit.3].
  void rejectLarge(const SizeValues &sizes, Operation *marker) {
    if (!sizes.isTooLarge())
      return;
    OpBuilder b(marker);
    std::string message =
        llvm::formatv("a size in `{0}` is too large to be computed in 64 bits", def.name.text);
    core::rejectIf(b, sites, sizes.isTooLarge(), {op.getLoc(), message, "tc.limit.3"}, {});
  }

  /// Inputs, then the outputs that are passed in.
  void collectTensors() {
    for (const tc::Parameter &parameter : def.parameters)
      arguments.push_back(parameter.tensor);
    for (const Return &result : def.returns)
      if (result.tensor->isInOut)
        arguments.push_back(result.tensor);
  }

  SmallVector<Size> extentsOf(const Tensor &tensor) {
    SmallVector<Size> extents;
    if (tensor.rank)
      for (const tc::Range &range : frame.tensors.find(&tensor)->second)
        extents.push_back(inferred.sizes.max(inferred.sizes.sub(range.upper, range.lower),
                                             inferred.sizes.constant(0)));
    return extents;
  }

  Type typeOf(const Tensor &tensor) {
    Type element = storageType(tensor.element, *builder.getContext());
    if (!tensor.rank)
      return element;
    SmallVector<int64_t> shape;
    for (Size extent : extentsOf(tensor))
      shape.push_back(extent.constant().value_or(ShapedType::kDynamic));
    return RankedTensorType::get(shape, element);
  }

  /// Checks that an initial value has the shape of the result. Callers compare sizes that are
  /// numbers or have names; only the program knows the others [tc.error.15].
  void checkInitial(const Tensor &tensor, Value argument, SizeValues &sizes) {
    Location loc = locationOf(program, tensor.name.range, *builder.getContext());
    for (auto [index, extent] : llvm::enumerate(extentsOf(tensor))) {
      if (extent.constant() || extent.kind() == Size::Symbol)
        continue;
      Value found = tensor::DimOp::create(builder, loc, argument, index);
      Value wanted = sizes.value(extent);
      Value fails = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, found, wanted);
      std::string message = "the initial value of `" + tensor.name.text.str() +
                            "` has size {0} in dimension {1}, not {2}";
      core::rejectIf(builder, sites, fails, {loc, message, "tc.error.15"},
                     {found, core::constantIndex(builder, loc, index), wanted});
    }
  }

  void makeFunction() {
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> inputs, results;
    for (const Tensor *tensor : arguments)
      inputs.push_back(typeOf(*tensor));
    for (const Return &result : def.returns)
      results.push_back(typeOf(*result.tensor));
    Location loc = locationOf(program, def.name.range, *builder.getContext());
    op = func::FuncOp::create(builder, loc, ("entry." + def.name.text).str(),
                              builder.getFunctionType(inputs, results));
    op->setAttr(core::entryAttr, builder.getStringAttr(def.name.text));
    for (auto [index, tensor] : llvm::enumerate(arguments)) {
      op.setArgAttrs(index, attributesOf(*tensor));
      if (tensor->isInOut)
        op.setArgAttr(index, core::initialAttr, builder.getUnitAttr());
      if (tensor->rank)
        op.setArgAttr(index, "bufferization.writable", builder.getBoolAttr(false));
    }
    for (auto [index, result] : llvm::enumerate(def.returns))
      op.setResultAttrs(index, attributesOf(*result.tensor));
    builder.setInsertionPointToStart(op.addEntryBlock());
  }

  ArrayRef<NamedAttribute> attributesOf(const Tensor &tensor) {
    attributes.clear();
    attributes.push_back(
        builder.getNamedAttr(core::nameAttr, builder.getStringAttr(tensor.name.text)));
    attributes.push_back(
        builder.getNamedAttr(core::typeAttr, builder.getStringAttr(name(tensor.element))));
    SmallVector<std::string> names;
    for (Size extent : extentsOf(tensor))
      names.push_back(extent.kind() == Size::Symbol ? extent.str() : "");
    if (tensor.kind == Tensor::Input)
      for (auto [index, dimension] : llvm::enumerate(tensor.declared->dimensions))
        names[index] = dimension.name.str();
    if (!names.empty()) {
      SmallVector<StringRef> texts(names.begin(), names.end());
      attributes.push_back(builder.getNamedAttr(core::sizesAttr, builder.getStrArrayAttr(texts)));
    }
    return attributes;
  }

  /// Where each symbol of a size expression is found at run time.
  SmallVector<Value> findSymbols(Operation *marker) {
    SmallVector<Value> symbols;
    OpBuilder b(marker);
    auto place = [&](Size size, auto make) {
      if (size.kind() != Size::Symbol)
        return;
      symbols.resize(std::max<size_t>(symbols.size(), size.symbol() + 1));
      if (!symbols[size.symbol()])
        symbols[size.symbol()] = make();
    };
    for (auto [tensor, argument] : llvm::zip(arguments, op.getArguments()))
      if (tensor->kind == Tensor::Input)
        for (auto [index, dimension] : llvm::enumerate(tensor->declared->dimensions))
          if (!dimension.name.empty())
            place(frame.sizes[dimension.variable], [&, &argument = argument, &index = index] {
              return tensor::DimOp::create(b, op.getLoc(), argument, index).getResult();
            });
    for (auto &[tensor, size] : frame.scalars) {
      Value argument = op.getArgument(llvm::find(arguments, tensor) - arguments.begin());
      bool isSigned = kindOf(tensor->element) == ScalarKind::Signed;
      place(size, [&]() -> Value {
        return isSigned
                   ? Value(arith::IndexCastOp::create(b, op.getLoc(), b.getIndexType(), argument))
                   : Value(
                         arith::IndexCastUIOp::create(b, op.getLoc(), b.getIndexType(), argument));
      });
    }
    return symbols;
  }

  Value castTo(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return tensor::CastOp::create(builder, op.getLoc(), type, value);
  }

  const Program &program;
  Inferred &inferred;
  const LanguageOptions &options;
  ModuleOp module;
  core::Sites &sites;
  OpBuilder builder;
  const Frame &frame;
  const Def &def;
  func::FuncOp op;
  SmallVector<const Tensor *> arguments;
  SmallVector<NamedAttribute> attributes;
};

} // namespace

void tc::lowerDef(const Program &program, Inferred &inferred, const LanguageOptions &options,
                  ModuleOp module, core::Sites &sites) {
  EntryLowering(program, inferred, options, module, sites).run();
}
