"""Runs the tinytc programs under examples/ on random numbers and compares with NumPy.

usage: examples.py EXAMPLES SCRATCH
"""

import os
import subprocess
import sys

import numpy as np

EXAMPLES, SCRATCH = sys.argv[1:]
random = np.random.default_rng(5)


def reals(*shape, dtype=np.float32):
    return np.asfortranarray(random.uniform(-1, 1, shape).astype(dtype))


def each_group(formula, *operands):
    """The formula for each index of the operands' last mode."""
    return np.stack([formula(*(x[..., g] for x in operands)) for g in range(operands[0].shape[-1])], -1)


def softmax(x):
    powers = np.exp(x - x.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def volume(K, I, A, Q):
    product = np.einsum("abd,bcg,cedg->aeg", K, I, A)
    return Q + product


def ader(dt, K, A, Q):
    D1 = np.einsum("abd,bcg,cedg->aeg", K[:4], Q, A)
    D2 = np.einsum("abd,bcg,cedg->aeg", K[:1, :4], D1, A)
    result = dt * Q
    result[:4] += dt**2 / 2 * D1
    result[:1] += dt**3 / 6 * D2
    return result


class Example:
    """A launch: `arguments` by name, the one that is changed, and what it should be then."""

    def __init__(self, path, kernel, groups, arguments, result, expected, rtol=1e-4):
        self.path, self.kernel, self.groups = path, kernel, groups
        self.arguments, self.result, self.expected, self.rtol = arguments, result, expected, rtol

    def check(self, *flags):
        words = []
        for name, value in self.arguments.items():
            file = os.path.join(SCRATCH, name + ".npy")
            np.save(file, value)
            words.append(f"{name}=@{file}" if np.ndim(value) else f"{name}={value}")
        out = os.path.join(SCRATCH, "out.npy")
        command = ["tessera", "run", os.path.join(EXAMPLES, self.path), "--call", self.kernel, *words,
                   f"--groups={self.groups}", "-o", f"{self.result}={out}", *flags]
        subprocess.run(command, check=True)
        np.testing.assert_allclose(np.load(out), self.expected, rtol=self.rtol, atol=self.rtol, err_msg=str(command))


def matmul(m, n, k):
    A, B, C = reals(m, k), reals(k, n), reals(m, n)
    yield Example("matmul/matmul.tinytc", "matmul", 1, {"A": A, "B": B, "C": C}, "C", A @ B)
    yield Example("matmul/matmul.tinytc", "transposed", 1, {"A": A, "B": reals(n, k) * 0 + B.T, "C": C}, "C", A @ B + C)


def examples():
    for sizes in [(1, 1, 1), (7, 5, 9), (33, 47, 65), (130, 40, 70)]:
        yield from matmul(*sizes)
    A, B, C = reals(4, 4, 5), reals(4, 4, 5), reals(4, 4, 5)
    yield Example("matmul/matmul.tinytc", "batched", 5, {"alpha": 0.5, "A": A, "B": B, "C": C}, "C",
                  each_group(lambda a, b: 0.5 * a @ b, A, B))

    A, B, C, D = reals(16, 8, 7), reals(8, 8), reals(8, 16), reals(16, 16, 7)
    yield Example("fused/fused.tinytc", "fused_kernel", 7, {"alpha": 0.25, "A": A, "B": B, "C": C, "D": D}, "D",
                  each_group(lambda a, d: 0.25 * a @ B.T @ C + d, A, D))

    A, B, C = (reals(*shape, dtype=np.float64) for shape in [(5, 3, 6), (3, 4, 6), (5, 4, 6)])
    yield Example("batched-gemm/batched-gemm.tinytc", "gemm", 6, {"A": A, "B": B, "C": C}, "C",
                  each_group(lambda a, b: a @ b, A, B))

    for rows in (1, 128, 300):
        A, B, C = reals(rows, 8), reals(8, 16), reals(rows, 16)
        yield Example("tall-and-skinny/tall-and-skinny.tinytc", "tall_and_skinny", (rows + 127) // 128,
                      {"alpha": 0.5, "A": A, "B": B, "beta": 2.0, "C": C}, "C", 0.5 * A @ B + 2 * C)

    K, I, A, Q = reals(8, 8, 3), reals(8, 9, 5), reals(9, 9, 3, 5), reals(8, 9, 5)
    yield Example("matrix-chain/matrix-chain.tinytc", "volume", 5, {"K": K, "I": I, "A": A, "Q": Q}, "Q", volume(K, I, A, Q))

    K, A, Q = (reals(*shape, dtype=np.float64) for shape in [(10, 10, 3), (9, 9, 3, 4), (10, 9, 4)])
    yield Example("ader/ader.tinytc", "ader", 4, {"dt": 0.125, "K": K, "A": A, "Q": Q, "I": np.full_like(Q, np.nan)}, "I",
                  ader(0.125, K, A, Q))

    V = reals(4, 1000, dtype=np.float64)
    yield Example("sum-over-groups/sum-over-groups.tinytc", "energy", 1000, {"V": V, "E": 0.0}, "E", (V * V).sum())
    x = np.asfortranarray(random.integers(0, 4, (4, 999), np.int32))
    yield Example("sum-over-groups/sum-over-groups.tinytc", "histogram", 999,
                  {"x": x, "counts": np.zeros(4, np.int32)}, "counts", np.bincount(x.ravel(), minlength=4))

    for m, n, k in [(16, 16, 32), (40, 17, 65)]:
        # Small integers: exact as bf16.
        A, B = (np.asfortranarray(random.integers(-8, 8, shape).astype(np.float32)) for shape in [(m, k), (k, n)])
        yield Example("cooperative-gemm/cooperative-gemm.tinytc", "gemm", ((m + 15) // 16) * ((n + 15) // 16),
                      {"A": A, "B": B, "C": reals(m, n)}, "C", A @ B)

    Q, K, V = 3 * reals(48, 8), 3 * reals(80, 8), reals(80, 8)
    yield Example("flash-attention/flash-attention.tinytc", "attention", 3,
                  {"scale": 0.5, "Q": Q, "K": K, "V": V, "O": reals(48, 8)}, "O", softmax(0.5 * Q @ K.T) @ V)


os.makedirs(SCRATCH, exist_ok=True)
for example in examples():
    example.check("-O0")
    example.check("-O2", "--threads=2")
