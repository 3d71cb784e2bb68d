#include "lang/tc/PrintTree.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera::tc;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// One node per line, with its children indented below.
class TreePrinter {
public:
  TreePrinter(const tessera::SourceFile &file, raw_ostream &out) : file(file), out(out) {}

  void print(const Def &def) {
    line() << "def " << def.name.text << '\n';
    Indent indent(*this);
    for (const Parameter &parameter : def.parameters)
      line() << "argument " << parameter.name.text << ": " << spelling(parameter.type) << '\n';
    for (const Return &result : def.returns)
      print(result);
    for (const Tensor *tensor : def.tensors)
      if (tensor->kind == Tensor::Temporary)
        tail(line() << "temporary " << tensor->name.text, tensor) << '\n';
    for (const Stmt *stmt : def.body)
      std::visit([&](const auto &node) { print(node); }, stmt->node);
  }

private:
  struct Indent {
    explicit Indent(TreePrinter &printer) : printer(printer) { ++printer.depth; }
    ~Indent() { --printer.depth; }
    TreePrinter &printer;
  };
  raw_ostream &line() { return out.indent(2 * depth); }

  /// What the checker has found out.
  static raw_ostream &tail(raw_ostream &out, const Tensor *tensor) {
    if (!tensor)
      return out;
    out << ": " << spelling(tensor->element) << ", rank " << tensor->rank;
    return tensor->isInOut ? out << ", in and out" : out;
  }

  void print(const Return &result) {
    line() << "return " << result.name.text;
    if (result.type)
      out << " declared " << spelling(*result.type);
    tail(out, result.tensor) << '\n';
  }

  static void names(raw_ostream &out, llvm::ArrayRef<Name> names) {
    llvm::interleaveComma(names, out, [&](const Name &name) { out << name.text; });
  }

  void print(const Comprehension &stmt) {
    line() << stmt.target.text;
    if (stmt.hasIndexList) {
      names(out << '(', stmt.indices);
      out << ')';
    }
    out << ' ' << spelling(stmt.reduction, stmt.initializes) << (stmt.isFirst ? " (first)" : "")
        << '\n';
    Indent indent(*this);
    for (const Variable *variable : stmt.variables)
      line() << (variable->isReduction ? "reduction " : "index ") << variable->name.text << '\n';
    print(*stmt.value);
    for (const Clause &clause : stmt.where)
      std::visit([&](const auto &node) { print(node); }, clause.node);
  }
  void print(const CallStmt &call) {
    names(line(), call.results);
    names(out << " = call " << call.callee.text << '(', call.arguments);
    out << ")\n";
  }

  void print(const RangeClause &range) {
    line() << "where " << range.name.text << " in\n";
    child(*range.lower);
    child(*range.upper);
  }
  void print(const ExistsClause &exists) {
    line() << "where exists\n";
    child(*exists.value);
  }
  void print(const LetClause &let) {
    line() << "where " << let.name.text << " =\n";
    child(*let.value);
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
  void head(const Expr &expr, const llvm::Twine &what, StringRef role = "") {
    line() << what;
    if (expr.type)
      out << ": " << spelling(*expr.type);
    if (!role.empty())
      out << ", " << role;
    out << '\n';
  }
  void print(const IntLiteral &, const Expr &expr) { head(expr, file.text(expr.range)); }
  void print(const FloatLiteral &, const Expr &expr) { head(expr, file.text(expr.range)); }
  void print(const Reference &reference, const Expr &expr) {
    StringRef role = reference.variable ? "index"
                     : reference.tensor ? "tensor"
                     : reference.let    ? "let"
                     : reference.size   ? "size"
                                        : "";
    head(expr, reference.name, role);
  }
  void print(const Paren &, const Expr &) {}
  void print(const Apply &apply, const Expr &expr) {
    StringRef what = apply.tensor ? "read " : apply.builtin ? "call " : "apply ";
    head(expr, what + apply.callee.text);
    children(apply.arguments);
  }
  void print(const Cast &cast, const Expr &expr) {
    head(expr, (cast.isImplicit ? "implicit cast " : "cast ") + spelling(cast.type));
    child(*cast.operand);
  }
  void print(const Extent &extent, const Expr &expr) {
    head(expr, extent.tensorName.text + "." + llvm::Twine(extent.dimension));
  }
  void print(const Unary &unary, const Expr &expr) {
    head(expr, unary.op == UnaryOp::Minus ? "-" : "!");
    child(*unary.operand);
  }
  void print(const Binary &binary, const Expr &expr) {
    head(expr, spelling(binary.op));
    child(*binary.lhs);
    child(*binary.rhs);
  }
  void print(const Conditional &conditional, const Expr &expr) {
    head(expr, "conditional");
    child(*conditional.condition);
    child(*conditional.ifTrue);
    child(*conditional.ifFalse);
  }

  const tessera::SourceFile &file;
  raw_ostream &out;
  unsigned depth = 0;
};

} // namespace

void tessera::tc::printTree(const Program &program, raw_ostream &out) {
  TreePrinter printer(*program.file, out);
  for (const Def *def : program.defs)
    printer.print(*def);
}
