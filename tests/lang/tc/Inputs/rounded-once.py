"""Wide numbers to those of 16 bits, near all kinds of ties: rounded-once.py OPTION..."""

import subprocess
import sys

import numpy as np

PROGRAM = """
def rounded(double(N) D, int32(M) I, int64(K) L, uint64(K) U)
    -> (dh, db, ih, ib, lh, lb, uh, ub, bfloat16(M) stored, one) {
  dh(i) = half(D(i))
  db(i) = bfloat16(D(i))
  ih(i) = half(I(i))
  ib(i) = bfloat16(I(i))
  lh(i) = half(L(i))
  lb(i) = bfloat16(L(i))
  uh(i) = half(U(i))
  ub(i) = bfloat16(U(i))
  stored(i) = I(i)
  one = bfloat16(D(0))
}
"""
BFLOAT = (8, -126, 127)
HALF = (11, -14, 15)


def rounded(numbers, number_format):
    """To the nearest, ties to even. A long double holds every number here."""
    bits, lowest, highest = number_format
    wide = numbers.astype(np.longdouble)
    with np.errstate(all="ignore"):
        exponents = np.frexp(wide)[1] - 1
        unit = np.ldexp(np.longdouble(1), np.maximum(exponents, lowest) - bits + 1)
        result = np.rint(wide / unit) * unit
        return np.where(np.abs(result) >= np.ldexp(np.longdouble(1), highest + 1), np.copysign(np.inf, wide),
                        np.where(np.isfinite(wide), result, wide)).astype(np.float64)


def as_numbers(found):
    if found.dtype == np.float16:
        return found.astype(np.float64)
    return (found.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


random = np.random.default_rng(1)
ties = np.concatenate([(1 + (2 * random.integers(0, 1 << bits, 4000) + 1) / 2 ** (bits + 1))
                       * 2.0 ** random.integers(lowest - bits, highest + 2, 4000)
                       for bits, lowest, highest in ((7, -126, 127), (10, -14, 15))])
doubles = np.concatenate([[1.00390625001], ties, ties * (1 + 2.0 ** -45), -ties * (1 - 2.0 ** -45), ties * (1 + 2.0 ** -20),
                          random.standard_normal(1000), [0.0, -0.0, 1e300, -1e300, 1e-300, 5e-324, np.inf, -np.inf, np.nan]])
powers = random.integers(9, 63, 4000).astype(np.uint64)
whole = (np.uint64(1) << powers) + (random.integers(0, 256, 4000).astype(np.uint64) << powers >> np.uint64(8))
whole += np.uint64(1) << (powers - np.uint64(8))
near = np.concatenate([whole - np.uint64(1), whole, whole + np.uint64(1), [0, 1, 2**63 - 1, 2**63 - 2**54]]).astype(np.uint64)
longs = np.concatenate([near & np.uint64(2**63 - 1), near & np.uint64(2**63 - 1)]).astype(np.int64)
longs[len(near):] *= -1
unsigned = np.concatenate([near, ~near])
words = np.concatenate([longs >> 32, longs]).astype(np.int32)
words = np.concatenate([words, [2**31 - 1, -2**31, 2**24 + 2**16 + 1]]).astype(np.int32)

with open("rounded.tc", "w", encoding="utf-8") as file:
    file.write(PROGRAM)
arguments, outputs = {"D": doubles, "I": words, "L": longs, "U": unsigned}, {}
for name, array in arguments.items():
    np.save(f"{name}.npy", array)
for name in ("dh", "db", "ih", "ib", "lh", "lb", "uh", "ub", "stored", "one"):
    outputs[name] = f"{name}.npy"
subprocess.run(["tessera", "run", "rounded.tc", *(f"{name}=@{name}.npy" for name in arguments), *sys.argv[1:],
                *(word for name, path in outputs.items() for word in ("-o", f"{name}={path}"))], check=True)
for name, path in outputs.items():
    source = {"o": doubles[:1], "s": words, "d": doubles, "i": words, "l": longs, "u": unsigned}[name[0]]
    expected = rounded(source, HALF if name.endswith("h") else BFLOAT)
    found = as_numbers(np.atleast_1d(np.load(path)))
    wrong = np.flatnonzero((found != expected) & ~(np.isnan(found) & np.isnan(expected)))
    assert not wrong.size, (name, wrong.size, [(source[i], found[i], expected[i]) for i in wrong[:5]])
