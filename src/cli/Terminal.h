/// Where output goes, how it looks, and how a run of `tessera` ends.
#ifndef TESSERA_CLI_TERMINAL_H
#define TESSERA_CLI_TERMINAL_H

#include "cli/Diagnostics.h"
#include "support/Diagnostics.h"

namespace tessera::cli {

/// The contract of the command line: see docs/using/cli.md.
enum ExitStatus : int {
  Success = 0,
  ProgramError = 1,    ///< The program is wrong.
  UsageError = 2,      ///< The command line, an argument or an input file is wrong.
  RuntimeError = 3,    ///< The program failed.
  NotPossibleHere = 4, ///< Correct, but this machine cannot do it.
  Bug = 70,
  Interrupted = 130
};

/// The streams of one run. Errors about the command line itself are collected and shown by `flush`.
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
  bool isInteractive = false; ///< Standard error is a terminal: progress may be drawn there.

private:
  DiagnosticEngine engine;
};

/// What decides about color; see wantsColor.
struct ColorInputs {
  llvm::StringRef option; ///< --color: "auto", "always", "never".
  bool isTerminal = false;
  const char *noColor = nullptr, *term = nullptr; ///< Environment variables; null: unset.
};
bool wantsColor(const ColorInputs &inputs);

/// A user's text inside a message: in backticks, cut when long, nothing in it that a terminal
/// obeys.
std::string inBackticks(llvm::StringRef text);
/// The same for the name of a file, which is of no use unless it is whole.
std::string pathInBackticks(llvm::StringRef path);

} // namespace tessera::cli

#endif
