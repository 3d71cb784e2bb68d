"""Runs TC kernels on random data and compares them with NumPy formulas.

    formulas.py TABLE    all kernels of TABLE.py, which holds a list KERNELS

Integers must be exact; floats within the bound that the formula derives (bounded.py). A kernel is run
once for each of its sets of sizes.
"""

import dataclasses
import importlib
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import zlib

import numpy as np
from bounded import Bounded, difference, from_bits, to_bits

ROOT = pathlib.Path(__file__).resolve().parents[4]
TYPES = {"half": "float16", "float": "float32", "double": "float64", "byte": "uint8"}
FLOATS = ("float16", "bfloat16", "float32", "float64")
HEAD = r"def\s+{}\s*\((.*?)\)\s*->\s*\((.*?)\)\s*\{{"
ARGUMENT = re.compile(r"(\w+)(?:\(([^)]*)\))?\s+(\w+)\s*(?:,|$)")


@dataclasses.dataclass
class Kernel:
    entry: str
    text: str  # or the name of an example
    sizes: str  # "M=3 N=5; M=1 N=1"
    formula: object  # (arguments, sizes) -> {name: what is expected}
    given: dict = dataclasses.field(default_factory=dict)  # name -> (random, sizes) -> value
    initial: dict = dataclasses.field(default_factory=dict)  # likewise, for --init
    options: tuple = ()

    def source(self):
        if self.text.endswith(".tc"):
            return (ROOT / "examples" / self.text).read_text(encoding="utf-8")
        return self.text

    def size_sets(self):
        for words in self.sizes.split(";"):
            yield {name: int(size) for name, size in (word.split("=") for word in words.split())}

    def signature(self):
        """[(type, dimensions, name)] and the names of the returns."""
        head = re.search(HEAD.format(self.entry), self.source(), re.DOTALL)
        arguments = [(TYPES.get(kind, kind), dims.split(",") if dims else [], name)
                     for kind, dims, name in ARGUMENT.findall(head[1])]
        returns = re.sub(r"\([^)]*\)", "", head[2])  # Without the dimensions of typed ones.
        return arguments, re.findall(r"(\w+)\s*(?:,|$)", returns)


def random_values(kind, shape, random):
    if kind == "bool":
        return random.random(shape) < 0.5
    if kind == "bfloat16":
        return to_bits(random.uniform(-2, 2, shape))
    if kind in FLOATS:
        return random.uniform(-2, 2, shape).astype(kind)
    info = np.iinfo(kind)
    return random.integers(info.min, info.max, shape, kind, endpoint=True)


def for_formula(kind, value):
    """Floats with their bound, which is 0; everything else as it is."""
    if kind == "bfloat16":
        return Bounded(from_bits(value), kind)
    return Bounded(value, kind) if kind in FLOATS else value


class Call:
    """One run of a kernel, in a folder of its own."""

    def __init__(self, kernel, sizes, folder):
        self.kernel, self.sizes, self.folder = kernel, types.SimpleNamespace(**sizes), folder
        self.seed = f"{kernel.entry} {sizes}"
        self.random = np.random.default_rng(zlib.crc32(self.seed.encode()))
        self.arguments, self.words = types.SimpleNamespace(), []

    def word(self, name, value):
        if np.ndim(value) == 0:
            return f"{name}={str(value).lower()}"
        path = self.folder / f"{name}.npy"
        np.save(path, value)
        return f"{name}=@{path}"

    def add_argument(self, kind, dims, name):
        shape = [int(dim) if dim.strip().isdigit() else getattr(self.sizes, dim.strip()) for dim in dims]
        if name in self.kernel.given:
            value = self.kernel.given[name](self.random, self.sizes)
        else:
            value = random_values(kind, shape, self.random)
        setattr(self.arguments, name, for_formula(kind, value))
        self.words.append(self.word(name, value))

    def add_initial(self, name, make):
        value = make(self.random, self.sizes)
        setattr(self.arguments, name, for_formula(value.dtype.name, value))
        self.words += ["--init", self.word(name, value)]

    def complaints(self):
        arguments, returns = self.kernel.signature()
        for argument in arguments:
            self.add_argument(*argument)
        for name, make in self.kernel.initial.items():
            self.add_initial(name, make)
        (self.folder / "kernel.tc").write_text(self.kernel.source(), encoding="utf-8")
        outputs = [word for name in returns for word in ("-o", f"{name}={self.folder}/{name}.out.npy")]
        command = ["tessera", "run", self.folder / "kernel.tc", "--call", self.kernel.entry,
                   *self.words, *outputs, *self.kernel.options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{self.seed}: status {done.returncode}: {done.stderr}"
            return
        expected = self.kernel.formula(self.arguments, self.sizes)
        assert set(expected) == set(returns), f"{self.seed}: formulas for {sorted(expected)}"
        for name in returns:
            if text := difference(np.load(self.folder / f"{name}.out.npy"), expected[name]):
                yield f"{self.seed}: {name}: {text}"


def main(table):
    failures = count = 0
    for kernel in importlib.import_module(table).KERNELS:
        for sizes in kernel.size_sets():
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                for text in Call(kernel, sizes, pathlib.Path(folder)).complaints():
                    failures += 1
                    print(text)
    print(f"{count} calls, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
