/// Initializers of definitions: a value of the same type, a scalar, a range, or a one-dimensional
/// matrix that fills one of higher rank [ttl.var].
#include "lang/ttl/Check.h"
#include "lang/ttl/Constant.h"

using namespace tessera;
using namespace tessera::ttl;

void Checker::checkInit(const VarDef &def) {
  if (!def.init) {
    if (def.type.isMatrix() && !def.type.isStatic())
      fail(def.name.range, diag::DynamicWithoutInit, def.name.text, def.type.str());
    return;
  }
  const Type &init = def.init->type;
  switch (init.kind) {
  case Type::Invalid:
    return;
  case Type::Void:
    fail(def.init->range, diag::VoidAsValue, def.init->bare().as<Call>()->callee.text);
    return;
  case Type::Range:
    return checkRangeInit(def);
  case Type::Int:
  case Type::Float:
    return checkScalarInit(def);
  case Type::Matrix:
    return checkMatrixInit(def);
  }
}

/// The number of elements of a range with constant bounds.
static std::optional<int64_t> rangeLength(const Expr &range) {
  auto *binary = range.bare().as<Binary>();
  auto begin = constantValue(*binary->lhs), end = constantValue(*binary->rhs);
  return begin && end ? std::optional(*end - *begin) : std::nullopt;
}

void Checker::checkRangeInit(const VarDef &def) {
  SourceRange at = def.init->range;
  bool takesDynamic = options.standard == "reference" && def.type.rank() == 1;
  if (!def.type.isMatrix())
    fail(at, diag::ScalarFromRange, def.name.text, def.type.str());
  else if (def.type.element == Type::Float)
    fail(at, diag::RangeIntoFloat, def.name.text);
  else if (!def.type.isStatic() && !takesDynamic)
    fail(at, diag::RangeIntoDynamic, def.name.text, def.type.str());
  else if (auto length = rangeLength(*def.init);
           length && def.type.isStatic() && *length != def.type.numElements())
    fail(at, diag::RangeCountDiffers, def.name.text,
         counted(def.type.numElements(), "element", "elements"), *length);
}

void Checker::checkScalarInit(const VarDef &def) {
  const Type &type = def.type, &init = def.init->type;
  SourceRange at = def.init->range;
  if (type.isScalar() && type != init)
    suggestFloat(fail(at, diag::ScalarKindDiffers, def.name.text, type.str(), init.str()), type,
                 *def.init);
  if (!type.isMatrix())
    return;
  if (!type.isStatic())
    fail(at, diag::BroadcastIntoDynamic, def.name.text, type.str());
  else if (type.element != init.kind)
    suggestFloat(fail(at, diag::BroadcastKindDiffers, def.name.text, Type::of(type.element).str(),
                      init.str()),
                 Type::of(type.element), *def.init);
}

void Checker::checkMatrixInit(const VarDef &def) {
  const Type &type = def.type, &init = def.init->type;
  SourceRange at = def.init->range;
  if (!type.isMatrix())
    fail(at, diag::ScalarFromMatrix, def.name.text, type.str(), init.str());
  else if (init.rank() == 1 && type.rank() > 1)
    checkReshape(def);
  else if (onlyPedantic(type, init))
    fail(at, diag::PedanticMismatch, type.str(), init.str());
  else if (!matches(type, init))
    fail(at, diag::MatrixDiffers, def.name.text, type.str(), init.str());
  else
    checkValueSizes(type, *def.init);
}

/// A static matrix may be filled from a one-dimensional one with as many elements.
void Checker::checkReshape(const VarDef &def) {
  const Type &type = def.type, &init = def.init->type;
  SourceRange at = def.init->range;
  if (!type.isStatic())
    fail(at, diag::ReshapeToDynamic, def.name.text, type.str());
  else if (type.element != init.element)
    fail(at, diag::ListElementDiffers, def.name.text, Type::of(type.element).str(),
         Type::of(init.element).str());
  else if (!init.isStatic())
    fail(at, diag::ReshapeFromDynamic, def.name.text,
         counted(type.numElements(), "element", "elements"), init.str());
  else if (type.numElements() != init.numElements())
    fail(at, diag::CountDiffers, def.name.text, counted(type.numElements(), "element", "elements"),
         init.numElements());
}

void Checker::suggestFloat(Report report, const Type &wanted, const Expr &expr) {
  const Expr *bare = &expr.bare();
  if (auto *unary = bare->as<Unary>(); unary && unary->op == UnaryOp::Minus)
    bare = unary->operand;
  if (wanted.kind == Type::Float && bare->as<IntLiteral>())
    report.fix({bare->range.end, bare->range.end}, ".0");
}
