/// The manual page, tessera(1), in mdoc.
#include "cli/Help.h"
#include "cli/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera::cli;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// Escapes what roff would interpret: backslashes, hyphens that are minus signs, and a dot or a
/// quote at the start of a line.
std::string roffText(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '`' ? "" : std::string(1, c);
  bool isControl = !result.empty() && (result[0] == '.' || result[0] == '\'');
  return isControl ? "\\&" + result : result;
}

/// Quotes text as one argument of a macro.
std::string argument(StringRef text) {
  std::string quoted;
  for (char c : roffText(text))
    quoted += c == '"' ? "\\(dq" : std::string(1, c);
  return "\"" + quoted + "\"";
}

/// One sentence per line, as mdoc requires.
void sentences(raw_ostream &out, StringRef text) {
  while (!text.empty()) {
    size_t end = text.find(". ");
    StringRef sentence = end == StringRef::npos ? text : text.take_front(end + 1);
    out << roffText(sentence) << '\n';
    text = text.drop_front(sentence.size()).ltrim();
  }
}

void roffParagraphs(raw_ostream &out, StringRef text) {
  StringRef separator;
  for (StringRef paragraph : llvm::split(text, '\n')) {
    out << separator;
    sentences(out, paragraph);
    separator = ".Pp\n";
  }
}

void list(raw_ostream &out, llvm::function_ref<void()> items) {
  out << ".Bl -tag -width Ds\n";
  items();
  out << ".El\n";
}

void item(raw_ostream &out, const std::string &macro, StringRef term, StringRef text) {
  out << ".It " << macro << argument(term) << '\n';
  sentences(out, text);
}

/// The options that not all commands share.
void printCommand(raw_ostream &out, const Command &command) {
  out << ".Ss tessera " << command.name << '\n';
  out << ".Nm\n.Cm " << command.name << "\n.Op Ar option ...\n";
  if (!command.operands.empty())
    out << ".Ar " << argument(command.operands) << '\n';
  out << ".Pp\n";
  roffParagraphs(out, command.help);
  out << ".Pp\nOptions:\n";
  std::vector<std::string> names;
  for (const Option &option : options())
    if (option.isIn(command) && option.commands != in::Any)
      names.push_back(option.spelling());
  out << (names.empty() ? "only the general options" : roffText(llvm::join(names, ", "))) << ".\n";
}

void printOptions(raw_ostream &out) {
  for (auto [index, heading] : llvm::enumerate(groupHeadings())) {
    out << ".Ss " << heading << '\n';
    list(out, [&] {
      for (const Option &option : options())
        if (option.group == static_cast<Group>(index)) {
          std::string choices = option.longName.empty() || option.choices.empty()
                                    ? ""
                                    : ": " + llvm::join(option.choiceList(), ", ");
          item(out, "Li ", option.synopsis(), option.help.str() + choices);
        }
    });
  }
}

void printExamples(raw_ostream &out) {
  out << ".Sh EXAMPLES\n.Bd -literal\n";
  for (const Command &command : commands())
    for (StringRef line : llvm::split(command.examples, '\n'))
      out << roffText(line) << '\n';
  out << ".Ed\n";
}

} // namespace

void tessera::cli::printManPage(raw_ostream &out) {
  out << ".Dd " << releaseDate
      << "\n.Dt TESSERA 1\n"
         ".Os\n"
         ".Sh NAME\n"
         ".Nm tessera\n"
         ".Nd compiler for tensor languages\n"
         ".Sh SYNOPSIS\n"
         ".Nm\n.Ar command\n.Op Ar option ...\n.Op Ar operand ...\n"
         ".Sh DESCRIPTION\n"
         ".Nm\ncompiles and runs programs in tensor languages.\n"
         "The language is chosen by the file's extension.\n"
         "Options may come before or after operands; \\-\\- ends them.\n"
         "A word that reads as a number, such as \\-2.5, is never an option.\n"
         ".Sh COMMANDS\n";
  for (const Command &command : commands())
    printCommand(out, command);
  out << ".Sh OPTIONS\n";
  printOptions(out);
  out << ".Sh VALUES\n";
  list(out, [&] {
#define VALUE_FORM(form, help) item(out, "Li ", form, help);
#include "cli/ValueForms.def"
  });
  out << ".Sh ENVIRONMENT\n";
  list(out, [&] {
    item(out, "Ev ", "NO_COLOR", "no color, except with --color=always");
    item(out, "Ev ", "TESSERA_CACHE", "`off`: do not cache compiled programs");
    item(out, "Ev ", "TESSERA_NUM_THREADS", "number of threads, if --threads does not set it");
    item(out, "Ev ", "TESSERA_TUNING", "`off`: do not use tuning records");
    item(out, "Ev ", "XDG_CACHE_HOME",
         "the caches are in its folder tessera; the default is ~/.cache");
    item(out, "Ev ", "XDG_DATA_HOME",
         "the tuning records are in its folder tessera; the default is ~/.local/share");
  });
  out << ".Sh EXIT STATUS\n";
  list(out, [&] {
#define EXIT_STATUS(status, help) item(out, "Li ", #status, help);
#include "cli/ExitStatus.def"
  });
  printExamples(out);
}
