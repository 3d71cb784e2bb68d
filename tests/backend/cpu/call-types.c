// All element types, several results, named sizes and results with initial values, from C and C++.
// RUN: tessera build --from=core %S/Inputs/types.mlir -o %t.o --header %t.h
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t.h
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RUN: clang-22 -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror -include %t.h %s -x none %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RUN: tessera build --from=core %S/Inputs/types.mlir -o %t.o -O0 --cpu=x86-64-v2
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s

// HEADER: #include <stdbool.h>
// HEADER: args[0]: x, float64[n]
// HEADER-NEXT: args[1]: what y holds before the call, float64[n]
// HEADER-NEXT: args[2]: by, uint16
// HEADER-NEXT: results[0]: y, float64[n]
// HEADER-NEXT: results[1]: count, int64
// HEADER-NEXT: results[2]: any, bool
// HEADER-NEXT: results[3]: twice, uint16
// HEADER: static inline int update_plain(int64_t n, const double *x, uint16_t by, double *y, int64_t *count, bool *any, uint16_t *twice) {
// HEADER: static inline int pick_plain(bool which, const uint16_t h[2], const uint16_t g[2], uint16_t picked[2], bool *other) {
// HEADER: args[0]: x, int8[n]
// HEADER-NEXT: results[0]: y, int8[?]
// HEADER-NOT: halve_plain
#include <stdio.h>

static void updates(void) {
  double x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
  int64_t count = 0;
  bool any = false;
  uint16_t twice = 0;
  int status = update_plain(3, x, 40000, y, &count, &any, &twice);
  // CHECK: 0: 11 22 33, 3 1 14464
  printf("%d: %g %g %g, %d %d %d\n", status, y[0], y[1], y[2], (int)count, any, twice);
  status = update_plain(0, x, 1, y, &count, &any, &twice);
  // CHECK-NEXT: 0: 0 0
  printf("%d: %d %d\n", status, (int)count, any);
  // A result must not overlap anything else.
  status = update_plain(3, y, 1, y, &count, &any, &twice);
  // CHECK-NEXT: 2: result `y`: overlaps argument `x`
  printf("%d: %s\n", status, tessera_last_error());
  status = update_plain(2, x, 1, y, (int64_t *)(y + 1), &any, &twice);
  // CHECK-NEXT: 2: result `count`: overlaps {{(argument|result)}} `y`
  printf("%d: %s\n", status, tessera_last_error());
}

static void picks(void) {
  uint16_t one[2] = {0x3c00, 0x3c00}, two[2] = {0x4000, 0x4000}, picked[2] = {0, 0}; /* Halves. */
  bool other = true;
  int status = pick_plain(true, one, two, picked, &other);
  // CHECK-NEXT: 0: 3c00 0
  printf("%d: %x %d\n", status, picked[1], other);
  status = pick_plain(false, one, two, picked, &other);
  // CHECK-NEXT: 0: 4000 1
  printf("%d: %x %d\n", status, picked[1], other);
}

static void refuses(void) {
  double x[3] = {1, 2, 3}, y[4] = {0};
  uint16_t by = 1;
  int64_t three = 3, four = 4;
  tessera_dtype f64 = {TESSERA_FLOAT, 64, 1}, u16 = {TESSERA_UINT, 16, 1};
  tessera_view args[3] = {{x, {1, 0}, 1, f64, &three, NULL, 0},
                          {y, {1, 0}, 1, f64, &four, NULL, 0},
                          {&by, {1, 0}, 0, u16, NULL, NULL, 0}};
  tessera_view results[4] = {{NULL, {0, 0}, 0, {0, 0, 0}, NULL, NULL, 0},
                             {NULL, {0, 0}, 0, {0, 0, 0}, NULL, NULL, 0},
                             {NULL, {0, 0}, 0, {0, 0, 0}, NULL, NULL, 0},
                             {NULL, {0, 0}, 0, {0, 0, 0}, NULL, NULL, 0}};
  // CHECK-NEXT: 2: argument `y`: size `n` is 4 in dimension 0, but 3 in dimension 0 of argument `x`
  printf("%d: ", update(args, results));
  puts(tessera_last_error());
  args[1].shape = &three;
  args[2].dtype.code = TESSERA_INT;
  // CHECK-NEXT: 2: argument `by`: element type int16, expected uint16
  printf("%d: ", update(args, results));
  puts(tessera_last_error());

  // Errors that only the program can detect are still the caller's.
  int8_t bytes[3] = {1, 2, 3};
  tessera_view odd = {bytes, {1, 0}, 1, {TESSERA_INT, 8, 1}, &three, NULL, 0};
  // CHECK-NEXT: 2: types.tc:3:7: error: 3 is odd [tc.infer.1]
  printf("%d: ", halve(&odd, results));
  puts(tessera_last_error());
}

int main(void) {
  updates();
  picks();
  refuses();
  return 0;
}
