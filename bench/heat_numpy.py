"""The heat stencil as a NumPy user writes it. heat_numpy.py FILE SIZE STEPS: FILE holds the plate.

Each line `run` is answered with the seconds that all steps took; `save` writes the last plate to FILE.
"""

import sys
import time

import numpy


def heat(start, steps):
    u = start.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] = (
            u[1:-1, 1:-1] * 0.5 + (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) * 0.125
        )
    return u


def main():
    path, size, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    start = None
    for line in sys.stdin:
        if start is None:
            start = numpy.fromfile(path, dtype=numpy.float32).reshape(size, size)
        if line.strip() == "save":
            result.tofile(path)
            print("saved", flush=True)
            continue
        begin = time.thread_time()
        result = heat(start, steps)
        print(time.thread_time() - begin, flush=True)


main()
