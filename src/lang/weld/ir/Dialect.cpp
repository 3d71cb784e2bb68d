#include "lang/weld/ir/Dialect.h"

using namespace mlir;
using namespace tessera::weld::ir;
namespace ir = tessera::weld::ir;

#include "lang/weld/ir/Dialect.cpp.inc"

Operation *WeldDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  auto typed = dyn_cast<TypedAttr>(value);
  return typed && typed.getType() == type && isScalar(type)
             ? ConstantOp::create(builder, loc, typed).getOperation()
             : nullptr;
}

std::optional<int64_t> ir::annotatedNumber(Operation *op, StringRef name) {
  StringRef text = annotation(op, name); // Perhaps with the suffix of its type.
  int64_t value;
  return text.consumeInteger(10, value) ? std::nullopt : std::optional(value);
}

StringRef ir::annotation(Operation *op, StringRef name) {
  auto all = op->getAttrOfType<DictionaryAttr>(annotationsAttr);
  auto value = all ? all.getAs<StringAttr>(name) : StringAttr();
  return value ? value.getValue() : "";
}
