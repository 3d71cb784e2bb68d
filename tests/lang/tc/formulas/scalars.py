"""All types: arithmetic, comparisons, casts, promotion, functions."""

import math

import numpy as np
from bounded import Bounded, where
from formulas import Kernel

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
ALL = ["bool", *INTEGERS, "half", "bfloat16", "float", "double"]


def each(types, argument, statement):
    """Lines for each type, where T is its name and # its number."""
    fill = lambda line, number, name: line.replace("T", name).replace("#", str(number))
    return ([fill(argument, number, name) for number, name in enumerate(types)],
            [fill(statement, number, name) for number, name in enumerate(types)])


def for_each(entry, types, argument, results, statement):
    arguments, statements = each(types, argument, statement)
    returns = [result + str(number) for number in range(len(types)) for result in results]
    return "def {}({}) -> ({}) {{\n{}\n}}\n".format(
        entry, ", ".join(arguments), ", ".join(returns), "\n".join(statements))


def results_of(types, compute):
    """compute(number) -> {name: value}, for all types together."""
    return {f"{name}{number}": value for number in range(len(types))
            for name, value in compute(number).items()}


# The other way round, so that it is not just a copy of memory.
REVERSED = for_each("turned", ALL, "T(N) A#", ["O"], "  O#(i) = A#(N-1-i)")


def turned(a, n):
    return results_of(ALL, lambda k: {"O": getattr(a, f"A{k}")[::-1]})


ARITHMETIC = ["add", "sub", "mul", "div", "mod", "neg", "low", "high"]


def arithmetic_text(entry, types):
    return for_each(entry, types, "T(N) A#, T(N) B#", ARITHMETIC, """\
  add#(i) = A#(i) + B#(i)
  sub#(i) = A#(i) - B#(i)
  mul#(i) = A#(i) * B#(i)
  div#(i) = A#(i) / B#(i)
  mod#(i) = A#(i) % B#(i)
  neg#(i) = -A#(i)
  low#(i) = min(A#(i), B#(i))
  high#(i) = max(A#(i), B#(i))""")


def arithmetic(types):
    def compute(a, k):
        x, y = getattr(a, f"A{k}"), getattr(a, f"B{k}")
        with np.errstate(all="ignore"):
            quotient, remainder = np.where(y == 0, 0, x // y), np.where(y == 0, 0, x % y)
            return {"add": x + y, "sub": x - y, "mul": x * y, "div": quotient.astype(x.dtype),
                    "mod": remainder.astype(x.dtype), "neg": np.negative(x),
                    "low": np.minimum(x, y), "high": np.maximum(x, y)}
    return lambda a, n: results_of(types, lambda k: compute(a, k))


def with_hard_cases(types):
    """Divisors of 0 and -1, and the smallest number, among random ones."""
    def left(name):
        return lambda random, n: edge(random, name, n.N, [np.iinfo(name).min, 7, np.iinfo(name).max])

    def right(name):
        return lambda random, n: edge(random, name, n.N, [-1 if name in SIGNED else 1, 0, 3])
    return {**{f"A{k}": left(name) for k, name in enumerate(types)},
            **{f"B{k}": right(name) for k, name in enumerate(types)}}


def edge(random, name, count, first):
    info = np.iinfo(name)
    values = random.integers(info.min, info.max, count, name, endpoint=True)
    values[:3] = np.array(first, object)[:count].astype(name)
    return values


REDUCTIONS = for_each("reduce", INTEGERS, "T(M,N) A#", ["sum", "product", "low", "high"], """\
  sum#(i) +=! A#(i,j)
  product#(i) *=! A#(i,j)
  low#(i) min=! A#(i,j)
  high#(i) max=! A#(i,j)""")


def reductions(a, n):
    def compute(k):
        x, info = getattr(a, f"A{k}"), np.iinfo(INTEGERS[k])
        return {"sum": x.sum(1, dtype=x.dtype), "product": x.prod(1, dtype=x.dtype),
                "low": x.min(1, initial=info.max), "high": x.max(1, initial=info.min)}
    return results_of(INTEGERS, compute)


FLOATS = ["half", "bfloat16", "float", "double"]
FLOAT_ARITHMETIC = for_each("floats", FLOATS, "T(M,N) A#, T(M,N) B#", ["O", "sum", "product", "high"], """\
  O#(i,j) = (A#(i,j) + B#(i,j)) * A#(i,j) - B#(i,j) / 4
  sum#(i) +=! A#(i,j) * B#(i,j)
  product#(i) *=! A#(i,j)
  high#(i) max=! -A#(i,j)""")


def float_arithmetic(a, n):
    def compute(k):
        x, y = getattr(a, f"A{k}"), getattr(a, f"B{k}")
        return {"O": (x + y) * x - y / 4, "sum": (x * y).sum(1), "product": x.prod(1), "high": (-x).max(1)}
    return results_of(FLOATS, compute)


COMPARED = ["int8", "uint64", "float", "half"]
COMPARISONS = for_each("compare", COMPARED, "T(N) A#, T(N) B#", ["lt", "ge", "eq", "ne"], """\
  lt#(i) = A#(i) < B#(i)
  ge#(i) = A#(i) >= B#(i)
  eq#(i) = A#(i) == B#(i)
  ne#(i) = A#(i) != B#(i)""")


def plain(value):
    return value.value if isinstance(value, Bounded) else value


def comparisons(a, n):
    def compute(k):
        x, y = plain(getattr(a, f"A{k}")), plain(getattr(a, f"B{k}"))
        return {"lt": x < y, "ge": x >= y, "eq": x == y, "ne": x != y}
    return results_of(COMPARED, compute)


PROMOTION = """
def promote(uint32(N) A, int8(N) B, uint8(N) C, uint16(N) D, int64(N) E, half(N) F, float(N) G,
            double(N) H, bool(N) I) -> (a, b, c, d, e, f, g, h) {
  a(i) = A(i) + B(i)
  b(i) = C(i) + D(i)
  c(i) = E(i) * A(i)
  d(i) = C(i) - B(i)
  e(i) = F(i) + B(i)
  f(i) = F(i) * G(i) + C(i)
  g(i) = G(i) * H(i) + 0.1
  h(i) = I(i) + I(i)
}
"""


def promotion(a, n):
    int32, int8 = (lambda x: x.astype(np.int32)), (lambda x: x.astype(np.int8))
    return {
        "a": int32(a.A) + int32(a.B), "b": a.C + a.D, "c": a.E * a.A.astype(np.int64),
        "d": int8(a.C) - a.B, "e": a.F + a.B, "f": a.F * a.G + a.C,
        "g": a.G * a.H + Bounded(0.1, "float64"), "h": int32(a.I) + int32(a.I)}


CASTS = """
def casts(float(N) A, double(N) B, int32(N) C, bool(N) D) -> (a, b, c, d, e, f, g, h, j) {
  a(i) = int32(A(i))
  b(i) = uint8(A(i))
  c(i) = int64(B(i))
  d(i) = int8(C(i))
  e(i) = uint16(C(i))
  f(i) = float(D(i))
  g(i) = bool(C(i))
  h(i) = half(C(i) % 100)
  j(i) = uint64(A(i))
}
"""
HARD_FLOATS = [0.0, -0.0, 2.75, -2.75, 1e10, -1e10, 1e30, -1e30, math.inf, -math.inf, math.nan, 255.9, 300.0]


def saturated(values, name):
    info = np.iinfo(name)
    cut = lambda x: 0 if math.isnan(x) else info.min if x <= info.min else info.max if x >= info.max else int(x)
    return np.array([cut(float(x)) for x in values], object).astype(name)


def casts(a, n):
    floats, doubles = a.A.value, a.B.value
    return {"a": saturated(floats, "int32"), "b": saturated(floats, "uint8"),
            "c": saturated(doubles, "int64"), "d": a.C.astype(np.int8), "e": a.C.astype(np.uint16),
            "f": Bounded(a.D, "float32"), "g": a.C != 0, "h": Bounded(a.C % 100, "float16"),
            "j": saturated(floats, "uint64")}


def hard_floats(kind):
    return lambda random, n: np.concatenate(
        [np.array(HARD_FLOATS), random.uniform(-300, 300, n.N)])[:n.N].astype(kind)


LOGIC = """
def logic(bool(N) A, bool(N) B, float(N) X, int16(N) K) -> (a, b, c, d, e) {
  a(i) = A(i) && !B(i) || X(i) > 1
  b(i) = A(i) ? X(i) : K(i)
  c(i) = A(i) == B(i) ? 1 : B(i) ? 2 : 3
  d(i) = float(X(i) < 0) * 2 - 1
  e(i) = min(max(K(i), -5), i)
}
"""


def logic(a, n):
    x, int32 = a.X.value, np.int32
    return {"a": (a.A & ~a.B) | (x > 1), "b": where(a.A, a.X, a.K),
            "c": np.where(a.A == a.B, 1, np.where(a.B, 2, 3)).astype(int32),
            "d": Bounded(np.where(x < 0, 1.0, -1.0), "float32"),
            "e": np.minimum(np.maximum(a.K, -5), np.arange(n.N)).astype(int32)}


# name -> the function in NumPy or Python, and how its argument is made from x in (-2, 2).
ANYWHERE = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "tanh": np.tanh, "sin": np.sin, "cos": np.cos,
    "tan": np.tan, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh,
    "cbrt": np.cbrt, "erf": np.vectorize(math.erf, [float]), "erfc": np.vectorize(math.erfc, [float]),
    "exp10": lambda x: 10.0**x, "cospi": lambda x: np.cos(np.pi * x), "sinpi": lambda x: np.sin(np.pi * x),
    "normcdf": np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2, [float])}
POSITIVE = {
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x), "rcbrt": lambda x: 1 / np.cbrt(x),
    "lgamma": np.vectorize(math.lgamma, [float]), "tgamma": np.vectorize(math.gamma, [float])}
EXACT = {
    "fabs": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)}
# Where a function crosses zero, or its argument was rounded, its error is relative to this.
ABSOLUTE = 1.0


def functions_text(entry, kind, names, argument):
    lines = "\n".join(f"  O_{name}(i) = {name}({argument})" for name in names)
    returns = ", ".join(f"O_{name}" for name in names)
    return f"def {entry}({kind}(N) A) -> ({returns}) {{\n{lines}\n}}\n"


def functions(table, transform=lambda x: x, ulps=16):
    def formula(a, n):
        x = transform(a.A.value)
        with np.errstate(all="ignore"):
            values = {name: function(x) for name, function in table.items()}
        return {f"O_{name}": Bounded(value, a.A.kind, ulps * a.A.eps * (ABSOLUTE + abs(value)) * (ulps > 0))
                for name, value in values.items()}
    return formula


TWO = """
def two(float(N) A, float(N) B) -> (a, b, c, d, e, f, g) {
  a(i) = pow(fabs(A(i)), B(i))
  b(i) = atan2(A(i), B(i))
  c(i) = hypot(A(i), B(i))
  d(i) = fmod(A(i), B(i))
  e(i) = copysign(A(i), B(i)) + fdim(A(i), B(i))
  f(i) = fmin(A(i), B(i)) * fmax(A(i), 0)
  g(i) = fma(A(i), B(i), A(i)) + norm3d(A(i), B(i), 1)
}
"""


def two(a, n):
    x, y = a.A.value, a.B.value
    near = lambda value: Bounded(value, "float32", 16 * 2.0**-23 * (1 + abs(value)))
    return {"a": near(abs(x) ** y), "b": near(np.arctan2(x, y)), "c": near(np.hypot(x, y)),
            "d": near(np.fmod(x, y)), "e": near(np.copysign(x, y) + np.maximum(x - y, 0)),
            "f": near(np.minimum(x, y) * np.maximum(x, 0)),
            "g": near(x * y + x + np.sqrt(x * x + y * y + 1))}


POSITIVE_ARGUMENT = "fabs(A(i)) + 0.25"
add_quarter = lambda x: abs(x) + 0.25

KERNELS = [
    Kernel("turned", REVERSED, "N=7; N=1; N=0", turned),
    Kernel("signed", arithmetic_text("signed", SIGNED), "N=67; N=0", arithmetic(SIGNED),
           given=with_hard_cases(SIGNED)),
    Kernel("unsigned", arithmetic_text("unsigned", UNSIGNED), "N=67; N=1", arithmetic(UNSIGNED),
           given=with_hard_cases(UNSIGNED)),
    Kernel("reduce", REDUCTIONS, "M=3 N=37; M=2 N=0; M=1 N=1", reductions),
    Kernel("floats", FLOAT_ARITHMETIC, "M=3 N=19; M=1 N=1; M=2 N=0", float_arithmetic),
    Kernel("compare", COMPARISONS, "N=41; N=0", comparisons),
    Kernel("promote", PROMOTION, "N=29; N=1", promotion),
    Kernel("casts", CASTS, "N=31; N=1", casts, given={"A": hard_floats("float32"), "B": hard_floats("float64")}),
    Kernel("logic", LOGIC, "N=53; N=0", logic),
    Kernel("anywhere", functions_text("anywhere", "float", ANYWHERE, "A(i)"), "N=67", functions(ANYWHERE)),
    Kernel("anywhere", functions_text("anywhere", "double", ANYWHERE, "A(i)"), "N=13", functions(ANYWHERE)),
    Kernel("positive", functions_text("positive", "float", POSITIVE, POSITIVE_ARGUMENT), "N=67",
           functions(POSITIVE, add_quarter)),
    Kernel("positive", functions_text("positive", "double", POSITIVE, POSITIVE_ARGUMENT), "N=13",
           functions(POSITIVE, add_quarter)),
    Kernel("exact", functions_text("exact", "float", EXACT, "A(i)"), "N=67; N=1", functions(EXACT, ulps=0)),
    Kernel("two", TWO, "N=67", two),
]
