/// `tessera explain`: prints a rule as its page states it, with a program or a command that breaks
/// it and one that does not; without a rule, lists all rules by chapter.
#include "cli/Commands.h"
#include "cli/Rules.inc" // cliRules: docs/using/cli.md
#include "lang/Language.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

/// The pages that state rules: one for each language, and one for the command line.
static std::vector<StringRef> rulePages() {
  std::vector<StringRef> pages;
  for (const Language *language : languages())
    pages.push_back(language->rules);
  pages.emplace_back(reinterpret_cast<const char *>(cliRules), sizeof cliRules);
  return pages;
}

/// The part of a page under the heading `### RULE`; empty if there is no such heading.
static StringRef sectionOf(StringRef page, StringRef rule) {
  std::string heading = ("\n### " + rule + " ").str();
  size_t at = page.find(heading);
  if (at == StringRef::npos)
    return "";
  StringRef section = page.drop_front(at + 5);
  // A single `#` begins a comment in some of the programs.
  return section.take_front(section.find("\n##")).rtrim();
}

/// Begins a sentence about a program, with the options that it needs, from the words after its
/// fence.
static std::string subjectOf(StringRef words) {
  std::vector<StringRef> options;
  for (StringRef word : llvm::split(words, ' '))
    if (word.starts_with("-"))
      options.push_back(word);
  return options.empty() ? "This " : "With " + llvm::join(options, " ") + ", this ";
}

/// Introduces a program, according to the words after its fence. Commands below use files.
static std::string sentenceFor(StringRef words) {
  if (StringRef name = words.split("file=").second; !name.empty())
    return ("The file " + name + ":").str();
  std::string subject = subjectOf(words);
  if (words.contains("fails"))
    return subject + "breaks the rule:";
  if (words.contains("warns"))
    return subject + "draws the warning:";
  if (words.contains("traps"))
    return subject + "stops with status 3:";
  return subject + "is correct:";
}

/// Prints fenced programs indented, under a sentence that says what they show.
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

/// Suggests a rule of a similar name.
static void hintRules(StringRef word, Report report) {
  if (StringRef near = nearestName(word, ruleNames()); !near.empty())
    report.hint("did you mean `{0}`?", near);
  else
    report.hint("a message ends with its rule in brackets; `tessera explain` lists all rules");
}

/// Returns false if there is no such rule.
static bool explain(StringRef rule, llvm::raw_ostream &out) {
  for (StringRef page : rulePages())
    if (StringRef section = sectionOf(page, rule); !section.empty()) {
      printSection(section, out);
      return true;
    }
  return false;
}

/// Lists the rules of a page whose names begin with `prefix`, under its title and the titles of its
/// chapters. Titles without such rules are left out. Returns "" if there is none.
static std::string listOfRules(StringRef page, StringRef prefix) {
  bool isProgram = false;
  std::string title, heading, list;
  while (!page.empty()) {
    auto [line, rest] = page.split('\n');
    page = rest;
    isProgram ^= line.starts_with("```");
    if (isProgram)
      continue;
    if (line.consume_front("# "))
      title = (line + "\n").str();
    else if (line.consume_front("## "))
      heading = ("\n  " + line + "\n").str();
    else if (line.consume_front("### ") && line.starts_with(prefix)) {
      auto [name, about] = line.split(' ');
      list += std::exchange(title, "") + std::exchange(heading, "") +
              llvm::formatv("    {0,-20} {1}\n", name, about.rsplit(" (").first).str();
    }
  }
  return list;
}

/// Lists the rules of all pages whose names begin with `prefix`. Returns false if there is none.
static bool listRules(StringRef prefix, llvm::raw_ostream &out) {
  StringRef separator;
  for (StringRef page : rulePages())
    if (std::string list = listOfRules(page, prefix); !list.empty()) {
      out << separator << list;
      separator = "\n";
    }
  return !separator.empty();
}

int tessera::cli::runExplain(const Invocation &invocation, Terminal &terminal) {
  if (invocation.operands.empty())
    return listRules("", terminal.out), Success;
  StringRef word = StringRef(invocation.operands.front()).trim("[]");
  if (explain(word, terminal.out) || listRules((word + ".").str(), terminal.out))
    return Success;
  hintRules(word, terminal.report(diag::UnknownRule, inBackticks(word)));
  return UsageError;
}
