"""Every element type from the command line into a program and back, against NumPy: element-types.py LEVEL."""

import json
import subprocess
import sys

import numpy as np

LEVEL = sys.argv[1]
# Name -> MLIR's type, operation, two values, their sum in the type.
TYPES = {
    "bool": ("i8", "ori", "true", "false", "true"),
    "int8": ("i8", "addi", "-128", "-1", "127"),
    "int16": ("i16", "addi", "-32768", "-1", "32767"),
    "int32": ("i32", "addi", "2147483647", "1", "-2147483648"),
    "int64": ("i64", "addi", "9007199254740993", "-9223372036854775808", "-9214364837600034815"),
    "uint8": ("i8", "addi", "255", "2", "1"),
    "uint16": ("i16", "addi", "65535", "2", "1"),
    "uint32": ("i32", "addi", "4294967295", "2", "1"),
    "uint64": ("i64", "addi", "18446744073709551615", "0", "18446744073709551615"),
    "float16": ("f16", "addf", "0.1", "0.2", "0.2998"),
    "bfloat16": ("bf16", "addf", "0.1", "0.2", "0.3"),
    "float32": ("f32", "addf", "0.1", "0.2", "0.3"),
    "float64": ("f64", "addf", "0.1", "0.2", "0.30000000000000004"),
}

MODULE = """
#id = affine_map<(i, j) -> (i, j)>
func.func @entry.add(%a: tensor<?x?xTYPE> {tessera.name = "a", SAID}, %b: tensor<?x?xTYPE> {tessera.name = "b", SAID},
                     %s: TYPE {tessera.name = "s", SAID})
    -> (tensor<?x?xTYPE> {tessera.name = "c", SAID}, TYPE {tessera.name = "t", SAID},
        tensor<TYPE> {tessera.name = "u", SAID}) attributes {tessera.entry = "add"} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = tensor.dim %a, %zero : tensor<?x?xTYPE>
  %n = tensor.dim %a, %one : tensor<?x?xTYPE>
  %empty = tensor.empty(%m, %n) : tensor<?x?xTYPE>
  %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xTYPE>, tensor<?x?xTYPE>) outs(%empty : tensor<?x?xTYPE>) {
  ^bb0(%x: TYPE, %y: TYPE, %old: TYPE):
    %sum = arith.OP %x, %y : TYPE
    linalg.yield %sum : TYPE
  } -> tensor<?x?xTYPE>
  %u = tensor.from_elements %s : tensor<TYPE>
  return %c, %s, %u : tensor<?x?xTYPE>, TYPE, tensor<TYPE>
}
"""


def call(name, *words):
    command = ["tessera", "run", "--from=core", f"{name}.mlir", "--call", "add", f"-O{LEVEL}", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def stored(name):
    """The type of an array in a file."""
    return np.dtype("uint16" if name == "bfloat16" else name)


def numbers(values, name):
    """As NumPy has them; a bfloat16 is the upper half of a float32, rounded to nearest even."""
    if name != "bfloat16":
        return np.array(values, name)
    bits = np.array(values, "float32").view("uint32")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("uint16")


def one(name):
    return "true" if name == "bool" else "1"


def check_text(name, first, second, total):
    out = call(name, f"[[{first}, {second}]]", f"[[{second}, {first}]]", first)
    assert out == f"c = [[{total}, {total}]]\nt = {first}\nu = {first}\n", (name, out)
    lines = [json.loads(line) for line in call(name, "zeros:1x2", "ones:1x2", one(name), "--json").splitlines()]
    assert [line["name"] for line in lines] == ["c", "t", "u"], lines
    assert all(line["type"] == name for line in lines), lines
    assert [line["shape"] for line in lines] == [[1, 2], [], []], lines
    assert lines[0]["value"] == [[1, 1]] and lines[1]["value"] == lines[2]["value"] == 1, lines


def check_files(name):
    values = [[1, 0, 1], [0, 1, 1]]
    expected = json.dumps([[bool(v) for v in row] for row in values] if name == "bool" else values)
    a, zero = numbers(values, name), numbers([[0] * 3] * 2, name)
    np.save("a.npy", a)
    np.save("f.npy", np.asfortranarray(a))
    np.savez("z.npz", a=a, zero=zero)
    for value in ["@a.npy", "@f.npy", "@z.npz:a"]:
        call(name, value, "@z.npz:zero", one(name), "-o", "c=c.npy", "-o", "t=t.npy", "--expect", f"c={expected}")
        c, t = np.load("c.npy"), np.load("t.npy")
        assert c.dtype == stored(name) and (c == a).all(), (name, value, c)
        assert t.dtype == stored(name) and t.shape == () and t == numbers(1, name), (name, t)
    text = call(name, "@a.npy", "@z.npz:zero", one(name), "--print=csv")
    cells = [cell for line in text.splitlines() if not line.startswith("#") for cell in line.split(",")]
    words = {"bool": ("false", "true")}.get(name, ("0.0", "1.0") if "float" in name else ("0", "1"))
    assert cells == [words[v] for row in values for v in row] + [words[1]] * 2, (name, text)


for name, (mlir, op, first, second, total) in TYPES.items():
    module = MODULE.replace("TYPE", mlir).replace("OP", op).replace("SAID", f'tessera.type = "{name}"')
    with open(f"{name}.mlir", "w", encoding="utf-8") as file:
        file.write(module)
    check_text(name, first, second, total)
    check_files(name)

# A bfloat16 may be passed as a float32, which is rounded.
wide = np.array([[3.14159, -1e-3]], "float32")
np.save("wide.npy", wide)
call("bfloat16", "@wide.npy", "zeros:1x2", "1", "-o", "c=c.npy")
assert (np.load("c.npy") == numbers(wide, "bfloat16")).all()
