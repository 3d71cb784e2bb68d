// A shared library contains the runtime and stays loaded after dlclose, since its threads keep running.
// RUN: tessera build %S/Inputs/library.ttl -o %t.so --header %t.h
// RUN: %cc -include %t.h %s -ldl -o %t && %t %t.so | FileCheck %s
#include <dlfcn.h>
#include <stdio.h>

typedef int (*function)(const tessera_view *, tessera_view *);

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library)
    return puts(dlerror()), 1;
  function div = (function)dlsym(library, "ttl_div");
  const char *(*last_error)(void) = (const char *(*)(void))dlsym(library, "tessera_last_error");
  void (*set_threads)(int32_t) = (void (*)(int32_t))dlsym(library, "tessera_set_threads");
  if (!div || !last_error || !set_threads)
    return puts("a symbol is missing"), 1;
  dlclose(library);
  set_threads(2);
  int32_t values[] = {9, 0}, quotient = 0;
  tessera_dtype type = {TESSERA_INT, 32, 1};
  tessera_view args[] = {{&values[0], {1, 0}, 0, type, NULL, NULL, 0},
                         {&values[1], {1, 0}, 0, type, NULL, NULL, 0}};
  tessera_view result = {&quotient, {1, 0}, 0, type, NULL, NULL, 0};
  int status = div(args, &result);
  // CHECK: 3: {{.*}}division of 9 by zero
  printf("%d: %s\n", status, last_error());
  values[1] = 2;
  status = div(args, &result);
  // CHECK-NEXT: 0: 4
  printf("%d: %d\n", status, quotient);
  return 0;
}
