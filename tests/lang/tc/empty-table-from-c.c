// An index that is in range by its form still needs a tensor with elements, if there is any point. [tc.index.7]
// RUN: tessera check --ranges %S/Inputs/empty-table.tc | FileCheck %s --check-prefix=RANGES
// RUN: not tessera run %S/Inputs/empty-table.tc --call modulo A=[] P=[1] 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: tessera run %S/Inputs/empty-table.tc --call asked A=[] P=[1] --expect O=[7]
// RUN: tessera build %S/Inputs/empty-table.tc -o %t.o --header %t.h
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RANGES-COUNT-2: needs 1 <= N
// RANGES-NOT: needs
// CALL: takes values in 0:1, but dimension 0 of `A` has the range 0:0 [tc.error.18]
#include <stdio.h>

static void show(int status, float result) {
  printf("%d %g %s\n", status, result, status ? tessera_last_error() : "");
}

int main(void) {
  float table[] = {3}, result[] = {0};
  int32_t places[] = {5};
  // CHECK: 0 3
  show(modulo_plain(1, 1, table, places, result), result[0]);
  // CHECK-NEXT: 2 3 {{.*}}empty-table.tc:2:12: error: {{.*}}1 <= N
  show(modulo_plain(0, 1, table, places, result), result[0]);
  // CHECK-NEXT: 0 3
  show(modulo_plain(0, 0, table, places, result), result[0]);
  // CHECK-NEXT: 2 3 {{.*}}empty-table.tc:5:12: error: {{.*}}1 <= N
  show(clamped_plain(0, 1, table, places, result), result[0]);
  // CHECK-NEXT: 0 7
  show(asked_plain(0, 1, table, places, result), result[0]);
}
