#!/usr/bin/env node
// Polars as a peer: polars_peer.mjs KERNEL FOLDER THREADS VARIANT, with the protocol of peers/Serve.h.
// The columns are data frames in memory, and lazy queries are timed with their results.

import fs from "node:fs";
import { createRequire } from "node:module";
import readline from "node:readline";

const [kernel, folder, threads] = process.argv.slice(2);
process.env.POLARS_MAX_THREADS = threads;

const SHORTEST_SAMPLE = 0.005;
const HEADER = 128; // The header of .npy files that the parent writes.
const ARRAYS = { "<f4": Float32Array, "<f8": Float64Array, "|i1": Int8Array, "<i4": Int32Array, "<i8": BigInt64Array };

let pl;
try {
  const require = createRequire(new URL("../build/npm/", import.meta.url));
  pl = require("nodejs-polars").default ?? require("nodejs-polars");
} catch {
  console.log("none nodejs-polars is not installed");
  process.exit();
}
const TYPES = { "<f4": pl.Float32, "<f8": pl.Float64, "|i1": pl.Int8, "<i4": pl.Int32, "<i8": pl.Int64 };

function load(index) {
  const bytes = fs.readFileSync(`${folder}/${index}.npy`);
  const type = /'descr': '(...)'/.exec(bytes.toString("latin1", 0, HEADER))[1];
  const numbers = new ARRAYS[type](bytes.buffer.slice(bytes.byteOffset + HEADER, bytes.byteOffset + bytes.length));
  return { type, numbers };
}

/** The inputs from `first` on as columns with these names. */
function frame(first, ...names) {
  const series = names.map((name, i) => {
    const { type, numbers } = load(first + i);
    return pl.Series(name, numbers, TYPES[type]);
  });
  return pl.DataFrame(series).lazy();
}

const scalar = (index) => Number(load(index).numbers[0]);
const col = (name) => pl.col(name);
const lit = (number) => pl.lit(number);

function filterSum() {
  const t = frame(0, "key", "x", "y"), below = scalar(3);
  return () => t.filter(col("key").lt(below)).select(col("x").mul(col("y")).sum());
}

function filterAppend() {
  const t = frame(0, "key", "x"), below = scalar(2);
  return () => t.filter(col("key").lt(below)).select("x");
}

function groupSum() {
  const t = frame(0, "key", "x");
  return (isOrdered) => t.groupBy(["key"], isOrdered).agg(col("x").sum());
}

function sorted() {
  const t = frame(0, "a");
  return () => t.sort("a");
}

function aggregates() {
  const t = frame(0, "a"), a = col("a");
  return () =>
    t.select(a.count().alias("n"), a.sum().alias("s"), a.mul(a).sum().alias("q"), a.min().alias("l"), a.max().alias("m"));
}

function crime() {
  const t = frame(0, "people", "adults", "robberies"), i = col("i");
  const index = col("people").add(col("adults").mul(lit(2))).sub(col("robberies").mul(lit(2000))).div(lit(100000));
  const limited = pl.when(i.gt(lit(10))).then(lit(3.2)).when(i.lt(lit(1))).then(lit(0.5)).otherwise(i);
  return () => t.filter(col("people").gt(lit(500000))).select(index.alias("i")).select(limited.sum().alias("sum"));
}

function q6() {
  const t = frame(0, "date", "quantity", "discount", "price"), date = col("date"), discount = col("discount");
  const isIn = date.gtEq(730).and(date.lt(1095)).and(discount.gtEq(0.05)).and(discount.ltEq(0.07))
    .and(col("quantity").lt(24));
  return () => t.filter(isIn).select(col("price").mul(discount).sum());
}

function q1() {
  const t = frame(0, "date", "flag", "status", "quantity", "price", "discount", "tax");
  const off = col("price").mul(lit(1).sub(col("discount")));
  return (isOrdered) =>
    t.filter(col("date").ltEq(2430)).groupBy(["flag", "status"], isOrdered).agg(
      col("quantity").sum().alias("q"), col("price").sum().alias("p"), off.sum().alias("o"),
      off.mul(lit(1).add(col("tax"))).sum().alias("c"), col("discount").sum().alias("d"), col("tax").count().alias("n"));
}

function q3() {
  const customer = frame(0, "customer", "segment"), orders = frame(2, "order", "buyer", "date");
  const items = frame(5, "item", "shipped", "price", "discount");
  return () =>
    orders.filter(col("date").lt(1169))
      .join(customer.filter(col("segment").eq(1)), { leftOn: "buyer", rightOn: "customer", how: "inner" })
      .join(items.filter(col("shipped").gt(1169)), { leftOn: "order", rightOn: "item", how: "inner" })
      .groupBy(["order", "date"]).agg(col("price").mul(lit(1).sub(col("discount"))).sum().alias("worth"))
      .select("order", "worth", "date")
      .sort(["worth", "date"], [true, false]).limit(10);
}

function q12() {
  const orders = frame(0, "order", "priority");
  const items = frame(2, "item", "mode", "promised", "shipped", "received");
  const mode = col("mode"), received = col("received"), isUrgent = col("priority").lt(2);
  const isLate = mode.eq(2).or(mode.eq(5)).and(col("promised").lt(received)).and(col("shipped").lt(col("promised")))
    .and(received.gtEq(730)).and(received.lt(1095));
  const count = (number, urgent, name) =>
    mode.eq(number).and(urgent ? isUrgent : isUrgent.not()).sum().alias(name);
  return () =>
    orders.join(items.filter(isLate), { leftOn: "order", rightOn: "item", how: "inner" })
      .select(count(2, true, "a"), count(2, false, "b"), count(5, true, "c"), count(5, false, "d"));
}

// By the beginning of a kernel's name; the longest wins. Each loads its columns and returns the query.
const QUERIES = {
  "weld-sum": () => { const t = frame(0, "a"); return () => t.select(col("a").sum()); },
  "weld-dot": () => { const t = frame(0, "a", "b"); return () => t.select(col("a").mul(col("b")).sum()); },
  "weld-aggr": aggregates,
  "weld-fsum": filterSum,
  "weld-fapp": filterAppend,
  "weld-group": groupSum,
  "weld-hash": groupSum,
  "weld-zipf": groupSum,
  "weld-hzipf": groupSum,
  "weld-q1": q1,
  "weld-q3": q3,
  "weld-q6": q6,
  "weld-q12": q12,
  "weld-sort-i64": sorted,
  "weld-sort-f64": sorted,
  "weld-crime": crime,
};

/** CPU time of the process, or the wall clock where there are several threads. */
function now() {
  if (threads !== "1") return performance.now() / 1e3;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function sample(work) {
  let begin = now();
  work();
  const repeats = Math.max(1, Math.floor(SHORTEST_SAMPLE / Math.max(now() - begin, 1e-6)));
  begin = now();
  for (let i = 0; i < repeats; ++i) work();
  return (now() - begin) / repeats;
}

function save(table, path) {
  const columns = table.getColumns().map((column) => column.toArray());
  const numbers = new Float32Array(columns.length * table.height);
  columns.forEach((column, i) => {
    for (let row = 0; row < table.height; ++row) numbers[row * columns.length + i] = Number(column[row]);
  });
  fs.writeFileSync(path, numbers);
}

const names = Object.keys(QUERIES).filter((name) => kernel === name || kernel.startsWith(`${name}-`));
if (names.length === 0) {
  console.log("none");
  process.exit();
}
const query = QUERIES[names.sort((a, b) => b.length - a.length)[0]]();
const work = () => query(false).collectSync();
work();
console.log("ready");
for await (const line of readline.createInterface({ input: process.stdin })) {
  if (line.startsWith("save ")) {
    save(query(true).collectSync(), line.slice(5).trim());
    console.log("saved");
  } else {
    console.log(sample(work).toPrecision(9));
  }
}
