/// Prints a rule as its page states it: the text, a program or a command that breaks it, one that
/// does not.
#include "cli/Commands.h"
#include "cli/Rules.inc" // cliRules: docs/using/cli.md
#include "lang/Language.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

/// The pages that state rules: one a language, and the command line's own.
static std::vector<StringRef> rulePages() {
  std::vector<StringRef> pages;
  for (const Language *language : languages())
    pages.push_back(language->rules);
  pages.emplace_back(reinterpret_cast<const char *>(cliRules), sizeof cliRules);
  return pages;
}

/// The part of a page under the heading `### RULE`; empty where there is none.
static StringRef sectionOf(StringRef page, StringRef rule) {
  std::string heading = ("\n### " + rule + " ").str();
  size_t at = page.find(heading);
  if (at == StringRef::npos)
    return "";
  StringRef section = page.drop_front(at + 5);
  // One `#` is no heading: it begins a comment in some of the programs.
  return section.take_front(section.find("\n##")).rtrim();
}

/// The options among the words behind a fence, without which the program shows nothing.
static std::string conditionOf(StringRef words) {
  std::vector<StringRef> options;
  for (StringRef word : llvm::split(words, ' '))
    if (word.starts_with("-"))
      options.push_back(word);
  return options.empty() ? "" : " under " + llvm::join(options, " ");
}

/// What the words behind a fence say of the program. A file is for the commands next to it.
static std::string sentenceFor(StringRef words) {
  if (StringRef name = words.split("file=").second; !name.empty())
    return ("The file " + name + ":").str();
  std::string condition = conditionOf(words);
  if (words.contains("fails"))
    return "This breaks it" + condition + ":";
  if (words.contains("warns"))
    return "This draws the warning" + condition + ":";
  if (words.contains("traps"))
    return "This stops" + condition + ", with status 3:";
  return "This is fine" + condition + ":";
}

/// Fenced programs become indented text under a sentence that says what they show.
static void printSection(StringRef section, llvm::raw_ostream &out) {
  bool isProgram = false;
  while (!section.empty()) {
    auto [line, rest] = section.split('\n');
    section = rest;
    if (line.consume_front("```")) {
      isProgram = !isProgram;
      if (isProgram)
        out << sentenceFor(line) << '\n';
      continue;
    }
    out << (isProgram ? "    " : "") << line << '\n';
  }
}

/// The names in the headings `### NAME TITLE (KINDS)` of all pages.
static std::vector<StringRef> ruleNames() {
  std::vector<StringRef> names;
  for (StringRef page : rulePages())
    while (!page.empty()) {
      auto [line, rest] = page.split('\n');
      page = rest;
      if (line.consume_front("### "))
        names.push_back(line.split(' ').first);
    }
  return names;
}

/// How names of rules begin that begin with `word`, which may be empty: one part longer each.
static std::vector<std::string> beginningsWith(StringRef word) {
  std::vector<std::string> found;
  std::string prefix = word.empty() ? "" : (word + ".").str();
  for (StringRef name : ruleNames())
    if (name.consume_front(prefix)) {
      std::string beginning = "`" + prefix + name.split('.').first.str() + "`";
      if (!llvm::is_contained(found, beginning))
        found.push_back(beginning);
    }
  return found;
}

/// What could be meant: a rule with nearly this name, or one of those that begin so.
static void hintRules(StringRef word, Report report) {
  std::vector<std::string> beginnings = beginningsWith(word);
  if (!beginnings.empty())
    report.hint("names begin so: {0}", llvm::join(beginnings, ", "));
  else if (StringRef near = nearestName(word, ruleNames()); !near.empty())
    report.hint("did you mean `{0}`?", near);
  else
    report.hint("names of rules stand in brackets behind messages; they begin with {0}",
                llvm::join(beginningsWith(""), ", "));
}

/// False where there is no such rule.
static bool explain(StringRef rule, llvm::raw_ostream &out) {
  for (StringRef page : rulePages())
    if (StringRef section = sectionOf(page, rule); !section.empty()) {
      printSection(section, out);
      return true;
    }
  return false;
}

int tessera::cli::runExplain(const Invocation &invocation, Terminal &terminal) {
  StringRef word = StringRef(invocation.operands.front()).trim("[]");
  if (explain(word, terminal.out))
    return Success;
  hintRules(word, terminal.report(diag::UnknownRule, inBackticks(word)));
  return UsageError;
}
