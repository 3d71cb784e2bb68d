/// Compares compiled programs with what a user would write or call instead, and prints one table.
#include "Report.h"
#include "Tuning.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace tessera::bench;
using llvm::StringRef;

namespace {

struct Options {
  std::string only;
  int threads = 0; ///< 0: both 1 and 2.
  double tuningBudget = 0;
  bool json = false;
  bool large = false;   ///< Includes kernels that need several GB.
  std::string searched; ///< If set, only searches for schedules of this kernel.

  bool wants(StringRef name) const { return name.contains(only); }
  bool wants(const Kernel &kernel) const {
    return wants(StringRef(kernel.name)) && (large || !kernel.isLarge());
  }
  bool wants(int number) const { return threads == 0 || threads == number; }
};

class Table {
public:
  explicit Table(bool isJson) : isJson(isJson) {
    Machine machine = probeMachine();
    isJson ? printJson(machine, llvm::outs()) : printHeader(machine, llvm::outs());
  }
  void add(llvm::ArrayRef<Row> more) {
    for (const Row &row : more) {
      isJson ? printJson(row, llvm::outs()) : printRow(row, llvm::outs());
      rows.push_back(row);
    }
  }
  void finish() {
    if (!isJson)
      printSummary(rows, llvm::outs());
  }

private:
  bool isJson;
  std::vector<Row> rows;
};

} // namespace

static bool parse(int argc, char **argv, Options &options) {
  constexpr double defaultBudget = 10;
  for (int i = 1; i < argc; ++i) {
    StringRef word = argv[i];
    if (word == "--json")
      options.json = true;
    else if (word == "--large")
      options.large = true;
    else if (word == "--tuned")
      options.tuningBudget = defaultBudget;
    else if (word == "--only" && i + 1 < argc)
      options.only = argv[++i];
    else if (word == "--search" && i + 1 < argc)
      options.searched = argv[++i];
    else if (word == "--budget" && i + 1 < argc)
      options.tuningBudget = atof(argv[++i]);
    else if (word == "--threads" && i + 1 < argc &&
             (argv[i + 1] == StringRef("1") || argv[i + 1] == StringRef("2")))
      options.threads = atoi(argv[++i]);
    else
      return false;
  }
  return true;
}

/// Programs and C loops, which run in this process.
static void runPrograms(const Options &options, Table &table) {
  for (auto &group : {startUpBenchmarks, loopBenchmarks, elementwiseBenchmarks, productBenchmarks})
    for (const Benchmark &benchmark : group)
      if (options.wants(benchmark.name))
        for (const Row &row : benchmark.run(benchmark.name))
          if (options.wants(row.threads))
            table.add(row);
}

static void runKernel(const Kernel &kernel, const Options &options, Table &table) {
  std::vector<Row> rows;
  for (int threads : {1, 2})
    if (options.wants(threads)) {
      std::vector<Row> more = runContest(kernel, {threads, options.tuningBudget});
      table.add(more);
      rows.push_back(more.front());
    }
  if (rows.size() == 2)
    table.add(speedUpOf(kernel, rows[0], rows[1]));
  if (!rows.empty())
    table.add(compileTimeOf(kernel, rows[0]));
}

static void runKernels(const Options &options, Table &table) {
  bool hasTiles = llvm::sys::getHostCPUFeatures().lookup("amx-bf16"), isLessThanWanted = false;
  for (const Kernel &kernel : kernels()) {
    if (options.wants(kernel) && factsOf(kernel.family).needsTiles() && !hasTiles)
      isLessThanWanted = true;
    else if (options.wants(kernel))
      runKernel(kernel, options, table);
  }
  if (isLessThanWanted)
    llvm::errs() << "bf16-...: not measured, this processor has no tile registers (AMX)\n";
}

/// For bench/search.
static int runSearch(const Options &options) {
  const Kernel *kernel = kernelNamed(options.searched);
  if (kernel && search({*kernel, options.threads, options.tuningBudget}))
    return 0;
  llvm::errs() << "nothing was found for `" << options.searched << "`\n";
  return 1;
}

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    llvm::errs() << "usage: bench/run [--only NAME] [--threads 1|2] [--tuned] [--large] [--json]\n";
    return 2;
  }
  if (!options.searched.empty())
    return runSearch(options);
  Table table(options.json);
  runPrograms(options, table);
  runKernels(options, table);
  table.finish();
  return 0;
}
