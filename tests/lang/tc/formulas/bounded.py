"""Numbers with a bound on their rounding error.

A formula computes in float64 what a kernel computes in its own type. Beside each value stands a
bound on what rounding, in any order of the terms, may have done to it: a sum of n terms adds
n * eps * sum(|terms|), an operation eps * |result|, a function of the library a few of those.
"""

import numpy as np

# The eps of the type of the arithmetic: halves are computed in float32 and rounded when stored.
EPS = {"float16": 2.0**-23, "bfloat16": 2.0**-23, "float32": 2.0**-23, "float64": 2.0**-52}
STORED_EPS = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}
SMALLEST = {"float16": 2.0**-24, "bfloat16": 2.0**-126, "float32": 2.0**-126, "float64": 2.0**-1000}
WIDTH = {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
FUNCTION_ULPS = 8


class Bounded:
    __array_ufunc__ = None  # So that `array * bounded` comes here.

    def __init__(self, value, kind, error=None):
        self.value = np.asarray(value, np.float64)
        self.kind = kind
        self.error = np.zeros(self.value.shape) if error is None else np.asarray(error, np.float64)

    @property
    def eps(self):
        return EPS[self.kind]

    def __getitem__(self, index):
        return Bounded(self.value[index], self.kind, self.error[index])

    def reshape(self, *shape):
        return Bounded(self.value.reshape(*shape), self.kind, self.error.reshape(*shape))

    def __neg__(self):
        return Bounded(-self.value, self.kind, self.error)

    def __add__(self, other):
        a, b, kind = pair(self, other)
        return rounded(a.value + b.value, kind, a.error + b.error)

    def __sub__(self, other):
        a, b, kind = pair(self, other)
        return rounded(a.value - b.value, kind, a.error + b.error)

    def __mul__(self, other):
        a, b, kind = pair(self, other)
        error = abs(a.value) * b.error + abs(b.value) * a.error + a.error * b.error
        return rounded(a.value * b.value, kind, error)

    def __truediv__(self, other):
        a, b, kind = pair(self, other)
        with np.errstate(all="ignore"):
            value = a.value / b.value
            error = (a.error + abs(value) * b.error) / np.maximum(abs(b.value) - b.error, 0)
        return rounded(value, kind, error)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return -self + other

    def __rtruediv__(self, other):
        return Bounded(other, self.kind) / self

    def sum(self, axis=None):
        count = self.value.size if axis is None else self.value.shape[axis]
        terms = (abs(self.value) + self.error).sum(axis)
        return Bounded(self.value.sum(axis), self.kind, self.error.sum(axis) + count * self.eps * terms)

    def prod(self, axis):
        count = self.value.shape[axis]
        value = self.value.prod(axis)
        bound = ((abs(self.value) + self.error) * (1 + self.eps)).prod(axis)
        return Bounded(value, self.kind, bound - abs(value) + count * self.eps * bound)

    def max(self, axis=None):
        return Bounded(self.value.max(axis, initial=-np.inf), self.kind, self.error.max(axis, initial=0))

    def min(self, axis=None):
        return -(-self).max(axis)

    def map(self, function, ulps=FUNCTION_ULPS):
        """A function that is monotone near each value."""
        with np.errstate(all="ignore"):
            value = function(self.value)
            ends = function(self.value + self.error), function(self.value - self.error)
            spread = np.maximum(abs(ends[0] - value), abs(ends[1] - value))
            error = np.where(self.error == 0, 0, spread) + ulps * self.eps * abs(value)
        return Bounded(value, self.kind, error)


def rounded(value, kind, error):
    with np.errstate(all="ignore"):
        return Bounded(value, kind, np.where(np.isfinite(value), error + EPS[kind] * abs(value), 0))


def pair(a, b):
    """Both as Bounded, and the kind of the result: an integer takes that of the other."""
    if not isinstance(b, Bounded):
        b = Bounded(b, a.kind, EPS[a.kind] * abs(np.asarray(b, np.float64)))
    return a, b, a.kind if WIDTH[a.kind] >= WIDTH[b.kind] else b.kind


def exp(x):
    return x.map(np.exp)


def where(condition, a, b):
    known = a if isinstance(a, Bounded) else b
    a, b = [x if isinstance(x, Bounded) else Bounded(x, known.kind) for x in (a, b)]
    return Bounded(np.where(condition, a.value, b.value), known.kind,
                   np.where(condition, a.error, b.error))


def maximum(a, b):
    a, b, kind = pair(a, b)
    return Bounded(np.maximum(a.value, b.value), kind, np.maximum(a.error, b.error))


def einsum(spec, *factors):
    """A sum of products; of integers exactly, in their own type."""
    if not isinstance(factors[0], Bounded):
        return np.einsum(spec, *factors)
    values = [factor.value for factor in factors]
    sizes = [abs(value) + factor.error for value, factor in zip(values, factors)]
    exact_sizes = [abs(value) for value in values]
    inputs, output = spec.split("->")
    extents = {name: size for names, value in zip(inputs.split(","), values)
               for name, size in zip(names, value.shape)}
    count = np.prod([size for name, size in extents.items() if name not in output], dtype=float)
    total = np.einsum(spec, *sizes)
    inherited = total - np.einsum(spec, *exact_sizes)
    eps = factors[0].eps
    return Bounded(np.einsum(spec, *values), factors[0].kind,
                   inherited + (count + len(factors)) * eps * total)


def difference(found, expected):
    """What is wrong with a result, or nothing."""
    if not isinstance(expected, Bounded):
        expected = np.asarray(expected)
        if found.dtype != expected.dtype or found.shape != expected.shape:
            return f"{found.dtype}{found.shape}, expected {expected.dtype}{expected.shape}"
        return worst(found, expected, found != expected)
    stored = np.uint16 if expected.kind == "bfloat16" else np.dtype(expected.kind)
    if found.dtype != stored or found.shape != expected.value.shape:
        return f"{found.dtype}{found.shape}, expected {expected.kind}{expected.value.shape}"
    value = from_bits(found) if expected.kind == "bfloat16" else found.astype(np.float64)
    with np.errstate(all="ignore"):
        # Twice: the formula itself rounds, too.
        bound = 2 * expected.error + STORED_EPS[expected.kind] * abs(expected.value) + SMALLEST[expected.kind]
        is_same = (value == expected.value) | (np.isnan(value) & np.isnan(expected.value))
        is_wrong = ~is_same & ~(abs(value - expected.value) <= bound)
    return worst(value, expected.value, is_wrong)


def worst(found, expected, is_wrong):
    if not np.any(is_wrong):
        return None
    place = tuple(int(i) for i in np.argwhere(is_wrong)[0])
    return f"{np.count_nonzero(is_wrong)} differ, the first at {place}: {found[place]}, expected {expected[place]}"


def from_bits(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def to_bits(values):
    """To bfloat16, of values that it can hold."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
