#include "lang/weld/Advice.h"
#include "lang/weld/Check.h"
#include "lang/weld/TypeRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

/// `owner` is the expression that contains the type; null for parameters and definitions.
/// Definitions see the first `numAliases` definitions only.
const Type *Checker::typeOf(const TypeExpr &written, const Expr *owner, size_t numAliases) {
  if (!written.alias.empty())
    return aliasType(written, owner, numAliases);
  if (written.kind == Type::Unknown)
    return types.fresh(owner);
  if (written.kind == Type::Scalar)
    return types.scalar(written.scalar);
  llvm::SmallVector<const Type *> parts;
  for (const TypeExpr *part : written.parts)
    parts.push_back(typeOf(*part, owner, numAliases));
  const Type *type = types.make(written.kind, parts, written.combine);
  Place place(written.range, owner ? owner->expansion : nullptr);
  later([=, this] { checkPart(*types.resolve(type), place); });
  return type;
}

/// The type of a definition. Each is built once, because definitions that use others twice would
/// double the time line by line; but `?` may be another type in every use.
const Type *Checker::definedType(size_t index, const Expr *owner) {
  if (const Type *known = definitions.lookup(index))
    return known;
  const Type *type = typeOf(*program.aliases[index].type, owner, index);
  if (!Inferred::unknownIn(type))
    definitions[index] = type;
  return type;
}

/// Types that need no parts: scalars and definitions.
static void suggestType(Report report, const TypeExpr &written,
                        llvm::SmallVectorImpl<StringRef> &names, Place place) {
  StringRef meant, advice = adviceForType(written.alias, meant);
#define WELD_SCALAR(text, type, suffix) names.push_back(text);
#include "lang/weld/Types.def"
  if (!advice.empty())
    report.hint("{0}", advice);
  else if (!meant.empty() && !place.isInMacro())
    report.fix(written.range, meant);
  else if (!place.isInMacro())
    suggestName(report, written.range, written.alias, names);
}

/// The last definition before the use.
const Type *Checker::aliasType(const TypeExpr &written, const Expr *owner, size_t numAliases) {
  size_t count = std::min(numAliases, program.aliases.size());
  llvm::SmallVector<StringRef> names;
  for (size_t index = count; index-- > 0;) {
    if (program.aliases[index].name.text == written.alias)
      return definedType(index, owner);
    names.push_back(program.aliases[index].name.text);
  }
  Place place(written.range, owner ? owner->expansion : nullptr);
  Report report = reporter.report(place, diag::UnknownType, written.alias);
  suggestType(report, written, names, place);
  return types.invalid();
}

/// Checks all levels of the type of an expression, from the inside out.
void Checker::checkWellFormed(const Type *type, Place place) {
  later([=, this] {
    std::function<void(const Type &)> visit = [&](const Type &part) {
      for (const Type *inner : part.parts)
        visit(*inner);
      checkPart(part, place);
    };
    visit(*types.resolve(type));
  });
}

/// The text of these is not the user's.
bool Checker::isInStandardMacro(Place place) const {
  return place.expansion && place.expansion->file != program.file;
}

void Checker::reportElement(const Type &type, const Type &element, Place place) {
  if (isInStandardMacro(place))
    reporter.report(place, diag::StoredResult, place.expansion->macro.text, spelling(element));
  else
    reporter.report(place, diag::ElementType, spelling(type), spelling(element));
}

/// Checks one level of a type.
void Checker::checkPart(const Type &type, Place place) {
  switch (type.kind) {
  case Type::Simd:
    if (!isScalarOrUnknown(*type.parts[0]))
      reporter.report(place, diag::SimdOf, spelling(type), spelling(*type.parts[0]));
    return;
  case Type::Vec:
  case Type::Appender:
    if (!isStorable(*type.parts[0]))
      reportElement(type, *type.parts[0], place);
    return;
  case Type::Merger:
  case Type::VecMerger:
  case Type::DictMerger:
    if (isMergeable(*type.parts.back()))
      break;
    if (isInStandardMacro(place))
      reporter.report(place, diag::ArithmeticOperand, place.expansion->macro.text,
                      spelling(*type.parts.back()));
    else
      reporter.report(place, diag::MergedType, spelling(type), spelling(*type.parts.back()));
    break;
  case Type::Dict:
  case Type::GroupBuilder:
    if (!isStorable(*type.parts[1]))
      reporter.report(place, diag::ElementType, spelling(type), spelling(*type.parts[1]));
    break;
  default:
    return;
  }
  if (type.parts.size() == 2 && !isKey(*type.parts[0]))
    reporter.report(place, diag::KeyType, spelling(type), spelling(*type.parts[0]));
}

/// Reports it if a type has become too large since the last call.
void Checker::checkSize(Place place) {
  if (types.takeOverflow() && !std::exchange(hasTooLarge, true))
    reporter.report(place, diag::TypeTooLarge, Inferred::maxParts);
}
