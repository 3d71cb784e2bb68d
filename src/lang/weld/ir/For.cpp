#include "lang/weld/ir/Format.h"

using namespace mlir;
using namespace tessera::weld::ir;
namespace ir = tessera::weld::ir;

static Type i64(MLIRContext *context) {
  return IntegerType::get(context, 64, IntegerType::Signed);
}

//===-- Iterators ---------------------------------------------------------===//

unsigned IteratorOperands::numOperands(IteratorKind kind) {
  switch (kind) {
  case IteratorKind::Plain:
  case IteratorKind::Simd:
  case IteratorKind::Fringe:
    return 1;
  case IteratorKind::Range:
    return 3;
  case IteratorKind::Strided:
    return 4;
  case IteratorKind::Nd:
    return 6;
  }
  llvm_unreachable("a kind without operands");
}

static Type elementTypeOf(IteratorKind kind, Type first) {
  if (kind == IteratorKind::Range)
    return first;
  Type element = cast<VecType>(first).getElement();
  return kind == IteratorKind::Simd ? SimdType::get(element) : element;
}

Type IteratorOperands::elementType() const {
  return elementTypeOf(kind, operands[0].getType());
}

static IteratorKind kindOf(Attribute attr) {
  return cast<IteratorKindAttr>(attr).getValue();
}

SmallVector<IteratorOperands> ForOp::iteratorList() {
  SmallVector<IteratorOperands> list;
  OperandRange rest = getIterators();
  for (auto [attr, element] : llvm::zip(getKinds(), elements())) {
    IteratorKind kind = kindOf(attr);
    unsigned count = IteratorOperands::numOperands(kind);
    list.push_back({kind, llvm::to_vector<4>(rest.take_front(count)), element.getLoc()});
    rest = rest.drop_front(count);
  }
  return list;
}

//===-- Building ----------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, ArrayRef<IteratorOperands> iterators,
                  ValueRange builders) {
  SmallVector<Attribute> kinds;
  unsigned numOperands = 0;
  Block &block = state.addRegion()->emplaceBlock();
  for (Value value : builders)
    block.addArgument(value.getType(), value.getLoc());
  block.addArgument(i64(builder.getContext()), state.location);
  for (const IteratorOperands &iterator : iterators) {
    kinds.push_back(IteratorKindAttr::get(builder.getContext(), iterator.kind));
    state.addOperands(iterator.operands);
    numOperands += iterator.operands.size();
    block.addArgument(iterator.elementType(), iterator.loc);
  }
  state.addOperands(builders);
  state.addTypes(builders.getTypes());
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.kinds = builder.getArrayAttr(kinds);
  properties.operandSegmentSizes = {static_cast<int32_t>(numOperands),
                                    static_cast<int32_t>(builders.size())};
}

LogicalResult ForOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                      ForOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getBuilders().getTypes());
  return success();
}

//===-- Verifiers ---------------------------------------------------------===//

/// The operand types of an iterator kind: vectors and numbers.
static LogicalResult verifyIterator(ForOp op, IteratorKind kind, TypeRange types) {
  Type number = i64(op.getContext()), numbers = VecType::get(number);
  for (auto [index, type] : llvm::enumerate(types)) {
    bool isData = index == 0 && kind != IteratorKind::Range;
    auto vec = dyn_cast<VecType>(type);
    bool fits = isData       ? vec && (kind != IteratorKind::Simd || isScalar(vec.getElement()))
                : index >= 4 ? type == numbers
                             : type == number;
    if (!fits)
      return op.emitOpError() << stringifyIteratorKind(kind) << " has an operand of type " << type;
  }
  return success();
}

LogicalResult ForOp::verify() {
  TypeRange rest = getIterators().getTypes();
  for (Attribute attr : getKinds()) {
    IteratorKind kind = kindOf(attr);
    unsigned count = IteratorOperands::numOperands(kind);
    if (count > rest.size())
      return emitOpError("has too few operands for its iterators");
    if (failed(verifyIterator(*this, kind, rest.take_front(count))))
      return failure();
    rest = rest.drop_front(count);
  }
  if (!rest.empty() || getKinds().empty())
    return emitOpError("has operands without an iterator, or no iterator");
  if (getMerges() && getMerges()->size() != numBuilders())
    return emitOpError("does not give the merge count of each builder");
  if (getStrategies() && getStrategies()->size() != numBuilders())
    return emitOpError("does not give the strategy of each builder");
  return success();
}

LogicalResult ForOp::verifyRegions() {
  SmallVector<Type> wanted(getBuilders().getTypes());
  wanted.push_back(i64(getContext()));
  OperandRange rest = getIterators();
  for (Attribute attr : getKinds()) {
    wanted.push_back(elementTypeOf(kindOf(attr), rest.front().getType()));
    rest = rest.drop_front(IteratorOperands::numOperands(kindOf(attr)));
  }
  if (TypeRange(block().getArgumentTypes()) != TypeRange(wanted))
    return emitOpError("has a region whose arguments are not ") << wanted;
  auto terminator = dyn_cast<YieldOp>(block().getTerminator());
  if (!terminator || terminator.getValues().getTypes() != getResultTypes())
    return emitOpError("has a region that does not yield ") << getResultTypes();
  for (auto [yielded, argument] : llvm::zip_equal(terminator.getValues(), builderArguments()))
    if (!isDerivedFrom(yielded, argument))
      return emitOpError("has a region that yields a builder that is not its own");
  return success();
}

//===-- Text --------------------------------------------------------------===//

/// Types of numbers are not printed.
static ParseResult parseIterator(OpAsmParser &parser,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                                 SmallVectorImpl<Type> &types, SmallVectorImpl<Attribute> &kinds) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<IteratorKind> kind = symbolizeIteratorKind(keyword);
  if (!kind)
    return parser.emitError(loc, "unknown kind of iterator");
  kinds.push_back(IteratorKindAttr::get(parser.getContext(), *kind));
  unsigned count = IteratorOperands::numOperands(*kind);
  for (unsigned i = 0; i < count; ++i)
    if ((i && parser.parseComma()) || parser.parseOperand(operands.emplace_back()))
      return failure();
  Type number = i64(parser.getContext()), data = number;
  if (*kind != IteratorKind::Range && parser.parseColonType(data))
    return failure();
  for (unsigned i = 0; i < count; ++i)
    types.push_back(i == 0 ? data : i >= 4 ? Type(VecType::get(number)) : number);
  return success();
}

ParseResult ir::parseIterators(OpAsmParser &parser,
                               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                               SmallVectorImpl<Type> &types, ArrayAttr &kinds) {
  SmallVector<Attribute> parsed;
  if (parser.parseCommaSeparatedList(
          [&] { return parseIterator(parser, operands, types, parsed); }))
    return failure();
  kinds = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

void ir::printIterators(OpAsmPrinter &printer, ForOp, OperandRange operands, TypeRange,
                        ArrayAttr kinds) {
  llvm::interleaveComma(kinds, printer, [&](Attribute attr) {
    IteratorKind kind = kindOf(attr);
    unsigned count = IteratorOperands::numOperands(kind);
    printer << stringifyIteratorKind(kind) << ' ' << operands.take_front(count);
    if (kind != IteratorKind::Range)
      printer << " : " << operands.front().getType();
    operands = operands.drop_front(count);
  });
}
