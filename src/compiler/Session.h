/// One compilation: a checked program on its way to a stage.
#ifndef TESSERA_COMPILER_SESSION_H
#define TESSERA_COMPILER_SESSION_H

#include "backend/Backend.h"
#include "core/Stage.h"
#include "lang/Language.h"
#include "schedule/Kernel.h"
#include <functional>
#include <memory>

namespace tessera {

struct CompileOptions {
  LanguageOptions language;
  Target target;
  const Backend *backend = nullptr;
  bool timePasses = false;
  bool expandsMath = true;                  ///< False to count a function as one operation.
  core::Stage from = core::Stage::Core;     ///< The stage of a program that is not in a dialect.
  const LanguageDialect *dialect = nullptr; ///< The program's; set by the session.
  std::string after;                        ///< Print the module after this pass.
  SizeBindings sizes = {};                  ///< The sizes that the program is specialized for.
  /// Called when each operation has the model's schedule; may replace schedules.
  std::function<void(llvm::ArrayRef<schedule::Kernel>,
                     llvm::MutableArrayRef<schedule::Contraction>)>
      reschedule = nullptr;
};

/// An error after the program was found correct: a compiler bug, unless the program was MLIR, of
/// which only the stage's contract is checked.
struct CompilerBug {
  std::string message, reproducer;
  LineColumn place = {}; ///< The operation in the first message.
};

/// Owns the MLIR context, so that several steps of one compilation share it.
class Session {
public:
  explicit Session(CompileOptions options);
  ~Session();

  /// The program as text at a stage, or after a pass before it. If that pass did not run, returns
  /// nullopt without setting a bug.
  std::optional<std::string> print(const Language &language, const Checked &program,
                                   core::Stage stage);
  /// Object code, also for Artifact::Library and Program.
  std::optional<std::string> compile(const Language &language, const Checked &program,
                                     Artifact artifact);
  /// The scheduled operations of a program, which is kept at stage Scheduled for `compileWith`.
  std::optional<std::vector<schedule::Kernel>> schedule(const Language &language,
                                                        const Checked &program);
  /// An object with these schedules, one per operation. May be called repeatedly.
  std::optional<std::string> compileWith(llvm::ArrayRef<schedule::Contraction> schedules);
  /// The passes that ran, without duplicates, if `after` names one.
  llvm::ArrayRef<std::string> passes() const;
  /// Set after a step has returned nullopt.
  const CompilerBug &bug() const { return failure; }

private:
  struct State;
  /// Lowers the program to where it enters the pipeline, and returns that stage.
  core::Stage lower(const Language &language, const Checked &program);
  std::optional<std::string> finish(core::Stage stage, Artifact artifact);
  bool advance(core::Stage from, core::Stage to);
  bool advanceFrom(core::Stage from, core::Stage to, std::string &text);
  void reschedule();
  bool step(core::Stage from, core::Stage to);

  CompileOptions options;
  std::unique_ptr<State> state;
  CompilerBug failure;
};

/// Everything besides the program's text that affects its code.
std::string fingerprint(const CompileOptions &options);

} // namespace tessera

#endif
