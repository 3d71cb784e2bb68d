#include "cli/Help.h"
#include "cli/Version.h"
#include "lang/Language.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera::cli;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

constexpr size_t width = 80;
constexpr size_t helpColumn = 26;

/// Writes words with line breaks, beginning at column `at`; further lines begin at `indent`.
void wrap(raw_ostream &out, StringRef text, size_t indent, size_t at) {
  bool isFirst = true;
  for (StringRef word : llvm::split(text, ' ')) {
    if (!isFirst && at + 1 + word.size() > width) {
      out << '\n';
      out.indent(indent);
      at = indent;
    } else if (!isFirst) {
      out << ' ';
      ++at;
    }
    out << word;
    at += word.size();
    isFirst = false;
  }
  out << '\n';
}

/// A term with its description in a second column, below the term if it is too long.
void entry(raw_ostream &out, StringRef term, StringRef description) {
  out << "  " << term;
  size_t at = 2 + term.size();
  if (at + 2 > helpColumn) {
    out << '\n';
    at = 0;
  }
  out.indent(helpColumn - at);
  wrap(out, description, helpColumn, helpColumn);
}

void paragraphs(raw_ostream &out, StringRef text) {
  for (StringRef paragraph : llvm::split(text, '\n'))
    wrap(out, paragraph, 0, 0);
}

/// Choices are part of the description, because they would make the column of terms too wide.
std::string describe(const Option &option) {
  std::string text = option.help.str();
  if (!option.longName.empty() && !option.choices.empty())
    text += " (" + llvm::join(option.choiceList(), ", ") + ")";
  return text;
}

void printOptions(raw_ostream &out, const Command &command) {
  for (auto [index, heading] : llvm::enumerate(groupHeadings())) {
    auto group = optionsOf(command, static_cast<Group>(index));
    if (group.empty())
      continue;
    out << '\n' << heading << ":\n";
    for (const Option *option : group)
      entry(out, option->synopsis(), describe(*option));
  }
}

void printExamples(raw_ostream &out, StringRef examples) {
  out << "\nExamples:\n";
  for (StringRef line : llvm::split(examples, '\n'))
    out << "  " << line << '\n';
}

/// The forms of a value are the same for every command that takes arguments.
void printValueForms(raw_ostream &out) {
  out << "\nForms of a VALUE:\n";
#define VALUE_FORM(form, help) entry(out, form, help);
#include "cli/ValueForms.def"
}

void printCommandHelp(raw_ostream &out, const Command &command) {
  out << "Usage: tessera " << command.name << " [OPTION...]"
      << (command.operands.empty() ? "" : " ") << command.operands << "\n\n";
  paragraphs(out, command.help);
  if (command.operands.contains("ARG"))
    printValueForms(out);
  printOptions(out, command);
  printExamples(out, command.examples);
}

std::string extensionsOf(const tessera::Language &language) {
  std::string text = language.extension.str();
  for (StringRef other : language.otherExtensions)
    text += ", " + other.str();
  return text;
}

/// The title of the language's page.
StringRef titleOf(const tessera::Language &language) {
  return language.rules.split('\n').first.ltrim("# ");
}

void printOverview(raw_ostream &out) {
  out << "Usage: tessera COMMAND [OPTION...] [OPERAND...]\n\n"
         "A compiler for tensor languages.\n"
         "\nLanguages, chosen by the file's extension:\n";
  for (const tessera::Language *language : tessera::languages())
    entry(out, extensionsOf(*language), titleOf(*language));
  out << "\nCommands:\n";
  for (const Command &command : commands())
    entry(out, command.name, command.summary);
  out << "\nGeneral:\n";
  for (const Option &option : options())
    if (option.commands == in::Any)
      entry(out, option.synopsis(), describe(option));
  out << "\n`tessera COMMAND --help` describes a command. Options may come before or\n"
         "after operands; `--` ends them.\n";
  out << "\nExit status:\n";
#define EXIT_STATUS(status, help) entry(out, #status, help);
#include "cli/ExitStatus.def"
}

} // namespace

llvm::SmallVector<const Option *> tessera::cli::optionsOf(const Command &command, Group group) {
  llvm::SmallVector<const Option *> found;
  for (const Option &option : options())
    if (option.isIn(command) && option.group == group)
      found.push_back(&option);
  return found;
}

void tessera::cli::printHelp(raw_ostream &out, const Command *command) {
  command ? printCommandHelp(out, *command) : printOverview(out);
}

void tessera::cli::printVersion(raw_ostream &out) {
  out << "tessera " << version << " (LLVM " << llvmVersion << ")\n";
}
