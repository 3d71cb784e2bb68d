#include "lang/tinytc/Reporter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;

Standard tessera::tinytc::standardOf(const LanguageOptions &options) {
  if (options.strict || options.standard == "seed")
    return Standard::Seed;
  return options.standard == "legacy" ? Standard::Legacy : Standard::Union;
}

Report tessera::tinytc::ignoredReport() {
  static thread_local Diagnostic ignored;
  ignored = {};
  return Report(ignored);
}

/// The words of `cooperative_matrix_load` and `arith.add`.
static llvm::SmallVector<llvm::StringRef> wordsOf(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> words;
  while (!name.empty()) {
    words.push_back(name.take_until([](char c) { return c == '_' || c == '.'; }));
    name = name.drop_front(std::min(words.back().size() + 1, name.size()));
  }
  return words;
}

/// One letter or two swapped ones in a long word; `exp` and `exp2`, `%b1` and `%b2` are different.
static bool isTypo(llvm::StringRef word, llvm::StringRef meant) {
  if (word == meant)
    return true;
  std::string sorted = word.str(), other = meant.str();
  llvm::sort(sorted);
  llvm::sort(other);
  bool hasDigit = llvm::any_of(word.str() + meant.str(), llvm::isDigit);
  unsigned distance = word.edit_distance(meant);
  return !hasDigit && word.size() >= 4 && meant.size() >= 4 &&
         (distance == 1 || (distance == 2 && sorted == other));
}

static bool isSimilar(llvm::StringRef word, llvm::StringRef meant) {
  return word == meant || !nearestName(word, meant).empty();
}

void tessera::tinytc::suggestName(Report report, SourceRange range, llvm::StringRef name,
                                  llvm::ArrayRef<llvm::StringRef> known) {
  llvm::StringRef near = nearestName(name, known);
  if (near.empty())
    return;
  auto words = wordsOf(name), meant = wordsOf(near);
  auto all = [&](bool (*holds)(llvm::StringRef, llvm::StringRef)) {
    return words.size() == meant.size() && llvm::all_of(llvm::zip(words, meant), [&](auto pair) {
             return holds(std::get<0>(pair), std::get<1>(pair));
           });
  };
  if (all(isTypo))
    report.fix(range, near);
  else if (words.size() == 1 || meant.size() != words.size() || all(isSimilar))
    report.hint("did you mean `{0}`?", near);
}

void Reporter::later(SourceRange range, const llvm::Twine &what) {
  if (standard == Standard::Seed)
    report(range, diag::LaterForm, what.str());
}

void Reporter::fossil(SourceRange range, const llvm::Twine &what) {
  if (standard == Standard::Seed)
    report(range, diag::OldForm, what.str());
  else if (standard == Standard::Union && !isLeftOut())
    explained(diagnostics.warn(file, range, diag::OldForm, what.str()), range)
        .hint("`--std=legacy` accepts it without a warning");
}

/// The value of a definition: "`64`", a type or an attribute.
static std::string valueOf(const Definition &definition) {
  if (auto *literal = std::get_if<Literal>(&definition.value))
    return spelling(*literal);
  if (auto *attr = std::get_if<Attr>(&definition.value))
    return spelling(*attr);
  if (auto *type = std::get_if<const Type *>(&definition.value))
    return spelling(**type);
  return "";
}

Report Reporter::explained(Report report, SourceRange range) const {
  constexpr unsigned maxNotes = 4;
  llvm::SmallVector<const Definition *> said;
  for (const Expansion &use : program.expansions) {
    if (file != program.file)
      break; // Their ranges are in the program.
    bool isInside = use.range.begin >= range.begin && use.range.end <= range.end;
    std::string value = valueOf(*use.definition);
    if (!isInside || value.empty() || llvm::is_contained(said, use.definition) ||
        said.size() == maxNotes)
      continue;
    said.push_back(use.definition);
    const Definition &definition = *use.definition;
    if (definition.file == file)
      report.note(definition.range, "`{0}` is `{1}`", definition.name.text, value);
    else
      report.hint("`{0}` is `{1}`, from the command line", definition.name.text, value);
  }
  return report;
}
