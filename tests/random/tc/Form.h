/// Integer expressions as linear sums, as range inference sees an index.
#ifndef TESSERA_TESTS_RANDOM_TC_FORM_H
#define TESSERA_TESTS_RANDOM_TC_FORM_H

#include "Plan.h"

namespace tessera::tc::random {

struct Form {
  struct Other {
    int64_t factor;
    const Expr *expr; ///< A product, quotient, remainder, minimum or maximum.
  };

  /// Its value depends on elements of tensors or on `?:`: nothing is known about it.
  bool isData = false;
  /// It has a variable times zero, which code for all sizes may reject [tc.infer.14].
  bool isVague = false;
  std::vector<int64_t> factors; ///< One for each variable.
  int64_t rest = 0;
  std::vector<Other> others;

  bool isNumber() const;
};

/// Makes forms in one def with its sizes.
class FormMaker {
public:
  FormMaker(const Plan &plan, size_t numVariables) : plan(plan), numVariables(numVariables) {}
  /// For bounds, which contain no variables.
  static FormMaker ofBounds(const Plan &plan) {
    FormMaker maker(plan, 0);
    maker.isBound = true;
    return maker;
  }

  Form of(const Expr &expr) const;
  /// The value of an expression without data at one point.
  int64_t at(const Expr &expr, llvm::ArrayRef<int64_t> point) const;
  /// The variables in an expression without data.
  void collect(const Expr &expr, std::vector<bool> &variables) const;

private:
  Form number(int64_t value) const;
  Form data() const;
  Form ofReference(const Reference &reference) const;
  Form ofApply(const Apply &apply, const Expr &self) const;
  Form ofCast(const Cast &cast) const;
  Form ofBinary(const Binary &binary, const Expr &self) const;
  Form ofElement(const Tensor *tensor) const;
  Form wrapped(Form value, const Expr &self) const;
  /// An expression that is neither a sum nor data.
  Form other(const Expr &self) const;

  const Plan &plan;
  size_t numVariables;
  bool isBound = false;
};

/// Rounded towards minus infinity; division by zero gives 0.
int64_t floorDivided(int64_t a, int64_t b);

} // namespace tessera::tc::random

#endif
