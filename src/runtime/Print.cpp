/// What programs print: whole lines on standard output.
#include "runtime/Print.h"
#include "runtime/Format.h"
#include "runtime/Generated.h"
#include <atomic>
#include <cstdio>
#include <poll.h>
#include <unistd.h>

using namespace tessera::runtime;

static void writeOut(void *, const char *text, size_t size) {
  fwrite(text, 1, size, stdout);
}

static constexpr Sink standardOutput{writeOut, nullptr};

static std::atomic<bool> printsJson{false};

void tessera::runtime::setPrintsJson(bool wanted) {
  printsJson = wanted;
}

/// The threads that are printing, and what a signal has requested meanwhile.
static std::atomic<int> printing{0};
static std::atomic<void (*)()> pendingEnd{nullptr};

/// A reader that does not read must not keep the process from ending.
static void flushPrinted() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  if (poll(&output, 1, 0) == 1 && (output.revents & POLLOUT))
    fflush_unlocked(stdout);
}

void tessera::runtime::endAfterPrinted(void (*end)()) {
  bool isSecond = pendingEnd.exchange(end) != nullptr;
  if (printing.load() != 0 && !isSecond)
    return;
  if (printing.load() == 0)
    flushPrinted();
  end();
}

/// While it exists, a signal does not end the process.
struct Printing {
  Printing() { ++printing; }
  ~Printing() {
    if (--printing == 0 && pendingEnd.load()) {
      flushPrinted();
      pendingEnd.load()();
    }
  }
};

static void printLine(tessera_view view) {
  Printing guard;
  bool isJson = printsJson.load(std::memory_order_relaxed);
  FormatOptions options;
  options.quoteNonFinite = isJson;
  options.abbreviateAbove = isJson ? -1 : options.abbreviateAbove;
  flockfile(stdout); // Lines of several threads do not mix.
  fputs(isJson ? "{\"print\":" : "", stdout);
  formatView(standardOutput, view, options);
  fputs(isJson ? "}\n" : "\n", stdout);
  funlockfile(stdout);
}

void tessera_rt_print_int(int32_t value) {
  printLine({&value, {1, 0}, 0, {TESSERA_INT, 32, 1}, nullptr, nullptr, 0});
}

void tessera_rt_print_float(float value) {
  printLine({&value, {1, 0}, 0, {TESSERA_FLOAT, 32, 1}, nullptr, nullptr, 0});
}

static void printMatrix(tessera_dtype dtype, const tessera_unranked *matrix) {
  auto **pointers = static_cast<void **>(matrix->descriptor);
  auto *numbers = static_cast<int64_t *>(matrix->descriptor) + 2;
  int64_t rank = matrix->rank;
  tessera_view view{pointers[1], {1, 0}, int32_t(rank), dtype, numbers + 1, numbers + 1 + rank, 0};
  view.byte_offset = numbers[0] * (dtype.bits / 8);
  printLine(view);
}

void _mlir_ciface_tessera_rt_print_ints(const tessera_unranked *matrix) {
  printMatrix({TESSERA_INT, 32, 1}, matrix);
}

void _mlir_ciface_tessera_rt_print_floats(const tessera_unranked *matrix) {
  printMatrix({TESSERA_FLOAT, 32, 1}, matrix);
}
