#include "Report.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::raw_ostream;

static constexpr auto line =
    "{0,-18} {1,-20} {2,1} {3,-5} {4,9} {5,-9} {6,6} {7,5} {8,-4} {9,4} {10,4}  {11}\n";
static constexpr double compileGoal = 0.3;

static std::string milliseconds(double seconds) {
  double value = seconds * 1e3;
  return formatv(value < 10 ? "{0:f4}" : value < 100 ? "{0:f2}" : "{0:f1}", value);
}

static std::string rounded(double seconds) {
  return seconds > 0 ? formatv("{0:f0}", seconds * 1e3).str() : "";
}

static std::string ratioText(double ratio) {
  return formatv(ratio < 10 ? "{0:f2}" : "{0:f0}", ratio);
}

/// Every peer with its ratio, or why it has no time.
static std::string remark(const Row &row) {
  if (!row.failure.empty())
    return row.failure;
  if (row.cpuTime)
    return formatv("{0} ms of CPU", milliseconds(row.cpuTime));
  std::string text, failures;
  for (const Rival &rival : row.rivals)
    if (!rival.failure.empty())
      failures += "; " + rival.failure;
    else if (!rival.isRight())
      failures += formatv("; {0} is WRONG: results differ by {1:e1}", rival.name, rival.difference);
    else
      text +=
          formatv("{0}{1} {2}", text.empty() ? "" : "  ", rival.name, ratioText(row.ratio(rival)));
  return text + failures;
}

void tessera::bench::printHeader(const Machine &machine, raw_ostream &out) {
  for (int threads : {1, 2}) {
    const Machine::Rates &rates = machine.rates[threads - 1];
    out << formatv("machine, {0} thread(s): FMA {1:f0} GF/s, copy {2:f1} GB/s, read {3:f1} GB/s\n",
                   threads, rates.flops / 1e9, rates.bytesCopied / 1e9, rates.bytesRead / 1e9);
  }
  out << formatv("load before the run: {0:f1}; bench/README.md says how to read the table\n\n",
                 machine.load);
  out << formatv(line, "what", "size", "t", "by", "ms", "best", "ratio", "goal", "met", "comp",
                 "gen", "ratios of all");
}

void tessera::bench::printRow(const Row &row, raw_ostream &out) {
  const Rival *best = row.best();
  if (!best)
    for (const Rival &rival : row.rivals)
      if (rival.isLimit && rival.goal > 0)
        best = &rival;
  out << formatv(line, row.name, row.size, row.threads, row.schedule, milliseconds(row.ours),
                 best ? best->name : "", best ? ratioText(row.ratio(*best)) : "",
                 best ? formatv("{0:f2}", best->goal).str() : "",
                 row.hasGoal() ? (row.meetsGoal() ? "yes" : "NO") : "", rounded(row.compile),
                 rounded(row.genericCompile), remark(row));
  out.flush();
}

namespace {

struct Mean {
  double logarithms = 0, lowest = INFINITY;
  int count = 0, met = 0;

  void add(double ratio, bool isMet) {
    logarithms += std::log(ratio);
    lowest = std::min(lowest, ratio);
    ++count;
    met += isMet;
  }
  double value() const { return std::exp(logarithms / count); }
};

} // namespace

static void printMeans(ArrayRef<Row> rows, raw_ostream &out) {
  std::map<std::tuple<int, int, std::string>, Mean> means;
  for (const Row &row : rows)
    if (const Kernel *kernel = kernelNamed(row.name))
      if (const Rival *best = row.best(); best && row.ratio(*best) > 0 && best->name != "search")
        means[{int(kernel->family), row.threads, row.schedule}].add(row.ratio(*best),
                                                                    row.meetsGoal());
  constexpr auto format = "{0,-14} {1,1} {2,-5} {3,6} {4,6} {5,5} {6,-4} {7}\n";
  out << formatv(format, "\nfamily", "t", "by", " mean", "lowest", "goal", "met",
                 "kernels that meet theirs");
  for (auto &[key, mean] : means) {
    auto &[family, threads, schedule] = key;
    const FamilyFacts &facts = factsOf(Family(family));
    double goal = schedule == "tuned" ? facts.tuned : facts.untuned;
    out << formatv(format, facts.name, threads, schedule, ratioText(mean.value()),
                   ratioText(mean.lowest), formatv("{0:f2}", goal).str(),
                   mean.value() >= goal ? "yes" : "NO",
                   formatv("{0} of {1}", mean.met, mean.count).str());
  }
}

static void printCompileTimes(ArrayRef<Row> rows, raw_ostream &out) {
  int count = 0, met = 0;
  const Row *slowest = nullptr;
  auto of = [](const Row &row) { return std::max(row.compile, row.genericCompile); };
  for (const Row &row : rows)
    if (row.compile > 0) {
      ++count;
      met += of(row) <= compileGoal;
      slowest = !slowest || of(row) > of(*slowest) ? &row : slowest;
    }
  if (slowest)
    out << formatv(
        "\ncompiled within {0:f0} ms, for its sizes and for any: {1} of {2}; slowest: {3}, "
        "{4} and {5} ms\n",
        compileGoal * 1e3, met, count, slowest->name, rounded(slowest->compile),
        rounded(slowest->genericCompile));
}

void tessera::bench::printSummary(ArrayRef<Row> rows, raw_ostream &out) {
  printMeans(rows, out);
  printCompileTimes(rows, out);
}

void tessera::bench::printJson(const Machine &machine, raw_ostream &out) {
  llvm::json::Object object{{"load", machine.load}};
  for (int threads : {1, 2}) {
    const Machine::Rates &rates = machine.rates[threads - 1];
    object[formatv("threads{0}", threads).str()] = llvm::json::Object{
        {"flops", rates.flops}, {"bytesRead", rates.bytesRead}, {"bytesCopied", rates.bytesCopied}};
  }
  out << llvm::json::Value(std::move(object)) << '\n';
}

void tessera::bench::printJson(const Row &row, raw_ostream &out) {
  llvm::json::Array rivals;
  for (const Rival &rival : row.rivals)
    rivals.push_back(llvm::json::Object{{"name", rival.name},
                                        {"seconds", rival.seconds},
                                        {"ratio", row.ratio(rival)},
                                        {"goal", rival.goal},
                                        {"limit", rival.isLimit},
                                        {"failure", rival.failure}});
  out << llvm::json::Value(llvm::json::Object{{"name", row.name},
                                              {"size", row.size},
                                              {"threads", row.threads},
                                              {"schedule", row.schedule},
                                              {"tessera", row.ours},
                                              {"rivals", std::move(rivals)},
                                              {"met", row.meetsGoal()},
                                              {"compile", row.compile},
                                              {"genericCompile", row.genericCompile},
                                              {"note", remark(row)}})
      << '\n';
  out.flush();
}
