// Code for a better processor reports an error instead of dying by a signal.
// RUN: tessera build %S/Inputs/library.ttl -o %t.o --header %t.h --cpu=x86-64-v3
// RUN: %cc -include %t.h %s %t.o %runtime -lm -lpthread -o %t
// RUN: env TESSERA_PRETEND_CPU=x86-64-v2 %t | FileCheck %s
// CHECK: 4 `scale` was compiled for x86-64-v3, but this CPU lacks avx, avx2, bmi

// The check precedes all instructions of the level: functions called from C have none.
// RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=scale,multiply,ttl_main %t.o | FileCheck %s --check-prefix=BASE
// BASE: <scale>:
// BASE-NOT: {{[xyz]mm}}
// BASE: jmp
// BASE: <ttl_main>:
// BASE-NOT: {{[xyz]mm}}
// BASE: jmp
// RUN: llvm-objdump -d --disassemble-symbols=body.scale %t.o | FileCheck %s --check-prefix=LEVEL
// LEVEL: xmm

// An executable ends with the status for what this machine cannot do.
// RUN: tessera build %S/Inputs/library.ttl -o %t.out --cpu=x86-64-v3
// RUN: env TESSERA_PRETEND_CPU=x86-64-v2 bash -c '%t.out; test $? = 4' 2>&1 | FileCheck %s --check-prefix=MAIN
// MAIN: `main` was compiled for x86-64-v3, but this CPU lacks avx

// So does code in the process, and code for the build machine itself.
// RUN: env TESSERA_PRETEND_CPU=x86-64-v2 bash -c 'tessera run --cpu=x86-64-v3 %S/Inputs/library.ttl; test $? = 4' 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: tessera build %S/Inputs/library.ttl -o %t.out --cpu=native
// RUN: env TESSERA_PRETEND_CPU=x86-64 bash -c '%t.out; test $? = 4' 2>&1 | FileCheck %s --check-prefix=NATIVE
// NATIVE: `main` was compiled for x86-64-v{{.*}}, but this CPU lacks sse3
#include <stdio.h>

int main(void) {
  float a[2][3] = {{0}}, result[2][3];
  int status = scale_plain(a, 1, result);
  printf("%d %s\n", status, tessera_last_error());
  return 0;
}
