"""Compares lines of CSV with the answer of q1, q3 or q6 of examples/tpch for the files here, computed in plain Python.

    tessera run q1.weld ... --print=csv | tpch.py q1
"""

import csv
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from answers import is_answer

NUMBERS = {"quantity", "extendedprice", "discount", "tax"}


def rows(name):
    with open(f"{name}.csv", newline="", encoding="ascii") as file:
        for row in csv.DictReader(file):
            yield {key: float(value) if key in NUMBERS else value for key, value in row.items()}


def reduced(item):
    return item["extendedprice"] * (1 - item["discount"])


def q1():
    groups = {}
    for item in rows("lineitem"):
        if item["shipdate"] <= "1998-09-02":
            groups.setdefault((item["returnflag"], item["linestatus"]), []).append(item)
    for key, items in sorted(groups.items()):
        prices = [reduced(item) for item in items]
        taxed = [reduced(item) * (1 + item["tax"]) for item in items]
        plain = [[item[name] for item in items] for name in ("quantity", "extendedprice", "discount")]
        sums = [math.fsum(values) for values in (*plain[:2], prices, taxed)]
        means = [math.fsum(values) / len(items) for values in plain]
        yield [*key, *sums, *means, len(items)]


def q3():
    segment = {row["custkey"] for row in rows("customer") if row["mktsegment"] == "BUILDING"}
    early = {row["orderkey"]: row for row in rows("orders")
             if row["custkey"] in segment and row["orderdate"] < "1995-03-15"}
    revenues = {}
    for item in rows("lineitem"):
        if item["orderkey"] in early and item["shipdate"] > "1995-03-15":
            revenues.setdefault(item["orderkey"], []).append(reduced(item))
    found = [(key, math.fsum(parts), early[key]["orderdate"], early[key]["shippriority"])
             for key, parts in revenues.items()]
    return sorted(found, key=lambda row: (-row[1], row[2]))[:10]


def q6():
    yield [math.fsum(
        item["extendedprice"] * item["discount"] for item in rows("lineitem")
        if "1994-01-01" <= item["shipdate"] < "1995-01-01" and 0.05 <= item["discount"] <= 0.07
        and item["quantity"] < 24)]


stated = [",".join(map(str, row)) for row in {"q1": q1, "q3": q3, "q6": q6}[sys.argv[1]]()]
found = sys.stdin.read().splitlines()[1:]  # The first line has the names.
if not stated or not is_answer([(line, True) for line in stated], found):
    print(*stated, "found:", *found, sep="\n")
    sys.exit(1)
