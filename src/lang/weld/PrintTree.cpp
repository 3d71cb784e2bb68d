#include "lang/weld/PrintTree.h"
#include "lang/weld/Strings.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera::weld;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// One node per line, with its children indented below.
class TreePrinter {
public:
  explicit TreePrinter(raw_ostream &out) : out(out) {}

  void print(const Program &program) {
    if (!program.value) {
      for (const Macro *macro : program.macros)
        print(*macro);
      if (program.body)
        print(*program.body);
      return;
    }
    for (const Variable *parameter : program.parameters)
      variable("parameter", *parameter);
    print(*program.value);
  }

private:
  struct Indent {
    explicit Indent(TreePrinter &printer) : printer(printer) { ++printer.depth; }
    ~Indent() { --printer.depth; }
    TreePrinter &printer;
  };
  raw_ostream &line() { return out.indent(2 * depth); }

  void print(const Macro &macro) {
    line() << "macro " << macro.name.text << '(';
    llvm::interleaveComma(macro.parameters, out, [&](const Name &name) { out << name.text; });
    out << ")\n";
    child(*macro.body);
  }

  /// Numbers tell shadowed variables apart.
  void name(const Variable &variable) {
    out << variable.name.text;
    if (variable.type)
      out << '%' << variable.number;
  }
  void variable(StringRef what, const Variable &variable) {
    line() << what << ' ';
    name(variable);
    tail(variable.type);
  }
  void tail(const Type *type) {
    if (type)
      out << ": " << spelling(*type);
    out << '\n';
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
  void head(const Expr &expr, const llvm::Twine &what) {
    line() << what;
    for (const Annotation &annotation : expr.annotations)
      out << " @" << annotation.name.text << '=' << annotation.value;
    tail(expr.type);
  }

  void print(const IntLiteral &literal, const Expr &expr) {
    head(expr, llvm::Twine(literal.value) + (expr.type ? "" : " " + spelling(literal.type)));
  }
  void print(const FloatLiteral &literal, const Expr &expr) { head(expr, literal.text); }
  void print(const BoolLiteral &literal, const Expr &expr) {
    head(expr, literal.value ? "true" : "false");
  }
  void print(const StringLiteral &literal, const Expr &expr) {
    head(expr, "\"" + escapedString(literal.bytes) + "\"");
  }
  void print(const VectorLiteral &vector, const Expr &expr) {
    head(expr, "vector");
    children(vector.elements);
  }
  void print(const StructLiteral &literal, const Expr &expr) {
    head(expr, "struct");
    children(literal.fields);
  }
  void print(const Reference &reference, const Expr &expr) {
    if (!reference.variable)
      return head(expr, reference.name.text);
    line();
    name(*reference.variable);
    tail(expr.type);
  }
  void print(const Paren &, const Expr &) {}
  void print(const Ascription &, const Expr &) {}
  void print(const Let &let, const Expr &) {
    variable("let", *let.variable);
    child(*let.value);
    print(*let.body);
  }
  void print(const Lambda &lambda, const Expr &) {
    line() << "function\n";
    Indent indent(*this);
    for (const Variable *parameter : lambda.parameters)
      variable("parameter", *parameter);
    print(*lambda.body);
  }
  void print(const Apply &apply, const Expr &expr) {
    head(expr, "apply");
    child(*apply.callee);
    children(apply.arguments);
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
  void print(const Field &field, const Expr &expr) {
    head(expr, ".$" + llvm::Twine(field.index));
    child(*field.operand);
  }
  void print(const Cast &cast, const Expr &expr) {
    head(expr, "cast " + spelling(cast.type));
    child(*cast.operand);
  }
  void print(const Call &call, const Expr &expr) {
    head(expr, spelling(call.builtin).ltrim('$'));
    children(call.arguments);
  }
  void print(const Deserialize &deserialize, const Expr &expr) {
    head(expr, "deserialize");
    child(*deserialize.bytes);
  }
  void print(const Cudf &cudf, const Expr &expr) {
    head(expr, "cudf " + cudf.name.text);
    children(cudf.arguments);
  }
  void print(const NewBuilder &builder, const Expr &expr) {
    head(expr, "new " + spelling(builder.written->kind));
    if (builder.argument)
      child(*builder.argument);
  }
  void print(const For &loop, const Expr &expr) {
    head(expr, "for");
    Indent indent(*this);
    print(*loop.iterator);
    print(*loop.builder);
    print(*loop.update);
  }
  void print(const IteratorExpr &iterator, const Expr &) { print(*iterator.iterator); }
  void print(const Iterator &iterator) {
    line() << "over" << (iterator.kind == Iterator::Plain ? "" : " ") << spelling(iterator.kind);
    tail(iterator.element);
    children(iterator.arguments);
    Indent indent(*this);
    for (const Iterator *part : iterator.parts)
      print(*part);
  }

  raw_ostream &out;
  unsigned depth = 0;
};

} // namespace

void tessera::weld::printTree(const Program &program, raw_ostream &out) {
  TreePrinter(out).print(program);
}
