"""Compares products of kernels with NumPy's. usage: products.py FORM SCRATCH, of n.n, n.t, t.n, t.t"""

import os
import subprocess
import sys

import numpy as np

FORM, SCRATCH = sys.argv[1:]
random = np.random.default_rng(7)
SIZES = [(1, 1, 1), (5, 3, 7), (20, 9, 20), (40, 31, 70)]

# Sums are scaled, added to what is there, or neither; `fixed` has its sizes in the types.
PROGRAM = """
$a = {a}
$b = {b}
$c = memref<{real} x {m} x {n}>
func @fixed(%A: $a, %B: $b, %C: $c) {{
  %alpha = constant {one} : {real}
  %beta = constant {one} : {real}
  gemm.{form} %alpha, %A, %B, %beta, %C
}}
func @scaled(%alpha: {real}, %A: $a, %B: $b, %beta: {real}, %C: $c) {{
  gemm.{form} %alpha, %A, %B, %beta, %C
}}
func @open(%alpha: {real}, %A: memref<{real}x?x?>, %B: memref<{real}x?x?>, %beta: {real}, %C: memref<{real}x?x?>) {{
  gemm.{form} %alpha, %A, %B, %beta, %C
}}
; All groups add to one result.
func @together(%A: memref<{real}x?x?>, %B: memref<{real}x?x?>, %C: memref<{real}x?x?>) {{
  %one = constant {one} : {real}
  gemm.{form}.atomic %one, %A, %B, %one, %C
}}
"""


def check(file, kernel, arguments, expected, *flags):
    words = []
    for name, value in arguments.items():
        path = os.path.join(SCRATCH, name + ".npy")
        np.save(path, value)
        words.append(f"{name}=@{path}" if np.ndim(value) else f"{name}={value}")
    out = os.path.join(SCRATCH, "out.npy")
    command = ["tessera", "run", file, "--call", kernel, *words, "-o", f"C={out}", *flags]
    subprocess.run(command, check=True)
    np.testing.assert_allclose(np.load(out), expected, rtol=1e-4, atol=1e-4, err_msg=str(command))


NAMES = {np.float32: "f32", np.float64: "f64", np.complex64: "c32"}


def check_sizes(form, m, n, k, dtype):
    def reals(*shape):
        numbers = random.uniform(-1, 1, shape)
        if dtype == np.complex64:
            numbers = numbers + 1j * random.uniform(-1, 1, shape)
        return np.asfortranarray(numbers.astype(dtype))

    turns_a, turns_b = form[0] == "t", form[2] == "t"
    A, B, C = reals(*((k, m) if turns_a else (m, k))), reals(*((n, k) if turns_b else (k, n))), reals(m, n)
    product = (A.T if turns_a else A) @ (B.T if turns_b else B)
    real = NAMES[dtype]
    one = "[1.0,0.0]" if dtype == np.complex64 else "1.0"
    file = os.path.join(SCRATCH, "products.tinytc")
    types = {name: f"memref<{real} x {x.shape[0]} x {x.shape[1]}>" for name, x in (("a", A), ("b", B))}
    with open(file, "w", encoding="utf-8") as out:
        out.write(PROGRAM.format(form=form, real=real, one=one, m=m, n=n, **types))
    arrays, scales = {"A": A, "B": B, "C": C}, {"alpha": 0.5, "beta": 2.0}
    if dtype == np.complex64:
        scales = {"alpha": "[0.5,0]", "beta": "[2,0]"}
    check(file, "fixed", arrays, product + C)
    check(file, "scaled", {**arrays, **scales}, 0.5 * product + 2 * C)
    check(file, "open", {**arrays, **scales}, 0.5 * product + 2 * C)
    for threads in (1, 2):
        check(file, "together", arrays, 6 * product + C, "--groups=6", f"--threads={threads}")


os.makedirs(SCRATCH, exist_ok=True)
for number, sizes in enumerate(SIZES):
    check_sizes(FORM, *sizes, np.float32 if number % 2 else np.float64)
check_sizes(FORM, 37, 6, 5, np.complex64)
