/// Random programs, compiled in every mode and compared with the evaluator.
///   tessera-random [--lang=NAME] --count N [--seed S] [--first K] [--jobs N] [--cpu=LEVEL]
///                  [--keep-going] [--verbose] [--classify] [FILE...]
///   tessera-random [--lang=NAME] [--cpu=LEVEL] [--shrink] FILE...
/// Every other program is compiled for a lower processor level than this machine's, unless --cpu is
/// given. Worker processes share the programs, so that a crash is attributed to its program and
/// does not end the run.
#include "Kind.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include <map>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera;

namespace {

struct Options {
  const Kind *kind = &ttlKind;
  int64_t count = 0, first = 0, seed = 1, jobs = 2;
  bool verbose = false, keepGoing = false, shrink = false, classify = false;
  std::string cpu; ///< "": differs between programs.
  std::vector<std::string> files;
};

int usage() {
  fprintf(stderr,
          "usage: tessera-random [--lang=ttl|tc|weld|tinytc] --count N [--seed S] [--first K]"
          " [--jobs N] [--cpu=LEVEL] [--keep-going] [--verbose] [--classify] [FILE...]\n"
          "       tessera-random [--lang=ttl|tc|weld|tinytc] [--cpu=LEVEL] [--shrink] FILE...\n");
  return 2;
}

/// Null if there is no such language.
const Kind *kindNamed(llvm::StringRef name) {
  for (const Kind *kind : {&ttlKind, &tcKind, &weldKind, &tinytcKind})
    if (name == kind->language)
      return kind;
  return nullptr;
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    int64_t *number = llvm::StringSwitch<int64_t *>(argument)
                          .Case("--count", &options.count)
                          .Case("--first", &options.first)
                          .Case("--seed", &options.seed)
                          .Case("--jobs", &options.jobs)
                          .Default(nullptr);
    if (argument == "--verbose")
      options.verbose = true;
    else if (argument == "--shrink")
      options.shrink = true;
    else if (argument == "--classify")
      options.classify = true;
    else if (argument == "--keep-going")
      options.keepGoing = true;
    else if (argument.consume_front("--lang="))
      options.kind = kindNamed(argument);
    else if (argument.consume_front("--cpu="))
      options.cpu = argument.str();
    else if (!argument.starts_with("-"))
      options.files.push_back(argument.str());
    else if (!number || ++i == argc || llvm::StringRef(argv[i]).getAsInteger(10, *number))
      return false;
  }
  return options.kind && options.jobs > 0 && (options.count > 0 || !options.files.empty());
}

/// Shared by all processes.
struct Progress {
  volatile bool isOver;
  volatile int64_t current[64]; ///< By worker: the program it is running.
};

/// Half of the programs are compiled for this machine, the others for lower levels.
std::string processorOf(const Options &options, int64_t number) {
  static const bool hasLevel3 = llvm::sys::getHostCPUFeatures().lookup("avx2");
  static const std::string levels[] = {"native", hasLevel3 ? "x86-64-v3" : "x86-64-v2", "native",
                                       "x86-64-v2"};
  return options.cpu.empty() ? levels[number % 4] : options.cpu;
}

std::string program(const Options &options, int64_t number) {
  return options.kind->generate(options.seed * 1000003 + number);
}

void report(const Options &options, int64_t number, const std::string &text,
            const std::string &difference) {
  processor = processorOf(options, number);
  fprintf(stderr, "program %ld of seed %ld, for %s:\n%s\n%s\n", long(number), long(options.seed),
          processor.c_str(), text.c_str(), difference.c_str());
  const Kind &kind = *options.kind;
  std::string path =
      "random-" + std::to_string(options.seed) + "-" + std::to_string(number) + "." + kind.language;
  std::error_code error;
  llvm::raw_fd_ostream(path, error)
      << text << kind.comment << " " << llvm::StringRef(difference).split('\n').first << "\n";
  if (options.keepGoing) // There may be many failures: `--shrink FILE` makes one small.
    return;
  std::string small = kind.shrink(text);
  fprintf(stderr, "shrunk:\n%s\n%s\nsaved as %s\n", small.c_str(), kind.compareApart(small).c_str(),
          path.c_str());
  llvm::raw_fd_ostream(path + ".small", error) << small;
}

/// Runs every jobs-th program from `begin` on. The exit status says whether all agreed.
int work(const Options &options, int64_t worker, int64_t begin, Progress &progress) {
  int status = 0;
  for (int64_t i = begin; i < options.count && !progress.isOver; i += options.jobs) {
    int64_t number = options.first + i;
    progress.current[worker] = number;
    std::string text = program(options, number);
    processor = processorOf(options, number);
    if (options.verbose)
      fprintf(stderr, "program %ld\n%s", long(number), text.c_str());
    std::string difference = options.kind->compare(text);
    if (difference.empty())
      continue;
    progress.isOver |= !options.keepGoing;
    report(options, number, text, difference);
    status = 1;
  }
  return status;
}

pid_t startWorker(const Options &options, int64_t worker, int64_t begin, Progress &progress) {
  pid_t pid = fork();
  if (pid == 0)
    _exit(work(options, worker, begin, progress));
  return pid;
}

int runPrograms(const Options &options) {
  void *shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto &progress = *static_cast<Progress *>(shared);
  std::map<pid_t, int64_t> workers;
  for (int64_t worker = 0; worker < options.jobs; ++worker)
    workers[startWorker(options, worker, worker, progress)] = worker;
  bool agree = true;
  while (!workers.empty()) {
    int status = 0;
    pid_t pid = wait(&status);
    int64_t worker = workers.at(pid), number = progress.current[worker];
    workers.erase(pid);
    agree &= status == 0;
    if (!WIFSIGNALED(status))
      continue;
    progress.isOver |= !options.keepGoing;
    report(options, number, program(options, number),
           "ended by signal " + std::to_string(WTERMSIG(status)));
    if (options.keepGoing)
      workers[startWorker(options, worker, number - options.first + options.jobs, progress)] =
          worker;
  }
  if (agree)
    printf("%ld programs agree\n", long(options.count));
  return agree ? 0 : 1;
}

/// Counts the outcomes of programs, most frequent last.
int classifyPrograms(const Options &options) {
  std::map<std::string, int64_t> counts;
  for (int64_t i = 0; i < options.count; ++i)
    ++counts[options.kind->classify(program(options, options.first + i))];
  std::multimap<int64_t, std::string> sorted;
  for (auto &[name, count] : counts)
    sorted.emplace(count, name);
  for (auto &[count, name] : sorted)
    printf("%8ld %s\n", long(count), name.c_str());
  return 0;
}

int runFiles(const Options &options) {
  int status = 0;
  processor = options.cpu.empty() ? "native" : options.cpu;
  for (const std::string &file : options.files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      return usage();
    std::string difference = options.kind->compareApart((*buffer)->getBuffer().str());
    if (options.count == 0 || !difference.empty())
      printf("%s: %s\n", file.c_str(), difference.empty() ? "agrees" : difference.c_str());
    status |= !difference.empty();
    if (options.shrink && !difference.empty())
      printf("%s", options.kind->shrink((*buffer)->getBuffer().str()).c_str());
  }
  return status;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options))
    return usage();
  if (options.classify)
    return classifyPrograms(options);
  int status = runFiles(options);
  return options.count > 0 ? runPrograms(options) | status : status;
}
