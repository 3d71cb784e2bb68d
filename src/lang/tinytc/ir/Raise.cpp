#include "lang/tinytc/ir/Raise.h"
#include "lang/tinytc/ir/Scalars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/StringSaver.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::ir;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

llvm::StringRef Raising::keep(const llvm::Twine &text) {
  return llvm::StringSaver(program.arena).save(text);
}

//===-- Functions ---------------------------------------------------------===//

void Raising::run(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    program.functions.push_back(raise(function));
}

/// The attributes that the program gives, and the sizes in effect.
static mlir::NamedAttrList attributesOf(mlir::func::FuncOp function) {
  mlir::Builder builder(function.getContext());
  mlir::NamedAttrList attributes(function->getAttrOfType<mlir::DictionaryAttr>(attributesAttr));
  attributes.set("subgroup_size", function->getAttr(subgroupSizeAttr));
  attributes.set("work_group_size", builder.getI64ArrayAttr(workGroupSizeOf(function)));
  return attributes;
}

Function *Raising::raise(mlir::func::FuncOp function) {
  names.emplace(function);
  Function *result = program.make(Function{});
  result->name.text = keep("@" + function.getName());
  result->parameters = defineArguments(function.getBody().front());
  for (auto [index, parameter] : llvm::enumerate(result->parameters))
    if (auto written = function.getArgAttrOfType<mlir::DictionaryAttr>(index, attributesAttr))
      parameter->attributes = dictionary(written.getValue());
  result->attributes = dictionary(attributesOf(function).getAttrs());
  result->body = scopedBody(function.getBody());
  return result;
}

//===-- Types -------------------------------------------------------------===//

const tinytc::Type *Raising::raise(mlir::Type type) {
  if (auto memref = mlir::dyn_cast<MemrefType>(type))
    return program.types.memref(*scalarOf(memref.getElement()), memref.getShape(),
                                memref.getStrides(),
                                static_cast<tinytc::AddressSpace>(memref.getSpace()));
  if (auto group = mlir::dyn_cast<GroupType>(type))
    return program.types.group(raise(mlir::Type(group.getMember())), group.getSize(),
                               group.getOffset());
  if (auto matrix = mlir::dyn_cast<CoopMatrixType>(type))
    return program.types.coopmatrix(*scalarOf(matrix.getComponent()), matrix.getRows(),
                                    matrix.getColumns(),
                                    static_cast<tinytc::MatrixUse>(matrix.getUse()));
  return type.isInteger(1) ? program.types.boolean() : program.types.scalar(*scalarOf(type));
}

ArrayRef<TypeRef> Raising::typeRefs(mlir::TypeRange types) {
  SmallVector<TypeRef> list;
  for (mlir::Type type : types)
    list.push_back(typeRef(type));
  return program.keep<TypeRef>(list);
}

//===-- Attributes and constants ------------------------------------------===//

/// Whether an attribute name needs no quotes.
static bool isWord(StringRef name) {
  return llvm::is_contained(
      {"alignment", "shape_gcd", "stride_gcd", "subgroup_size", "unroll", "work_group_size"}, name);
}

const Attr *Raising::dictionary(ArrayRef<mlir::NamedAttribute> entries) {
  SmallVector<NamedAttr> list;
  for (mlir::NamedAttribute entry : entries)
    list.push_back(
        {{keep(entry.getName().getValue())}, !isWord(entry.getName()), raise(entry.getValue())});
  Attr attr;
  attr.entries = program.keep<NamedAttr>(list);
  return program.make(attr);
}

Attr Raising::raise(mlir::Attribute attr) {
  Attr result;
  if (auto entries = mlir::dyn_cast<mlir::DictionaryAttr>(attr))
    return *dictionary(entries.getValue());
  if (auto elements = mlir::dyn_cast<mlir::ArrayAttr>(attr)) {
    SmallVector<Attr> list;
    for (mlir::Attribute element : elements)
      list.push_back(raise(element));
    result.kind = Attr::Array;
    result.elements = program.keep<Attr>(list);
    return result;
  }
  if (auto text = mlir::dyn_cast<mlir::StringAttr>(attr)) {
    result.kind = Attr::String;
    result.text = keep(text.getValue());
    return result;
  }
  auto number = mlir::cast<mlir::IntegerAttr>(attr);
  bool isBool = number.getType().isInteger(1);
  result.kind = isBool ? Attr::Bool : Attr::Integer;
  result.integer = isBool ? number.getValue().getBoolValue() : number.getInt();
  return result;
}

/// The language has no literal for infinity, but a number that is too large for a narrow type
/// rounds to it. Constants of f64 are finite.
static double finite(mlir::Attribute attr) {
  static constexpr double tooLarge = 1e300;
  double value = mlir::cast<mlir::FloatAttr>(attr).getValueAsDouble();
  return std::isinf(value) ? std::copysign(tooLarge, value) : value;
}

const Literal *Raising::literal(mlir::Attribute attr) {
  Literal literal;
  if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(attr)) {
    bool isBool = number.getType().isInteger(1);
    literal.kind = isBool ? Literal::Bool : Literal::Integer;
    literal.integer = isBool ? number.getValue().getBoolValue() : number.getValue().getSExtValue();
  } else if (auto parts = mlir::dyn_cast<mlir::ArrayAttr>(attr)) {
    literal.kind = Literal::Complex;
    literal.real = finite(parts[0]);
    literal.imag = finite(parts[1]);
  } else {
    literal.kind = Literal::Float;
    literal.real = finite(attr);
  }
  return program.make(literal);
}

//===-- Values ------------------------------------------------------------===//

Value *Raising::define(mlir::Value value, StringRef wanted) {
  Value *result = program.make(Value{});
  result->name.text = keep("%" + names->bind(wanted));
  result->type = raise(value.getType());
  values[value] = result;
  return result;
}

ArrayRef<Value *> Raising::define(mlir::ValueRange results, mlir::Location loc) {
  SmallVector<Value *> list;
  for (auto [value, name] : llvm::zip_equal(results, namesAt(loc, results.size())))
    list.push_back(define(value, name));
  return program.keep<Value *>(list);
}

ArrayRef<Value *> Raising::defineArguments(mlir::Block &block) {
  SmallVector<Value *> list;
  for (mlir::BlockArgument argument : block.getArguments())
    list.push_back(define(argument, namesAt(argument.getLoc(), 1)[0]));
  return program.keep<Value *>(list);
}

Operand Raising::use(mlir::Value value) {
  Operand operand;
  operand.value = values.lookup(value);
  operand.name = operand.value->name.text;
  operand.type = operand.value->type;
  return operand;
}

Operand Raising::useMixed(mlir::OpFoldResult value) {
  if (auto known = mlir::dyn_cast<mlir::Value>(value))
    return use(known);
  Operand operand;
  operand.literal = literal(mlir::cast<mlir::Attribute>(value));
  operand.type = program.types.index();
  return operand;
}

llvm::MutableArrayRef<Operand> Raising::uses(mlir::ValueRange list) {
  SmallVector<Operand> operands;
  for (mlir::Value value : list)
    operands.push_back(use(value));
  return program.keep<Operand>(operands);
}
