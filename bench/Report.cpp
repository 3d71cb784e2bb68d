#include "Report.h"
#include "Buffer.h"
#include "peers.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::raw_ostream;

Machine tessera::bench::probeMachine() {
  constexpr int64_t count = 64 << 20; // Larger than the caches.
  Machine machine;
  getloadavg(&machine.load, 1);
  Buffer from(count), to(count);
  for (int threads : {1, 2})
    machine.rates[threads - 1] = {
        peer_flops_per_second(threads), peer_bytes_read_per_second(from.data(), count, threads),
        peer_bytes_copied_per_second(from.data(), to.data(), count, threads)};
  return machine;
}

void Machine::update(const Machine &other) {
  for (int i : {0, 1}) {
    rates[i].flops = std::max(rates[i].flops, other.rates[i].flops);
    rates[i].bytesRead = std::max(rates[i].bytesRead, other.rates[i].bytesRead);
    rates[i].bytesCopied = std::max(rates[i].bytesCopied, other.rates[i].bytesCopied);
  }
}

static std::string milliseconds(double seconds) {
  double value = seconds * 1e3;
  return formatv(value < 10 ? "{0:f3}" : value < 100 ? "{0:f2}" : "{0:f1}", value);
}

/// What is wrong, or how much of its limit a row uses; "" where none was stated.
static std::string remark(const Machine &machine, const Row &row) {
  const Machine::Rates &rates = machine.with(row.threads);
  if (!row.failure.empty())
    return row.failure;
  if (!row.isRight())
    return formatv("WRONG: results differ by {0:e1}", row.difference);
  if (row.cpuTime)
    return formatv("{0} ms of CPU", milliseconds(row.cpuTime));
  if (row.bytes)
    return formatv("{0:f1} GB/s, {1:f0} % of copy", row.bytes / row.ours / 1e9,
                   row.bytes / row.ours / rates.bytesCopied * 100);
  if (row.flops)
    return formatv("{0:f1} GF/s, {1:f0} % of FMA peak", row.flops / row.ours / 1e9,
                   row.flops / row.ours / rates.flops * 100);
  return "";
}

void tessera::bench::printTable(const Machine &machine, ArrayRef<Row> rows, raw_ostream &out) {
  constexpr auto line = "{0,-14} {1,-15} {2,7} {3,10} {4,-9} {5,10} {6,6} {7,5} {8,-4} {9}\n";
  for (int threads : {1, 2}) {
    const Machine::Rates &rates = machine.with(threads);
    out << formatv("machine, {0} thread(s): FMA {1:f0} GF/s, read {2:f1} GB/s, copy {3:f1} GB/s\n",
                   threads, rates.flops / 1e9, rates.bytesRead / 1e9, rates.bytesCopied / 1e9);
  }
  out << formatv("load before the run: {0:f1}; times in ms, medians (of one thread's own clock, "
                 "where one works); ratio = peer / tessera\n\n",
                 machine.load);
  out << formatv(line, "what", "size", "threads", "tessera", "peer", "peer's", "ratio", "goal",
                 "met", "");
  for (const Row &row : rows)
    out << formatv(line, row.name, row.size, row.threads, milliseconds(row.ours), row.peer,
                   milliseconds(row.peers), formatv("{0:f2}", row.ratio()).str(),
                   formatv("{0:f2}", row.goal).str(), row.meetsGoal() ? "yes" : "NO",
                   remark(machine, row));
}

static llvm::json::Object describe(const Machine &machine) {
  llvm::json::Object object{{"load", machine.load}};
  for (int threads : {1, 2}) {
    const Machine::Rates &rates = machine.with(threads);
    object[formatv("threads{0}", threads).str()] = llvm::json::Object{
        {"flops", rates.flops}, {"bytesRead", rates.bytesRead}, {"bytesCopied", rates.bytesCopied}};
  }
  return object;
}

void tessera::bench::printJson(const Machine &machine, ArrayRef<Row> rows, raw_ostream &out) {
  out << llvm::json::Value(describe(machine)) << '\n';
  for (const Row &row : rows)
    out << llvm::json::Value(llvm::json::Object{{"name", row.name},
                                                {"size", row.size},
                                                {"threads", row.threads},
                                                {"tessera", row.ours},
                                                {"peer", row.peer},
                                                {"peerTime", row.peers},
                                                {"ratio", row.ratio()},
                                                {"goal", row.goal},
                                                {"met", row.meetsGoal()},
                                                {"note", remark(machine, row)}})
        << '\n';
}
