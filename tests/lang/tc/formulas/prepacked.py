"""Products of matrices that are stored in the order of tile registers, against those of the matrices."""

import numpy as np
from bounded import Bounded, maximum
from formulas import Kernel

# T, U: types of the operands; S: of the sums; 2 or 4 elements of depth side by side.
TEXT = """
def f(T(MO,KO,16,16,G) A, U(NO,KO,16,16,G) B) -> (C) {
  C(mo,no,mi,ni) +=! S(A(mo,ko,mi,ki,kj)) * S(B(no,ko,ki,ni,kj))
}
"""
IN_ROWS = TEXT.replace("C(mo,no,mi,ni)", "C(mo,mi,no,ni)")
WITH_BIAS = """
def f(bfloat16(MO,KO,16,16,2) A, bfloat16(NO,KO,16,16,2) B, float(NO,16) D) -> (C) {
  C(mo,no,mi,ni) +=! float(A(mo,ko,mi,ki,kj)) * float(B(no,ko,ki,ni,kj))
  C(mo,no,mi,ni) = fmax(C(mo,no,mi,ni) + D(no,ni), 0)
}
"""
SIZES = "MO=3 NO=5 KO=7; MO=1 NO=1 KO=1; MO=2 NO=3 KO=0; MO=0 NO=2 KO=1; MO=4 NO=1 KO=33"


def text_of(text, lhs, rhs, total, group):
    for letter, name in {"T(": lhs + "(", "U(": rhs + "(", "S(": total + "(", "G": str(group)}.items():
        text = text.replace(letter, name)
    return text


def turned(x, order):
    """Of numbers with bounds, or of integers."""
    if isinstance(x, Bounded):
        return Bounded(x.value.transpose(order), "float32", x.error.transpose(order))
    return x.astype(np.int64).transpose(order)


def sums(a, n):
    """Tile by tile: one matrix for the rows and columns of each."""
    depth = n.KO * 16 * (2 if isinstance(a.A, Bounded) else 4)
    lhs = turned(a.A, (0, 2, 1, 3, 4)).reshape(n.MO, 1, 16, 1, depth)
    rhs = turned(a.B, (0, 3, 1, 2, 4)).reshape(1, n.NO, 1, 16, depth)
    return (lhs * rhs).sum(4)


def exact(a, n):
    return {"C": sums(a, n).astype(np.int32)}


KERNELS = [
    Kernel("f", text_of(TEXT, "bfloat16", "bfloat16", "float", 2), SIZES, lambda a, n: {"C": sums(a, n)}),
    Kernel("f", text_of(IN_ROWS, "bfloat16", "bfloat16", "float", 2), SIZES,
           lambda a, n: {"C": turned(sums(a, n), (0, 2, 1, 3))}),
    Kernel("f", WITH_BIAS, SIZES, lambda a, n: {"C": maximum(sums(a, n) + a.D.reshape(n.NO, 1, 16), 0)}),
    Kernel("f", text_of(TEXT, "int8", "int8", "int32", 4), SIZES, exact),
    Kernel("f", text_of(TEXT, "uint8", "int8", "int32", 4), SIZES, exact),
    Kernel("f", text_of(TEXT, "int8", "uint8", "int32", 4), SIZES, exact),
]
