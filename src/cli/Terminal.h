/// Where output goes, how it looks, and how a run of `tessera` ends.
#ifndef TESSERA_CLI_TERMINAL_H
#define TESSERA_CLI_TERMINAL_H

#include "cli/Diagnostics.h"
#include "support/Diagnostics.h"

namespace tessera::cli {

/// The exit statuses that docs/using/cli.md promises.
enum ExitStatus : int {
  Success = 0,
  ProgramError = 1,    ///< The program is wrong.
  UsageError = 2,      ///< The command line, an argument or an input file is wrong.
  RuntimeError = 3,    ///< The program failed.
  NotPossibleHere = 4, ///< Correct, but this machine cannot do it.
  Bug = 70,
  Interrupted = 130
};

/// The streams of one run. Errors about the command line are collected and shown by `flush`.
class Terminal {
public:
  Terminal(llvm::raw_ostream &out, llvm::raw_ostream &err, PrintStyle style = {})
      : out(out), err(err), style(style) {}

  template <typename... Ts> Report report(const DiagnosticKind &kind, Ts &&...values) {
    return engine.report(nullptr, {}, kind, std::forward<Ts>(values)...);
  }
  /// Prints an engine's diagnostics in order and empties it.
  void show(DiagnosticEngine &diagnostics);
  void flush() { show(engine); }

  llvm::raw_ostream &out, &err;
  PrintStyle style;
  bool isInteractive = false; ///< Standard error is a terminal, where progress may be shown.

private:
  DiagnosticEngine engine;
};

/// The inputs of wantsColor.
struct ColorInputs {
  llvm::StringRef option; ///< --color: "auto", "always", "never".
  bool isTerminal = false;
  const char *noColor = nullptr, *term = nullptr; ///< Environment variables; null: unset.
};
bool wantsColor(const ColorInputs &inputs);

/// A user's text inside a message: in backticks, cut off if long, without control characters.
std::string inBackticks(llvm::StringRef text);
/// The same for the name of a file, which is never cut off.
std::string pathInBackticks(llvm::StringRef path);

} // namespace tessera::cli

#endif
