#include "core/Build.h"
#include "core/Attributes.h"

using namespace mlir;
using namespace tessera;

SmallVector<OpFoldResult> core::sizesOf(OpBuilder &b, Location loc, Value tensor) {
  return tensor::getMixedSizes(b, loc, tensor);
}

Value core::empty(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes, Type element) {
  return tensor::EmptyOp::create(b, loc, sizes, element);
}

Value core::filled(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes, Value value) {
  Value destination = empty(b, loc, sizes, value.getType());
  return linalg::FillOp::create(b, loc, value, destination).getResult(0);
}

Value core::elementwise(OpBuilder &b, Location loc, ValueRange tensors,
                        ArrayRef<OpFoldResult> sizes, Type element, Elements body) {
  Value destination = empty(b, loc, sizes, element);
  SmallVector<AffineMap> maps(tensors.size() + 1, b.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> loops(sizes.size(), utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      b, loc, destination.getType(), tensors, destination, maps, loops,
      [&](OpBuilder &nested, Location at, ValueRange arguments) {
        linalg::YieldOp::create(nested, at, body(nested, at, arguments.drop_back()));
      });
  return op.getResult(0);
}

Value core::matmul(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  Type element = cast<ShapedType>(lhs.getType()).getElementType();
  OpFoldResult rows = sizesOf(b, loc, lhs)[0], columns = sizesOf(b, loc, rhs)[1];
  Value start = filled(b, loc, {rows, columns}, zero(b, loc, element));
  return linalg::MatmulOp::create(b, loc, TypeRange{start.getType()}, ValueRange{lhs, rhs},
                                  ValueRange{start})
      .getResult(0);
}

Value core::zero(OpBuilder &b, Location loc, Type element) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
}

Value core::constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

void core::declareRuntime(ModuleOp module, StringRef name, FunctionType type) {
  if (module.lookupSymbol(name))
    return;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(b, module.getLoc(), name, type);
  function.setPrivate();
}

void core::callRuntime(OpBuilder &b, ModuleOp module, Location loc, StringRef name,
                       ValueRange arguments) {
  declareRuntime(module, name, b.getFunctionType(TypeRange(arguments), {}));
  func::CallOp::create(b, loc, name, TypeRange{}, arguments);
}

/// The innermost file position in `loc`, if any; for inlined calls, the callee's.
static FileLineColRange fileRangeOf(Location loc) {
  if (auto inlined = dyn_cast<CallSiteLoc>(loc))
    return fileRangeOf(inlined.getCallee());
  return loc->findInstanceOf<FileLineColRange>();
}

DictionaryAttr core::describe(const Site &site) {
  Builder b(site.loc.getContext());
  FileLineColRange position = fileRangeOf(site.loc);
  auto number = [&](StringRef name, unsigned value) {
    return b.getNamedAttr(name, b.getI32IntegerAttr(value));
  };
  auto text = [&](StringRef name, StringRef value) {
    return b.getNamedAttr(name, b.getStringAttr(value));
  };
  return b.getDictionaryAttr({text("file", position ? position.getFilename().getValue() : ""),
                              number("line", position ? position.getStartLine() : 0),
                              number("column", position ? position.getStartColumn() : 0),
                              number("endLine", position ? position.getEndLine() : 0),
                              number("endColumn", position ? position.getEndColumn() : 0),
                              text("message", site.message), text("rule", site.rule)});
}

core::Sites::Sites(ModuleOp module) : module(module) {
  if (auto existing = module->getAttrOfType<ArrayAttr>(sitesAttr))
    llvm::append_range(rows, existing);
}

int64_t core::Sites::add(const Site &site) {
  rows.push_back(describe(site));
  return rows.size() - 1;
}

Value core::Sites::number(OpBuilder &b, const Site &site) {
  return arith::ConstantIntOp::create(b, site.loc, add(site), 64);
}

void core::Sites::attach() {
  if (!rows.empty())
    module->setAttr(sitesAttr, ArrayAttr::get(module.getContext(), rows));
}

static Value toI64(OpBuilder &b, Location loc, Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  if (value.getType().isInteger(64))
    return value;
  return arith::ExtSIOp::create(b, loc, b.getI64Type(), value);
}

static void callIf(OpBuilder &b, core::Sites &sites, Value condition, const core::Site &site,
                   core::Values values, StringRef callee) {
  scf::IfOp::create(b, site.loc, condition, [&](OpBuilder &nested, Location loc) {
    constexpr size_t numArguments = 5; // The site and four values; see runtime/Generated.h.
    SmallVector<Value> arguments{sites.number(nested, site)};
    for (Value value : values(nested))
      arguments.push_back(toI64(nested, loc, value));
    if (arguments.size() < numArguments)
      arguments.resize(numArguments, arith::ConstantIntOp::create(nested, loc, 0, 64));
    core::callRuntime(nested, sites.module, loc, callee, arguments);
    scf::YieldOp::create(nested, loc);
  });
}

void core::trapIfWith(OpBuilder &b, Sites &sites, Value condition, const Site &site,
                      Values values) {
  callIf(b, sites, condition, site, values, "tessera_rt_trap");
}

void core::trapIf(OpBuilder &b, Sites &sites, Value condition, const Site &site,
                  ValueRange values) {
  auto given = [&](OpBuilder &) { return SmallVector<Value>(values); };
  callIf(b, sites, condition, site, given, "tessera_rt_trap");
}

void core::rejectIf(OpBuilder &b, Sites &sites, Value condition, const Site &site,
                    ValueRange values) {
  auto given = [&](OpBuilder &) { return SmallVector<Value>(values); };
  callIf(b, sites, condition, site, given, "tessera_rt_reject");
}
