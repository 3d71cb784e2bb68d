"""float32 to bfloat16, for every exponent and fraction and both sides of every tie: bfloat-rounding.py LEVEL."""

import subprocess
import sys

import numpy as np

PROGRAM = """
def rounded(float(N) A) -> (stored, cast) {
  stored(i) = bfloat16(A(i))
  cast(i) = float(bfloat16(A(i)))
}
"""

upper = np.arange(1 << 16, dtype=np.uint32)
lower = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], np.uint32)
bits = (upper[:, None] << 16 | lower).ravel()
is_nan = np.isnan(bits.view(np.float32))
expected = np.where(is_nan, bits >> 16 | 0x40, (bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)

with open("rounded.tc", "w", encoding="utf-8") as file:
    file.write(PROGRAM)
np.save("A.npy", bits.view(np.float32))
subprocess.run(["tessera", "run", "rounded.tc", "A=@A.npy", f"-O{sys.argv[1]}", "-o", "stored=stored.npy",
                "-o", "cast=cast.npy"], check=True)
for found in (np.load("stored.npy"), (np.load("cast.npy").view(np.uint32) >> 16).astype(np.uint16)):
    wrong = np.flatnonzero(found != expected)
    assert not wrong.size, [(hex(bits[i]), hex(found[i]), hex(expected[i])) for i in wrong[:5]]
