#include "lang/ttl/Partial.h"

using namespace tessera::ttl;

bool PartialMatrices::contains(const Expr &expr) const {
  const Expr &bare = expr.bare();
  if (!bare.type.isMatrix())
    return false;
  if (auto *reference = bare.as<Reference>())
    return variables.contains(reference->variable);
  if (auto *call = bare.as<Call>())
    return results.contains(call->function);
  if (auto *slice = bare.as<Slice>())
    return contains(*slice->base);
  return false; // Operators read their operands.
}

namespace {

/// One sweep over the program; repeated until nothing is added.
class Sweep {
public:
  explicit Sweep(PartialMatrices &partial) : partial(partial) {}

  bool run(const Program &program) {
    changed = false;
    for (const Function *function : program.functions) {
      current = function;
      visit(function->body);
    }
    return changed;
  }

private:
  void add(const Variable *variable) { changed |= partial.variables.insert(variable).second; }

  void visit(llvm::ArrayRef<Stmt *> body) {
    for (const Stmt *stmt : body)
      visit(stmt);
  }
  void visit(const Stmt *stmt) {
    if (stmt)
      std::visit([&](const auto &node) { visit(node); }, stmt->node);
  }
  void visit(const VarDef &def) {
    if (def.init)
      visit(*def.init);
    if (def.type.isMatrix() && (!def.init || partial.contains(*def.init)))
      add(def.variable);
  }
  void visit(const Assign &assign) {
    visit(*assign.value);
    if (partial.contains(*assign.value))
      add(assign.variable);
  }
  void visit(const ElementAssign &assign) {
    visit(assign.indices);
    visit(*assign.value);
  }
  void visit(const CallStmt &stmt) { visit(*stmt.call); }
  void visit(const For &loop) {
    visit(*loop.range);
    visit(*loop.step);
    visitBody(loop.body);
  }
  void visit(const If &branch) {
    for (const If::Arm &arm : branch.arms) {
      visit(*arm.condition);
      visitBody(arm.body);
    }
    visitBody(branch.elseBody);
  }
  /// A definition without braces exists even if the body does not run, and is then unwritten.
  void visitBody(const Stmt *body) {
    auto *def = body ? body->as<VarDef>() : nullptr;
    if (def && def->type.isMatrix() && def->type.isStatic())
      add(def->variable);
    visit(body);
  }
  void visit(const Compound &compound) { visit(compound.body); }
  void visit(const Return &stmt) {
    visit(*stmt.value);
    if (partial.contains(*stmt.value))
      changed |= partial.results.insert(current).second;
  }

  void visit(llvm::ArrayRef<Expr *> exprs) {
    for (const Expr *expr : exprs)
      visit(*expr);
  }
  void visit(const Expr &expr) {
    const Expr *leftmost = &expr;
    auto chain = chainOf(expr);
    for (const Expr *link : llvm::reverse(chain)) {
      visit(*link->as<Binary>()->rhs);
      leftmost = link->as<Binary>()->lhs;
    }
    std::visit([&](const auto &node) { visit(node); }, leftmost->node);
  }
  void visit(const IntLiteral &) {}
  void visit(const FloatLiteral &) {}
  void visit(const Reference &) {}
  void visit(const Paren &paren) { visit(*paren.inner); }
  void visit(const List &list) { visit(list.elements); }
  void visit(const Call &call) {
    visit(call.arguments);
    if (!call.function)
      return;
    for (auto [parameter, argument] : llvm::zip(call.function->parameters, call.arguments))
      if (partial.contains(*argument))
        add(parameter.variable);
  }
  void visit(const Slice &slice) {
    visit(*slice.base);
    visit(slice.indices);
  }
  void visit(const Unary &unary) { visit(*unary.operand); }
  void visit(const Binary &) {} // A link of a chain: see above.

  PartialMatrices &partial;
  const Function *current = nullptr;
  bool changed = false;
};

} // namespace

PartialMatrices tessera::ttl::findPartialMatrices(const Program &program) {
  PartialMatrices partial;
  while (Sweep(partial).run(program))
    ;
  return partial;
}
