/// The start of an executable: calls its one entry and turns the outcome into an exit status.
#include "runtime/Failure.h"
#include "runtime/Text.h"

using namespace tessera::runtime;

static void placeStackOverflow(const tessera_site &place) {
  static char sentence[failureTextCapacity];
  Text(sentence, sizeof sentence)
      .add("%s:%d:%d: error: stack overflow (recursion too deep)\n", place.file, place.line,
           place.column);
  setStackOverflowText(sentence);
}

int tessera_rt_main(const tessera_signature *signature) {
  if (signature->place)
    placeStackOverflow(*signature->place);
  tessera_rt_install_stack_guard();
  tessera_view result{};
  int status = tessera_rt_invoke(signature, nullptr, &result);
  bool isWritten = fflush(stdout) == 0 && !ferror(stdout);
  if (status != TESSERA_OK) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return status;
  }
  if (!isWritten) {
    fprintf(stderr, "error: cannot write standard output\n");
    return TESSERA_INVALID_ARGUMENT;
  }
  int value = signature->num_results ? *static_cast<int32_t *>(result.data) : 0;
  tessera_free(&result);
  return value & 0xff;
}
