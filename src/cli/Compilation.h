/// The steps that commands share: options to a compilation, text to a checked program, a program to
/// code in this process.
#ifndef TESSERA_CLI_COMPILATION_H
#define TESSERA_CLI_COMPILATION_H

#include "cli/Commands.h"
#include "cli/Schedules.h"
#include "compiler/Session.h"
#include "jit/Jit.h"

namespace tessera::cli {

/// Where the time went, in seconds. `read` is the time for arguments.
struct Timing {
  double check = 0, read = 0, compile = 0, load = 0, run = 0;
  bool isCached = false;
  double flops = 0; ///< Operations of the call; 0 where they were not counted.
};

/// A source file on its way. Made by `open`; nothing is returned where the file cannot be read or
/// the language is not known.
struct Source {
  SourceFile file;
  const Language *language;
  Checked program;
  Timing timing;
  std::shared_ptr<Schedules> schedules = nullptr;
  /// The program is wrong only in that it asks for what the device lacks.
  bool exceedsDevice = false;
  /// An option, such as a definition, is wrong, whatever the program is.
  bool blamesOptions = false;
  /// --strict forbids what `specialize` would only warn of: the program is wrong, not its sizes.
  bool isForbidden = false;

  static std::unique_ptr<Source> open(llvm::StringRef path, const Invocation &invocation,
                                      Terminal &terminal);
  /// Reports the program's diagnostics. False when it is wrong. Where `specialize` follows, only
  /// errors are reported: most warnings are about sizes that are known then, and so is where
  /// results begin.
  bool check(const LanguageOptions &options, const Invocation &invocation, Terminal &terminal);
  /// The exit status where `check` was false, of commands that compile.
  ExitStatus failure() const {
    return blamesOptions ? UsageError : exceedsDevice ? NotPossibleHere : ProgramError;
  }
  /// Goes on with the program for the function of `options` and these sizes, where the language has
  /// such programs. Reports what the sizes contradict; false then.
  bool specialize(const SizeBindings &sizes, CompileOptions &options, const Invocation &invocation,
                  Terminal &terminal);
  /// The exit status where the program cannot be used as the command line says, `specialize`
  /// included.
  ExitStatus refusal() const { return isForbidden ? ProgramError : UsageError; }
  /// Reads --schedule and what tuning found, for `options` to follow. Reports a file that cannot be
  /// used; false then.
  bool readSchedules(CompileOptions &options, const Invocation &invocation, Terminal &terminal);
};

/// For --time: one line of JSON on standard error, behind all that goes to standard output.
void printTiming(const Source &source, const Invocation &invocation, Terminal &terminal);

/// Reads the options; reports those that do not fit the language or this machine. Nothing is
/// returned then, and `status` is set.
std::optional<CompileOptions> compileOptions(const Language &language, const Invocation &invocation,
                                             Terminal &terminal, int &status);

/// The dialect of a language is called as the language is.
llvm::StringRef stageName(core::Stage stage, const Language &language);
/// The stage of this name, if it is one of `choices`; otherwise reports them.
std::optional<core::Stage> stageNamed(llvm::StringRef name, llvm::ArrayRef<core::Stage> choices,
                                      const Language &language, Terminal &terminal);

/// The function that --call names, or the program's own, or its only one: it becomes the entry of
/// `options`. Reports an unknown one.
const Signature *calledFunction(const Source &source, CompileOptions &options, Terminal &terminal);

/// For `emit` and `build`: with --size, the program for these sizes, all of which must be given.
bool specializeByOption(Source &source, CompileOptions &options, const Invocation &invocation,
                        Terminal &terminal);

/// Why the function cannot run without arguments and end in an exit status; "" where it can.
std::string whyNoProgram(const Signature &function, const Language &language);

/// Compiles, or takes the object from the cache, and loads it. Null where that fails: it is
/// reported, and `status` is set.
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
