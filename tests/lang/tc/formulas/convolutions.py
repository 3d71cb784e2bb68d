"""Convolutions: one to three dimensions, strides, dilations, groups, types."""

import numpy as np
from bounded import Bounded, einsum, maximum
from formulas import Kernel


def windows(image, kernel, strides=None, dilations=None):
    """(..., H, W) -> (..., h, w, KH, KW), with as many dimensions as the kernel has."""
    rank = len(kernel)
    strides, dilations = strides or [1] * rank, dilations or [1] * rank
    places = []
    for extent, k, stride, dilation in zip(image.shape[-rank:], kernel, strides, dilations):
        size = max((extent - dilation * (k - 1) - 1) // stride + 1, 0) if k else extent
        places.append(stride * np.arange(size)[:, None] + dilation * np.arange(k)[None, :])
    index = []
    for dim, place in enumerate(places):
        shape = [1] * (2 * rank)
        shape[dim], shape[rank + dim] = place.shape
        index.append(place.reshape(shape))
    return image[(..., *index)]


def seen(image, kernel, *steps):
    """The same of values with a bound, or of integers."""
    if isinstance(image, Bounded):
        places = windows(np.arange(image.value.size).reshape(image.value.shape), kernel, *steps)
        return image.reshape(-1)[places]
    return windows(image.astype(np.int64), kernel, *steps)


def plane(*steps):
    return lambda a, n: {"O": einsum("nchwij,fcij->nfhw", seen(a.I, (n.KH, n.KW), *steps), a.K)}


def fused(a, n):
    return {"O": maximum(plane()(a, n)["O"] + a.B[:, None, None], 0)}


PLANE = "float(N,C,H,W) I, float(F,C,KH,KW) K"
SIZES = ("N=1 C=3 H=7 W=9 F=5 KH=3 KW=3; N=2 C=1 H=13 W=31 F=16 KH=3 KW=2; N=1 C=7 H=5 W=5 F=33 KH=5 KW=5;"
         "N=3 C=2 H=4 W=70 F=1 KH=1 KW=1; N=1 C=19 H=17 W=17 F=8 KH=2 KW=3; N=0 C=3 H=7 W=9 F=5 KH=3 KW=3;"
         "N=1 C=0 H=7 W=9 F=5 KH=3 KW=3; N=1 C=3 H=7 W=9 F=0 KH=3 KW=3")

KERNELS = [
    Kernel("c", f"def c({PLANE}) -> (O) {{ O(n,f,h,w) +=! I(n,c,h + i,w + j) * K(f,c,i,j) }}", SIZES, plane()),
    Kernel("c0", f"def c0({PLANE}) -> (O) {{ O(n,f,h,w) +=! I(n,c,h + i,w + j) * K(f,c,i,j) }}",
           "N=2 C=3 H=17 W=18 F=9 KH=3 KW=3", plane(), options=("-O0",)),
    Kernel("s", f"def s({PLANE}) -> (O) {{ O(n,f,h,w) +=! I(n,c,2 * h + i,3 * w + j) * K(f,c,i,j) }}",
           SIZES, plane((2, 3))),
    Kernel("d", f"def d({PLANE}) -> (O) {{ O(n,f,h,w) +=! I(n,c,h + 2 * i,w + 3 * j) * K(f,c,i,j) }}",
           "N=1 C=3 H=7 W=9 F=5 KH=3 KW=3; N=2 C=5 H=11 W=40 F=17 KH=2 KW=3", plane((1, 1), (2, 3))),
    Kernel("r", f"def r({PLANE}, float(F) B) -> (O) {{ O(n,f,h,w) +=! I(n,c,h + i,w + j) * K(f,c,i,j)"
           " O(n,f,h,w) = fmax(O(n,f,h,w) + B(f), 0) }", SIZES, fused),
    Kernel("g", "def g(float(N,G,C,H,W) I, float(G,F,C,KH,KW) K) -> (O)"
           " { O(n,g,f,h,w) +=! I(n,g,c,h + i,w + j) * K(g,f,c,i,j) }",
           "N=2 G=3 C=4 H=9 W=11 F=4 KH=3 KW=3; N=1 G=5 C=3 H=7 W=7 F=16 KH=3 KW=3; N=1 G=1 C=1 H=1 W=1 F=1 KH=1 KW=1",
           lambda a, n: {"O": einsum("ngchwij,gfcij->ngfhw", seen(a.I, (n.KH, n.KW)), a.K)}),
    Kernel("w", "def w(float(N,C,H,W) I, float(C,KH,KW) K) -> (O) { O(n,c,h,w) +=! I(n,c,h + i,w + j) * K(c,i,j) }",
           "N=2 C=3 H=9 W=41 KH=3 KW=3; N=1 C=16 H=5 W=6 KH=5 KW=1",
           lambda a, n: {"O": einsum("nchwij,cij->nchw", seen(a.I, (n.KH, n.KW)), a.K)}),
    Kernel("t", "def t(double(C,T) I, double(F,C,K) W) -> (O) { O(f,t) +=! I(c,t + 2 * k) * W(f,c,k) }",
           "C=3 T=50 F=7 K=3; C=1 T=9 F=1 K=4; C=5 T=200 F=24 K=2",
           lambda a, n: {"O": einsum("ctk,fck->ft", seen(a.I, (n.K,), (1,), (2,)), a.W)}),
    Kernel("v", "def v(float(C,X,Y,Z) I, float(F,C,3,2,3) K) -> (O)"
           " { O(f,x,y,z) +=! I(c,x + i,y + j,2 * z + k) * K(f,c,i,j,k) }",
           "C=2 X=5 Y=6 Z=9 F=5; C=1 X=3 Y=2 Z=3 F=1; C=3 X=4 Y=5 Z=40 F=16",
           lambda a, n: {"O": einsum("cxyzijk,fcijk->fxyz", seen(a.I, (3, 2, 3), (1, 1, 2)), a.K)}),
    Kernel("h", "def h(half(C,H,W) I, half(F,C,3,3) K) -> (O)"
           " { O(f,h,w) +=! float(I(c,h + i,w + j)) * float(K(f,c,i,j)) }",
           "C=2 H=9 W=9 F=3; C=5 H=4 W=40 F=17",
           lambda a, n: {"O": einsum("chwij,fcij->fhw", Bounded(windows(a.I.value, (3, 3)), "float32"),
                                     Bounded(a.K.value, "float32"))}),
    Kernel("i", "def i(int32(C,H,W) I, int32(F,C,3,3) K) -> (O) { O(f,h,w) +=! I(c,h + i,w + j) * K(f,c,i,j) }",
           "C=2 H=9 W=9 F=3; C=5 H=4 W=40 F=17",
           lambda a, n: {"O": np.einsum("chwij,fcij->fhw", seen(a.I, (3, 3)), a.K.astype(np.int64)).astype(np.int32)}),
    Kernel("b", "def b(int8(C,H,W) I, int8(F,C,3,3) K) -> (O)"
           " { O(f,h,w) +=! int32(I(c,h + i,w + j)) * int32(K(f,c,i,j)) }",
           "C=2 H=9 W=9 F=3; C=5 H=4 W=40 F=17",
           lambda a, n: {"O": np.einsum("chwij,fcij->fhw", seen(a.I, (3, 3)), a.K.astype(np.int64)).astype(np.int32)}),
]
