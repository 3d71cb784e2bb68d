#include "Serve.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/mman.h>

using namespace tessera::bench;

static constexpr double shortestSample = 0.005;

void *tessera::bench::allocate(int64_t bytes) {
  constexpr size_t page = 2 << 20;
  static size_t offset = 0;
  offset = (offset + 3264) % 4096;
  size_t size = (bytes + offset + page - 1) / page * page;
  auto *pages = static_cast<char *>(aligned_alloc(page, size));
  madvise(pages, size, MADV_HUGEPAGE);
  memset(pages, 0, size);
  return pages + offset;
}

static double secondsOf(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/// Other processes have used the caches, so each sample begins with a call that does not count. A
/// call that is too short for the clock is repeated.
static double sample(const std::function<void()> &work, int threads) {
  clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  double begin = secondsOf(clock);
  work();
  double first = std::max(secondsOf(clock) - begin, 1e-9);
  int repeats = std::clamp(int(shortestSample / first), 1, 1 << 20);
  begin = secondsOf(clock);
  for (int i = 0; i < repeats; ++i)
    work();
  return (secondsOf(clock) - begin) / repeats;
}

static bool readArray(const std::string &path, const Operand &operand, void *to) {
  FILE *file = fopen(path.c_str(), "rb");
  if (!file)
    return false;
  constexpr long header = 128; // Written by the parent.
  bool isRead = fseek(file, header, SEEK_SET) == 0 &&
                fread(to, 1, operand.bytes(), file) == size_t(operand.bytes());
  fclose(file);
  return isRead;
}

static bool loadOperands(Request &request, const std::string &folder) {
  for (const Operand &operand : request.shape.inputs) {
    void *memory = allocate(operand.bytes());
    std::string path = folder + "/" + std::to_string(request.operands.inputs.size()) + ".npy";
    if (!readArray(path, operand, memory))
      return false;
    request.operands.inputs.push_back(memory);
  }
  for (const Operand &operand : request.shape.results)
    request.operands.results.push_back(allocate(operand.bytes()));
  return true;
}

template <typename T> static std::vector<float> elements(const Request &request) {
  auto *from = request.operands.out<T>();
  return {from, from + request.shape.results[0].count()};
}

static std::vector<float> firstResult(const Request &request) {
  switch (request.shape.results[0].element) {
  case Element::F64:
    return elements<double>(request);
  case Element::I64:
    return elements<int64_t>(request);
  case Element::I32:
    return elements<int32_t>(request);
  default:
    return elements<float>(request);
  }
}

static void save(const std::string &path, const std::vector<float> &numbers) {
  if (FILE *file = fopen(path.c_str(), "wb")) {
    fwrite(numbers.data(), sizeof(float), numbers.size(), file);
    fclose(file);
  }
}

/// tinytc kernels add to their results, so the result of one call is compared.
static void callOnce(const Request &request, const Answer &answer) {
  for (size_t i = 0; i < request.shape.results.size(); ++i)
    memset(request.operands.results[i], 0, request.shape.results[i].bytes());
  answer.work();
}

static void answerLines(const Request &request, const Answer &answer) {
  char line[512];
  while (fgets(line, sizeof line, stdin)) {
    std::string_view text = line;
    text = text.substr(0, text.find('\n'));
    if (text.starts_with("save ")) {
      if (factsOf(request.kernel.family).isBatch())
        callOnce(request, answer);
      if (answer.finish)
        answer.finish();
      save(std::string(text.substr(5)), answer.result ? answer.result() : firstResult(request));
      printf("saved\n");
    } else {
      printf("%.9g\n", answer.timed ? answer.timed() : sample(answer.work, request.threads));
    }
    fflush(stdout);
  }
}

static int refuse(const std::string &why) {
  printf("none %s\n", why.c_str());
  return 0;
}

int tessera::bench::serve(int argc, char **argv, const PeerProgram &program) {
  const Kernel *kernel = argc == 5 ? kernelNamed(argv[1]) : nullptr;
  if (!kernel) {
    fprintf(stderr, "usage: %s KERNEL FOLDER THREADS VARIANT\n", argv[0]);
    return 2;
  }
  if (!program.supports(kernel->family))
    return refuse("");
  Request request{*kernel, shapeOf(*kernel), {}, atoi(argv[3]), argv[4]};
  if (program.needsOperands && !loadOperands(request, argv[2]))
    return refuse("the inputs cannot be read");
  Answer answer = program.prepare(request);
  if (!answer.work && !answer.timed)
    return refuse(answer.failure);
  if (answer.work)
    answer.work(); // For work that is done only once.
  printf("ready %s\n", answer.remark.c_str());
  fflush(stdout);
  answerLines(request, answer);
  return 0;
}
