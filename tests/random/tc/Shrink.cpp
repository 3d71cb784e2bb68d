#include "Shrink.h"
#include "Compare.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

namespace {

constexpr std::chrono::seconds maxTime(90);

/// A def in pieces that can be omitted.
struct Pieces {
  std::string name;
  std::vector<std::string> parameters, returns, statements;

  std::string text() const {
    auto list = [](const std::vector<std::string> &parts) {
      std::string text;
      for (const std::string &part : parts)
        text += (text.empty() ? "" : ", ") + part;
      return text;
    };
    std::string text = "def " + name + "(" + list(parameters) + ") -> (" + list(returns) + ") {\n";
    for (const std::string &statement : statements)
      text += "  " + statement + "\n";
    return text + "}\n";
  }
};

struct Source {
  Call call;
  std::vector<Pieces> defs;

  std::string text() const {
    std::string text = call.text();
    for (const Pieces &def : defs)
      text += def.text();
    return text;
  }
};

/// All programs that are one step smaller.
class Steps {
public:
  Steps(const Parsed &parsed, const Call &call) : parsed(parsed) {
    source.call = call;
    for (const Def *def : parsed.program->defs)
      source.defs.push_back(piecesOf(*def));
  }

  std::vector<std::string> all() {
    for (size_t i = 0; i < source.defs.size(); ++i) {
      const Pieces &def = source.defs[i];
      if (def.name != source.call.entry)
        change([&](Source &copy) { copy.defs.erase(copy.defs.begin() + ptrdiff_t(i)); });
      dropEach(i, &Pieces::statements);
      dropEach(i, &Pieces::returns);
      dropEach(i, &Pieces::parameters);
    }
    for (auto &[name, size] : source.call.sizes)
      for (int64_t smaller : {int64_t(1), size / 2, size - 1})
        if (smaller < size && smaller >= 0)
          change([&, &name = name](Source &copy) { copy.call.sizes[name] = smaller; });
    for (size_t i = 0; i < source.defs.size(); ++i)
      for (auto [number, stmt] : llvm::enumerate(parsed.program->defs[i]->body))
        if (auto *statement = stmt->as<Comprehension>())
          editEach(i, number, *stmt, *statement);
    return std::move(found);
  }

private:
  std::string textOf(SourceRange range) const { return parsed.file.text(range).str(); }

  Pieces piecesOf(const Def &def) {
    Pieces pieces{def.name.text.str(), {}, {}, {}};
    for (const tc::Parameter &parameter : def.parameters)
      pieces.parameters.push_back(textOf({parameter.type.range.begin, parameter.name.range.end}));
    for (const Return &result : def.returns)
      pieces.returns.push_back(textOf(
          {(result.type ? result.type->range : result.name.range).begin, result.name.range.end}));
    for (const Stmt *stmt : def.body)
      pieces.statements.push_back(textOf(stmt->range));
    return pieces;
  }

  void change(llvm::function_ref<void(Source &)> edit) {
    Source copy = source;
    edit(copy);
    found.push_back(copy.text());
  }

  void dropEach(size_t def, std::vector<std::string> Pieces::*list) {
    for (size_t i = 0; i < (source.defs[def].*list).size(); ++i)
      change([&](Source &copy) {
        auto &parts = copy.defs[def].*list;
        parts.erase(parts.begin() + ptrdiff_t(i));
        dropUndefined(copy.defs[def]);
      });
  }

  /// Drops results that no statement defines.
  static void dropUndefined(Pieces &def) {
    llvm::erase_if(def.returns, [&](const std::string &result) {
      std::string name = result.substr(result.rfind(' ') + 1);
      return llvm::none_of(def.statements, [&](const std::string &statement) {
        return llvm::StringRef(statement).ltrim('(').starts_with(name) ||
               llvm::StringRef(statement).contains(", " + name);
      });
    });
  }

  void replace(size_t def, size_t number, SourceRange part, const std::string &with) {
    SourceRange whole = parsed.program->defs[def]->body[number]->range;
    change([&](Source &copy) {
      copy.defs[def].statements[number].replace(part.begin - whole.begin, part.end - part.begin,
                                                with);
    });
  }

  void editEach(size_t def, size_t number, const Stmt &stmt, const Comprehension &statement) {
    for (auto [index, clause] : llvm::enumerate(statement.where)) {
      bool isOnly = statement.where.size() == 1;
      uint32_t begin = isOnly  ? statement.value->range.end
                       : index ? statement.where[index - 1].range.end
                               : clause.range.begin;
      uint32_t end = isOnly || index ? clause.range.end : statement.where[1].range.begin;
      replace(def, number, {begin, end}, "");
    }
    editExpr(def, number, *statement.value);
  }

  void editExpr(size_t def, size_t number, const Expr &expr) {
    if (auto *cast = expr.as<Cast>(); cast && cast->isImplicit)
      return editExpr(def, number, *cast->operand);
    std::vector<const Expr *> children;
    if (auto *paren = expr.as<Paren>())
      children = {paren->inner};
    else if (auto *cast = expr.as<Cast>())
      children = {cast->operand};
    else if (auto *unary = expr.as<Unary>())
      children = {unary->operand};
    else if (auto *binary = expr.as<Binary>())
      children = {binary->lhs, binary->rhs};
    else if (auto *conditional = expr.as<Conditional>())
      children = {conditional->condition, conditional->ifTrue, conditional->ifFalse};
    else if (auto *apply = expr.as<Apply>())
      children.assign(apply->arguments.begin(), apply->arguments.end());
    for (const Expr *child : children)
      replace(def, number, expr.range, "(" + textOf(child->range) + ")");
    if (auto *paren = expr.as<Paren>())
      replace(def, number, expr.range, textOf(paren->inner->range));
    if (textOf(expr.range).size() > 1)
      for (const char *simple : {"0", "1.0", "(0 < 1)"})
        replace(def, number, expr.range, simple);
    for (const Expr *child : children)
      editExpr(def, number, *child);
  }

  const Parsed &parsed;
  Source source;
  std::vector<std::string> found;
};

/// The kind of a difference: the words before values and positions.
std::string gist(llvm::StringRef difference) {
  std::string kind;
  for (char c : difference.take_front(60))
    if (c < '0' || c > '9')
      kind += c;
  return kind.substr(0, 36);
}

} // namespace

std::string random::shrink(const std::string &text) {
  auto deadline = std::chrono::steady_clock::now() + maxTime;
  std::string smallest = text, kind = gist(compareApart(text));
  std::optional<Call> call = readCall(text);
  for (bool changed = call.has_value(); changed;) {
    changed = false;
    std::unique_ptr<Parsed> parsed = parseAndCheck(smallest);
    if (!parsed->program)
      return smallest;
    for (const std::string &smaller : Steps(*parsed, *readCall(smallest)).all()) {
      if (std::chrono::steady_clock::now() > deadline)
        return smallest;
      std::unique_ptr<Parsed> candidate = parseAndCheck(smaller);
      if (smaller.size() >= smallest.size() &&
          readCall(smaller)->sizes == readCall(smallest)->sizes)
        continue;
      if (!candidate->program || gist(compareApart(smaller)) != kind)
        continue;
      smallest = smaller;
      changed = true;
      break;
    }
  }
  return smallest;
}
