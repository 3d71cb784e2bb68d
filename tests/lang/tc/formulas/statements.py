"""Reductions, the order of statements, initial values, calls, contractions."""

import numpy as np
from bounded import Bounded, einsum, exp, maximum, where
from formulas import Kernel

SUMS = """
def sums(float(L,M,N) A, int32(L,M,N) B) -> (all, rows, planes, top, least, count, trace) {
  all +=! A(i,j,k)
  rows(i,k) +=! A(i,j,k)
  planes(j) +=! B(i,j,k)
  top max=! A(i,j,k)
  least(k) min=! B(i,j,k)
  count +=! int32(A(i,j,k) > 0)
  trace(k) +=! A(i,i,k) * 2
}
"""


def sums(a, n):
    shared = np.arange(min(n.L, n.M))
    return {"all": a.A.sum(), "rows": a.A.sum(1), "planes": a.B.sum((0, 2), dtype=np.int32),
            "top": a.A.max(), "least": a.B.min((0, 1), initial=np.iinfo(np.int32).max),
            "count": np.array((a.A.value > 0).sum(), np.int32), "trace": (a.A[shared, shared] * 2).sum(0)}


ORDER = """
def order(float(N) A) -> (t, O, P, Q, s) {
  t(i) = A(i)
  P(j) = t(j) + 1
  t(i) = A(i) * 2
  O(i) = t(i) + P(i)
  t(x) = t(x) + O(x)
  O(i) = O(i) - t(N-1-i)
  Q(i) = A(i)
  Q(i) = Q(i) + Q(i+1)
  s +=! O(i)
  s +=! P(i)
}
"""


def order(a, n):
    later, first = a.A * 2, a.A + 1
    out = later + first
    t = later + out
    shifted = a.A[:-1] + a.A[1:]
    last = Bounded(np.concatenate([shifted.value, a.A.value[-1:]]), "float32",
                   np.concatenate([shifted.error, a.A.error[-1:]]))
    return {"t": t, "P": first, "O": out - t[::-1], "Q": last, "s": first.sum(0)}


PARTS = """
def parts(int32(M,N) A, int32(N) B) -> (O, P) {
  O(i,j) = A(i,j)
  O(i,j) = -A(i,j) where i in 1:M, j in 0:N/2
  O(i,j) += B(j) where i in 0:1
  O(i,j) max= j where i in M-1:M, j in 0:N
  P(i) = 1 where i in 0:N
  P(i) *= A(j,i)
}
"""


def parts(a, n):
    out, half = a.A.copy(), n.N // 2
    out[1:, :half] = -out[1:, :half]
    out[0] += a.B
    out[-1] = np.maximum(out[-1], np.arange(n.N))
    return {"O": out, "P": a.A.prod(0, dtype=np.int32)}


IN_OUT = """
def continued(float(M,N) A, int64(M,N) B) -> (total, scaled, low, high) {
  total(i) += A(i,j)
  scaled(j) *= B(i,j)
  low(i) min= B(i,j)
  high max= A(i,j)
}
"""


def continued(a, n):
    limit = np.iinfo(np.int64).max
    return {"total": a.total + a.A.sum(1), "scaled": a.scaled * a.B.prod(0, dtype=np.int64),
            "low": np.minimum(a.low, a.B.min(1, initial=limit)), "high": maximum(a.A.max(), a.high)}


IN_OUT_STARTS = {
    "total": lambda random, n: random.uniform(-2, 2, n.M).astype(np.float32),
    "scaled": lambda random, n: random.integers(-9, 9, n.N), "low": lambda random, n: random.integers(-9, 9, n.M),
    "high": lambda random, n: np.float32(1.5)}

CALLS = """
def calls(float(N,M) A, float(M) B) -> (s, lo, hi, O, P) {
  s, lo = ends(B)
  (hi, unused) = ends(B)
  t = turn(A)
  O = times(A, B)
  P = times(A, t)
  P(i) = P(i) + hi
}
def ends(float(K) X) -> (a, b) {
  a max=! X(i)
  b min=! X(i)
}
def turn(float(A,B) X) -> (O) {
  O(i) +=! X(k,i)
}
def times(float(I,J) A, float(J) B) -> (C) {
  C(i) = 0.5 where i in 0:I
  C = add(A, B)
}
def add(float(P,Q) X, float(Q) Y) -> (Z) {
  Z(p) += X(p,q) * Y(q)
}
"""


def calls(a, n):
    times = lambda vector: einsum("nm,m->n", a.A, vector) + 0.5
    top = a.B.max()
    return {"s": top, "lo": a.B.min(), "hi": top, "O": times(a.B), "P": times(a.A.sum(0)) + top}


CONTRACTIONS = """
def contract(float(A,B,C,D) X, float(E,C,F,D) Y, float(A) u, float(B) v, float(F) w) -> (dot, kron, outer, row) {
  dot(a,b,e,f) +=! X(a,b,c,d) * Y(e,c,f,d)
  kron(a,e,b) +=! X(a,b,c,d) * Y(e,c,f,d) * w(f)
  outer(a,b,f) = u(a) * v(b) + w(f)
  row(f,e) +=! Y(e,c,f,d)
}
"""


def contract(a, n):
    outer = a.u[:, None, None] * a.v[None, :, None] + a.w[None, None, :]
    return {"dot": einsum("abcd,ecfd->abef", a.X, a.Y), "kron": einsum("abcd,ecfd,f->aeb", a.X, a.Y, a.w),
            "outer": outer, "row": einsum("ecfd->fe", a.Y)}


BIAS = """
def dense(double(B,M) X, double(N,M) W, double(N) bias, half(B,M) Y, half(M,N) V) -> (O, P) {
  O(b,n) = bias(n) where b in 0:B
  O(b,n) += X(b,m) * W(n,m)
  O(b,n) = O(b,n) > 0 ? O(b,n) : 0.01 * O(b,n)
  P(b,n) +=! Y(b,m) * V(m,n)
}
"""


def dense(a, n):
    out = einsum("bm,nm->bn", a.X, a.W) + a.bias
    return {"O": where(out.value > 0, out, out * Bounded(0.01, "float64")), "P": einsum("bm,mn->bn", a.Y, a.V)}


NORMS = """
def norms(float(M,N) X, float(N) g) -> (mean, var, O, sigmoid) {
  mean(m) +=! X(m,n)
  mean(m) = mean(m) / N
  var(m) +=! (X(m,n) - mean(m)) * (X(m,n) - mean(m))
  var(m) = var(m) / X.1
  O(m,n) = (X(m,n) - mean(m)) * rsqrt(var(m) + 1e-5) * g(n)
  sigmoid(m,n) = 1 / (1 + exp(-X(m,n)))
}
"""


def norms(a, n):
    mean = a.X.sum(1) / n.N
    centered = a.X - mean[:, None]
    var = (centered * centered).sum(1) / n.N
    scale = (var + 1e-5).map(lambda x: 1 / np.sqrt(x))
    return {"mean": mean, "var": var, "O": centered * scale[:, None] * a.g, "sigmoid": 1 / (exp(-a.X) + 1)}


ARGUMENTS_OF = """
def argmax(float(M,N) X) -> (top, at, last) {
  top(m) max=! X(m,n)
  at(m) min=! X(m,n) == top(m) ? n : N
  last(m) max=! X(m,n) == top(m) ? n : -1
}
"""


def argmax(a, n):
    x = a.X.value
    return {"top": a.X.max(1), "at": x.argmax(1).astype(np.int32),
            "last": (n.N - 1 - x[:, ::-1].argmax(1)).astype(np.int32)}


def few_values(random, n):
    return random.integers(-3, 3, (n.M, n.N)).astype(np.float32)


EXTENSIONS = """
def extensions(float(N) A, float c) -> (filled, squared, O) {
  filled(i) = c where exists A(i)
  squared(i) = x * x + y where x = A(i) - 1, y = x / 2
  t(i) = A(i) + i
  u(i) = t(i) * t(N-1-i)
  O +=! u(i)
}
"""


def extensions(a, n):
    x = a.A - 1
    t = a.A + np.arange(n.N)
    return {"filled": Bounded(np.full(n.N, a.c.value), "float32"), "squared": x * x + x / 2,
            "O": (t * t[::-1]).sum(0)}


TRANSPOSED = """
def moved(float(M,N) A, uint16(L,M,N) B) -> (O, P, Q) {
  O(n,m) = A(m,n)
  P(n,l,m) = B(l,m,n)
  Q(m,l) +=! B(l,m,n)
}
"""


def moved(a, n):
    return {"O": a.A[:].reshape(n.M, n.N)[np.arange(n.M)[None, :], np.arange(n.N)[:, None]],
            "P": a.B.transpose(2, 0, 1), "Q": a.B.sum(2, dtype=np.uint16).T}


# Files whose elements are in Fortran's order must not be misread.
FORTRAN = {
    "A": lambda random, n: np.asfortranarray(random.uniform(-2, 2, (n.M, n.N)).astype(np.float32)),
    "B": lambda random, n: np.asfortranarray(random.integers(0, 999, (n.L, n.M, n.N)).astype(np.uint16))}

TYPED = """
def typed(int8(M,K) A, int8(K,N) B, float(M) C) -> (int32(M,N) O, double(M) P, s) {
  O(m,n) +=! A(m,k) * B(k,n)
  P(m) = C(m)
  s +=! int64(A(m,k)) * B(k,n)
}
"""


def typed(a, n):
    # The product of two int8 is an int8, which is widened when it is added.
    products = np.multiply(a.A[:, :, None], a.B[None, :, :])
    exact = a.A.astype(np.int64)[:, :, None] * a.B.astype(np.int64)[None, :, :]
    return {"O": products.sum(1, dtype=np.int32), "P": Bounded(a.C.value, "float64"),
            "s": np.array(exact.sum(), np.int64)}


KERNELS = [
    Kernel("sums", SUMS, "L=3 M=5 N=7; L=1 M=1 N=1; L=2 M=0 N=3; L=7 M=11 N=13", sums),
    Kernel("order", ORDER, "N=11; N=1", order),
    Kernel("parts", PARTS, "M=3 N=7; M=1 N=1; M=2 N=5", parts),
    Kernel("continued", IN_OUT, "M=3 N=5; M=1 N=1; M=2 N=0", continued, initial=IN_OUT_STARTS),
    Kernel("calls", CALLS, "N=5 M=7; N=1 M=1; N=0 M=3", calls),
    Kernel("contract", CONTRACTIONS, "A=2 B=3 C=5 D=2 E=3 F=4; A=1 B=1 C=1 D=1 E=1 F=1; A=2 B=1 C=0 D=3 E=2 F=2",
           contract),
    Kernel("dense", BIAS, "B=5 M=13 N=3; B=1 M=1 N=1; B=2 M=0 N=3", dense),
    Kernel("norms", NORMS, "M=3 N=17; M=1 N=2; M=0 N=5", norms),
    Kernel("argmax", ARGUMENTS_OF, "M=5 N=13; M=1 N=1; M=0 N=2", argmax, given={"X": few_values}),
    Kernel("extensions", EXTENSIONS, "N=11; N=1; N=0", extensions, given={"c": lambda random, n: 1.5}),
    Kernel("moved", TRANSPOSED, "M=5 N=3 L=2; M=1 N=7 L=1; M=0 N=2 L=3", moved),
    Kernel("moved", TRANSPOSED, "M=3 N=5 L=4", moved, given=FORTRAN),
    Kernel("typed", TYPED, "M=5 K=7 N=3; M=1 K=1 N=1; M=2 K=0 N=3", typed),
]
