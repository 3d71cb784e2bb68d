// A library for any sizes rejects mismatched arguments before it computes; results with initial values may be updated
// in place.
// RUN: tessera build %S/Inputs/generic.tc -o %t.o --header %t.h 2>/dev/null
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RUN: tessera build %S/Inputs/generic.tc -o %t.o -O0 --cpu=x86-64-v2 2>/dev/null
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s

// For a fixed set of sizes, parameters are C arrays.
// RUN: tessera build %S/Inputs/generic.tc --call conv --size H=8,K=3 -o %t.fixed.o --header %t.fixed.h 2>/dev/null
// RUN: FileCheck %s --check-prefix=FIXED --input-file=%t.fixed.h
// FIXED: results[0]: O, float32[6]
// FIXED: static inline int conv_plain(const float I_[8], const float W_[3], float O_[6]) {
#include <stdio.h>

static const tessera_dtype f32 = {TESSERA_FLOAT, 32, 1};

static tessera_view vector(float *data, int64_t *size) {
  tessera_view view = {data, {1, 0}, 1, f32, size, NULL, 0};
  return view;
}

static void report(int status) {
  printf("%d %s\n", status, status ? tessera_last_error() : "");
}

static void convolves(void) {
  float i[8] = {1, 2, 3, 4, 5, 6, 7, 8}, w[3] = {1, 1, 1}, o[6] = {100, 0, 0, 0, 0, 0};
  int64_t h = 8, k = 3, n = 6;
  tessera_view args[3] = {vector(i, &h), vector(w, &k), vector(o, &n)}, in_place = args[2];
  // CHECK: 0
  report(conv(args, &in_place));
  // CHECK-NEXT: 106 21
  printf("%g %g\n", o[0], o[5]);
  tessera_view made = {NULL, {0, 0}, 0, {0, 0, 0}, NULL, NULL, 0};
  n = 5;
  // CHECK-NEXT: 2 {{.*}}generic.tc:3:3: error: the initial value of `O` has size 5 in dimension 0, not 6 [tc.error.15]
  report(conv(args, &made));
  n = 0;
  k = 20;
  float wide[20] = {0};
  args[1] = vector(wide, &k);
  // CHECK-NEXT: 2 {{.*}}generic.tc:3:{{[0-9]+}}: error: these sizes do not fit: K - 1 <= H does not hold, because 19 is greater than 8 [tc.error.18]
  report(conv(args, &made));
  in_place.data = i + 2;
  n = 6;
  k = 3;
  // CHECK-NEXT: 2 result `O`: overlaps argument `I`
  report(conv(args, &in_place));
}

static void multiplies(void) {
  uint16_t a[4] = {0x3c00, 0x3c00, 0x3c00, 0x3c00}, b[4] = {0x3c00, 0x4000, 0x4200, 0x4400}, c[4], total;
  int status = mm_plain(2, 2, 2, a, b, c, &total);
  // CHECK-NEXT: 0 4400 4600 4d00
  printf("%d %x %x %x\n", status, c[0], c[1], total);
}

int main(void) {
  convolves();
  multiplies();
  return 0;
}
