#include "lang/weld/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera::weld;
using llvm::function_ref;

namespace {
using Visit = function_ref<void(Expr &)>;

void all(llvm::ArrayRef<Expr *> exprs, Visit visit) {
  for (Expr *expr : exprs)
    visit(*expr);
}

void below(const IntLiteral &, Visit) {}
void below(const FloatLiteral &, Visit) {}
void below(const BoolLiteral &, Visit) {}
void below(const StringLiteral &, Visit) {}
void below(const Reference &, Visit) {}
void below(const VectorLiteral &vector, Visit visit) {
  all(vector.elements, visit);
}
void below(const StructLiteral &literal, Visit visit) {
  all(literal.fields, visit);
}
void below(const Paren &paren, Visit visit) {
  visit(*paren.inner);
}
void below(const Let &let, Visit visit) {
  visit(*let.value);
  visit(*let.body);
}
void below(const Lambda &lambda, Visit visit) {
  visit(*lambda.body);
}
void below(const Apply &apply, Visit visit) {
  all(apply.arguments, visit);
  visit(*apply.callee);
}
void below(const Unary &unary, Visit visit) {
  visit(*unary.operand);
}
void below(const Binary &binary, Visit visit) {
  visit(*binary.lhs);
  visit(*binary.rhs);
}
void below(const Field &field, Visit visit) {
  visit(*field.operand);
}
void below(const Cast &cast, Visit visit) {
  visit(*cast.operand);
}
void below(const Ascription &ascription, Visit visit) {
  visit(*ascription.operand);
}
void below(const Call &call, Visit visit) {
  all(call.arguments, visit);
}
void below(const Deserialize &deserialize, Visit visit) {
  visit(*deserialize.bytes);
}
void below(const Cudf &cudf, Visit visit) {
  all(cudf.arguments, visit);
}
void below(const NewBuilder &builder, Visit visit) {
  if (builder.argument)
    visit(*builder.argument);
}
void below(const For &loop, Visit visit) {
  forEachChild(*loop.iterator, visit);
  visit(*loop.builder);
  visit(*loop.update);
}
void below(const IteratorExpr &expr, Visit visit) {
  forEachChild(*expr.iterator, visit);
}
} // namespace

void tessera::weld::forEachChild(const Iterator &iterator, Visit visit) {
  all(iterator.arguments, visit);
  for (const Iterator *part : iterator.parts)
    forEachChild(*part, visit);
}

void tessera::weld::forEachChild(const Expr &expr, Visit visit) {
  std::visit([&](const auto &node) { below(node, visit); }, expr.node);
}

unsigned tessera::weld::countUses(const Expr &expr, llvm::StringRef name) {
  if (auto *reference = expr.as<Reference>())
    return reference->name.text == name;
  if (auto *let = expr.as<Let>())
    return countUses(*let->value, name) +
           (let->variable->name.text == name ? 0 : countUses(*let->body, name));
  if (auto *lambda = expr.as<Lambda>())
    if (llvm::any_of(lambda->parameters, [&](auto *each) { return each->name.text == name; }))
      return 0;
  unsigned uses = 0;
  forEachChild(expr, [&](Expr &child) { uses += countUses(child, name); });
  return uses;
}
