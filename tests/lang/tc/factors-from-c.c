// A library finds the ranges that `run` finds, also for factors of either sign, and refuses the sizes that `run` refuses.
// [tc.infer.14] [tc.error.18]
// RUN: tessera build %S/Inputs/factors.tc -o %t.o --header %t.h 2> %t.warnings
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RUN: tessera run %S/Inputs/factors.tc --call every [0,1,2,3,4,5] 2 | FileCheck %s --check-prefix=TWICE
// RUN: tessera run %S/Inputs/factors.tc --call every [0,1,2,3,4,5] -2 | FileCheck %s --check-prefix=BACK
// RUN: not tessera run %S/Inputs/factors.tc --call every [0,1,2,3,4,5] 0
// RUN: tessera run %S/Inputs/factors.tc --call table [0,1,2,3] [1,2,3] [10,20] | FileCheck %s --check-prefix=TABLE
// RUN: not tessera run %S/Inputs/factors.tc --call table [0,1] [1,2,3] [10,20]
// RUN: tessera run %S/Inputs/factors.tc --call table [] [] []
// TWICE: [1.0, 3.0, 5.0]
// BACK: [5.0, 3.0, 1.0]
// TABLE: [32.0, 35.0, 38.0]
#include <stdio.h>

static const tessera_dtype f32 = {TESSERA_FLOAT, 32, 1}, i32 = {TESSERA_INT, 32, 1};

static tessera_view view(void *data, tessera_dtype type, int32_t rank, int64_t *shape) {
  tessera_view made = {data, {1, 0}, rank, type, shape, NULL, 0};
  return made;
}

static void show(int status, tessera_view *result) {
  printf("%d", status);
  for (int64_t i = 0; !status && i < result->shape[0]; ++i)
    printf(" %g", ((float *)result->data)[i]);
  printf(" %s\n", status ? tessera_last_error() : "");
  tessera_free(result);
}

static void callEvery(int32_t k) {
  float a[6] = {0, 1, 2, 3, 4, 5};
  int64_t six = 6;
  tessera_view args[] = {view(a, f32, 1, &six), view(&k, i32, 0, NULL)}, made = {0};
  int status = every(args, &made);
  show(status, &made);
}

static void callTable(int64_t n, int64_t m, int64_t k) {
  float a[] = {0, 1, 2, 3}, b[] = {1, 2, 3}, c[] = {10, 20};
  tessera_view args[] = {view(a, f32, 1, &n), view(b, f32, 1, &m), view(c, f32, 1, &k)}, made = {0};
  int status = table(args, &made);
  show(status, &made);
}

int main(void) {
  // CHECK: 0 1 3 5
  callEvery(2);
  // CHECK-NEXT: 0 5 3 1
  callEvery(-2);
  // CHECK-NEXT: 0 1
  callEvery(7);
  // CHECK-NEXT: 0 1
  callEvery(-7);
  // CHECK-NEXT: 2 {{.*}}factors.tc:3:12: error: these sizes do not fit: 1 <= max(k, -k) does not hold, because 1 is greater than 0 [tc.error.18]
  callEvery(0);
  // CHECK-NEXT: 0 32 35 38
  callTable(4, 3, 2);
  // CHECK-NEXT: 2 {{.*}}factors.tc:7:28: error: these sizes do not fit: i*j < N does not hold, because 3 is greater than 2 [tc.error.18]
  callTable(2, 3, 2);
  // Nothing is read where nothing is computed.
  // CHECK-NEXT: 0 {{$}}
  callTable(0, 0, 2);
  // CHECK-NEXT: 0 0 0 0
  callTable(0, 3, 0);
  return 0;
}
