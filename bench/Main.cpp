/// Compares compiled programs with what a user would write instead, and prints one table.
#include "Report.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera::bench;
using llvm::StringRef;

namespace {

struct Options {
  std::string only;
  bool json = false;
};

} // namespace

static bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    StringRef word = argv[i];
    if (word == "--json")
      options.json = true;
    else if (word == "--only" && i + 1 < argc)
      options.only = argv[++i];
    else
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    llvm::errs() << "usage: bench/run [--only NAME] [--json]\n";
    return 2;
  }
  Machine machine = probeMachine();
  std::vector<Row> rows;
  for (auto &group :
       {startUpBenchmarks, loopBenchmarks, elementwiseBenchmarks, mathBenchmarks, productBenchmarks,
        contractionBenchmarks, convolutionBenchmarks, fusedBenchmarks})
    for (const Benchmark &benchmark : group)
      if (benchmark.name.contains(options.only)) {
        llvm::errs() << benchmark.name << "...\n";
        std::vector<Row> more = benchmark.run(benchmark.name);
        rows.insert(rows.end(), more.begin(), more.end());
      }
  machine.update(probeMachine());
  options.json ? printJson(machine, rows, llvm::outs()) : printTable(machine, rows, llvm::outs());
  return 0;
}
