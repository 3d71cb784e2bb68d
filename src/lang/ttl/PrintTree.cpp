#include "lang/ttl/PrintTree.h"
#include "llvm/ADT/Twine.h"

using namespace tessera::ttl;
using llvm::raw_ostream;

namespace {

/// One node per line, with its children indented below.
class TreePrinter {
public:
  TreePrinter(const tessera::SourceFile &file, raw_ostream &out) : file(file), out(out) {}

  void print(const Function &function) {
    line() << "function " << function.name.text << ": " << function.returnType.str() << '\n';
    Indent indent(*this);
    for (const ParameterDecl &parameter : function.parameters)
      line() << "parameter " << parameter.name.text << ": " << parameter.type.str() << '\n';
    print(function.body);
  }

private:
  struct Indent {
    explicit Indent(TreePrinter &printer) : printer(printer) { ++printer.depth; }
    ~Indent() { --printer.depth; }
    TreePrinter &printer;
  };
  raw_ostream &line() { return out.indent(2 * depth); }

  void print(llvm::ArrayRef<Stmt *> body) {
    for (const Stmt *stmt : body)
      print(*stmt);
  }
  void print(const Stmt &stmt) {
    std::visit([&](const auto &node) { print(node); }, stmt.node);
  }
  void print(const VarDef &def) {
    line() << "var " << def.name.text << ": " << def.type.str() << '\n';
    if (def.init)
      child(*def.init);
  }
  void print(const Assign &assign) {
    line() << "assign " << assign.target.text << '\n';
    child(*assign.value);
  }
  void print(const ElementAssign &assign) {
    line() << "assign element of " << assign.target.text << '\n';
    for (const Expr *index : assign.indices)
      child(*index);
    child(*assign.value);
  }
  void print(const CallStmt &stmt) { print(*stmt.call); }
  void print(const For &loop) {
    line() << "for " << loop.variableName.text << '\n';
    child(*loop.range);
    child(*loop.step);
    Indent indent(*this);
    print(*loop.body);
  }
  void print(const If &branch) {
    for (const If::Arm &arm : branch.arms) {
      line() << (&arm == branch.arms.begin() ? "if\n" : "else if\n");
      child(*arm.condition);
      Indent indent(*this);
      print(*arm.body);
    }
    if (branch.elseBody) {
      line() << "else\n";
      Indent indent(*this);
      print(*branch.elseBody);
    }
  }
  void print(const Compound &compound) {
    line() << "compound\n";
    Indent indent(*this);
    print(compound.body);
  }
  void print(const Return &stmt) {
    line() << "return\n";
    child(*stmt.value);
  }

  void child(const Expr &expr) {
    Indent indent(*this);
    print(expr);
  }
  void children(llvm::ArrayRef<Expr *> exprs) {
    for (const Expr *expr : exprs)
      child(*expr);
  }
  void print(const Expr &expr) {
    const Expr &bare = expr.bare();
    std::visit([&](const auto &node) { print(node, bare); }, bare.node);
  }
  raw_ostream &head(const Expr &expr, llvm::StringRef what) {
    return line() << what << ": " << expr.type.str() << '\n';
  }
  void print(const IntLiteral &, const Expr &expr) { head(expr, file.text(expr.range)); }
  void print(const FloatLiteral &, const Expr &expr) { head(expr, file.text(expr.range)); }
  void print(const Reference &reference, const Expr &expr) { head(expr, reference.name); }
  void print(const Paren &, const Expr &) {}
  void print(const List &list, const Expr &expr) {
    head(expr, "list");
    children(list.elements);
  }
  void print(const Call &call, const Expr &expr) {
    head(expr, ("call " + call.callee.text).str());
    children(call.arguments);
  }
  void print(const Slice &slice, const Expr &expr) {
    head(expr, "slice");
    child(*slice.base);
    children(slice.indices);
  }
  void print(const Unary &unary, const Expr &expr) {
    head(expr, unary.op == UnaryOp::Minus ? "-" : "!");
    child(*unary.operand);
  }
  /// Prints the operators from the outermost inward, the leftmost operand, and the right operands
  /// from there outward.
  void print(const Binary &, const Expr &expr) {
    unsigned outer = depth;
    auto chain = chainOf(expr);
    for (const Expr *link : llvm::reverse(chain)) {
      head(*link, spelling(link->as<Binary>()->op));
      ++depth;
    }
    print(*chain.front()->as<Binary>()->lhs);
    for (const Expr *link : chain) {
      print(*link->as<Binary>()->rhs);
      --depth;
    }
    depth = outer;
  }

  const tessera::SourceFile &file;
  raw_ostream &out;
  unsigned depth = 0;
};

} // namespace

void tessera::ttl::printTree(const Program &program, raw_ostream &out) {
  TreePrinter printer(*program.file, out);
  for (const Function *function : program.functions)
    printer.print(*function);
}
