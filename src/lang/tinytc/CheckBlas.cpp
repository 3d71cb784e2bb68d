#include "lang/tinytc/Check.h"
#include "lang/tinytc/Device.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

//===-- alloca ------------------------------------------------------------===//

/// Suggests `local`, if the type is not given by a variable.
void Checker::fixSpace(Report report, SourceRange type) {
  constexpr llvm::StringLiteral other = "global";
  StringRef text = program.file->text().slice(type.begin, type.end);
  if (!text.consume_back(">"))
    return;
  text = text.rtrim();
  uint32_t end = type.begin + text.size();
  if (text.ends_with(other))
    report.fix({uint32_t(end - other.size()), end}, "local");
  else
    report.fix({end, end}, ",local");
}

void Checker::check(Alloca &alloca, Inst &inst) {
  const Type *type = alloca.type.type;
  if (type->isMemref() && type->space == AddressSpace::Global &&
      reporter.standard == Standard::Legacy)
    alloca.type.type = type =
        types.memref(type->scalar, type->shape, type->strides, AddressSpace::Local);
  setResult(inst, alloca.type);
  if (!isMemref(alloca.type, inst))
    return;
  if (type->space != AddressSpace::Local)
    fixSpace(report(alloca.type.range, diag::AllocaSpace, spelling(*type)), alloca.type.range);
  if (llvm::is_contained(type->shape, dynamic))
    report(alloca.type.range, diag::AllocaShape, spelling(*type));
  else if (llvm::is_contained(type->strides, dynamic))
    report(alloca.type.range, diag::AllocaStride, spelling(*type));
  if (!alloca.attributes)
    return;
  checkKnown(*alloca.attributes, {"alignment"}, "`alloca`");
  const Attr *alignment = alloca.attributes->find("alignment");
  if (!alignment)
    return;
  if (isAlignment(*alignment, *type) && alignment->integer > device::defaultAlignment)
    report(alignment->range, diag::AllocaAlignment, alignment->integer, device::defaultAlignment);
}

void Checker::check(LifetimeStop &stop, Inst &) {
  Value *named = lookUp(stop.operand.name);
  uint32_t lastUse = named ? named->lastUse : 0;
  const Type *type =
      resolve(stop.operand, nullptr, [](const Type &type) { return type.isMemref(); });
  bool isAlloca = named && named->inst && named->inst->as<Alloca>();
  if (type->kind != Type::Invalid && !isAlloca)
    report(stop.operand.range, diag::LifetimeOperand, program.excerpt(stop.operand.range));
  if (!isAlloca)
    return;
  named->lastUse = lastUse; // Stopping the lifetime is not a use.
  stops[named] = &stop;
}

//===-- BLAS --------------------------------------------------------------===//

/// The shape of op(X) [tinytc.blas.2].
static SmallVector<int64_t> shapeOf(const Type &type, bool isTransposed) {
  SmallVector<int64_t> shape(type.shape);
  if (isTransposed && shape.size() == 2)
    std::swap(shape[0], shape[1]);
  return shape;
}

static std::string describeShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "order 0";
  std::string text;
  for (int64_t mode : shape)
    text += (text.empty() ? "" : "x") + (mode == dynamic ? "?" : std::to_string(mode));
  return text;
}

void Checker::check(Blas &blas, Inst &inst) {
  static constexpr StringRef names[] = {"A", "B"};
  bool areMemrefs = true;
  for (auto [index, input] : llvm::enumerate(blas.inputs))
    areMemrefs &= wantsMemref(input, {inst, names[index]});
  StringRef last = blas.inputs.size() == 1 ? "B" : "C";
  areMemrefs &= wantsMemref(blas.output, {inst, last});
  auto elementOf = [&](const Operand &memref) {
    return areMemrefs ? types.scalar(memref.type->scalar) : types.invalid();
  };
  bool areScalars = wantsScalar(blas.alpha, {inst, "alpha"}, elementOf(blas.inputs.back()));
  areScalars &= wantsScalar(blas.beta, {inst, "beta"}, elementOf(blas.output));
  if (!areMemrefs)
    return;
  if (checkOrders(blas, inst))
    checkShapes(blas, inst);
  if (areScalars)
    checkElementTypes(blas, inst);
  checkAtomic(blas, inst);
}

/// The orders that each instruction requires of its tensors.
bool Checker::checkOrders(const Blas &blas, Inst &inst) {
  const Type &a = *blas.inputs[0].type, &c = *blas.output.type;
  const Type *b = blas.inputs.size() == 2 ? blas.inputs[1].type : nullptr;
  auto wants = [&](const Operand &operand, bool isRight, const DiagnosticKind &kind) {
    if (!isRight)
      report(operand.range, kind, program.excerpt(operand.range), operand.type->order(),
             spelling(*operand.type));
    return isRight;
  };
  const Operand &left = blas.inputs[0], &output = blas.output;
  switch (blas.op) {
  case BlasOp::Axpby:
    return wants(output, c.order() <= 2, diag::AxpbyOrder) &&
           wants(left, a.order() == c.order(), diag::AxpbyOrders);
  case BlasOp::Cumsum:
    return wants(left, a.order() >= 1, diag::CumsumOrder);
  case BlasOp::Gemm:
    return wants(left, a.order() == 2, diag::GemmOrder) &&
           wants(blas.inputs[1], b->order() == 2, diag::GemmOrder) &&
           wants(output, c.order() == 2, diag::GemmOrder);
  case BlasOp::Gemv:
    return wants(left, a.order() == 2, diag::GemvMatrix) &&
           wants(blas.inputs[1], b->order() == 1, diag::GemvVector) &&
           wants(output, c.order() == 1, diag::GemvVector);
  case BlasOp::Ger:
    return wants(left, a.order() == 1, diag::GerVector) &&
           wants(blas.inputs[1], b->order() == 1, diag::GerVector) &&
           wants(output, c.order() == 2, diag::GerMatrix);
  case BlasOp::Hadamard:
    return wants(left, a.order() == 1 || a.order() == 2, diag::HadamardOrder) &&
           wants(blas.inputs[1], b->order() == a.order(), diag::HadamardOrders) &&
           wants(output, c.order() == a.order(), diag::HadamardOrders);
  case BlasOp::Sum:
    return wants(output, c.order() <= 1, diag::SumOrder) &&
           wants(left, a.order() == c.order() + 1, diag::SumOrders);
  }
  llvm_unreachable("no such instruction");
}

static void hintAtSizes(Report &report, ArrayRef<int64_t> left, ArrayRef<int64_t> right) {
  if (llvm::is_contained(left, dynamic) != llvm::is_contained(right, dynamic))
    report.hint("`?` is equal to `?` only; a `subview` gives a type with known sizes");
}

/// `?` equals only `?` [tinytc.blas.3].
void Checker::checkShapes(const Blas &blas, Inst &inst) {
  SmallVector<int64_t> a = shapeOf(*blas.inputs[0].type, blas.isTransposed[0]);
  SmallVector<int64_t> b;
  if (blas.inputs.size() == 2)
    b = shapeOf(*blas.inputs[1].type, blas.isTransposed[1]);
  SmallVector<int64_t> c(blas.output.type->shape), wanted = a;
  StringRef left = blas.isTransposed[0] ? "op(A)" : "A";
  auto inner = [&](int64_t columns, int64_t rows) {
    if (columns == rows)
      return true;
    Report report =
        this->report(blas.inputs[1].range, diag::InnerSizes, spelling(inst), left, describeShape(a),
                     blas.isTransposed[1] ? "op(B)" : "B", describeShape(b));
    report.label(blas.inputs[0].range, "{0}", spelling(*blas.inputs[0].type))
        .label(blas.inputs[1].range, "{0}", spelling(*blas.inputs[1].type));
    hintAtSizes(report, a, b);
    if (blas.op == BlasOp::Gemm && a[1] == b[1])
      report.hint("the transpose of B would fit: `gemm.{0}.{1}`", blas.isTransposed[0] ? "t" : "n",
                  blas.isTransposed[1] ? "n" : "t");
    return false;
  };
  switch (blas.op) {
  case BlasOp::Gemm:
    if (!inner(a[1], b[0]))
      return;
    wanted = {a[0], b[1]};
    break;
  case BlasOp::Gemv:
    if (!inner(a[1], b[0]))
      return;
    wanted = {a[0]};
    break;
  case BlasOp::Ger:
    wanted = {a[0], b[0]};
    break;
  case BlasOp::Sum:
    wanted.pop_back();
    break;
  case BlasOp::Hadamard:
    if (a != b) {
      inner(0, 1);
      return;
    }
    break;
  case BlasOp::Cumsum:
    if (blas.mode.value < 0 || blas.mode.value >= int64_t(a.size()))
      report(blas.mode.range, diag::CumsumMode, blas.mode.value, a.size());
    break;
  case BlasOp::Axpby:
    break;
  }
  if (c == wanted)
    return;
  Report report =
      this->report(blas.output.range, diag::OutputShape, spelling(inst), describeShape(wanted),
                   program.excerpt(blas.output.range), describeShape(c));
  for (const Operand &input : blas.inputs)
    report.label(input.range, "{0}", spelling(*input.type));
  hintAtSizes(report, c, wanted);
}

void Checker::wantsPromotable(const Operand &operand, StringRef name, ScalarType to,
                              StringRef toName, Inst &inst) {
  ScalarType from = operand.type->scalar;
  if (!promotes(from, to))
    report(operand.range, diag::NotPromotable, name, spelling(inst), spelling(from), toName,
           spelling(to));
  else
    warnIfInexact(operand.range, name, from, to);
}

void Checker::warnIfInexact(SourceRange range, StringRef name, ScalarType from, ScalarType to) {
  if (from == ScalarType::I32 && to == ScalarType::C32)
    report(range, diag::InexactPromotion, name);
}

/// type(alpha) <= promote(A, B) <= C, and type(beta) <= C.
void Checker::checkElementTypes(Blas &blas, Inst &inst) {
  ScalarType product = blas.inputs[0].type->scalar, output = blas.output.type->scalar;
  bool isPair = blas.inputs.size() == 2;
  if (isPair) {
    ScalarType other = blas.inputs[1].type->scalar;
    std::optional<ScalarType> common = promote(product, other);
    if (!common) {
      report(blas.inputs[1].range, diag::NoPromotion, spelling(inst), spelling(product),
             spelling(other))
          .label(blas.inputs[0].range, "{0}", spelling(product))
          .label(blas.inputs[1].range, "{0}", spelling(other));
      return;
    }
    product = *common;
  }
  StringRef last = isPair ? "C" : "B", productName = isPair ? "the product" : "A";
  wantsPromotable(blas.alpha, "alpha", product, productName, inst);
  wantsPromotable(blas.beta, "beta", output, last, inst);
  for (auto [index, input] : llvm::enumerate(blas.inputs))
    warnIfInexact(input.range, index == 0 ? "A" : "B", input.type->scalar, product);
  warnIfInexact(blas.inputs[0].range, productName, product, output);
  for (auto [index, input] : llvm::enumerate(blas.inputs))
    if (promotes(input.type->scalar, product) && !promotes(product, output) &&
        input.type->scalar == product) {
      wantsPromotable(input, index == 0 ? "A" : "B", output, last, inst);
      return;
    }
}

/// Beta must be 0 or 1, because other updates cannot be atomic.
void Checker::checkAtomic(const Blas &blas, Inst &) {
  if (!blas.isAtomic || blas.beta.type->kind == Type::Invalid)
    return;
  const Literal *beta = foldedOf(blas.beta);
  bool isAllowed = beta && beta->imag == 0 &&
                   (beta->kind == Literal::Integer ? beta->integer == 0 || beta->integer == 1
                                                   : beta->real == 0 || beta->real == 1);
  if (!isAllowed)
    report(blas.beta.range, diag::AtomicBeta, program.excerpt(blas.beta.range),
           beta ? "is `" + spelling(*beta) + "`" : "is not constant");
}
