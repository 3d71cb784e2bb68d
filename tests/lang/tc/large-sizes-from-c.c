// Sizes that need more than 64 bits are refused, not computed modulo 2^64. [tc.limit.3]
// RUN: tessera build %S/Inputs/large-sizes.tc -o %t.o --header %t.h
// RUN: %cc -fsanitize=undefined -fno-sanitize-recover=all -include %t.h %s %t.o %runtime -lm -lpthread -o %t && %t | FileCheck %s
// RUN: not tessera run %S/Inputs/large-sizes.tc --call repeated 4611686018427387905
#include <stdio.h>

static int32_t result[4];

static void show(int status) {
  printf("%d %s\n", status, status ? tessera_last_error() : "");
}

int main(void) {
  int64_t half = (int64_t)1 << 62;
  // CHECK: 0
  show(repeated_plain(1, result));
  // 4 * (2^62 + 1) is 4 modulo 2^64.
  // CHECK-NEXT: 2 {{.*}}large-sizes.tc:1:5: error: a size in `repeated` is too large to be computed in 64 bits [tc.limit.3]
  show(repeated_plain(half + 1, result));
  // CHECK-NEXT: 0
  show(both_plain(2, 2, result));
  // CHECK-NEXT: 2 {{.*}}large-sizes.tc:4:5: error: a size in `both` is too large to be computed in 64 bits [tc.limit.3]
  show(both_plain(half, 4, result));
  // CHECK-NEXT: 0
  show(joined_plain(1, 3, result));
  // CHECK-NEXT: 2 {{.*}}large-sizes.tc:7:5: error: a size in `joined` is too large to be computed in 64 bits [tc.limit.3]
  show(joined_plain(half, half, result));
}
