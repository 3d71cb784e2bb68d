// Tensors with the names of C functions do not hide the functions from the linker. [tc.scope.9]
// RUN: tessera build %S/Inputs/names-of-c-functions.tc -o %t.o --header %t.h
// RUN: %cc -D_GNU_SOURCE -include math.h -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
#include <stdio.h>

int main(void) {
  float values[] = {1, 2}, result[2];
  // CHECK: 0 3 6
  int status = scaled_plain(2, values, 3, result);
  printf("%d %g %g\n", status, result[0], result[1]);
  // CHECK-NEXT: 0 1
  status = bessel_plain(2, values, result);
  printf("%d %d\n", status, fabs(result[0] - (j0(1) + y1(1))) < 1e-6);
}
