#include "lang/weld/Check.h"
#include "lang/weld/Lexer.h"
#include "lang/weld/TypeRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

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

/// The last definition before the use.
const Type *Checker::aliasType(const TypeExpr &written, const Expr *owner, size_t numAliases) {
  size_t count = std::min(numAliases, program.aliases.size());
  llvm::SmallVector<StringRef> names;
  for (size_t index = count; index-- > 0;) {
    if (program.aliases[index].name.text == written.alias)
      return typeOf(*program.aliases[index].type, owner, index);
    names.push_back(program.aliases[index].name.text);
  }
  Place place(written.range, owner ? owner->expansion : nullptr);
  Report report = reporter.report(place, diag::UnknownType, written.alias);
  StringRef advice =
      llvm::StringSwitch<StringRef>(written.alias.lower())
          .Cases({"string", "str", "text", "char"}, "a text is `vec[i8]`, a character of it `i8`")
          .Cases({"int", "integer", "long", "short", "number"},
                 "the integer types are `i8`, `i16`, `i32`, `i64` and `u8` to `u64`")
          .Cases({"float", "real"}, "the floating-point types are `f32` and `f64`")
          .Cases({"map", "hashmap"}, "a dictionary is `dict[K,V]`")
          .Cases({"list", "array", "vector"}, "a vector is `vec[T]`")
          .Default("");
  StringRef nearest = written.alias == "bit"      ? "bool"
                      : written.alias == "double" ? "f64"
                                                  : nearestWord(written.alias, names);
  if (!advice.empty())
    report.hint("{0}", advice);
  else if (!nearest.empty() && !place.isInMacro())
    report.fix(written.range, nearest);
  else if (!nearest.empty())
    report.hint("did you mean `{0}`?", nearest);
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
      reporter.report(place, diag::ElementType, spelling(type), spelling(*type.parts[0]));
    return;
  case Type::Merger:
  case Type::VecMerger:
  case Type::DictMerger:
    if (!isMergeable(*type.parts.back()))
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
