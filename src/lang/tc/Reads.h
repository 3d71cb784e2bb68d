/// The reads of a statement, each with the conditions under which it happens.
#ifndef TESSERA_LANG_TC_READS_H
#define TESSERA_LANG_TC_READS_H

#include "lang/tc/Forms.h"
#include <deque>
#include <set>

namespace tessera::tc {

/// What holds where an expression is evaluated; null: nothing in particular.
struct Guard {
  const Guard *outer;
  const Expr *condition;
  bool value;
};

struct Read {
  const Apply *apply;
  SourceRange range;
  const Guard *guard;
  bool happens; ///< False in `exists`, whose expressions are never evaluated.
  /// False if guards are missing because too many lead to one expression.
  bool hasAllGuards = true;
};

class Reads {
public:
  explicit Reads(const Comprehension &statement);
  llvm::ArrayRef<Read> all() const { return reads; }

private:
  void visit(const Expr &expr, const Guard *guard);
  void visit(const Apply &apply, const Expr &self, const Guard *guard);
  void visit(const Binary &binary, const Guard *guard);
  void useLet(const LetClause &let, const Guard *guard);
  void visitLets();
  const Guard *inside(const Guard *outer, const Expr &condition, bool value);

  std::deque<Guard> guards;
  std::vector<Read> reads;
  std::map<std::tuple<const Guard *, const Expr *, bool>, const Guard *> known;
  std::set<std::pair<const LetClause *, const Guard *>> seen;
  struct Use {
    const LetClause *let;
    const Guard *guard;
    bool hasAllGuards;
  };
  std::vector<Use> waiting;
  bool happens = true, hasAllGuards = true;
};

} // namespace tessera::tc

#endif
