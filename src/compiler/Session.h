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
  core::Stage from = core::Stage::Core;     ///< What a program is that is not in a dialect.
  const LanguageDialect *dialect = nullptr; ///< The program's; a session sets it.
  std::string after;                        ///< Print the module as it was behind this pass.
  SizeBindings sizes = {};                  ///< What the program is specialized for.
  /// Called when each kernel has the model's schedule; may write others.
  std::function<void(llvm::ArrayRef<schedule::Kernel>,
                     llvm::MutableArrayRef<schedule::Contraction>)>
      reschedule = nullptr;
};

/// What went wrong after the program was found correct: a bug of ours, unless the program was MLIR,
/// of which only the contract of its stage is checked.
struct CompilerBug {
  std::string message, reproducer;
  LineColumn place = {}; ///< Of the operation that the first message is about.
};

/// Owns the MLIR context, so that several steps of one compilation share it.
class Session {
public:
  explicit Session(CompileOptions options);
  ~Session();

  /// The program as text at a stage, or behind a pass on the way there: nothing when that pass did
  /// not run, and no bug.
  std::optional<std::string> print(const Language &language, const Checked &program,
                                   core::Stage stage);
  /// Object code; for Artifact::Library and Program too.
  std::optional<std::string> compile(const Language &language, const Checked &program,
                                     Artifact artifact);
  /// The kernels of a program, which stays at stage Scheduled for `compileWith`.
  std::optional<std::vector<schedule::Kernel>> schedule(const Language &language,
                                                        const Checked &program);
  /// An object in which these are computed so, one a kernel. May be called again and again.
  std::optional<std::string> compileWith(llvm::ArrayRef<schedule::Contraction> schedules);
  /// The passes that ran, once each, when `after` names one.
  llvm::ArrayRef<std::string> passes() const;
  /// Set after a step returned nothing.
  const CompilerBug &bug() const { return failure; }

private:
  struct State;
  /// The program as it enters the pipeline, and the stage that it is at then.
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

/// Everything besides the program's text that decides about its code.
std::string fingerprint(const CompileOptions &options);

} // namespace tessera

#endif
