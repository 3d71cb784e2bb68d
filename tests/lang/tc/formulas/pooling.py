"""Pooling and stencils, with strides and dilations."""

import numpy as np
from bounded import Bounded
from convolutions import seen
from formulas import Kernel


def pooled(reduce, *steps):
    def formula(a, n):
        places = seen(a.I, (3, 2), *steps)
        shape = places.value.shape if isinstance(places, Bounded) else places.shape
        return {"O": reduce(places.reshape(*shape[:-2], 6))}
    return formula


def cross(a, n):
    x = a.A
    return {"B": x[1:-1, 1:-1] * -4 + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]}


IMAGES = "C=3 H=9 W=9; C=1 H=3 W=2; C=2 H=5 W=40; C=4 H=4 W=131; C=0 H=4 W=7"
WINDOW = "where i in 0:3, j in 0:2"

KERNELS = [
    Kernel("p", f"def p(float(C,H,W) I) -> (O) {{ O(c,h,w) max=! I(c,h + i,w + j) {WINDOW} }}", IMAGES,
           pooled(lambda x: x.max(-1))),
    Kernel("p2", f"def p2(float(C,H,W) I) -> (O) {{ O(c,h,w) min=! I(c,2 * h + i,2 * w + j) {WINDOW} }}", IMAGES,
           pooled(lambda x: -((-x).max(-1)), (2, 2))),
    Kernel("p5", f"def p5(double(C,H,W) I) -> (O) {{ O(c,h,w) +=! I(c,h + i,5 * w + j) {WINDOW} }}", IMAGES,
           pooled(lambda x: x.sum(-1), (1, 5))),
    Kernel("pi", f"def pi(int16(C,H,W) I) -> (O) {{ O(c,h,w) max=! I(c,h + 2 * i,3 * w + j) {WINDOW} }}",
           "C=3 H=9 W=9; C=1 H=5 W=2; C=2 H=5 W=140",
           pooled(lambda x: x.max(-1).astype(np.int16), (1, 3), (2, 1))),
    Kernel("x", "def x(float(H,W) A) -> (B) { B(i,j) = A(i,j) * -4 + A(i-1,j) + A(i+1,j) + A(i,j-1) + A(i,j+1) }",
           "H=9 W=9; H=3 W=3; H=5 W=131", cross),
]
