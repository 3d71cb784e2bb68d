"""Statements that are computed together: rows, sibling sums, lookups, permutations."""

import numpy as np
from bounded import exp
from formulas import Kernel

SOFTMAX = """
def softmax(float(B,M,N) X) -> (O, e, s) {
  top(b,m) max=! X(b,m,n)
  e(b,m,n) = exp(X(b,m,n) - top(b,m))
  s(b,m) +=! e(b,m,n)
  O(b,m,n) = e(b,m,n) / s(b,m)
}
"""


def softmax(a, n):
    e = exp(a.X - a.X.max(2)[:, :, None])
    s = e.sum(2)
    return {"O": e / s[:, :, None], "e": e, "s": s}


MOMENTS = """
def moments(float(N,K) X, int64(N,K) Y) -> (sum, square, low, high, doubled, total, product) {
  sum(n) +=! X(n,k)
  square(n) +=! X(n,k) * X(n,k)
  low(n) min=! X(n,k)
  high(n) max=! X(n,k)
  doubled(n,k) = Y(n,k) * 2
  total(n) +=! doubled(n,k)
  product(n) *=! Y(n,k)
}
"""


def moments(a, n):
    return {"sum": a.X.sum(1), "square": (a.X * a.X).sum(1), "low": a.X.min(1), "high": a.X.max(1),
            "doubled": a.Y * 2, "total": (a.Y * 2).sum(1), "product": a.Y.prod(1)}


GROUPS = """
def groups(float(N,G,C,H,W) X, float(G,C) scale) -> (O, top) {
  sum(n,g) +=! X(n,g,c,h,w)
  mean(n,g) = sum(n,g) / (C * H * W)
  top(n,g) max=! X(n,g,c,h,w)
  O(n,g,c,h,w) = (X(n,g,c,h,w) - mean(n,g)) * scale(g,c) + top(n,g)
}
"""


def groups(a, n):
    flat = a.X.reshape(n.N, n.G, n.C * n.H * n.W)
    mean, top = flat.sum(2) / (n.C * n.H * n.W), flat.max(2)
    wide = lambda x: x[:, :, None, None, None]
    return {"O": (a.X - wide(mean)) * a.scale[None, :, :, None, None] + wide(top), "top": top}


# The second statement needs all rows of the first, and the third all of the second.
ACROSS = """
def across(float(M,N) X) -> (O) {
  rows(m) +=! X(m,n)
  columns(n) +=! X(m,n) * rows(m)
  O(m,n) = X(m,n) - columns(n)
  last(m) +=! O(m,n)
  O(m,n) = O(m,n) + last(m)
}
"""


def across(a, n):
    columns = (a.X * a.X.sum(1)[:, None]).sum(0)
    out = a.X - columns[None, :]
    return {"O": out + out.sum(1)[:, None]}


LOOKUP = """
def lookup(float(E,D) T, int32(B,L) P, int16(E,D) S) -> (O, Q, top) {
  O(b,d) +=! T(P(b,l),d)
  Q(b,d) += S(P(b,l),d) * P(b,l)
  top(b,d) max=! T(P(b,l),d)
}
"""


def lookup(a, n):
    products = a.S[a.P].astype(np.int32) * a.P[:, :, None]
    return {"O": a.T[a.P].sum(1), "Q": a.Q + products.sum(1, dtype=np.int32), "top": a.T[a.P].max(1)}


# Labels below 0, and from K on, belong nowhere.
HISTOGRAM = """
def histogram(int32(N) label, int32(N,D) X, int64(K) old) -> (count, total, parity) {
  count(k) = old(k)
  count(k) += int64(label(n) == k) where k in 0:K
  total(k,d) +=! label(n) == k ? X(n,d) : 0 where k in 0:K
  parity(k) +=! k == label(n) % 2 ? 1 : 0 where k in 0:2
}
"""


def histogram(a, n):
    belongs = a.label[None, :] == np.arange(n.K)[:, None]
    odd = a.label % 2
    return {"count": a.old + belongs.sum(1), "total": belongs.astype(np.int32) @ a.X,
            "parity": np.array([(odd == 0).sum(), (odd == 1).sum()], np.int32)}


TURNED = """
def turned(float(A,B,C) X, double(A,B) Y, int8(B,A) Z, half(A,C) H) -> (cba, bca, acb, y, z, h) {
  cba(c,b,a) = X(a,b,c)
  bca(b,c,a) = X(a,b,c)
  acb(a,c,b) = X(a,b,c)
  y(b,a) = Y(a,b)
  z(a,b) = Z(b,a)
  h(c,a) = H(a,c)
}
"""


def turned(a, n):
    x, turn = a.X.value.astype(np.float32), lambda matrix, kind: matrix.value.T.astype(kind)
    return {"cba": x.transpose(2, 1, 0), "bca": x.transpose(1, 2, 0), "acb": x.transpose(0, 2, 1),
            "y": turn(a.Y, np.float64), "z": a.Z.T, "h": turn(a.H, np.float16)}


def rows_of_table(random, n):
    return random.integers(0, n.E, (n.B, n.L)).astype(np.int32)


ROWS = "B=1 M=1 N=1; B=2 M=9 N=17; B=3 M=11 N=127; B=1 M=67 N=1031; B=1 M=4111 N=1031; B=0 M=3 N=5; B=2 M=0 N=5; B=5 M=13 N=0"
TABLES = "E=5 D=1 B=3 L=2; E=7 D=64 B=9 L=50; E=3 D=83 B=17 L=31; E=11 D=149 B=2 L=1; E=4 D=16 B=0 L=3; E=4 D=0 B=5 L=3; " \
         "E=4 D=70 B=5 L=0"
KERNELS = [
    Kernel("softmax", SOFTMAX, ROWS, softmax),
    Kernel("moments", MOMENTS, "N=1 K=1; N=9 K=19; N=64 K=1009; N=3 K=7; N=0 K=5; N=31 K=0", moments),
    Kernel("groups", GROUPS, "N=1 G=1 C=1 H=1 W=1; N=2 G=7 C=3 H=5 W=11; N=3 G=32 C=4 H=12 W=12; N=0 G=3 C=2 H=2 W=2",
           groups),
    Kernel("across", ACROSS, "M=1 N=1; M=13 N=17; M=64 N=101; M=0 N=3; M=3 N=0", across),
    Kernel("lookup", LOOKUP, TABLES, lookup, given={"P": rows_of_table},
           initial={"Q": lambda random, n: random.integers(-9, 9, (n.B, n.D)).astype(np.int32)}),
    Kernel("histogram", HISTOGRAM, "N=1 K=1 D=1; N=97 K=5 D=3; N=200003 K=7 D=1; N=1009 K=300 D=131; N=0 K=3 D=2; N=9 K=0 D=2; "
           "N=9 K=4 D=0", histogram,
           given={"label": lambda random, n: random.integers(-2, n.K + 2, n.N).astype(np.int32)}),
    Kernel("turned", TURNED, "A=1 B=1 C=1; A=17 B=5 C=33; A=67 B=64 C=19; A=129 B=8 C=9; A=0 B=3 C=2; A=20 B=0 C=16",
           turned),
]
