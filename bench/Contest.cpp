#include "Contest.h"
#include "Inputs.h"
#include "Measure.h"
#include "Process.h"
#include "Tuning.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sched.h>
#include <unistd.h>

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr unsigned numRounds = 11;
/// A peer that is this many times slower than we are, and takes this long, runs only a few rounds.
static constexpr double hopeless = 3, longTime = 0.03;
static constexpr unsigned fewRounds = 2;
/// Larger than any cache.
static constexpr double largeBytes = 64e6;

namespace {

/// The rows in which a peer takes part.
enum class Audience { Kernels, Queries, Batches };

struct Peer {
  StringRef name, program, variant, package;
  bool isProbe = false;
  Audience audience = Audience::Kernels;
};

const Peer peers[] = {
#define PEER(name, program, variant, package) {name, program, variant, package},
#define QUERY_PEER(name, program, variant, package)                                                \
  {name, program, variant, package, false, Audience::Queries},
#define BATCH_PEER(name, program, variant, package)                                                \
  {name, program, variant, package, false, Audience::Batches},
#define PROBE(name, program, variant) {name, program, variant, "", true},
#include "Peers.def"
};

Audience audienceOf(const FamilyFacts &facts) {
  if (facts.isBatch())
    return Audience::Batches;
  return facts.isQuery() ? Audience::Queries : Audience::Kernels;
}

/// Pins to the first CPUs, one for each thread; child processes inherit this.
class Pinned {
public:
  explicit Pinned(int threads) {
    sched_getaffinity(0, sizeof before, &before);
    cpu_set_t some;
    CPU_ZERO(&some);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&some) < threads; ++cpu)
      if (CPU_ISSET(cpu, &before))
        CPU_SET(cpu, &some);
    sched_setaffinity(0, sizeof some, &some);
  }
  ~Pinned() { sched_setaffinity(0, sizeof before, &before); }

private:
  cpu_set_t before;
};

/// One side: a process, or the reason why it is missing.
class Side {
public:
  /// `program` is one of our programs, or a script in this folder.
  Side(std::string name, StringRef program, ArrayRef<std::string> arguments)
      : name(std::move(name)) {
    std::string path = pathOf(program);
    if (path.empty())
      return;
    std::vector<std::string> words = {path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    server = std::make_unique<Server>(words);
    StringRef answer = first = server->listen();
    if (answer.consume_front("none")) {
      server.reset();
      failure = answer.trim().str();
    } else if (!answer.starts_with("ready")) {
      server.reset();
      failure = this->name + " crashed";
    }
  }

  bool isRunning() const { return server != nullptr; }
  void runOnce() {
    double seconds = 0;
    if (StringRef(server->ask("run")).getAsDouble(seconds)) {
      server.reset();
      failure = name + " crashed";
      return;
    }
    times.push_back(seconds);
  }
  double median() const { return times.empty() ? 0 : tessera::bench::median(times); }
  std::vector<float> result(const std::string &folder) {
    std::string path = folder + "/result";
    if (!server || server->ask("save " + path) != "saved")
      return {};
    auto file = llvm::MemoryBuffer::getFile(path, false, /*RequiresNullTerminator=*/false);
    if (!file)
      return {};
    auto *numbers = reinterpret_cast<const float *>((*file)->getBufferStart());
    return {numbers, numbers + (*file)->getBufferSize() / sizeof(float)};
  }
  /// The number after `ready`.
  double remark() const {
    double number = 0;
    StringRef text = first;
    text.consume_front("ready");
    return text.trim().getAsDouble(number) ? 0 : number;
  }

  static std::string pathOf(StringRef program) {
    bool isScript = program.ends_with(".py") || program.ends_with(".mjs");
    std::string path = (isScript ? BENCH_FOLDER "/" : BENCH_PROGRAMS "/") + program.str();
    return access(path.c_str(), X_OK) == 0 ? path : "";
  }

  std::string name, failure;

private:
  std::unique_ptr<Server> server;
  std::string first;
  std::vector<double> times;
};

class Contest {
public:
  Contest(const Kernel &kernel, const ContestOptions &options)
      : kernel(kernel), options(options), facts(factsOf(kernel.family)), shape(shapeOf(kernel)) {}

  std::vector<Row> run();

private:
  void start();
  void runRounds();
  Row rowOf(Side &ours, double goal);
  std::unique_ptr<Side> side(const std::string &name, StringRef program,
                             const std::string &variant);
  std::unique_ptr<Side> ours(const std::string &name, const std::string &variant) {
    return side(name, "bench-tessera", variant);
  }
  Rival rivalOf(Side &peer, const std::vector<float> &expected, double goal);
  double goalAgainst(StringRef peer, double goal) const;

  const Kernel &kernel;
  ContestOptions options;
  const FamilyFacts &facts;
  Shape shape;
  ScratchFolder scratch{/*isInMemory=*/true};
  std::unique_ptr<Side> modeled, tuned, searched;
  std::vector<std::unique_ptr<Side>> rivals;
  double genericCompile = 0;
};

} // namespace

bool tessera::bench::isOutOfCache(const Kernel &kernel) {
  return shapeOf(kernel).bytes > largeBytes;
}

std::unique_ptr<Side> Contest::side(const std::string &name, StringRef program,
                                    const std::string &variant) {
  return std::make_unique<Side>(name, program,
                                std::vector<std::string>{std::string(kernel.name), scratch.path(),
                                                         std::to_string(options.threads), variant});
}

static void setThreads(int threads) {
  setenv("OPENBLAS_CORETYPE", "Cooperlake", 1);
  setenv("DNNL_MAX_CPU_ISA", "AVX512_CORE_BF16", 1);
  setenv("OPENBLAS_NUM_THREADS", std::to_string(threads).c_str(), 1);
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
}

/// Starts the sides in turn, so that none disturbs the preparation of another.
void Contest::start() {
  modeled = ours("tessera", "model");
  if (auto generic = ours("generic", "generic"); generic->isRunning())
    genericCompile = generic->remark();
  if (options.tuningBudget > 0) {
    std::string records = tune({kernel, options.threads, options.tuningBudget}, scratch.path());
    tuned = ours("tuned", "records:" + records);
    searched = ours("search", "records:" + searchFile());
  }
  for (const Peer &peer : peers) {
    bool isWanted =
        peer.isProbe ? peer.name == StringRef(facts.limit) : peer.audience == audienceOf(facts);
    if (!isWanted)
      continue;
    rivals.push_back(side(peer.name.str(), peer.program, peer.variant.str()));
    if (Side::pathOf(peer.program).empty())
      rivals.back()->failure = (peer.program + " is not built; it needs " + peer.package).str();
  }
}

void Contest::runRounds() {
  std::vector<Side *> sides = {modeled.get()};
  for (auto *side : {&tuned, &searched})
    if (*side && (*side)->isRunning())
      sides.push_back(side->get());
  for (auto &rival : rivals)
    if (rival->isRunning())
      sides.push_back(rival.get());
  for (unsigned round = 0; round < numRounds; ++round)
    for (Side *side : sides) {
      bool isHopeless = round >= fewRounds && side->median() > longTime &&
                        side->median() > hopeless * modeled->median();
      if (side->isRunning() && !isHopeless)
        side->runOnce();
    }
}

/// 0: no goal, only shown.
double Contest::goalAgainst(StringRef peer, double goal) const {
  llvm::SmallVector<StringRef> names;
  llvm::SplitString(StringRef(facts.against), names);
  bool memoryAlone = isOutOfCache(kernel) && facts.share > 0;
  for (StringRef word : names) {
    bool countsAnywhere = word.consume_back("!");
    auto [name, own] = word.split('=');
    if (name != "*" && !peer.starts_with(name))
      continue;
    own.getAsDouble(goal); // Leaves the goal unchanged if the word has none.
    return memoryAlone && !countsAnywhere ? 0 : goal;
  }
  return 0;
}

Rival Contest::rivalOf(Side &peer, const std::vector<float> &expected, double goal) {
  Rival rival{.name = peer.name, .seconds = peer.median(), .failure = peer.failure};
  bool isProbe = peer.name == facts.limit;
  rival.isLimit = isProbe;
  bool isMemory = facts.limit != "fma" && facts.limit != "tile";
  rival.goal = isProbe ? (isMemory && !isOutOfCache(kernel) ? 0 : facts.share)
                       : goalAgainst(peer.name, goal);
  if (!isProbe && peer.isRunning())
    rival.difference = differenceOf(expected, peer.result(scratch.path()));
  return rival;
}

Row Contest::rowOf(Side &ours, double goal) {
  Row row{.name = std::string(kernel.name),
          .size = kernel.sizeText(),
          .threads = options.threads,
          .schedule = &ours == modeled.get() ? "model" : ours.name,
          .ours = ours.median(),
          .compile = ours.remark(),
          .genericCompile = genericCompile,
          .failure = ours.failure};
  if (!row.failure.empty())
    return row;
  std::vector<float> expected = ours.result(scratch.path());
  for (auto &rival : rivals)
    if (rival->isRunning() || !rival->failure.empty())
      row.rivals.push_back(rivalOf(*rival, expected, goal));
  return row;
}

std::vector<Row> Contest::run() {
  setThreads(options.threads);
  if (!writeInputs(shape, scratch.path()))
    return {{.name = std::string(kernel.name), .failure = "cannot write the inputs"}};
  Pinned pinned(options.threads);
  start();
  if (modeled->isRunning())
    runRounds();
  std::vector<Row> rows = {rowOf(*modeled, facts.each)};
  if (!tuned || !tuned->isRunning())
    return rows;
  constexpr double goalOfTuning = 0.95;
  Row row = rowOf(*tuned, facts.each == facts.untuned ? facts.tuned : facts.each);
  row.compile = row.genericCompile = 0;
  rows.push_back(row);
  if (searched->isRunning())
    rows.push_back({.name = row.name,
                    .size = row.size,
                    .threads = row.threads,
                    .schedule = "tuned",
                    .ours = row.ours,
                    .rivals = {{"search", goalOfTuning, searched->median()}}});
  return rows;
}

std::vector<Row> tessera::bench::runContest(const Kernel &kernel, const ContestOptions &options) {
  return Contest(kernel, options).run();
}

/// The operations or bytes of a kernel that the probe reaches in a second.
static double rateOf(const char *probe, const char *kernel, int threads) {
  Pinned pinned(threads);
  Side side(probe, "bench-probe", {kernel, "", std::to_string(threads), probe});
  for (unsigned i = 0; i < numRounds && side.isRunning(); ++i)
    side.runOnce();
  Shape shape = shapeOf(*kernelNamed(kernel));
  return (StringRef(probe) == "fma" ? shape.flops : shape.bytes) / side.median();
}

Machine tessera::bench::probeMachine() {
  Machine machine;
  getloadavg(&machine.load, 1);
  for (int threads : {1, 2})
    machine.rates[threads - 1] = {rateOf("fma", "matmul-512", threads),
                                  rateOf("copy", "softmax", threads),
                                  rateOf("read", "softmax", threads)};
  return machine;
}
