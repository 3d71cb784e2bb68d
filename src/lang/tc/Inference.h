/// The parts of range inference: an entry, its frames, their statements.
#ifndef TESSERA_LANG_TC_INFERENCE_H
#define TESSERA_LANG_TC_INFERENCE_H

#include "lang/tc/Diagnostics.h"
#include "lang/tc/Ranges.h"
#include "lang/tc/Solve.h"

namespace tessera::tc {

/// What all frames of an entry share.
struct Inference {
  const Program &program;
  const Bindings &bindings;
  Inferred &inferred;
  DiagnosticEngine &diagnostics;

  SizeContext &sizes() { return inferred.sizes; }
  void run(const Def &entry);
  Frame &addFrame(const Def &def);
  /// Whether the def is correct for some sizes; if not, the error has been reported in the def.
  bool isCorrectAlone(const Def &def);

  bool isTrial = false;               ///< Diagnostics are discarded.
  bool isChecked = false;             ///< What depends on data is checked at run time.
  std::vector<Size> assumptions = {}; ///< Not negative, by preconditions.
  llvm::DenseMap<const Def *, bool> correctAlone = llvm::DenseMap<const Def *, bool>();
  /// Reads and their dimensions that a warning has reported as possibly out of range.
  llvm::DenseSet<std::pair<const Apply *, unsigned>> warned = {};
};

enum class Verdict { Proved, Unknown, False };

/// Infers the ranges of a frame, statement by statement. Statements that read a tensor without a
/// range are skipped: they would only repeat the error.
class FrameInference {
public:
  FrameInference(Inference &shared, Frame &frame)
      : shared(shared), frame(frame), sizes(shared.sizes()) {}

  void run();
  void infer(const Comprehension &statement, const Stmt &self);
  void infer(const CallStmt &call, const Stmt &self);

  /// Requires that a size is not negative, or that two are equal; kept as a precondition unless
  /// proved.
  Verdict require(Size slack, SourceRange where, bool isSilent = false);
  Verdict requireEqual(Size a, Size b, SourceRange where);
  /// Requires that a size is not negative if `isAny`, 0 or 1, is 1.
  Verdict requireIf(Size isAny, Size slack, SourceRange where);
  void requireIf(Size isAny, Precondition condition);
  void addPrecondition(Precondition condition);
  /// Uses the preconditions so far, which are checked before what follows.
  std::optional<bool> isNeverNegative(Size slack);
  /// The assumptions about symbols of `size`, as sizes that are not negative.
  Facts assumptionsAbout(Size size) const;

  /// The first definition of a tensor fixes its range; others have to fit.
  void define(const Tensor &tensor, const Shape &shape, const Name &where, bool isCall);
  void leaveOut(const Tensor &tensor) { unknown.insert(&tensor); }
  const Shape *shapeOf(const Tensor &tensor) const;
  bool isEntry() const { return !frame.parent; }
  /// Without sizes, each def is an entry once; with sizes, callees are not, so their frames warn,
  /// too.
  bool warns() const { return isEntry() || !shared.bindings.empty(); }
  /// Warns of a requirement on sizes that is not proved.
  Report warn(SourceRange where, const std::string &needed, const std::string &why);

  template <typename... Ts>
  Report fail(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    Report report =
        shared.diagnostics.report(shared.program.file, range, kind, std::forward<Ts>(values)...);
    for (const Frame *at = &frame; at->parent; at = at->parent)
      report.note(at->callRange, "in this call of `{0}`", at->def->name.text);
    return report;
  }
  /// Whether an error here has not been reported yet.
  bool fails();

  Inference &shared;
  Frame &frame;
  SizeContext &sizes;
  std::string requirement; ///< The text of the last requirement that was not proved.

private:
  Verdict requireParts(Size isAny, Size slack, SourceRange where, bool isSilent);
  Verdict requirePart(Size isAny, Size slack, SourceRange where, bool isSilent);
  bool checkBytes(const Tensor &tensor, const Shape &shape, const Name &where);
  void checkAnnotation(const Tensor &tensor, const Shape &shape, const Name &where);
  void checkPart(const Tensor &tensor, const Shape &shape, const Name &where);
  void checkSame(const Tensor &tensor, const Shape &shape, const Name &where);
  bool bindSizes(Frame &callee, const CallStmt &call);
  /// One dimension of an argument.
  struct Passed {
    const CallStmt &call;
    unsigned number, dimension;
    Size size;
  };
  bool bindDimension(Frame &callee, const Passed &passed);
  void bindScalars(Frame &callee, const CallStmt &call);
  void bindResults(Frame &callee, const CallStmt &call);

  llvm::DenseSet<const Tensor *> unknown;
};

class ReadProver;

/// One comprehension.
class StatementInference {
public:
  StatementInference(FrameInference &frame, const Comprehension &statement, const Stmt &self)
      : frame(frame), sizes(frame.sizes), statement(statement), self(self),
        forms(statement, frame.frame, frame.shared.inferred), reads(statement) {}

  /// Whether the statement's ranges are known; if not, that is reported.
  bool run();

private:
  bool collect();
  bool collect(const Read &read);
  bool pin(Solver &solver);
  Size bound(const Expr &expr);
  bool checkSolved(const Solver &solver);
  const Expr *indexWithout(const Variable &variable);
  const Expr *zeroFactor(const Expr &index, const Variable &variable);
  bool checkOrder(const Solver &solver);
  void reportEmpty(const Variable &variable, const Range &range, const Solver::Origin &origin);
  void checkFactors(const Solver &solver);
  void noteBelowZero(const Box &box);
  void prove(ReadProver &prover);
  // Narrowed.cpp
  /// The range that a variable was probably meant to have, and the read that suggests it.
  struct Meant {
    Range range;
    const Read *from;
    std::string why;
  };
  void noteNarrowed(const Solver &solver, ReadProver &prover);
  bool noteNarrowed(const Variable &variable, const Inequality &end, const Solver &solver,
                    ReadProver &prover);
  std::string clausesFor(const Variable &variable, const Range &range, const Inequality &end,
                         const Solver &solver);
  const Variable *shiftedVariable(const Inequality &end);
  std::optional<Range> fittingRange(const Variable &variable, const Box &box);
  void adviseStencil(const Inequality &end, const Box &box, Report report);
  std::optional<Meant> meantRange(const Variable &variable, const Inequality &end,
                                  const Solver &solver);

  FrameInference &frame;
  SizeContext &sizes;
  const Comprehension &statement;
  const Stmt &self;
  Forms forms;
  Reads reads;
  std::vector<Inequality> inequalities;
};

/// Proves that reads are in range where they happen, and keeps what it cannot prove.
class ReadProver {
public:
  /// Adds to an error how the read can be corrected.
  using Advise = llvm::function_ref<void(const Inequality &, Report)>;

  ReadProver(FrameInference &frame, Forms &forms, const Box &box, Advise advise)
      : frame(frame), sizes(frame.sizes), forms(forms), box(box), advise(advise) {}

  /// Both ends of one dimension.
  void prove(const Inequality &lower, const Inequality &upper);
  /// Whether a condition has the value at every point.
  bool alwaysHas(const Expr &condition, bool value);

private:
  struct Finding {
    Verdict verdict = Verdict::Proved;
    bool needsElements = false;                  ///< Proved, if the tensor has any.
    std::optional<int64_t> index = std::nullopt; ///< An index that is out of range.
  };

  bool isLinear(const Inequality &inequality) const;
  bool isMonotone(const Inequality &inequality) const;
  void proveSizes(const Inequality &lower, const Inequality &upper);
  void requireUnlessEmpty(const Inequality &inequality);
  void requireElements(const Inequality &inequality);
  bool holdsAtPoints(const Inequality &inequality) const;
  void proveSize(const Inequality &inequality);
  Finding proveRead(const Inequality &inequality);
  struct Violation {
    SizeProof::Answer answer;
    bool isDefinite;
    std::optional<int64_t> index; ///< An index that is out of range.
  };
  Violation violation(const Inequality &inequality, bool hasElements);
  /// Iterates over the points of a box.
  struct Points {
    struct Variable {
      unsigned symbol;
      int64_t lower, upper;
    };
    llvm::SmallVector<Variable> variables;
    llvm::SmallVector<int64_t> at; ///< By symbol.
    int64_t number = 1;
    bool areReached = true; ///< The ranges of all other variables have elements.
    void advance();
  };
  std::optional<Points> pointsOf(llvm::ArrayRef<Size> occurring) const;
  bool areOfPoints(llvm::ArrayRef<Size> all) const;
  std::optional<Violation> tryAll(const Inequality &inequality);
  const char *whyUnproved(const Inequality &inequality) const;
  void assume(SizeProof &proof, Size fact, bool &isDefinite);
  void assumePoint(SizeProof &proof, bool &isDefinite);
  void assume(SizeProof &proof, const Condition &condition, bool &isDefinite);
  void assumeOthers(SizeProof &proof, Size slack);
  const Condition &conditionOf(const Guard &guard);
  void keep(const Inequality &lower, Finding below, Finding above);
  void reportFalse(const Inequality &inequality, std::optional<int64_t> index = std::nullopt);
  const Range &stored(const Inequality &inequality) const;
  std::string indexText(const Inequality &inequality) const;

  FrameInference &frame;
  SizeContext &sizes;
  Forms &forms;
  const Box &box;
  Advise advise;
  std::map<const Guard *, Condition> conditions;
};

} // namespace tessera::tc

#endif
