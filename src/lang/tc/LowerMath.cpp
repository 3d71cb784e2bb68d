/// The built-in functions: an operation of the math dialect, a formula, or a call of libm or the
/// runtime, which exist for float32 (with an `f` after the name) and float64.
#include "lang/tc/Lower.h"
#include "lang/tc/Promote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

namespace {

struct Context {
  OpBuilder &b;
  Location loc;
  ModuleOp module;
  Type type;

  Value constant(double value) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  }
  template <typename Op> Value make(ValueRange operands) {
    return Op::create(b, loc, TypeRange(type), operands, ArrayRef<NamedAttribute>());
  }
  Value call(StringRef name, ValueRange arguments) {
    std::string symbol = (name + (type.isF32() ? "f" : "")).str();
    SmallVector<Type> inputs(arguments.size(), type);
    core::declareRuntime(module, symbol, b.getFunctionType(inputs, type));
    return func::CallOp::create(b, loc, symbol, type, arguments).getResult(0);
  }
};

using Formula = Value (*)(Context &, ValueRange);

template <typename Op> Value mathOp(Context &context, ValueRange arguments) {
  return context.make<Op>(arguments);
}

Value reciprocal(Context &c, Value value) {
  return c.make<arith::DivFOp>({c.constant(1), value});
}

/// Euclidean length.
Value norm(Context &c, ValueRange arguments) {
  Value sum;
  for (Value argument : arguments)
    sum = sum ? c.make<math::FmaOp>({argument, argument, sum})
              : c.make<arith::MulFOp>({argument, argument});
  return c.make<math::SqrtOp>(sum);
}

Value fdim(Context &c, ValueRange arguments) {
  Value difference = c.make<arith::SubFOp>(arguments);
  Value isGreater =
      arith::CmpFOp::create(c.b, c.loc, arith::CmpFPredicate::ULE, arguments[0], arguments[1]);
  Value isOrdered =
      arith::CmpFOp::create(c.b, c.loc, arith::CmpFPredicate::ORD, arguments[0], arguments[1]);
  Value isZero = arith::AndIOp::create(c.b, c.loc, isGreater, isOrdered);
  return arith::SelectOp::create(c.b, c.loc, isZero, c.constant(0), difference);
}

struct Row {
  Builtin builtin;
  Formula formula;     ///< Or null,
  const char *library; ///< and the function to call.
};

#define OP(builtin, Op) {Builtin::builtin, mathOp<Op>, nullptr}
#define CALL(builtin, name) {Builtin::builtin, nullptr, name}
#define FORMULA(builtin, expression)                                                               \
  {Builtin::builtin, [](Context &c, ValueRange a) -> Value { return expression; }, nullptr}

constexpr Row rows[] = {
    OP(acos, math::AcosOp),
    OP(acosh, math::AcoshOp),
    OP(asin, math::AsinOp),
    OP(asinh, math::AsinhOp),
    OP(atan, math::AtanOp),
    OP(atan2, math::Atan2Op),
    OP(atanh, math::AtanhOp),
    OP(cbrt, math::CbrtOp),
    OP(ceil, math::CeilOp),
    OP(copysign, math::CopySignOp),
    OP(cos, math::CosOp),
    OP(cosh, math::CoshOp),
    OP(erf, math::ErfOp),
    OP(erfc, math::ErfcOp),
    OP(exp, math::ExpOp),
    OP(exp2, math::Exp2Op),
    OP(expm1, math::ExpM1Op),
    OP(fabs, math::AbsFOp),
    OP(fdivide, arith::DivFOp),
    OP(floor, math::FloorOp),
    OP(fma, math::FmaOp),
    OP(fmax, arith::MaxNumFOp),
    OP(fmin, arith::MinNumFOp),
    OP(fmod, arith::RemFOp),
    OP(log, math::LogOp),
    OP(log10, math::Log10Op),
    OP(log1p, math::Log1pOp),
    OP(log2, math::Log2Op),
    OP(pow, math::PowFOp),
    OP(round, math::RoundOp),
    OP(rsqrt, math::RsqrtOp),
    OP(sin, math::SinOp),
    OP(sinh, math::SinhOp),
    OP(sqrt, math::SqrtOp),
    OP(tan, math::TanOp),
    OP(tanh, math::TanhOp),
    OP(trunc, math::TruncOp),
    FORMULA(fdim, fdim(c, a)),
    FORMULA(norm3d, norm(c, a)),
    FORMULA(norm4d, norm(c, a)),
    FORMULA(rnorm3d, reciprocal(c, norm(c, a))),
    FORMULA(rnorm4d, reciprocal(c, norm(c, a))),
    FORMULA(rcbrt, reciprocal(c, c.make<math::CbrtOp>(a))),
    FORMULA(rhypot, reciprocal(c, c.call("hypot", a))),
    CALL(exp10, "exp10"),
    CALL(hypot, "hypot"),
    CALL(j0, "j0"),
    CALL(j1, "j1"),
    CALL(lgamma, "lgamma"),
    CALL(logb, "logb"),
    CALL(nextafter, "nextafter"),
    CALL(remainder, "remainder"),
    CALL(tgamma, "tgamma"),
    CALL(y0, "y0"),
    CALL(y1, "y1"),
    CALL(cospi, "tessera_rt_cospi"),
    CALL(sinpi, "tessera_rt_sinpi"),
    CALL(cyl_bessel_i0, "tessera_rt_cyl_bessel_i0"),
    CALL(cyl_bessel_i1, "tessera_rt_cyl_bessel_i1"),
    CALL(erfcinv, "tessera_rt_erfcinv"),
    CALL(erfcx, "tessera_rt_erfcx"),
    CALL(erfinv, "tessera_rt_erfinv"),
    CALL(normcdf, "tessera_rt_normcdf"),
    CALL(normcdfinv, "tessera_rt_normcdfinv"),
};

} // namespace

Value tc::lowerBuiltin(OpBuilder &b, Location loc, ModuleOp module, Builtin builtin, Scalar type,
                       ValueRange arguments) {
  if (builtin == Builtin::min || builtin == Builtin::max)
    return lowerMinMax(b, loc, builtin == Builtin::max, type, arguments[0], arguments[1]);
  Context context{b, loc, module, computeType(type, *b.getContext())};
  const Row &row = *llvm::find_if(rows, [&](const Row &r) { return r.builtin == builtin; });
  return row.formula ? row.formula(context, arguments) : context.call(row.library, arguments);
}
