#!/usr/bin/python3
"""NumPy as a peer: numpy_peer.py KERNEL FOLDER THREADS VARIANT, with the protocol of peers/Serve.h.

The formulas are written as is usual with NumPy, which allocates the outputs. Variant `out`: each step writes to a given array.
Variant `numexpr`: numexpr, if it supports the formula.
"""

import glob
import os
import sys
import time

SHORTEST_SAMPLE = 0.005

try:
    import numpy as np
except ImportError:
    print("none python3-numpy is not installed")
    sys.exit()


def layers(x, *parameters):
    for weights, bias in zip(parameters[::2], parameters[1::2]):
        x = np.maximum(x @ weights.T + bias, 0)
    return x


def kronecker3(w0, w1, w2, x):
    x = x @ w2.T
    x = np.matmul(w1, x)
    m, n, d1, d2 = x.shape
    return (w0 @ x.reshape(m, n, d1 * d2)).reshape(m, len(w0), d1, d2)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layer_norm(x, scale, shift):
    mean = x.mean(axis=1, keepdims=True)
    return (x - mean) / np.sqrt(x.var(axis=1, keepdims=True) + np.float32(0.00001)) * scale + shift


def group_norm(x, scale, shift):
    axes = (2, 3, 4)
    mean = x.mean(axis=axes, keepdims=True)
    factor = 1 / np.sqrt(x.var(axis=axes, keepdims=True) + np.float32(0.00001))
    return (x - mean) * factor * scale[:, :, None, None] + shift[:, :, None, None]


def attention(q, k, v):
    return softmax(q @ k.T * np.float32(1 / np.sqrt(q.shape[1]))) @ v


def kmeans(x, centers):
    distances = ((x[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)
    labels = distances.argmin(axis=1)
    sums = np.zeros_like(centers)
    np.add.at(sums, labels, x)
    counts = np.bincount(labels, minlength=len(centers))[:, None]
    return np.where(counts > 0, sums / np.maximum(counts, 1), centers).astype(np.float32)


def chain(x, y):
    c = (x + y) * 3.0 - y
    return np.maximum(((c * c + 1.0) * x - 0.5) * 0.25 + y, 0.0)


def q6(date, quantity, discount, price):
    is_in = (date >= 730) & (date < 1095) & (discount >= 0.05) & (discount <= 0.07) & (quantity < 24.0)
    return (price[is_in] * discount[is_in]).sum()


def nearest(x, y, cx, cy):
    return ((x[:, None] - cx) ** 2 + (y[:, None] - cy) ** 2).argmin(axis=1)


def black_scholes(price, strike, years):
    spread = 0.3 * np.sqrt(years)
    d1 = (np.log(price / strike) + 0.075 * years) / spread
    n1, n2 = (0.5 + 0.5 * erf(d * np.sqrt(0.5).astype(price.dtype)) for d in (d1, d1 - spread))
    return price * n1 - strike * np.exp(-0.03 * years) * n2


def haversine(lat, lon):
    h = np.sin((lat - 0.7) * 0.5) ** 2 + 0.7648421872844885 * np.cos(lat) * np.sin((lon + 1.3) * 0.5) ** 2
    return 12742.0 * np.arcsin(np.sqrt(np.minimum(h, 1)))


def bodies(x, y, z, u, v, w, mass):
    dx, dy, dz = (c[None, :] - c[:, None] for c in (x, y, z))
    square = dx * dx + dy * dy + dz * dz + x.dtype.type(0.01)
    force = mass / (square * np.sqrt(square))
    step = x.dtype.type(0.01)
    speeds = [c + step * (d * force).sum(axis=1) for c, d in ((u, dx), (v, dy), (w, dz))]
    return np.stack([c + step * s for c, s in zip((x, y, z), speeds)] + speeds, axis=1)


def regression(x, is_true, weights):
    rows = x.reshape(-1, len(weights))
    error = 1 / (1 + np.exp(-(rows @ weights))) - is_true
    return weights - 0.1 / len(rows) * (error @ rows)


def crime(people, adults, robberies):
    large = people > 500000
    index = (people[large] + 2 * adults[large] - 2000 * robberies[large]) / 100000
    return np.where(index > 10, 3.2, np.where(index < 1, 0.5, index)).sum()


def codes(text):
    digits = text.reshape(-1, 10)[:, :5].astype(np.int32) - 48
    numbers = digits @ np.array([10000, 1000, 100, 10, 1], dtype=np.int32)
    return numbers[((digits >= 0) & (digits <= 9)).all(axis=1) & (numbers != 0)]


def chain_out(x, y):
    to = np.add(x, y, out=ROOM)
    np.multiply(to, 3.0, out=to)
    np.subtract(to, y, out=to)
    np.multiply(to, to, out=to)
    np.add(to, 1.0, out=to)
    np.multiply(to, x, out=to)
    np.subtract(to, 0.5, out=to)
    np.multiply(to, 0.25, out=to)
    np.add(to, y, out=to)
    return np.maximum(to, 0.0, out=to)


def haversine_out(lat, lon):
    a, b = ROOM, MORE_ROOM
    np.multiply(np.add(lon, 1.3, out=b), 0.5, out=b)
    np.square(np.sin(b, out=b), out=b)
    np.multiply(b, np.cos(lat, out=a), out=b)
    np.multiply(b, 0.7648421872844885, out=b)
    np.multiply(np.subtract(lat, 0.7, out=a), 0.5, out=a)
    np.square(np.sin(a, out=a), out=a)
    np.minimum(np.add(a, b, out=a), 1, out=a)
    return np.multiply(np.arcsin(np.sqrt(a, out=a), out=a), 12742.0, out=a)


def expression(text, *names):
    """A formula for numexpr."""
    return lambda *inputs: numexpr.evaluate(text, dict(zip(names, inputs)))


HAVERSINE = (
    "12742.0 * arcsin(sqrt(where(h < 1, h, 1)))",
    "sin((lat - 0.7) * 0.5) ** 2 + 0.7648421872844885 * cos(lat) * sin((lon + 1.3) * 0.5) ** 2",
)


def haversine_expression(lat, lon):
    h = numexpr.evaluate(HAVERSINE[1], {"lat": lat, "lon": lon})
    return numexpr.evaluate(HAVERSINE[0], {"h": h})


# By the prefix of a kernel's name; the longest wins.
FORMULAS = {
    "matmul": np.matmul,
    "ttl-matmul": np.matmul,
    "f64-matmul": np.matmul,
    "skinny": np.matmul,
    "tbmm": np.matmul,
    "tmm": lambda a, b: a @ b.T,
    "c3": lambda a, b: a @ b.T,
    "amm": lambda a, b: a.T @ b,
    "mlp": layers,
    "kronecker3": kronecker3,
    "softmax": softmax,
    "layer-norm": layer_norm,
    "group-norm": group_norm,
    "moments": lambda x: (x.mean(axis=1), x.var(axis=1))[0],
    "attention": attention,
    "lut1": lambda table, rows: table[rows].sum(axis=1),
    "lut2": lambda t1, r1, t2, r2: (t1[r1].sum(axis=1), t2[r2].sum(axis=1))[0],
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
    "transpose": lambda x: np.ascontiguousarray(x.T),
    "permute": lambda x: np.ascontiguousarray(x.transpose()),
    "kmeans": kmeans,
    "weld-sum": np.sum,
    "weld-dot": np.dot,
    "weld-axpy": lambda x, y: 2.5 * x + y,
    "weld-chain": chain,
    "weld-aggr": lambda v: np.array([len(v), v.sum(), (v * v).sum(), v.min(), v.max()]),
    "weld-fsum": lambda key, x, y, below: (x * y)[key < below].sum(),
    "weld-fapp": lambda key, x, below: x[key < below],
    "weld-q6": q6,
    "weld-histogram": lambda key, x, bins: np.bincount(key, x, len(bins)),
    "weld-sort": np.sort,
    "weld-sort-pairs": lambda v: v[np.argsort(v[:, 0], kind="stable")],
    "weld-pagerank": lambda starts, sources, share: 0.15
    + 0.85 * np.add.reduceat(share[sources], starts[:-1]),
    "weld-kmeans": nearest,
    "weld-bs": black_scholes,
    "weld-haver": haversine,
    "weld-body": bodies,
    "weld-logistic": regression,
    "weld-crime": crime,
    "weld-codes": codes,
}

OUT_FORMULAS = {
    "weld-axpy": lambda x, y: np.add(np.multiply(x, 2.5, out=ROOM), y, out=ROOM),
    "weld-chain": chain_out,
    "weld-haver": haversine_out,
}

EXPRESSIONS = {
    "weld-sum": expression("sum(v)", "v"),
    "weld-dot": expression("sum(v * w)", "v", "w"),
    "weld-axpy": expression("2.5 * x + y", "x", "y"),
    "weld-chain": expression(
        "where(((((x + y) * 3 - y) ** 2 + 1) * x - 0.5) * 0.25 + y > 0,"
        " ((((x + y) * 3 - y) ** 2 + 1) * x - 0.5) * 0.25 + y, 0)", "x", "y",
    ),
    "weld-haver": haversine_expression,
    "weld-fsum": expression("sum(where(key < below, x * y, 0))", "key", "x", "y", "below"),
    "weld-q6": expression(
        "sum(where((date >= 730) & (date < 1095) & (discount >= 0.05) & (discount <= 0.07) & (quantity < 24),"
        " price * discount, 0))", "date", "quantity", "discount", "price",
    ),
}
TABLES = {"": FORMULAS, "out": OUT_FORMULAS, "numexpr": EXPRESSIONS}


def sample(work, threads):
    clock = time.thread_time if threads == 1 else time.perf_counter
    begin = clock()
    work()
    repeats = max(1, int(SHORTEST_SAMPLE / max(clock() - begin, 1e-9)))
    begin = clock()
    for _ in range(repeats):
        work()
    return (clock() - begin) / repeats


def main():
    global ROOM, MORE_ROOM, erf, numexpr
    kernel, folder, threads, variant = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    formulas = TABLES[variant]
    names = [name for name in formulas if kernel.startswith(name)]
    if not names:
        print("none")
        return
    try:
        if variant == "numexpr":
            import numexpr

            numexpr.set_num_threads(threads)
        if max(names) == "weld-bs":
            from scipy.special import erf
    except ImportError as error:
        print(f"none python3-{error.name.split('.')[0]} is not installed")
        return
    formula = formulas[max(names, key=len)]
    count = len(glob.glob(os.path.join(folder, "*.npy")))
    inputs = [np.load(os.path.join(folder, f"{i}.npy")) for i in range(count)]
    ROOM, MORE_ROOM = (np.empty_like(inputs[0]) for _ in range(2))
    work = lambda: formula(*inputs)
    work()
    print("ready", flush=True)
    for line in sys.stdin:
        if line.startswith("save "):
            np.asarray(work(), dtype=np.float32).ravel().tofile(line[5:].strip())
            print("saved", flush=True)
        else:
            print(f"{sample(work, threads):.9g}", flush=True)


main()
