#include "Shrink.h"
#include "../Shrink.h"
#include "Compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;
using llvm::StringRef;

namespace {

constexpr std::chrono::seconds maxTime(90);

/// All programs that are one step smaller.
class Steps {
public:
  Steps(const std::string &text, const Parsed &parsed) : text(text) {
    bool isOnly = parsed.program->functions.size() == 1;
    for (const Function *function : parsed.program->functions) {
      if (!isOnly)
        replace(function->range, "");
      visit(*function->body);
    }
    for (const char *fewer : {"groups", "threads"})
      setToOne(fewer);
  }

  std::vector<std::string> found;

private:
  void visit(const Region &region) {
    for (const Inst *inst : llvm::reverse(region.body)) {
      replace(inst->range, "");
      if (inst->results.size() == 1 && !inst->as<Constant>())
        replace(inst->range, constantFor(*inst->results.front()));
    }
    for (const Inst *inst : region.body)
      for (const Region *inner : regionsOf(*inst))
        visit(*inner);
  }

  static llvm::SmallVector<const Region *> regionsOf(const Inst &inst) {
    if (auto *loop = inst.as<Foreach>())
      return {loop->body};
    if (auto *parallel = inst.as<Parallel>())
      return {parallel->body};
    if (auto *loop = inst.as<For>())
      return {loop->body};
    auto *branch = inst.as<If>();
    if (!branch)
      return {};
    if (!branch->elseRegion)
      return {branch->thenRegion};
    return {branch->thenRegion, branch->elseRegion};
  }

  static std::string constantFor(const Value &value) {
    const Type &type = *value.type;
    if (!type.isCarried())
      return "";
    StringRef literal = type.kind == Type::Bool                      ? "true"
                        : kindOf(type.scalar) == NumberKind::Integer ? "1"
                        : kindOf(type.scalar) == NumberKind::Float   ? "1.0"
                                                                     : "[1.0,1.0]";
    return (value.name.text + " = constant " + literal + " : " + spelling(type)).str();
  }

  void replace(SourceRange range, StringRef with) {
    std::string copy = text;
    copy.replace(range.begin, range.end - range.begin, with.str());
    found.push_back(std::move(copy));
  }

  void setToOne(StringRef setting) {
    std::string copy = text, key = (setting + "=").str();
    for (size_t at = copy.find(key); at != std::string::npos; at = copy.find(key, at + 1)) {
      size_t first = at + key.size(), last = copy.find_first_not_of("0123456789", first);
      copy.replace(first, last - first, "1");
    }
    if (copy != text)
      found.push_back(std::move(copy));
  }

  const std::string &text;
};

/// Removes comments without content, and empty lines.
std::string withoutEmptyLines(StringRef text) {
  std::string result;
  for (StringRef line : llvm::split(text, '\n'))
    if (!line.trim().empty())
      result += (line + "\n").str();
  return result;
}

} // namespace

std::string random::shrink(const std::string &text) {
  auto steps = [](const std::string &program) {
    Parsed parsed(program);
    return parsed.isCorrect ? Steps(program, parsed).found : std::vector<std::string>();
  };
  auto compare = [](const std::string &program) {
    return Parsed(program).isCorrect ? compareApart(program) : "";
  };
  return withoutEmptyLines(tessera::shrink(text, Shrinking{steps, compare, maxTime}));
}
