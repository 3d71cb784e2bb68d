"""The programs under examples/."""

import numpy as np
from bounded import Bounded, einsum, exp, maximum, where
from formulas import Kernel


def windows(image, kernel, stride=1, dilation=1):
    """(..., H, W) -> (..., h, w, KH, KW): what each place of a convolution sees."""
    sizes = [(extent - dilation * (k - 1) - 1) // stride + 1
             for extent, k in zip(image.value.shape[-2:], kernel)]
    rows, columns = [stride * np.arange(max(size, 0))[:, None] + dilation * np.arange(k)[None, :]
                     for size, k in zip(sizes, kernel)]
    return image[..., rows[:, None, :, None], columns[None, :, None, :]]


def convolution(stride):
    return lambda a, n: {"O": einsum("nchwij,fcij->nfhw", windows(a.I, (n.KH, n.KW), stride), a.K)}


def dilated(a, n):
    seen = windows(a.I.reshape(n.C, 1, n.T), (1, n.K), dilation=2).reshape(n.C, -1, n.K)
    return {"O": einsum("ctk,fck->ft", seen, a.W)}


def maxpool(a, n):
    seen = windows(a.I, (2, 2), 2)
    return {"O": seen.reshape(n.N, n.C, n.H // 2, n.W // 2, 4).max(-1)}


def layer(x, weights, bias):
    return maximum(einsum("bm,nm->bn", x, weights) + bias, 0)


def softmax(x):
    shifted = exp(x - x.max(1)[:, None])
    return shifted / shifted.sum(1)[:, None]


def attention(a, n, mask=None):
    wanted = einsum("md,nd->mn", a.Q, a.K) * (1 / np.sqrt(max(n.D, 1)))
    if mask is not None:
        wanted = where(mask, wanted, -3e38)
    return {"O": einsum("mn,ne->me", softmax(wanted), a.V)}


def kmeans(a, n):
    points, centers = a.X.value, a.C.value
    distance = ((points[:, None, :] - centers[None, :, :]) ** 2).sum(2)
    label = distance.argmin(1)
    count = np.bincount(label, minlength=n.K)
    sums = np.stack([points[label == k].sum(0) for k in range(n.K)])
    moved = Bounded(sums, "float32") / np.maximum(count, 1)[:, None]
    return {"label": label.astype(np.int32), "count": count.astype(np.int32),
            "center": where(count[:, None] > 0, moved, a.C),
            "cost": Bounded(distance.min(1), "float32").sum(0)}


def small_integers(name):
    """As floats: distances are then exact, and none is compared that rounding could turn."""
    return lambda random, n: random.integers(-8, 8, (getattr(n, name), n.D)).astype(np.float32)


def indices(below, *shape):
    return lambda random, n: random.integers(
        0, getattr(n, below), [getattr(n, size) for size in shape], np.int32)


def wavenet(a, n):
    past = np.maximum(np.arange(n.T) - a.dilation, 0)
    before = where(np.arange(n.T) >= a.dilation, a.X[:, :, past], 0)

    def dilated_sum(weights, bias):
        now = einsum("dc,bct->bdt", weights[:, :, 1], a.X)
        return bias[:, None] + now + einsum("dc,bct->bdt", weights[:, :, 0], before)

    gate = 1 / (exp(-dilated_sum(a.G, a.bg)) + 1)
    hidden = dilated_sum(a.F, a.bf).map(np.tanh) * gate
    return {"Y": a.X + einsum("cd,bdt->bct", a.R, hidden), "skip": einsum("ed,bdt->bet", a.S, hidden)}


def heat(grid, a):
    inner = grid[1:-1, 1:-1]
    around = grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]
    value, error = grid.value.copy(), grid.error.copy()
    changed = inner + a * (around - 4 * inner)
    value[1:-1, 1:-1], error[1:-1, 1:-1] = changed.value, changed.error
    return Bounded(value, grid.kind, error)


def nearest_rows(a, n):
    return {"O": a.T[np.clip(a.X, 0, n.E - 1)]}


KERNELS = [
    Kernel("matmul", "matmul/matmul.tc", "M=7 K=13 N=5; M=1 K=1 N=1; M=3 K=0 N=2; M=67 K=129 N=33",
           lambda a, n: {"C": einsum("mk,kn->mn", a.A, a.B)}),
    Kernel("transposed", "matmul/matmul.tc", "M=5 K=17 N=11; M=0 K=3 N=2",
           lambda a, n: {"C": einsum("mk,nk->mn", a.A, a.B)}),
    Kernel("batched", "matmul/matmul.tc", "B=3 M=5 K=7 N=2; B=1 M=1 K=1 N=19",
           lambda a, n: {"C": einsum("bmk,bkn->bmn", a.X, a.Y)}),
    Kernel("bytes", "matmul/matmul.tc", "M=3 K=31 N=5; M=17 K=67 N=16",
           lambda a, n: {"C": einsum("mk,kn->mn", a.A.astype(np.int32), a.B.astype(np.int32))}),
    Kernel("convolution", "convolution/convolution.tc",
           "N=2 C=3 H=7 W=5 F=3 KH=3 KW=2; N=1 C=1 H=1 W=1 F=1 KH=1 KW=1; N=1 C=2 H=3 W=4 F=2 KH=4 KW=1",
           convolution(1)),
    Kernel("strided", "convolution/convolution.tc",
           "N=1 C=2 H=9 W=8 F=3 KH=3 KW=3; N=0 C=1 H=5 W=5 F=1 KH=2 KW=2", convolution(2)),
    Kernel("grouped", "convolution/convolution.tc", "N=2 G=3 C=2 H=5 W=7 F=3 KH=2 KW=3",
           lambda a, n: {"O": einsum("ngchwij,gfcij->ngfhw", windows(a.I, (n.KH, n.KW)), a.K)}),
    Kernel("dilated", "convolution/convolution.tc", "C=3 T=23 F=5 K=4; C=1 T=1 F=1 K=1", dilated),
    Kernel("maxpool", "convolution/convolution.tc", "N=2 C=3 H=7 W=10; N=1 C=1 H=1 W=2", maxpool),
    Kernel("mlp", "mlp/mlp.tc", "B=5 M=7 N=11 O=3 P=2; B=1 M=1 N=1 O=1 P=1; B=3 M=0 N=2 O=2 P=1",
           lambda a, n: {"Y": layer(layer(layer(a.X, a.W1, a.B1), a.W2, a.B2), a.W3, a.B3)}),
    Kernel("softmax", "softmax/softmax.tc", "M=5 N=17; M=1 N=1; M=0 N=3; M=3 N=0",
           lambda a, n: {"O": softmax(a.X)}),
    Kernel("log_softmax", "softmax/softmax.tc", "M=3 N=101",
           lambda a, n: {"O": softmax(a.X).map(np.log)}),
    Kernel("attention", "attention/attention.tc", "M=5 N=13 D=7 E=3; M=1 N=1 D=1 E=1", attention),
    Kernel("causal", "attention/attention.tc", "M=11 D=5 E=3",
           lambda a, n: attention(a, n, np.tri(n.M, dtype=bool))),
    Kernel("kmeans", "kmeans/kmeans.tc", "N=53 D=3 K=5; N=1 D=1 K=1; N=3 D=2 K=7", kmeans,
           given={"X": small_integers("N"), "C": small_integers("K")}),
    Kernel("lookup", "lookup/lookup.tc", "E=11 D=5 B=3 L=7; E=1 D=1 B=1 L=0",
           lambda a, n: {"O": a.T[a.P].sum(1)}, given={"P": indices("E", "B", "L")},
           options=("--checked",)),
    Kernel("lookup2", "lookup/lookup.tc", "E1=5 E2=3 D=4 B=3 L1=2 L2=9",
           lambda a, n: {"O1": a.T1[a.P1].sum(1), "O2": a.T2[a.P2].sum(1)},
           given={"P1": indices("E1", "B", "L1"), "P2": indices("E2", "B", "L2")}),
    Kernel("clamped", "lookup/lookup.tc", "E=7 N=29", nearest_rows,
           given={"X": lambda random, n: random.integers(-9, 19, n.N, np.int32)}),
    Kernel("wavenet", "wavenet/wavenet.tc", "B=2 C=3 T=13 D=5 E=2; B=1 C=1 T=1 D=1 E=1", wavenet,
           given={"dilation": lambda random, n: 4}),
    Kernel("heat", "stencil/stencil.tc", "N=7 M=5; N=3 M=3; N=2 M=2", lambda a, n: {"O": heat(a.U, a.a)},
           given={"a": lambda random, n: 0.25}),
    Kernel("twice", "stencil/stencil.tc", "N=9 M=11", lambda a, n: {"O": heat(heat(a.U, a.a), a.a)},
           given={"a": lambda random, n: 0.125}),
    Kernel("sharpen", "stencil/stencil.tc", "N=7 M=5; N=3 M=3",
           lambda a, n: {"O": einsum("hwij,ij->hw", windows(a.U, (3, 3)), a.W)}),
]
