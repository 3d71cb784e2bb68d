"""Compiles a program of n parts and one of 2 n parts; the CPU time must not triple.

Quadratic time would quadruple. The time that does not depend on the program is subtracted."""
import resource
import subprocess
import sys


def lines(count, line):
    return "\n".join(line.format(i, i + 1, i % 64, i * 7 % 64) for i in range(count))


def assignments(count):
    return f"""function matrix<int>[64] f(int a) {{
  var matrix<int>[64] x = 0;
{lines(count, "  x[{2}] = x{{{3}}} * a + {0};")}
  return x;
}}"""


def branches(count):
    return f"""function matrix<int>[64] f(int a) {{
  var matrix<int>[64] x = 0;
{lines(count, "  if (a > {0}) x[{2}] = x{{{3}}} + {0}; else if (a > 7) {{{{ x[{3}] = a; x[{2}] = 1; }}}}")}
  return x;
}}"""


def flagged(count):
    return f"""function matrix<int>[64] f(int a) {{
  var matrix<int>[64] x;
{lines(count, "  x[a] = {0};")}
  return x;
}}"""


def definitions(count):
    return f"""function int f(int a) {{
  var int v0 = 1;
{lines(count, "  var int v{1} = v{0} + a;")}
  return v{count};
}}"""


def matrices(count):
    return f"""function matrix<int>[?, ?] f(matrix<int>[?, ?] a) {{
  var matrix<int>[?, ?] v0 = a;
{lines(count, "  var matrix<int>[?, ?] v{1} = v{0} + a;")}
  return v{count};
}}"""


def operators(count):
    chain = "".join((" + a", " - b", " * a")[i % 3] for i in range(count))
    return f"""function matrix<float>[8, 8] f(matrix<float>[8, 8] a, matrix<float>[8, 8] b) {{
  return a{chain};
}}"""


def results(count):
    names = ", ".join(f"o{i}" for i in range(count))
    return f"""def f(float(N) A) -> ({names}) {{
{lines(count, "  o{0}(i) = A(i) * {0}.0")}
}}"""


def builders(count):
    types = ", ".join("merger[i64,+]" for i in range(count))
    merges = ", ".join(f"merge(b.${i}, x + {i}L)" for i in range(count))
    return f"|v: vec[i64]| result(for(v, {{{types}}}, |b, i, x| {{{merges}}}))"


def seconds(program, count, options):
    text = program(count)
    name = "program." + {"d": "tc", "|": "weld"}.get(text[0], "ttl")
    with open(name, "w") as file:
        print(text, "function int main() { return 0; }" if name == "program.ttl" else "", file=file)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["tessera", "build", name, "-o", "program.o", *options], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


program, count, options = globals()[sys.argv[1]], int(sys.argv[2]), sys.argv[3:]
growth = []
for attempt in range(3):
    start, once, twice = (seconds(program, parts, options) for parts in (1, count, 2 * count))
    growth.append((twice - start) / (once - start))
    print(f"{sys.argv[1:]}: {start:.2f} s, {once:.2f} s, {twice:.2f} s", file=sys.stderr)
    if growth[-1] < 3:
        sys.exit(0)
sys.exit(f"twice the program takes {growth} times as long")
