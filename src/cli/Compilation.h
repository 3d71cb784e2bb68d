/// The steps that commands share: from options to a compilation, from text to a checked program,
/// and from a program to code in this process.
#ifndef TESSERA_CLI_COMPILATION_H
#define TESSERA_CLI_COMPILATION_H

#include "cli/Commands.h"
#include "cli/Schedules.h"
#include "compiler/Session.h"
#include "jit/Jit.h"

namespace tessera::cli {

/// The time of each step, in seconds; `read` is the time for reading arguments.
struct Timing {
  double check = 0, read = 0, compile = 0, load = 0, run = 0;
  bool isCached = false;
  double flops = 0; ///< Operations of the call; 0 if they were not counted.
};

/// A source file during compilation. `open` returns null if the file cannot be read or its language
/// is unknown.
struct Source {
  SourceFile file;
  const Language *language;
  Checked program;
  Timing timing;
  std::shared_ptr<Schedules> schedules = nullptr;
  /// The only errors are that the device lacks what the program requires.
  bool exceedsDevice = false;
  /// An option, such as a definition, is wrong, whatever the program is.
  bool blamesOptions = false;
  /// --strict rejects what `specialize` would only warn about: the program is wrong, not its sizes.
  bool isForbidden = false;

  static std::unique_ptr<Source> open(llvm::StringRef path, const Invocation &invocation,
                                      Terminal &terminal);
  /// Reports the program's diagnostics. False if it is wrong. If `specialize` follows, only errors
  /// are reported: most warnings are about sizes, which are known then, and so is where results
  /// begin.
  bool check(const LanguageOptions &options, const Invocation &invocation, Terminal &terminal);
  /// The text that positions at run time are in. MLIR carries those of the program that it was made
  /// from, whose text is not at hand.
  const SourceFile &textOfPositions() const;
  /// The exit status of commands that compile, if `check` returned false.
  ExitStatus failure() const {
    return blamesOptions ? UsageError : exceedsDevice ? NotPossibleHere : ProgramError;
  }
  /// Replaces the program by the one for the function of `options` and these sizes, if the language
  /// has such programs. Reports contradicting sizes and then returns false.
  bool specialize(const SizeBindings &sizes, CompileOptions &options, const Invocation &invocation,
                  Terminal &terminal);
  /// The exit status if the program cannot be used as the command line requests, after `specialize`
  /// as well.
  ExitStatus refusal() const { return isForbidden ? ProgramError : UsageError; }
  /// Reads --schedule and the records of tuning into `options`. Reports a file that cannot be used
  /// and then returns false.
  bool readSchedules(CompileOptions &options, const Invocation &invocation, Terminal &terminal);
};

/// For --time: one line of JSON on standard error, after all standard output.
void printTiming(const Source &source, const Invocation &invocation, Terminal &terminal);

/// Reads the options; reports those that do not fit the language or this machine. Then it returns
/// nullopt and sets `status`.
std::optional<CompileOptions> compileOptions(const Language &language, const Invocation &invocation,
                                             Terminal &terminal, int &status);

/// The dialect that is the language itself has the language's name.
llvm::StringRef stageName(core::Stage stage, const Language &language);
/// The stage of this name, if it is one of `choices`; otherwise reports them.
std::optional<core::Stage> stageNamed(llvm::StringRef name, llvm::ArrayRef<core::Stage> choices,
                                      const Language &language, Terminal &terminal);

/// The function that --call names, or `main`, or the only one: it becomes the entry point of
/// `options`. Reports an unknown one.
const Signature *calledFunction(const Source &source, CompileOptions &options, Terminal &terminal);

/// For `emit` and `build`: with --size, the program for these sizes, all of which must be given.
bool specializeByOption(Source &source, CompileOptions &options, const Invocation &invocation,
                        Terminal &terminal);

/// Why the function cannot be the `main` of an executable; "" if it can.
std::string whyNoProgram(const Signature &function, const Language &language);

/// Compiles, or takes the object from the cache, and loads it. Null on failure, which is reported,
/// with `status` set.
std::unique_ptr<jit::Program> loadProgram(Source &source, const CompileOptions &options,
                                          llvm::ArrayRef<jit::Foreign> foreign, Terminal &terminal,
                                          int &status);

double now();
/// "1.234 ms".
std::string timeText(double seconds);

/// Prints the program at the stage that --stage or --to names; returns the exit status.
int emitProgram(Source &source, const CompileOptions &options, const Invocation &invocation,
                Terminal &terminal);

} // namespace tessera::cli

#endif
