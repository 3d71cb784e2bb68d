// TC functions whose names are unavailable in C: header and library agree on other names.
// RUN: tessera build %S/Inputs/names.tc -o %t.a --header %t.h 2>&1 | FileCheck %s --check-prefix=NOTE
// NOTE-DAG: note: `exp` is called `tc_exp` in C, where its own name is reserved or not valid [cli.note.1]
// NOTE-DAG: note: `2fc` is called `tc_2fc` in C, where its own name is reserved or not valid [cli.note.1]
// RUN: %cc -include %t.h %s %t.a -lm -lpthread -o %t && %t | FileCheck %s
// RUN: clang-22 -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror -include %t.h %s -x none %t.a -lm -lpthread -o %t && %t | FileCheck %s
// RUN: mkdir -p %t.dir && tessera build %S/Inputs/names.tc -o %t.dir/libnames.so
// RUN: %cc -include %t.h %s -L%t.dir -lnames -Wl,-rpath,%t.dir -o %t && %t | FileCheck %s
#include <stdio.h>

int main(void) {
  float a[2] = {10, 20}, b[2] = {3, 4}, o[2];
  int status = tc_exp_plain(2, a, o);
  // CHECK: 0: 11 21
  printf("%d: %g %g\n", status, o[0], o[1]);
  status = tc_exit_plain(2, a, o);
  // CHECK-NEXT: 0: 12 22
  printf("%d: %g %g\n", status, o[0], o[1]);
  status = tc_N_plain(2, a, o);
  // CHECK-NEXT: 0: 13 23
  printf("%d: %g %g\n", status, o[0], o[1]);
  status = tc_2fc_plain(2, a, b, o);
  // CHECK-NEXT: 0: 30 80
  printf("%d: %g %g\n", status, o[0], o[1]);
  status = tc_tc_2fc_plain(2, a, o);
  // CHECK-NEXT: 0: 15 25
  printf("%d: %g %g\n", status, o[0], o[1]);
  return 0;
}
