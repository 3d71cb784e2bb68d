/// Printing from programs: whole lines on standard output.
#include "runtime/Format.h"
#include "runtime/Generated.h"
#include <cstdio>

using namespace tessera::runtime;

static void writeOut(void *, const char *text, size_t size) {
  fwrite(text, 1, size, stdout);
}

static constexpr Sink standardOutput{writeOut, nullptr};

static void printLine(tessera_view view) {
  flockfile(stdout); // Lines of several threads do not mix.
  formatView(standardOutput, view);
  putc('\n', stdout);
  funlockfile(stdout);
}

void tessera_rt_print_int(int32_t value) {
  printLine({&value, {1, 0}, 0, {TESSERA_INT, 32, 1}, nullptr, nullptr, 0});
}

void tessera_rt_print_float(float value) {
  printLine({&value, {1, 0}, 0, {TESSERA_FLOAT, 32, 1}, nullptr, nullptr, 0});
}

void tessera_rt_print_tensor(const tessera_dtype *dtype, int64_t rank, void *descriptor) {
  auto **pointers = static_cast<void **>(descriptor);
  auto *numbers = static_cast<int64_t *>(descriptor) + 2;
  tessera_view view{pointers[1], {1, 0}, int32_t(rank), *dtype, numbers + 1, numbers + 1 + rank, 0};
  view.byte_offset = numbers[0] * (dtype->bits / 8);
  printLine(view);
}
