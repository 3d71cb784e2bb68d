#include "lang/tinytc/ir/Scalars.h"
#include "lang/tinytc/ir/Dialect.h"

using namespace mlir;
using namespace tessera::tinytc::ir;
namespace ir = tessera::tinytc::ir;
using tessera::tinytc::ScalarType;

mlir::Type ir::typeOf(ScalarType scalar, MLIRContext *context) {
  Builder builder(context);
  switch (scalar) {
  case ScalarType::I8:
  case ScalarType::I16:
  case ScalarType::I32:
  case ScalarType::I64:
    return builder.getIntegerType(8 * tinytc::bytesOf(scalar));
  case ScalarType::Index:
    return builder.getIndexType();
  case ScalarType::BF16:
    return builder.getBF16Type();
  case ScalarType::F16:
    return builder.getF16Type();
  case ScalarType::F32:
    return builder.getF32Type();
  case ScalarType::F64:
    return builder.getF64Type();
  case ScalarType::C32:
  case ScalarType::C64:
    return ComplexType::get(typeOf(tinytc::partOf(scalar), context));
  }
  llvm_unreachable("no such scalar");
}

static constexpr ScalarType allScalars[] = {
#define TINYTC_SCALAR(name, text, kind, bytes, promotes) ScalarType::name,
#include "lang/tinytc/Types.def"
};

std::optional<ScalarType> ir::scalarOf(mlir::Type type) {
  for (ScalarType scalar : allScalars)
    if (typeOf(scalar, type.getContext()) == type)
      return scalar;
  return std::nullopt;
}

bool ir::isInteger(mlir::Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return type.isIndex() || (integer && integer.isSignless() &&
                            llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()));
}

bool ir::isFloat(mlir::Type type) {
  return type.isBF16() || type.isF16() || type.isF32() || type.isF64();
}

bool ir::isComplex(mlir::Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex && (complex.getElementType().isF32() || complex.getElementType().isF64());
}

bool ir::isScalar(mlir::Type type) {
  return isInteger(type) || isFloat(type) || isComplex(type);
}

bool ir::isCarried(mlir::Type type) {
  return type.isInteger(1) || isScalar(type) || isa<CoopMatrixType>(type);
}

mlir::Type ir::componentType(mlir::Type type) {
  if (auto matrix = dyn_cast<CoopMatrixType>(type))
    return matrix.getComponent();
  return isScalar(type) ? type : mlir::Type();
}

unsigned ir::bytesOf(mlir::Type scalar) {
  return tinytc::bytesOf(*scalarOf(scalar));
}

bool ir::promotes(mlir::Type from, mlir::Type to) {
  std::optional<ScalarType> source = scalarOf(from), target = scalarOf(to);
  return source && target && tinytc::promotes(*source, *target);
}

mlir::Type ir::promote(mlir::Type left, mlir::Type right) {
  if (promotes(left, right))
    return right;
  return promotes(right, left) ? left : mlir::Type();
}

mlir::Type ir::accumulationType(mlir::Type scalar) {
  Builder builder(scalar.getContext());
  if (scalar.isBF16() || scalar.isF16())
    return builder.getF32Type();
  return scalar.isInteger(8) || scalar.isInteger(16) ? mlir::Type(builder.getI32Type()) : scalar;
}

bool ir::canCast(mlir::Type from, mlir::Type to) {
  return isScalar(from) && isScalar(to) && (!isComplex(from) || isComplex(to));
}
