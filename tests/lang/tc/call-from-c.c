// Libraries that `build` makes of TC, called from C: sizes that are known at compile time or inferred, results that are updated,
// and a sentence for every mistake of a caller. [tc.error.15, tc.layout.4, tc.op.4]
// RUN: tessera build %S/Inputs/library.tc -o %t.o --header %t.h 2> %t.warnings
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t.h
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RUN: tessera build %S/Inputs/library.tc -o %t.o -O0 2> %t.warnings
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s

// HEADER: /* def scaled(float(2, 3) A, float s) -> (O)
// HEADER-NEXT: args[0]: A, float32[2, 3]
// HEADER-NEXT: args[1]: s, float32
// HEADER-NEXT: results[0]: O, float32[2, 3]
// HEADER: static inline int scaled_plain(const float A_[2][3], float s, float O_[2][3]) {
// HEADER: args[1]: B, float32[K, N]
// HEADER-NEXT: results[0]: C, float32[M, N]
// HEADER: static inline int matmul_plain(int64_t M_, int64_t K_, int64_t N_, const float *A_, const float *B_, float *C_) {
// HEADER: args[0]: A, float64[M, 2]
// HEADER-NEXT: results[0]: squares, float64[M]
// HEADER-NEXT: results[1]: largest, float64
// HEADER-NEXT: results[2]: count, int32
// HEADER: args[0]: A, float32[M, N]
// HEADER-NEXT: args[1]: what O holds before the call, float32[M]
// HEADER-NEXT: results[0]: O, float32[M]
// HEADER: static inline int add_rows_plain(int64_t M_, int64_t N_, const float *A_, float *O_) {
// HEADER: args[1]: W, float32[K]
// HEADER-NEXT: results[0]: O, float32[H - K + 1]
// HEADER: static inline int convolve_plain(int64_t H_, int64_t K_, const float *I_, const float *W_, float *O_) {
// HEADER: int64_t tessera_shape2[] = {(int64_t)(tessera_max(0, (uint64_t)H_ - (uint64_t)K_ + 1))};
// HEADER: static inline int first_plain(int64_t N_, const float *A_, int32_t k, float *O_) {
// HEADER: results[0]: O, float32[(H - K) / 2 + 1]
// HEADER: static inline int halved_plain(int64_t H_, int64_t K_, const float *I_, const float *W_, float *O_) {
// HEADER: tessera_quotient((uint64_t)H_ - (uint64_t)K_, 2) + 1
#include <stdio.h>
#include <stdlib.h>

static const tessera_dtype f32 = {TESSERA_FLOAT, 32, 1}, f64 = {TESSERA_FLOAT, 64, 1}, i32 = {TESSERA_INT, 32, 1},
                           i8 = {TESSERA_INT, 8, 1};

static tessera_view view(void *data, tessera_dtype type, int32_t rank, int64_t *shape) {
  tessera_view made = {data, {1, 0}, rank, type, shape, NULL, 0};
  return made;
}

static void expect(int status, int wanted) {
  printf("%d%s %s\n", status, status == wanted ? "" : " (unexpected)", status ? tessera_last_error() : "");
}

static void showFloats(const tessera_view *result) {
  printf("%d:", (int)result->shape[0]);
  for (int64_t i = 0; i < result->shape[0]; ++i)
    printf(" %g", ((float *)result->data)[i]);
  puts("");
}

static void plainFunctions(void) {
  float a[2][3] = {{1, 2, 3}, {4, 5, 6}}, b[3][1] = {{1}, {10}, {100}}, o[2][3], c[2];
  scaled_plain(a, 10, o);
  // CHECK: 10 60
  printf("%g %g\n", o[0][0], o[1][2]);
  matmul_plain(2, 3, 1, &a[0][0], &b[0][0], c);
  // CHECK-NEXT: 321 654
  printf("%g %g\n", c[0], c[1]);
  double rows[2][2] = {{3, 4}, {0, 5}}, squares[2], largest;
  int32_t count;
  norms_plain(2, &rows[0][0], squares, &largest, &count);
  // CHECK-NEXT: 25 25 25 2
  printf("%g %g %g %d\n", squares[0], squares[1], largest, count);
  // No rows: nothing to square, and the smallest number is the largest.
  norms_plain(0, NULL, NULL, &largest, &count);
  // CHECK-NEXT: -inf 0
  printf("%g %d\n", largest, count);
  // A result with elements has to have memory.
  // CHECK-NEXT: 2 result `squares`: no data (null), expected 16 bytes
  expect(norms_plain(2, &rows[0][0], NULL, &largest, &count), TESSERA_INVALID_ARGUMENT);
  // CHECK-NEXT: 2 result `count`: no data (null), expected 4 bytes
  expect(norms_plain(2, &rows[0][0], squares, &largest, NULL), TESSERA_INVALID_ARGUMENT);
  // CHECK-NEXT: 2 result `squares`: negative size -1 in dimension 0
  expect(norms_plain(-1, &rows[0][0], NULL, &largest, &count), TESSERA_INVALID_ARGUMENT);
  float held[2] = {100, 200};
  add_rows_plain(2, 3, &a[0][0], held);
  // CHECK-NEXT: 106 215
  printf("%g %g\n", held[0], held[1]);
}

/// Sizes that follow from others are not passed.
static void formulas(void) {
  float i[5] = {1, 2, 3, 4, 5}, w[2] = {1, 10}, o[4];
  expect(convolve_plain(5, 2, i, w, o), TESSERA_OK);
  // CHECK: 21 32 43 54
  printf("%g %g %g %g\n", o[0], o[1], o[2], o[3]);
  expect(first_plain(5, i, 2, o), TESSERA_OK);
  // CHECK: 1 2 43
  printf("%g %g %g\n", o[0], o[1], o[2]);
  expect(halved_plain(5, 2, i, w, o), TESSERA_OK);
  // CHECK: 21 43 43 54
  printf("%g %g %g %g\n", o[0], o[1], o[2], o[3]);
  // CHECK-NEXT: 2 {{.*}}library.tc:22:5: error: these sizes do not fit: K - 1 <= H does not hold, because 4 is greater than 2 [tc.error.18]
  expect(convolve_plain(2, 5, w, i, o), TESSERA_INVALID_ARGUMENT);
}

static void initialValues(void) {
  float a[6] = {1, 2, 3, 4, 5, 6}, held[3] = {100, 200, 300};
  int64_t shape[] = {2, 3}, two = 2, three = 3;
  tessera_view args[] = {view(a, f32, 2, shape), view(held, f32, 1, &two)}, made = {0};
  // In other memory: what was passed is unchanged.
  expect(add_rows(args, &made), TESSERA_OK);
  // CHECK: 2: 106 215
  showFloats(&made);
  // CHECK-NEXT: 100
  printf("%g\n", held[0]);
  tessera_free(&made);
  args[1].shape = &three;
  // CHECK-NEXT: 2 argument `O`: size `M` is 3 in dimension 0, but 2 in dimension 0 of argument `A`
  expect(add_rows(args, &made), TESSERA_INVALID_ARGUMENT);
  // A result is either exactly the memory of its initial value, or does not overlap it.
  args[1] = view(held, f32, 1, &two);
  made = view(held + 1, f32, 1, &two);
  // CHECK-NEXT: 2 result `O`: overlaps argument `O`
  expect(add_rows(args, &made), TESSERA_INVALID_ARGUMENT);
}

static void sizesFoundOut(void) {
  float i[5] = {1, 2, 3, 4, 5}, w[2] = {1, 10};
  int64_t five = 5, two = 2, four = 4;
  tessera_view args[] = {view(i, f32, 1, &five), view(w, f32, 1, &two)}, made = {0};
  expect(convolve(args, &made), TESSERA_OK);
  // CHECK: 4: 21 32 43 54
  showFloats(&made);
  tessera_free(&made);
  // Every second element, backwards, by its strides.
  int64_t three = 3, stride = -2;
  args[0] = view(i + 4, f32, 1, &three);
  args[0].strides = &stride;
  expect(convolve(args, &made), TESSERA_OK);
  // CHECK: 2: 35 13
  showFloats(&made);
  tessera_free(&made);
  // The kernel is too large for the image.
  args[0] = view(w, f32, 1, &two);
  args[1] = view(i, f32, 1, &four);
  // CHECK-NEXT: 2 {{.*}}library.tc:22:5: error: these sizes do not fit: K - 1 <= H does not hold, because 3 is greater than 2 [tc.error.18]
  expect(convolve(args, &made), TESSERA_INVALID_ARGUMENT);
  int32_t k = 2;
  args[0] = view(i, f32, 1, &five);
  args[1] = view(&k, i32, 0, NULL);
  expect(first(args, &made), TESSERA_OK);
  // CHECK: 2: 1 2
  showFloats(&made);
  tessera_free(&made);
  k = 6;
  // CHECK-NEXT: 2 {{.*}}library.tc:30:12: error: these sizes do not fit: k <= N does not hold, because 6 is greater than 5 [tc.error.18]
  expect(first(args, &made), TESSERA_INVALID_ARGUMENT);
  k = -1;
  // CHECK-NEXT: 2 {{.*}}library.tc:30:21: error: these sizes do not fit: 0 <= k does not hold, because 0 is greater than -1 [tc.error.18]
  expect(first(args, &made), TESSERA_INVALID_ARGUMENT);
  int8_t bytes[2] = {1, 2};
  args[0] = view(bytes, i8, 1, &two);
  // CHECK-NEXT: 2 {{.*}}library.tc:26:12: error: these sizes do not fit: 3 <= N does not hold, because 3 is greater than 2 [tc.error.18]
  expect(head(args, &made), TESSERA_INVALID_ARGUMENT);
}

static void callersMistakes(void) {
  float a[6] = {1, 2, 3, 4, 5, 6}, c[4];
  int64_t shape[] = {2, 3}, turned[] = {3, 2}, square[] = {2, 2};
  tessera_view args[] = {view(a, f32, 2, shape), view(a, f32, 2, shape)}, made = {0};
  // CHECK-NEXT: 2 argument `B`: size `K` is 2 in dimension 0, but 3 in dimension 1 of argument `A`
  expect(matmul(args, &made), TESSERA_INVALID_ARGUMENT);
  args[1] = view(a, f32, 1, turned);
  // CHECK-NEXT: 2 argument `B`: 1 dimension, expected 2
  expect(matmul(args, &made), TESSERA_INVALID_ARGUMENT);
  args[1] = view(a, f64, 2, turned);
  // CHECK-NEXT: 2 argument `B`: element type float64, expected float32
  expect(matmul(args, &made), TESSERA_INVALID_ARGUMENT);
  args[1] = view(a, f32, 2, turned);
  made = view(a + 2, f32, 2, square);
  // CHECK-NEXT: 2 result `C`: overlaps argument `A`
  expect(matmul(args, &made), TESSERA_INVALID_ARGUMENT);
  made = view(c, f32, 2, shape);
  // CHECK-NEXT: 2 result `C`: size `N` is 3 in dimension 1, but 2 in dimension 1 of argument `B`
  expect(matmul(args, &made), TESSERA_INVALID_ARGUMENT);
  made = view(c, f64, 2, square);
  // CHECK-NEXT: 2 result `C`: element type float64, expected float32
  expect(matmul(args, &made), TESSERA_INVALID_ARGUMENT);
  made = view(c, f32, 2, square);
  expect(matmul(args, &made), TESSERA_OK);
  // CHECK: 22 28 49 64
  printf("%g %g %g %g\n", c[0], c[1], c[2], c[3]);
  args[0] = view(a, f32, 2, turned);
  args[1] = view(c, f32, 0, NULL);
  made.data = NULL;
  // CHECK-NEXT: 2 argument `A`: size 3 in dimension 0, expected 2
  expect(scaled(args, &made), TESSERA_INVALID_ARGUMENT);
  // CHECK-NEXT: 2 no arguments (null), expected 2
  expect(scaled(NULL, &made), TESSERA_INVALID_ARGUMENT);
  // CHECK-NEXT: nothing made
  puts(made.data ? "something made" : "nothing made");
}

int main(void) {
  plainFunctions();
  formulas();
  initialValues();
  sizesFoundOut();
  callersMistakes();
  return 0;
}
