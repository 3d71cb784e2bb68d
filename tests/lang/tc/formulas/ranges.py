"""Range inference: shifts, strides, dilation, windows, where clauses, guards, lookups."""

import numpy as np
from bounded import Bounded, einsum, where
from formulas import Kernel

SHIFTS = """
def shifts(float(N) A, float(M) B) -> (a, b, c, d, e) {
  a(i) = A(i-1)
  b(i) = A(i+5)
  c(i) = A(10-i)
  d(i) = A(N-1-i)
  e(i) = A(i) + B(i)
}
"""
STRIDES = """
def strides(float(N) A) -> (a, b, c, d, e) {
  a(i) = A(3*i)
  b(i) = A(2*i) + A(2*i+1)
  c(i) +=! A(2*i+k) where k in 0:2
  d(i) = A(123*i)
  e(i) = A(2*i-7)
}
"""
WINDOWS = """
def slide(double(N) A, double(K) W, int32(N) B, int32(K) V) -> (a, b, c, d, e) {
  a(i) +=! A(i+k) * W(k)
  b(i) +=! A(3*i+k) * W(k)
  c(i) +=! A(i+2*k) * W(k)
  d(i) +=! B(i+k) * V(k)
  e(i) min=! B(2*i+k) - V(k)
}
"""


def sliding(values, kernel, stride=1, dilation=1):
    count = (len(plain(values)) - dilation * (kernel - 1) - 1) // stride + 1
    return values[stride * np.arange(max(count, 0))[:, None] + dilation * np.arange(kernel)[None, :]]


def plain(values):
    return values.value if isinstance(values, Bounded) else values


def shifts(a, n):
    shared = min(n.N, n.M)
    return {"a": a.A, "b": a.A, "c": a.A[::-1], "d": a.A[::-1], "e": a.A[:shared] + a.B[:shared]}


def strides(a, n):
    pairs = a.A[: n.N // 2 * 2]
    both = pairs[0::2] + pairs[1::2]
    # 2*i-7 is even or odd with i as 7 is: it begins at 2*4-7 = 1.
    return {"a": a.A[::3], "b": both, "c": both, "d": a.A[::123], "e": a.A[1::2]}


def slide(a, n):
    return {"a": einsum("ik,k->i", sliding(a.A, n.K), a.W),
            "b": einsum("ik,k->i", sliding(a.A, n.K, 3), a.W),
            "c": einsum("ik,k->i", sliding(a.A, n.K, dilation=2), a.W),
            "d": einsum("ik,k->i", sliding(a.B, n.K), a.V),
            "e": (sliding(a.B, n.K, 2) - a.V).min(1, initial=np.iinfo(np.int32).max)}


PLANES = """
def planes(float(N,C,H,W) I, float(M,C,KH,KW) F, float(KH,KW) G) -> (a, b) {
  a(n,m,h,w) +=! I(n, c, 2*h+kh, 3*w+kw) * F(m,c,kh,kw)
  b(n,c,h,w) max=! I(n, c, h+2*kh, w+kw) + G(kh,kw)
}
"""


def positions(extent, kernel, stride=1, dilation=1):
    count = (extent - dilation * (kernel - 1) - 1) // stride + 1
    return stride * np.arange(max(count, 0))[:, None] + dilation * np.arange(kernel)[None, :]


def planes(a, n):
    def seen(rows, columns):
        return a.I[:, :, rows[:, None, :, None], columns[None, :, None, :]]
    strided = seen(positions(n.H, n.KH, 2), positions(n.W, n.KW, 3))
    dilated = seen(positions(n.H, n.KH, 1, 2), positions(n.W, n.KW)) + a.G
    return {"a": einsum("nchwij,mcij->nmhw", strided, a.F),
            "b": dilated.reshape(*dilated.value.shape[:4], n.KH * n.KW).max(-1)}


ROUNDS = """
def rounds(float(H,W) I, float(KH,KW) F) -> (O) {
  O(h,w) +=! I(2*h + 3*w + kh, 2*w + kw) * F(kh,kw)
}
"""


def rounds(a, n):
    columns = (n.W - n.KW) // 2 + 1
    rows = (n.H - n.KH - 3 * (columns - 1)) // 2 + 1
    h, w, i, j = np.ogrid[:rows, :columns, :n.KH, :n.KW]
    return {"O": einsum("hwij,ij->hw", a.I[2 * h + 3 * w + i, 2 * w + j], a.F)}


CHAIN = """
def chain(float(N) A) -> (P, O, Q, m) {
  P(i) = A(i-5)
  O(j) = P(2*j)
  Q(i) = P(i) * 10 + i where i in 6:N+4
  m = O.0 * 100 + P.0
}
"""


def chain(a, n):
    # P is [5, N+5); O begins at 3, which is A at 6 - 5.
    picked = a.A[1::2]
    inner = np.arange(6, n.N + 4)
    return {"P": a.A, "O": picked, "Q": a.A[inner - 5] * 10 + inner,
            "m": np.array(len(picked.value) * 100 + n.N, np.int32)}


RANGES = """
def ranges(float(M,N) A) -> (a, b, c, d, e) {
  a(i,j) = A(i,j) where i in 1:M-1, j in N/3:N
  b(i,k) +=! A(i,j) where j in 1:N, k in 0:3
  c(i) max=! A(i,j) where j in max(0, N-3):min(N, 7)
  d(i) +=! A(i,0) where j in 0:4
  e(i) = i * i where i in -3:M
}
"""


def ranges(a, n):
    few = a.A[:, max(0, n.N - 3) : min(n.N, 7)]
    rest = a.A[:, 1:].sum(1)
    return {"a": a.A[1 : n.M - 1, n.N // 3 :], "b": rest[:, None] + np.zeros((1, 3)), "c": few.max(1),
            "d": a.A[:, 0] * 4, "e": (np.arange(-3, n.M) ** 2).astype(np.int32)}


GUARDS = """
def guards(float(N) A, float(M) B) -> (joined, delayed, padded, prefix, rises) {
  joined(i) = i < N ? A(i) : B(i-N) where i in 0:N+M
  delayed(i) = i >= 3 ? A(i-3) : 0 where i in 0:N
  padded(i) +=! i+k >= 1 && i+k <= N ? A(i+k-1) : 0 where i in 0:N, k in 0:3
  prefix(i) +=! j <= i ? A(j) : 0 where i in 0:N
  rises(i) = i > 0 && A(i-1) < A(i) where i in 0:N
}
"""


def guards(a, n):
    values = a.A.value
    wide = Bounded(np.concatenate([[0], values, [0]]), "float32")
    return {"joined": Bounded(np.concatenate([values, a.B.value]), "float32"),
            "delayed": Bounded(np.concatenate([np.zeros(min(3, n.N)), values[: max(n.N - 3, 0)]]), "float32"),
            "padded": sliding(wide, 3).sum(1),
            "prefix": where(np.tri(n.N, dtype=bool), a.A[None, :], 0).sum(1),
            "rises": np.concatenate([[False], values[1:] > values[:-1]])[: n.N]}


LOOKUPS = """
def lookups(float(E,D) T, uint8(B,L) P, int64(B) R, int32(B) S) -> (bags, rows, runs, counts, ends) {
  bags(b,d) +=! T(P(b,l), d)
  rows(b,d) = T(R(b), d)
  runs(b,k) = T(S(b) + k, 0) where k in 0:2
  counts(k) +=! P(b,l) == k ? 1 : 0 where k in 0:E
  ends(b) = T(max(min(S(b) * 7 - 9, E-1), 0), D-1)
}
"""


def lookups(a, n):
    clamped = np.clip(a.S * 7 - 9, 0, n.E - 1)
    return {"bags": a.T[a.P.astype(int)].sum(1), "rows": a.T[a.R],
            "runs": a.T[a.S[:, None] + np.arange(2)[None, :], 0],
            "counts": np.bincount(a.P.ravel(), minlength=n.E).astype(np.int32), "ends": a.T[clamped, n.D - 1]}


NON_AFFINE = """
def other(float(N) A, int32(K) X) -> (a, b, c, d) {
  a(i) = A(i/2) where i in 0:2*N
  b(i) = A(i%3) where i in 0:11
  c(i) = A(i*i) where i in 0:3
  d(i,j) = A(i*2 + (j+1)%2) where i in 0:N/2, j in 0:2
}
"""


def other(a, n):
    return {"a": a.A[np.arange(2 * n.N) // 2], "b": a.A[np.arange(11) % 3], "c": a.A[np.arange(3) ** 2],
            "d": a.A[: n.N // 2 * 2].reshape(n.N // 2, 2)[:, ::-1]}


FACTORS = """
def factors(float(N) A, float(M) B, int32 step, int64 k) -> (a, b, c, s) {
  a(i) = A(M*i)
  b(i) = A(step*i) where i in 0:k
  c(i) = A(k-i) where i in 0:k
  s = double(N * N * N * M) + step
}
"""


def factors(a, n):
    return {"a": a.A[:: n.M], "b": a.A[a.step * np.arange(a.k)], "c": a.A[a.k - np.arange(a.k)],
            "s": Bounded(float(n.N) ** 3 * n.M + a.step, "float64")}


def small(top, *shape):
    return lambda random, n: random.integers(0, top(n), [getattr(n, size) for size in shape])


KERNELS = [
    Kernel("shifts", SHIFTS, "N=7 M=5; N=1 M=11; N=0 M=3", shifts),
    Kernel("strides", STRIDES, "N=127; N=1; N=13", strides),
    Kernel("slide", WINDOWS, "N=23 K=3; N=7 K=1; N=11 K=5; N=5 K=2", slide),
    Kernel("planes", PLANES, "N=2 C=3 H=9 W=11 M=5 KH=3 KW=2; N=1 C=1 H=5 W=4 M=1 KH=1 KW=3", planes),
    Kernel("rounds", ROUNDS, "H=20 W=7 KH=3 KW=3; H=13 W=3 KH=1 KW=2", rounds),
    Kernel("chain", CHAIN, "N=11; N=4", chain),
    Kernel("ranges", RANGES, "M=5 N=7; M=2 N=1; M=3 N=9", ranges),
    Kernel("guards", GUARDS, "N=11 M=3; N=1 M=1; N=0 M=2", guards, options=("--checked",)),
    Kernel("guards", GUARDS, "N=67 M=5", guards),
    Kernel("lookups", LOOKUPS, "E=13 D=5 B=7 L=3; E=2 D=1 B=1 L=1; E=5 D=3 B=0 L=2", lookups,
           given={"P": lambda random, n: small(lambda n: n.E, "B", "L")(random, n).astype(np.uint8),
                  "R": small(lambda n: n.E, "B"),
                  "S": lambda random, n: small(lambda n: n.E - 1, "B")(random, n).astype(np.int32)}),
    Kernel("other", NON_AFFINE, "N=7 K=1; N=5 K=0", other),
    Kernel("factors", FACTORS, "N=2003 M=7; N=17 M=2", factors,
           given={"step": lambda random, n: 3, "k": lambda random, n: 5}),
]
