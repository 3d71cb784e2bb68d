#include "lang/tc/Affine.h"
#include "lang/tc/Forms.h"

using namespace tessera::tc;

std::optional<Affine> tessera::tc::affineOf(const Expr &index, const Comprehension &statement,
                                            const Frame &frame, Inferred &inferred) {
  SizeContext &sizes = inferred.sizes;
  Forms forms(statement, frame, inferred);
  Size form = forms.of(index);
  if (!form || forms.hasData(form))
    return std::nullopt;
  Affine affine;
  affine.coefficients.assign(statement.variables.size(), 0);
  affine.offset = form;
  auto take = [&](int64_t coefficient, Size atom) {
    std::optional<unsigned> variable = forms.variableOf(atom);
    if (!variable)
      return;
    affine.coefficients[*variable] += coefficient;
    affine.offset = sizes.sub(affine.offset, sizes.mul(sizes.constant(coefficient), atom));
  };
  if (form.kind() == Size::Symbol)
    take(1, form);
  if (form.kind() == Size::Sum)
    for (const Size::Term &term : form.terms())
      take(term.coefficient, term.atom);
  if (!affine.offset || forms.hasVariable(affine.offset))
    return std::nullopt;
  return affine;
}
