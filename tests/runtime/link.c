// The archive links into a C program with the C compiler alone.
// RUN: %plaincc %s %runtime -I%include -lpthread -lm -o %t && %t
#include "tessera/runtime.h"
#include <stdio.h>
#include <string.h>

/* What `tessera build` writes for a function, here by hand: the names of Generated.h, in C. */
typedef struct {
  const char *name;
  tessera_dtype dtype;
  int32_t ndim;
  const int64_t *shape;
} parameter;

typedef struct {
  const char *name;
  int32_t num_parameters, num_results;
  const parameter *parameters, *results;
  const char *cpu;
  void (*body)(void **slots);
} signature;

int tessera_rt_invoke(const signature *, const tessera_view *, tessera_view *);
void *tessera_rt_alloc(int64_t bytes);
void tessera_rt_parallel_for(void (*body)(void *, int64_t, int64_t), void *context, int64_t count,
                             int64_t grain);
typedef struct {
  int64_t rank;
  void *descriptor;
} unranked;
void _mlir_ciface_tessera_rt_print_floats(const unranked *matrix);

typedef struct {
  float *allocated, *aligned;
  int64_t offset, size, stride;
} vector;

static void twice_range(void *context, int64_t lo, int64_t hi) {
  vector *v = context;
  for (int64_t i = lo; i < hi; ++i)
    v[1].aligned[i] = 2 * v[0].aligned[i];
}

static void twice_body(void **slots) {
  vector *x = slots[0], *y = slots[1];
  vector both[2] = {*x, *x};
  both[1].allocated = both[1].aligned = tessera_rt_alloc(x->size * 4);
  tessera_rt_parallel_for(twice_range, both, x->size, 16);
  *y = both[1];
}

static const int64_t any[] = {-1};
static const parameter x_parameter = {"x", {TESSERA_FLOAT, 32, 1}, 1, any};
static const parameter y_result = {"y", {TESSERA_FLOAT, 32, 1}, 1, any};
static const signature twice_signature = {"twice",   1,           1,         &x_parameter,
                                          &y_result, "x86-64-v2", twice_body};

int twice(const tessera_view *args, tessera_view *results) {
  return tessera_rt_invoke(&twice_signature, args, results);
}

int main(void) {
  float x[100];
  int64_t size = 100;
  for (int i = 0; i < 100; ++i)
    x[i] = (float)i;
  tessera_view in = {x, {1, 0}, 1, {TESSERA_FLOAT, 32, 1}, &size, NULL, 0}, out = {0};
  tessera_set_threads(2);
  if (twice(&in, &out) != TESSERA_OK || ((float *)out.data)[99] != 198 || out.shape[0] != 100)
    return 1;
  tessera_free(&out);
  if (out.data)
    return 2;
  in.dtype.bits = 64;
  if (twice(&in, &out) != TESSERA_INVALID_ARGUMENT ||
      strcmp(tessera_last_error(), "argument `x`: element type float64, expected float32"))
    return 3;
  vector head = {x, x, 0, 3, 1};
  unranked matrix = {1, &head};
  _mlir_ciface_tessera_rt_print_floats(&matrix);
  return 0;
}
