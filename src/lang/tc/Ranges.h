/// Range inference [tc.infer]: the range of every index variable and tensor of a def, and what must
/// hold so that no read is out of bounds. The same algorithm serves `check`, where size variables
/// are symbols, and `run`, where they are numbers.
#ifndef TESSERA_LANG_TC_RANGES_H
#define TESSERA_LANG_TC_RANGES_H

#include "lang/tc/Size.h"
#include "lang/tc/Syntax.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

namespace tessera::tc {

/// Half-open.
struct Range {
  Size lower, upper;

  std::string str() const { return lower.str() + ":" + upper.str(); }
};
using Shape = llvm::SmallVector<Range, 4>;

/// Something about sizes or data that must hold.
struct Precondition {
  enum State { Unknown, False }; ///< Proved ones are not kept.
  SourceRange where;
  State state = Unknown;
  /// Only sizes are in it: `smaller` <= `larger`, or == for a conflict of sizes at a call.
  /// Otherwise it depends on data or on each point, and these are null.
  Size smaller, larger;
  /// It does not depend on data: a call checks every point.
  bool isTried = false;
  bool isEquality = false;
  /// Checked like others, but without a warning: that a range does not end before it begins.
  bool isSilent = false;
  std::string text; ///< "N + M - 1 <= NM", "0 <= P(b, k) < E".
};

/// One def with its sizes: the entry, or a call inside another.
struct Frame {
  const Def *def = nullptr;
  const CallStmt *call = nullptr; ///< Null for the entry.
  SourceRange callRange;
  Frame *parent = nullptr;
  llvm::SmallVector<Size> sizes;                ///< By Def::sizes.
  llvm::DenseMap<const Tensor *, Size> scalars; ///< Integer arguments of rank 0.
  llvm::DenseMap<const Tensor *, Shape> tensors;
  llvm::DenseMap<const Comprehension *, Shape> variables; ///< By Variable::index.
  llvm::DenseMap<const CallStmt *, Frame *> calls;
  /// Reads, and their dimensions whose index is not proved to be in range where the read happens;
  /// the guards around it are taken into account. Reads that are in range if a precondition on
  /// sizes holds are not included.
  llvm::DenseMap<const Apply *, llvm::SmallVector<unsigned, 2>> unproved;
  /// Those among them that do not depend on data: checked at every point before anything is
  /// computed.
  llvm::DenseMap<const Apply *, llvm::SmallVector<unsigned, 2>> tried;
  std::vector<Precondition> preconditions;
};

/// What is known in advance: size variables and rank-0 integer inputs by name.
using Bindings = llvm::MapVector<llvm::StringRef, int64_t>;

/// A def and the defs it calls.
struct Inferred {
  SizeContext sizes;
  std::vector<std::unique_ptr<Frame>> frames; ///< The first is the entry's.
  /// The rank-0 integer inputs of the entry that sizes depend on.
  llvm::MapVector<const Tensor *, Size> scalars;
  bool isCorrect = true;

  const Frame &entry() const { return *frames.front(); }
};

/// Reports what cannot be inferred and what is provably wrong. A precondition that is not proved is
/// a warning. `isChecked`: what depends on data is checked when the program runs.
std::unique_ptr<Inferred> inferRanges(const Program &program, const Def &entry,
                                      const Bindings &bindings, DiagnosticEngine &diagnostics,
                                      bool isChecked = false);

/// A size expression of the program (a bound, a value that consists of sizes) in a frame; null if
/// it is not one.
Size sizeOf(const Expr &expr, const Frame &frame, Inferred &inferred);

/// What `check --ranges` prints.
void printRanges(Inferred &inferred, llvm::raw_ostream &out);
llvm::json::Object rangesToJson(Inferred &inferred);

} // namespace tessera::tc

#endif
