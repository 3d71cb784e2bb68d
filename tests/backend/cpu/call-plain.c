// Functions of static sizes take C arrays, from C and C++, however they are linked.
// RUN: tessera build %S/Inputs/library.ttl -o %t.o --header %t.h
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RUN: clang-22 -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror -include %t.h %s -x none %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RUN: %cc -O2 -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s

// An archive is self-contained; so is a shared library.
// RUN: tessera build %S/Inputs/library.ttl -o %t.a
// RUN: %cc -include %t.h %s %t.a -lm -lpthread -o %t && %t | FileCheck %s
// RUN: mkdir -p %t.dir && tessera build %S/Inputs/library.ttl -o %t.dir/libplain.so
// RUN: %cc -include %t.h %s -L%t.dir -lplain -Wl,-rpath,%t.dir -o %t && %t | FileCheck %s

// The same without optimization, with checks, with debug information.
// RUN: tessera build %S/Inputs/library.ttl -o %t.o -O0 --checked -g
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
#include <stdio.h>

int main(void) {
  float a[2][3] = {{1, 2, 3}, {4, 5, 6}}, scaled[2][3];
  int status = scale_plain(a, 2, scaled);
  // CHECK: 0: 2 6 12
  printf("%d: %g %g %g\n", status, scaled[0][0], scaled[0][2], scaled[1][2]);

  int32_t quotient = -1;
  status = ttl_div_plain(7, 2, &quotient);
  // CHECK-NEXT: 0: 3
  printf("%d: %d\n", status, quotient);

  // A failure leaves the result untouched and says where it happened.
  status = ttl_div_plain(7, 0, &quotient);
  // CHECK-NEXT: 3: 3 {{.*}}library.ttl:16:{{[0-9]+}}: error: division of 7 by zero
  printf("%d: %d %s\n", status, quotient, tessera_last_error());

  // Parameters and functions whose names C reserves are renamed.
  status = ttl_malloc_plain(4, 2, &quotient);
  // CHECK-NEXT: 0: 42
  printf("%d: %d\n", status, quotient);
  fflush(stdout);
  int32_t printed[2] = {5, 6};
  // CHECK-NEXT: [5, 6]
  ttl_exit_plain(printed);
  float half;
  ttl_ttl_div_plain(1, &half);
  // CHECK-NEXT: 1.5
  printf("%g\n", half);
  status = ttl_main_plain(&quotient);
  // CHECK-NEXT: 0: 300
  printf("%d: %d\n", status, quotient);
  return 0;
}
