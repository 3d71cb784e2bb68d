/// Formatting keeps the meaning, and is idempotent.
#include "lang/tc/Format.h"
#include "Compare.h"
#include "lang/tc/PrintTree.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

static std::string treeOf(const std::string &text) {
  std::unique_ptr<Parsed> parsed = parseAndCheck(text);
  std::string tree = parsed->errors;
  llvm::raw_string_ostream out(tree);
  if (parsed->program)
    printTree(*parsed->program, out);
  return tree;
}

static std::string formatted(const std::string &text) {
  SourceFile file("random.tc", text);
  DiagnosticEngine diagnostics;
  return format(file, diagnostics).value_or("");
}

std::string random::compareFormatted(const SourceFile &file) {
  std::string text = file.text().str(), once = formatted(text), twice = formatted(once);
  if (once != twice)
    return "formatting again changes\n" + once + "to\n" + twice;
  if (treeOf(once) != treeOf(text))
    return "formatting changes the meaning\n" + once;
  return "";
}
