/// Instructions on scalars and, component by component, on matrices.
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

static Datum matrixOf(Matrix components) {
  return std::make_shared<const Matrix>(std::move(components));
}

Machine::Result Machine::act(const Binary &node, const Inst &, Thread &thread) {
  ScalarType type = node.type.type->scalar; // bools use i32, whose last bit is the same.
  if (!node.type.type->isCoop())
    return binary(node.op, number(node.lhs, thread), number(node.rhs, thread), type);
  Matrix result;
  for (auto [left, right] : llvm::zip_equal(matrix(node.lhs, thread), matrix(node.rhs, thread)))
    result.push_back(binary(node.op, left, right, type));
  return matrixOf(std::move(result));
}

Machine::Result Machine::act(const Unary &node, const Inst &, Thread &thread) {
  const Type &type = *node.operand.type;
  if (type.kind == Type::Bool)
    return Quantity::ofInt(!integer(node.operand, thread));
  if (!type.isCoop())
    return unary(node.op, number(node.operand, thread), type.scalar);
  Matrix result;
  for (const Quantity &component : matrix(node.operand, thread))
    result.push_back(unary(node.op, component, type.scalar));
  return matrixOf(std::move(result));
}

Machine::Result Machine::act(const Cast &node, const Inst &, Thread &thread) {
  ScalarType from = node.operand.type->scalar, to = node.type.type->scalar;
  if (!node.type.type->isCoop())
    return convert(number(node.operand, thread), from, to);
  Matrix result;
  for (const Quantity &component : matrix(node.operand, thread))
    result.push_back(convert(component, from, to));
  return matrixOf(std::move(result));
}

Machine::Result Machine::act(const Compare &node, const Inst &, Thread &thread) {
  return Quantity::ofInt(
      compare(node.op, number(node.lhs, thread), number(node.rhs, thread), node.lhs.type->scalar));
}

Machine::Result Machine::act(const Constant &constant, const Inst &, Thread &) {
  const Type &type = *constant.type.type;
  Quantity value = numberOf(*constant.literal, type);
  if (!type.isCoop())
    return value;
  return matrixOf(Matrix(type.rows() * type.columns(), value));
}
