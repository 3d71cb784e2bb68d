// Tensors of any size are passed as views. Mismatches are rejected before anything is computed.
// RUN: tessera build %S/Inputs/library.ttl -o %t.o --header %t.h
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t
// RUN: %t | FileCheck %s
// RUN: env TESSERA_NUM_THREADS=3 %t | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tessera_view matrix(void *data, uint8_t code, int64_t *shape) {
  tessera_view view = {data, {1, 0}, 2, {code, 32, 1}, shape, NULL, 0};
  return view;
}

static void expect(int status, int wanted) {
  printf("%d%s %s\n", status, status == wanted ? "" : " (unexpected)",
         status ? tessera_last_error() : "");
}

static void multiplies(void) {
  float a[2][3] = {{1, 2, 3}, {4, 5, 6}}, b[3][2] = {{7, 8}, {9, 10}, {11, 12}};
  int64_t shapeA[] = {2, 3}, shapeB[] = {3, 2};
  tessera_view args[] = {matrix(a, TESSERA_FLOAT, shapeA), matrix(b, TESSERA_FLOAT, shapeB)};
  tessera_view made = {0};
  // CHECK: 0
  expect(multiply(args, &made), TESSERA_OK);
  float *c = made.data;
  // CHECK-NEXT: 2x2: 58 64 139 154
  printf("%ldx%ld: %g %g %g %g\n", (long)made.shape[0], (long)made.shape[1], c[0], c[1], c[2], c[3]);
  tessera_free(&made);
  tessera_free(&made);

  // Into the caller's memory, column by column; from a transposed view.
  float mine[4] = {0};
  int64_t shapeC[] = {2, 2}, columns[] = {1, 2}, shapeT[] = {3, 2}, transposed[] = {1, 3};
  tessera_view result = matrix(mine, TESSERA_FLOAT, shapeC);
  result.strides = columns;
  // CHECK-NEXT: 0
  expect(multiply(args, &result), TESSERA_OK);
  // CHECK-NEXT: 58 139 64 154
  printf("%g %g %g %g\n", mine[0], mine[1], mine[2], mine[3]);
  args[1] = matrix(a, TESSERA_FLOAT, shapeT);
  args[1].strides = transposed;
  // CHECK-NEXT: 0
  expect(multiply(args, &result), TESSERA_OK);
  // CHECK-NEXT: 14 32 32 77
  printf("%g %g %g %g\n", mine[0], mine[1], mine[2], mine[3]);

  // A result of the wrong size is detected as soon as the right size is known.
  shapeC[0] = 1;
  // CHECK-NEXT: 2 result `result`: size 1 in dimension 0, expected 2
  expect(multiply(args, &result), TESSERA_INVALID_ARGUMENT);
}

static void refuses(void) {
  int32_t data[6] = {1, 2, 3, 4, 5, 6}, by = 1;
  int64_t shape[] = {2, 3};
  tessera_view args[] = {matrix(data, TESSERA_INT, shape), {&by, {1, 0}, 0, {TESSERA_INT, 32, 1}, NULL, NULL, 0}};
  tessera_view result = {0};
  // CHECK-NEXT: 2 argument `m`: size 3 in dimension 1, expected 2
  expect(shift(args, &result), TESSERA_INVALID_ARGUMENT);
  args[0].ndim = 1;
  // CHECK-NEXT: 2 argument `m`: 1 dimension, expected 2
  expect(shift(args, &result), TESSERA_INVALID_ARGUMENT);
  args[0] = matrix(data, TESSERA_FLOAT, shape);
  // CHECK-NEXT: 2 argument `m`: element type float32, expected int32
  expect(shift(args, &result), TESSERA_INVALID_ARGUMENT);
  // CHECK-NEXT: 2 no arguments
  expect(shift(NULL, &result), TESSERA_INVALID_ARGUMENT);
  if (result.data)
    printf("a result\n");
}

/* The same bits for every number of threads. */
static void usesThreads(void) {
  enum { size = 200 };
  int64_t shape[] = {size, size};
  float *a = malloc(sizeof(float[size][size]));
  for (int i = 0; i < size * size; ++i)
    a[i] = (float)(i % 17) / 7;
  tessera_view args[] = {matrix(a, TESSERA_FLOAT, shape), matrix(a, TESSERA_FLOAT, shape)};
  tessera_view one = {0}, many = {0};
  if (getenv("TESSERA_NUM_THREADS") && tessera_num_threads() != atoi(getenv("TESSERA_NUM_THREADS")))
    printf("%d threads\n", tessera_num_threads());
  tessera_set_threads(1);
  multiply(args, &one);
  tessera_set_threads(4);
  // CHECK-NEXT: 4 threads
  printf("%d threads\n", tessera_num_threads());
  multiply(args, &many);
  // CHECK-NEXT: same
  puts(memcmp(one.data, many.data, sizeof(float[size][size])) ? "different" : "same");
  tessera_free(&one);
  tessera_free(&many);
  free(a);
}

int main(void) {
  multiplies();
  refuses();
  usesThreads();
  return 0;
}
