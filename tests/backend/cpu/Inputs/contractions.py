"""Contractions of many shapes and types: compiled code against NumPy, and -O2 against -O0.

usage: contractions.py FOLDER plain|windows|tiles [FIRST COUNT]

Case number N is the same on every machine. Entries take and return float32 or int32; operands of
other types are converted from these inside.
"""

import os
import random
import re
import subprocess
import sys

import numpy as np

# In numpy.einsum notation: operands and result by the letters of the loops.
PLAIN = [
    "mk,kn->mn", "mk,kn->mn", "mk,kn->mn", "mk,nk->mn", "km,kn->mn", "km,nk->mn", "mk,kn->nm",
    "bmk,bkn->bmn", "bmk,bnk->bmn", "bmk,kn->bmn", "mbk,kn->bmn", "mk,bkn->bmn",
    "mkw,knw->mnw", "nkhw,khw->nhw", "mk,k->m", "km,k->m", "k,kn->n", "bk,bk->b",
    "kb,kb->b", "mjk,jkn->mn", "mkj,kjn->mn", "mkj,jkn->mn", "abk,kn->abn", "bak,kn->abn",
    "mabc,dc->mabd", "mabc,db->madc", "mabc,da->mdbc", "amk,bnk->ambn", "mk,kn->mn",
]
# The same with dimensions that several loops index: convolutions.
WINDOWS = [
    "nc(h+a)(w+b),mcab->nmhw", "nc(h+a)(w+b),mcab->nmhw", "ngc(h+a)(w+b),gmcab->ngmhw", "mcab,nc(h+a)(w+b)->nmhw",
    "nc(2h+a)(2w+b),mcab->nmhw", "nc(h+2a)(w+3b),mcab->nmhw", "ngc(2h+a)(3w+2b),gmcab->ngmhw",
    "nc(t+k),mck->nmt", "c(5t+k),mck->mt", "c(x+a)(y+b)(z+e),mcabe->mxyz", "nc(2x+a)(y+2b)(2z+e),mcabe->nmxyz",
    "n(h+a)(w+b)c,abcm->nhwm", "n(2h+a)(w+b)c,mabc->nhwm", "nc(h+a)(w+b),cab->nchw", "nc(2h+a)(2w+b),cab->nchw",
    "(i+k),k->i", "(3i+k),k->i", "nc(2h)(2w),mc->nmhw", "nc(h+a)w,mca->nhmw", "(m+k),(n+k)k->mn", "(m+k)j,(n+2k)jk->mn",
    "(i+j+k),jk->i", "(i+k)(i+k),k->i",
]
# Operands in tile order: tiles a and b of rows m and columns n, and k of depth in lines i of groups j.
TILES = ["akmij,bkinj->abmn", "akmij,bkinj->abmn", "akmij,bkinj->ambn", "bkinj,akmij->abmn", "akmij,kbinj->abmn",
         "amkij,bkinj->abmn", "gakmij,gbkinj->gabmn", "gakmij,bkinj->gabmn", "akhmij,bkhinj->abmn", "kmij,bkinj->bmn",
         "amij,binj->abmn", "mij,inj->mn"]
TILE_TYPES = [("bf16", "f32", "extf"), ("bf16", "f32", "extf"), ("i8", "i32", "extsi"), ("i8", "i32", "extui")]
# The element types of operands and sum, and the widening between them.
TYPES = [
    ("f32", "f32", None), ("f32", "f32", None), ("f32", "f32", None), ("f64", "f64", None),
    ("f16", "f32", "extf"), ("bf16", "f32", "extf"), ("i32", "i32", None), ("i64", "i64", None),
    ("i8", "i32", "extsi"), ("i8", "i32", "extui"), ("i16", "i64", "extsi"), ("i8", "i8", None),
]
SIZES = [1, 1, 2, 3, 4, 5, 7, 8, 11, 13, 15, 16, 17, 26, 29, 31, 33, 47, 64, 70]
# Sums of floats: fused; separate; free to be fused and in any order; only in any order.
SUMS = ["%r = math.fma %u, %v, %s : T",
        "%p = arith.mulf %u, %v : T\n    %r = arith.addf %s, %p : T",
        "%p = arith.mulf %u, %v fastmath<contract> : T\n    %r = arith.addf %p, %s fastmath<reassoc, contract> : T",
        "%p = arith.mulf %u, %v : T\n    %r = arith.addf %p, %s fastmath<reassoc, contract> : T"]


def dimensions(operand):
    """The index of each dimension of an operand: a letter, or a sum in parentheses."""
    return [word.strip("()") for word in re.findall(r"\(.*?\)|[a-z]", operand)]


def terms(dimension):
    """The loops that index a dimension, each with its step."""
    return [(loop, int(step or 1)) for step, loop in re.findall(r"(\d*)([a-z])", dimension)]


class Case:
    def __init__(self, number, forms):
        choice = random.Random(number)
        self.form = choice.choice(forms)
        inputs, self.result = self.form.split("->")
        self.lhs, self.rhs = inputs.split(",")
        letters = set(re.findall("[a-z]", inputs))
        self.loops = self.result + "".join(sorted(letters - set(self.result)))
        is_tiled = forms is TILES
        self.element, self.sum, self.widening = choice.choice(TILE_TYPES if is_tiled else TYPES)
        self.known = {}  # Sizes that are known even if others are not.
        self.size = {loop: choice.choice(SIZES) for loop in self.loops}
        if is_tiled:
            self.known = {"m": 16, "n": 16, "i": 16, "j": 2 if self.element == "bf16" else 4}
            self.size = {loop: self.known.get(loop) or choice.choice([1, 2, 3, 4, 5]) for loop in self.loops}
            if choice.random() < 0.2:
                self.size[choice.choice("mnij")] = choice.choice([1, 4, 15, 17])
            if "k" in self.size and choice.random() < 0.2:
                self.size["k"] = choice.choice([17, 33, 50])
        elif choice.random() < 0.2:
            self.size[self.loops[-1]] = choice.choice([260, 515, 1100])
        shared = set("".join(re.findall(r"\(.*?\)", inputs)))  # MLIR rejects windows of size zero.
        alone = [loop for loop in self.loops if loop not in shared]
        if choice.random() < 0.1 and alone:
            self.size[choice.choice(alone)] = 0
        while self.work() > 3e6:
            largest = max(set(self.loops) - set(self.known), key=self.size.get)
            self.size[largest] = choice.choice(SIZES)
        self.is_dynamic = choice.random() < 0.4
        self.starts_at = choice.choice(["zero", "argument", "constant", "vector"])
        self.ends_with = choice.choice([None, None, "max", "vector", "argument"])
        self.along = choice.choice(self.result)  # The loop that the vector is along.
        self.body = SUMS[2 if is_tiled else choice.randrange(len(SUMS))]
        self.seed = choice.randrange(1000)
        self.cpu = choice.choice(["native", "x86-64-v3"])

    def work(self):
        product = 1
        for size in self.size.values():
            product *= max(size, 1)
        return product

    def __str__(self):
        sizes = " ".join(f"{loop}={size}" for loop, size in self.size.items())
        return (f"{self.form} {sizes} {self.element} -> {self.sum}, from {self.starts_at} to {self.ends_with}"
                f" (along {self.along}), {self.cpu}" + (", dynamic" if self.is_dynamic else ""))

    def is_float(self):
        return self.sum.startswith("f")

    def outside(self):
        return "f32" if self.is_float() else "i32"

    def shape(self, operand):
        return [self.size[dim] if dim in self.size
                else 1 + sum(step * max(self.size[loop] - 1, 0) for loop, step in terms(dim))
                for dim in dimensions(operand)]

    def affine_map(self, operand):
        loops = ", ".join(self.loops)
        places = [" + ".join(f"{loop} * {step}" for loop, step in terms(dim)) for dim in dimensions(operand)]
        return f"affine_map<({loops}) -> ({', '.join(places)})>"

    def windows(self, operand, array):
        """The elements that the iterations use, with one axis per loop, and the letters of the loops."""
        step = {}
        for dim, stride in zip(dimensions(operand), array.strides):
            for loop, count in terms(dim):
                step[loop] = step.get(loop, 0) + count * stride
        view = np.lib.stride_tricks.as_strided(array, [self.size[loop] for loop in step], list(step.values()))
        return "".join(step), view

    def einsum(self, lhs, rhs):
        (left, first), (right, second) = self.windows(self.lhs, lhs), self.windows(self.rhs, rhs)
        return np.einsum(f"{left},{right}->{self.result}", first, second)

    def tensor(self, letters, element):
        sizes = ["?" if self.is_open(dim) else str(size)
                 for dim, size in zip(dimensions(letters), self.shape(letters))]
        return f"tensor<{'x'.join(sizes + [element])}>"

    def is_open(self, dimension):
        return self.is_dynamic and dimension not in self.known

    def convert(self, name, letters, source, target):
        """Lines that convert %name to another element type, as %name_."""
        if source == target:
            return ""
        dimension = dimensions(letters)
        rank, unknown = len(dimension), [i for i, dim in enumerate(dimension) if self.is_open(dim)]
        loops = ", ".join(f"d{i}" for i in range(rank))
        wide = {"f32": 32, "f64": 64, "f16": 16, "bf16": 16}
        if source.startswith("i"):
            op = "trunci" if int(target[1:]) < int(source[1:]) else "extsi"
        else:
            op = "truncf" if wide[target] < wide[source] else "extf"
        out = self.tensor(letters, target)
        dims = "".join(f"  %{name}d{i} = arith.constant {i} : index\n  %{name}s{i} = tensor.dim %{name}_, %{name}d{i} : "
                       f"{self.tensor(letters, source)}\n" for i in unknown)
        sizes = ", ".join(f"%{name}s{i}" for i in unknown)
        return f"""{dims}  %{name}e = tensor.empty({sizes}) : {out}
  %{name} = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({loops})>],
      iterator_types = [{", ".join(['"parallel"'] * rank)}]}} ins(%{name}_ : {self.tensor(letters, source)}) outs(%{name}e : {out}) {{
  ^bb0(%in: {source}, %out: {target}):
    %x = arith.{op} %in : {source} to {target}
    linalg.yield %x : {target}
  }} -> {out}
"""

    def module(self):
        outside, element, total = self.outside(), self.element, self.sum
        names = [("a", self.lhs, element), ("b", self.rhs, element), ("c", self.result, total),
                 ("d", self.along, total)]
        given = {name: name if target == outside else name + "_" for name, _, target in names}
        parameters = ", ".join(
            f'%{given[name]}: {self.tensor(letters, outside)} {{tessera.name = "{name}"}}'
            for name, letters, _ in names)
        conversions = "".join(self.convert(name, letters, outside, target)
                              for name, letters, target in names)
        maps = ", ".join(self.affine_map(letters) for _, letters, _ in names[:3])
        kinds = ", ".join('"parallel"' if loop in self.result else '"reduction"' for loop in self.loops)
        types = [self.tensor(letters, target) for _, letters, target in names]
        widened = "".join(
            f"    %{new} = arith.{self.widening} %{old} : {element} to {total}\n" if self.widening else ""
            for new, old in [("u", "x"), ("v", "y")])
        body = self.body if self.is_float() else "%p = arith.muli %u, %v : T\n    %r = arith.addi %s, %p : T"
        body = body.replace("T", total)
        if not self.widening:
            body = body.replace("%u", "%x").replace("%v", "%y")
        start, prologue, epilogue = "%c", "", ""
        if self.starts_at == "vector":
            start, prologue = "%f", self.elementwise("f", [("%d", self.along, total)], "%c", "linalg.yield %i0 : T")
        elif self.starts_at != "argument":
            value = {"zero": 0, "constant": 3}[self.starts_at]
            number = f"{value}.0" if self.is_float() else str(value)
            start = "%f"
            prologue = (f"  %z = arith.constant {number} : {total}\n"
                        f"  %f = linalg.fill ins(%z : {total}) outs(%c : {types[2]}) -> {types[2]}\n")
        sums = "g" if self.ends_with else "o_"
        if self.ends_with:
            add, most = ("addf", "maximumf") if self.is_float() else ("addi", "maxsi")
            operand, op = {"max": (("%c", self.result, total), most), "vector": (("%d", self.along, total), add),
                           "argument": (("%c", self.result, total), add)}[self.ends_with]
            empty, destination = self.empty("o", self.result, total, "%g")
            epilogue = empty + self.elementwise("o_", [("%g", self.result, total), operand], destination,
                                                f"%q = arith.{op} %i0, %i1 : T\n    linalg.yield %q : T")
        outcome = self.tensor(self.result, outside)
        back = self.convert("o", self.result, total, outside)
        returned = "o" if back else "o_"
        return f"""func.func @f({parameters}) -> {outcome} attributes {{tessera.entry = "f"}} {{
{conversions}{prologue}  %{sums} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins(%a, %b : {types[0]}, {types[1]}) outs({start} : {types[2]}) {{
  ^bb0(%x: {element}, %y: {element}, %s: {total}):
{widened}    {body}
    linalg.yield %r : {total}
  }} -> {types[2]}
{epilogue}{back}  return %{returned} : {outcome}
}}
"""

    def empty(self, name, letters, element, like):
        """Lines that define an uninitialized tensor, and its name."""
        kind = self.tensor(letters, element)
        unknown = [i for i, dim in enumerate(letters) if self.is_open(dim)]
        dims = "".join(f"  %{name}n{i} = arith.constant {i} : index\n  %{name}t{i} = tensor.dim {like}, %{name}n{i} : "
                       f"{kind}\n" for i in unknown)
        sizes = ", ".join(f"%{name}t{i}" for i in unknown)
        return f"{dims}  %{name}w = tensor.empty({sizes}) : {kind}\n", f"%{name}w"

    def elementwise(self, name, operands, destination, body):
        """Lines that define %name, of the result's shape, with a body that uses %i0, %i1..."""
        loops = ", ".join(self.result)
        total, kind = self.sum, self.tensor(self.result, self.sum)
        maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(letters)})>"
                         for letters in [letters for _, letters, _ in operands] + [self.result])
        types = ", ".join(self.tensor(letters, element) for _, letters, element in operands)
        arguments = "".join(f"%i{i}: {element}, " for i, (_, _, element) in enumerate(operands))
        return f"""  %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{", ".join(['"parallel"'] * len(self.result))}]}}
      ins({", ".join(value for value, _, _ in operands)} : {types}) outs({destination} : {kind}) {{
  ^bb0({arguments}%out: {total}):
    {body.replace("T", total)}
  }} -> {kind}
"""

    def arguments(self):
        random_numbers = np.random.default_rng(self.seed)

        def make(letters):
            shape = self.shape(letters)
            if self.is_float():
                return random_numbers.uniform(-1, 1, shape).astype(np.float32)
            return random_numbers.integers(-2**31, 2**31, shape).astype(np.int32)

        return {"a": make(self.lhs), "b": make(self.rhs), "c": make(self.result), "d": make(self.along)}

    def narrowed(self, array):
        """The value of an operand inside the body."""
        if self.element == "f16":
            return array.astype(np.float16).astype(np.float64)
        if self.element == "bf16":
            bits = array.view(np.uint32).astype(np.uint64)
            bits = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) >> np.uint64(16) << np.uint64(16)
            return bits.astype(np.uint32).view(np.float32).astype(np.float64)
        if self.is_float():
            return array.astype(np.float64)
        width = int(self.element[1:])
        unsigned = "u" if self.widening == "extui" else ""
        return array.astype(f"{unsigned}int{width}").astype(np.int64)

    def expected(self, arguments):
        number = np.float64 if self.is_float() else np.int64
        c, d = arguments["c"].astype(number), arguments["d"].astype(number)
        position = self.result.index(self.along)
        d = d.reshape([-1 if i == position else 1 for i in range(len(self.result))])
        # Integers wrap at the sum's width.
        wrap = (lambda x: x) if self.is_float() else lambda x: x.astype(f"int{self.sum[1:]}").astype(np.int64)
        start = wrap(np.asarray({"zero": 0, "constant": 3, "argument": c, "vector": d}[self.starts_at], number))
        with np.errstate(over="ignore"):
            sums = wrap(self.einsum(self.narrowed(arguments["a"]), self.narrowed(arguments["b"])) + start)
            if self.ends_with == "max":
                sums = np.maximum(sums, wrap(c))
            elif self.ends_with:
                sums = wrap(sums + {"vector": wrap(d), "argument": wrap(c)}[self.ends_with])
        return sums if self.is_float() else sums.astype(np.int32)

    def tolerance(self, arguments):
        magnitude = self.einsum(abs(self.narrowed(arguments["a"])), abs(self.narrowed(arguments["b"])))
        terms = 1
        for loop in self.loops:
            if loop not in self.result:
                terms *= max(self.size[loop], 1)
        return (terms + 2) * 2.0**-23 * (magnitude + 8)


def run(folder, case, option, threads):
    output = os.path.join(folder, f"out{option}{threads}.npy")
    command = ["tessera", "run", "--from=core", os.path.join(folder, "case.mlir"), "--call", "f", option,
               f"--cpu={case.cpu}", f"--threads={threads}", "-o", output]
    command += [f"{name}=@{folder}/{name}.npy" for name in "abcd"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{case}\n{' '.join(command)}\n{result.stderr}")
    return np.load(output)


def check(folder, number, forms):
    case = Case(number, forms)
    with open(os.path.join(folder, "case.mlir"), "w") as file:
        file.write(case.module())
    arguments = case.arguments()
    for name, array in arguments.items():
        np.save(os.path.join(folder, name + ".npy"), array)
    plain, fast = run(folder, case, "-O0", 1), run(folder, case, "-O2", 1)
    expected = case.expected(arguments)
    for option, result in [("-O0", plain), ("-O2", fast)]:
        if case.is_float():
            right = np.all(abs(result - expected) <= case.tolerance(arguments))
        else:
            right = np.array_equal(result, expected)
        if not right:
            sys.exit(f"case {number}, {case}: {option} differs from NumPy")
    if "reassoc" not in case.body and fast.tobytes() != plain.tobytes():
        sys.exit(f"case {number}, {case}: -O2 differs from -O0")
    if run(folder, case, "-O2", 2).tobytes() != fast.tobytes():
        sys.exit(f"case {number}, {case}: two threads differ from one")


def main():
    folder, forms = sys.argv[1], {"plain": PLAIN, "windows": WINDOWS, "tiles": TILES}[sys.argv[2]]
    first, count = (int(word) for word in sys.argv[3:5]) if len(sys.argv) > 3 else (0, 40)
    os.makedirs(folder, exist_ok=True)
    for number in range(first, first + count):
        check(folder, number, forms)
    print(f"{count} cases agree")


main()
