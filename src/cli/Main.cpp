/// The process: streams, signals, the exit status. Everything else is in Tool.cpp.
#include "cli/Commands.h"
#include "cli/Interrupt.h"
#include "llvm/Support/ErrorHandling.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

/// The last --color counts here; the parser reports two that differ.
static StringRef colorOption(llvm::ArrayRef<const char *> words) {
  StringRef option = "auto";
  for (size_t i = 0; i < words.size(); ++i)
    if (StringRef word = words[i]; word.consume_front("--color="))
      option = word;
    else if (word == "--color" && i + 1 < words.size())
      option = words[i + 1];
  return option;
}

static PrintStyle styleFor(llvm::ArrayRef<const char *> words) {
  ColorInputs inputs{colorOption(words), isatty(STDERR_FILENO) != 0, getenv("NO_COLOR"),
                     getenv("TERM")};
  return {wantsColor(inputs), false};
}

/// A result that could not be written, for example on a full disk, must not look like success.
static int finish(llvm::raw_fd_ostream &out, Terminal &terminal, int status) {
  std::error_code error;
  // The stream that programs print to. An earlier flush may have failed, too.
  if (fflush(stdout) != 0)
    error = {errno, std::generic_category()};
  else if (ferror(stdout))
    error = std::make_error_code(std::errc::io_error);
  out.flush();
  error = error ? error : out.error();
  out.clear_error();
  if (error) {
    terminal.report(diag::CannotWrite, "standard output", error.message());
    terminal.flush();
    return UsageError;
  }
  return status;
}

/// Nothing that needs memory can be done any more.
[[noreturn]] static void endWithoutMemory() {
  constexpr char text[] = "tessera: error: out of memory\n";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  _exit(NotPossibleHere);
}

static void handleLackOfMemory() {
  std::set_new_handler(endWithoutMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endWithoutMemory(); });
}

int main(int argc, char **argv) {
  handleInterrupts();
  handleLackOfMemory();
  llvm::ArrayRef<const char *> words(argv + 1, argc > 0 ? argc - 1 : 0);
  llvm::raw_fd_ostream out(STDOUT_FILENO, /*shouldClose=*/false);
  llvm::raw_fd_ostream err(STDERR_FILENO, /*shouldClose=*/false, /*unbuffered=*/true);
  Terminal terminal(out, err, styleFor(words));
  terminal.isInteractive = isatty(STDERR_FILENO);
  int status = finish(out, terminal, runTool(words, terminal));
  err.clear_error(); // Nowhere is left to report it.
  return status;
}
