#include "lang/weld/MacroTable.h"
#include "lang/weld/Macros.h"
#include "lang/weld/Parser.h"
#include "lang/weld/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

namespace {
#include "lang/weld/Standard.inc" // weldStandard: standard.weld
} // namespace

const Program &tessera::weld::standardMacros() {
  static const SourceFile file(
      "standard.weld",
      std::string(reinterpret_cast<const char *>(weldStandard), sizeof(weldStandard)));
  static const std::unique_ptr<Program> program = [] {
    DiagnosticEngine diagnostics;
    return parse(file, diagnostics);
  }();
  return *program;
}

static void checkParameters(const Macro &macro, Reporter &reporter) {
  for (auto [index, name] : llvm::enumerate(macro.parameters))
    for (const Name &earlier : macro.parameters.take_front(index))
      if (earlier.text == name.text)
        reporter.report(name.range, diag::DuplicateParameter, name.text)
            .label(earlier.range, "the first one");
}

void MacroTable::check(Reporter &reporter) const {
  for (const Macro *macro : program.macros) {
    checkName(*macro, reporter);
    checkParameters(*macro, reporter);
    checkRecursion(*macro, reporter);
  }
}

void MacroTable::checkName(const Macro &macro, Reporter &reporter) const {
  const Macro *other = named(macro.name.text);
  if (other != &macro && other->file == program.file)
    reporter.report(macro.name.range, diag::DuplicateMacro, macro.name.text)
        .label(other->name.range, "the first definition");
  else if (const Macro *known = standard(macro.name.text); known && macro.name.text != "sum")
    reporter.report(macro.name.range, diag::StandardMacro, macro.name.text);
}

/// Searches the calls of a macro, depth first, for a path back to it.
void MacroTable::checkRecursion(const Macro &macro, Reporter &reporter) const {
  llvm::SmallVector<const Macro *> path{&macro}, seen{&macro};
  if (reaches(macro, macro, path, seen)) {
    Report report = reporter.report(macro.name.range, diag::RecursiveMacro, macro.name.text);
    for (const Macro *step : llvm::drop_begin(path))
      report.note(step->name.range, "through macro `{0}`", step->name.text);
  }
}

bool MacroTable::reaches(const Macro &from, const Macro &goal,
                         llvm::SmallVectorImpl<const Macro *> &path,
                         llvm::SmallVectorImpl<const Macro *> &seen) const {
  for (const Macro *next : program.macros) {
    bool isParameter = llvm::any_of(from.parameters,
                                    [&](const Name &each) { return each.text == next->name.text; });
    if (isParameter || !countUses(*from.body, next->name.text))
      continue;
    if (next == &goal)
      return true;
    if (llvm::is_contained(seen, next))
      continue;
    seen.push_back(next);
    path.push_back(next);
    if (reaches(*next, goal, path, seen))
      return true;
    path.pop_back();
  }
  return false;
}

const Macro *MacroTable::standard(StringRef name) const {
  for (const Macro *macro : standardMacros().macros)
    if (macro->name.text == name)
      return macro;
  return nullptr;
}

const Macro *MacroTable::named(StringRef name) const {
  for (const Macro *macro : program.macros)
    if (macro->name.text == name)
      return macro;
  return standard(name);
}

void MacroTable::listCallables(llvm::SmallVectorImpl<Callable> &callables) const {
  for (const std::vector<Macro *> &list : {program.macros, standardMacros().macros})
    for (const Macro *macro : list)
      callables.push_back({macro->name.text, macro->parameters.size()});
}
