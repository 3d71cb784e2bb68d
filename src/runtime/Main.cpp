/// The start of an executable: calls its one entry and turns the outcome into an exit status.
#include "runtime/Generated.h"
#include <cstdio>

int tessera_rt_main(const tessera_signature *signature) {
  tessera_rt_install_stack_guard();
  tessera_view result{};
  int status = tessera_rt_invoke(signature, nullptr, &result);
  fflush(stdout);
  if (status != TESSERA_OK) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return status;
  }
  int value = signature->num_results ? *static_cast<int32_t *>(result.data) : 0;
  tessera_free(&result);
  return value & 0xff;
}
