/// Whole processes as a shell starts them: start, check, compile, load, run.
#include "Measure.h"
#include "Process.h"
#include <cstdlib>
#include <filesystem>

using namespace tessera::bench;
using llvm::StringRef;

static constexpr unsigned numProcesses = 21;

namespace {

/// `./tessera` with arguments, and what must happen before each start.
struct Command {
  std::vector<std::string> words;
  std::function<void()> prepare = [] {};
};

} // namespace

/// Measures the wall clock; the goal takes the place of a peer's time.
static std::vector<Row> measure(Row row, double goal, const Command &command) {
  std::vector<double> cpuTimes;
  std::vector<std::string> words = {BENCH_FOLDER "/../tessera"};
  words.insert(words.end(), command.words.begin(), command.words.end());
  Sample sample = [&] {
    command.prepare();
    double begin = now();
    Finished finished = runProcess(words);
    if (finished.status != 0)
      row.failure = "./tessera " + words[1] + " fails";
    cpuTimes.push_back(finished.cpuSeconds);
    return now() - begin;
  };
  row.ours = interleave(sample, numProcesses).front();
  row.cpuTime = median(cpuTimes);
  row.rivals = {{"goal", 1, goal}};
  return {row};
}

static std::vector<Row> runTenLines(const Row &row, double goal, bool isCached) {
  ScratchFolder cache;
  auto forget = [&] {
    std::error_code ignored;
    if (!isCached)
      std::filesystem::remove_all(cache.path() + "/tessera", ignored);
  };
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  std::vector<Row> rows = measure(row, goal, {{"run", BENCH_FOLDER "/ten-lines.ttl"}, forget});
  unsetenv("XDG_CACHE_HOME");
  return rows;
}

static std::vector<Row> runCold(StringRef name) {
  return runTenLines({name.str(), "10 lines"}, 0.100, /*isCached=*/false);
}

static std::vector<Row> runCached(StringRef name) {
  return runTenLines({name.str(), "10 lines"}, 0.015, /*isCached=*/true);
}

static std::vector<Row> checkLines(StringRef name, const std::string &lines, double goal) {
  ScratchFolder scratch;
  std::string file = scratch.path() + "/generated.ttl";
  runProcess({BENCH_FOLDER "/generate-program", lines}, file);
  return measure({name.str(), lines + " lines"}, goal, {{"check", "--strict", file}});
}

static std::vector<Row> check10k(StringRef name) {
  return checkLines(name, "10000", 0.040);
}

static std::vector<Row> check100k(StringRef name) {
  return checkLines(name, "100000", 0.400);
}

static constexpr Benchmark table[] = {{"run-cold", runCold},
                                      {"run-cached", runCached},
                                      {"check-10k", check10k},
                                      {"check-100k", check100k}};
const llvm::ArrayRef<Benchmark> tessera::bench::startUpBenchmarks = table;
