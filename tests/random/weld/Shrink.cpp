#include "Shrink.h"
#include "../Shrink.h"
#include "Compare.h"
#include "lang/weld/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;
using llvm::StringRef;

namespace {

constexpr std::chrono::seconds maxTime(60);

/// The simplest expression of a type; "" for types that are not simplified.
std::string simplest(const Type &type) {
  switch (type.kind) {
  case Type::Scalar:
    return type.scalar == Scalar::Bool ? "true" : (spelling(type.scalar) + "(1)").str();
  case Type::Vec:
    return "([]: " + spelling(type) + ")";
  case Type::Struct: {
    std::vector<std::string> fields;
    for (const Type *field : type.parts)
      fields.push_back(simplest(*field));
    bool isWhole = llvm::none_of(fields, [](const std::string &field) { return field.empty(); });
    return isWhole ? "{" + llvm::join(fields, ", ") + "}" : "";
  }
  default:
    return "";
  }
}

/// All programs that are one step smaller, the smallest first.
class Steps {
public:
  Steps(const std::string &text, const Parsed &parsed) : text(text), program(*parsed.program) {}

  std::vector<std::string> all() {
    shortenArguments();
    edit(*program.value);
    dropParameters();
    llvm::stable_sort(
        found, [](const std::string &a, const std::string &b) { return a.size() < b.size(); });
    return std::move(found);
  }

private:
  void replace(SourceRange range, const std::string &with) {
    std::string copy = text;
    copy.replace(range.begin, range.end - range.begin, with);
    if (copy.size() < text.size())
      found.push_back(std::move(copy));
  }

  std::string textOf(const Expr &expr) const {
    return text.substr(expr.range.begin, expr.range.end - expr.range.begin);
  }

  /// Children of an expanded macro are still user text.
  void edit(const Expr &expr) {
    if (!expr.expansion && expr.type && expr.type->kind != Type::Function) {
      putPartsFor(expr, expr, 0);
      if (std::string simple = simplest(*expr.type); !simple.empty())
        replace(expr.range, simple);
      if (auto *let = expr.as<Let>())
        replace(expr.range, textOf(*let->body));
    }
    forEachChild(expr, [&](Expr &child) { edit(child); });
  }

  void putPartsFor(const Expr &whole, const Expr &parent, int depth) {
    forEachChild(parent, [&](Expr &part) {
      if (!part.expansion && part.type == whole.type)
        replace(whole.range, textOf(part));
      if (depth < 3)
        putPartsFor(whole, part, depth + 1);
    });
  }

  /// Takes halves of vectors, and removes single elements.
  void shortenArguments() {
    for (size_t line = 0; StringRef(text).substr(line).starts_with("# ");) {
      size_t end = text.find('\n', line);
      size_t open = text.find('[', line);
      if (size_t of = text.find(" of [", line); of < end)
        replace({uint32_t(text.find(" = ", line) + 3), uint32_t(of + 4)}, "");
      shortenBrackets(open, end);
      line = end + 1;
    }
  }

  void shortenBrackets(size_t open, size_t end) {
    for (; open < end; open = text.find('[', open + 1)) {
      std::vector<size_t> commas = elementsAt(open);
      size_t close = commas.back(), count = commas.size() - 1;
      if (count > 2)
        replace({uint32_t(commas[count / 2]), uint32_t(close)}, "");
      for (size_t i = 0; i < count; ++i)
        replace({uint32_t(commas[i] + (i ? 0 : 1)), uint32_t(commas[i + 1] + (i ? 0 : count > 1))},
                "");
    }
  }

  /// The bracket, the commas after it, and the bracket that closes it.
  std::vector<size_t> elementsAt(size_t open) const {
    std::vector<size_t> places = {open};
    int depth = 0;
    for (size_t at = open; at < text.size(); ++at) {
      depth += text[at] == '[';
      depth -= text[at] == ']';
      if (depth == 0 || (depth == 1 && text[at] == ','))
        places.push_back(at);
      if (depth == 0)
        break;
    }
    return places;
  }

  void dropParameters() {
    for (const Variable *parameter : program.parameters) {
      std::string copy = text, name = parameter->name.text.str();
      size_t end = parameter->written->range.end;
      copy.erase(parameter->name.range.begin, end - parameter->name.range.begin);
      StringRef rest = StringRef(copy).substr(parameter->name.range.begin);
      copy.erase(parameter->name.range.begin, rest.size() - rest.ltrim(", ").size());
      if (size_t line = copy.find("# " + name + " = "); line != std::string::npos)
        copy.erase(line, copy.find('\n', line) + 1 - line);
      found.push_back(std::move(copy));
    }
  }

  const std::string &text;
  const Program &program;
  std::vector<std::string> found;
};

} // namespace

std::string random::shrink(const std::string &text) {
  auto steps = [](const std::string &program) {
    Parsed parsed(program);
    return parsed.isCorrect ? Steps(program, parsed).all() : std::vector<std::string>();
  };
  auto compare = [](const std::string &program) {
    return Parsed(program).isCorrect ? compareApart(program) : "";
  };
  return tessera::shrink(text, Shrinking{steps, compare, maxTime});
}
