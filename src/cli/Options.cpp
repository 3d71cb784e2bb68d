#include "cli/Options.h"
#include "cli/Commands.h"
#include "lang/Language.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr unsigned many = ~0u;

StringRef tessera::cli::languageNames() {
  static const std::string text =
      llvm::join(llvm::map_range(languages(), [](const Language *l) { return l->name; }), "|");
  return text;
}

StringRef tessera::cli::sourcePatterns() {
  static const std::string text = [] {
    std::vector<std::string> patterns;
    for (const Language *language : languages()) {
      patterns.push_back("*" + language->extension.str());
      for (StringRef other : language->otherExtensions)
        patterns.push_back("*" + other.str());
    }
    return llvm::join(patterns, "|");
  }();
  return text;
}

ArrayRef<Command> tessera::cli::commands() {
  static const Command table[] = {
#define COMMAND(id, name, operands, min, max, files, summary, help, examples)                      \
  {CommandId::id, name, operands, min, max, files, summary, help, examples, run##id},
#include "cli/Commands.def"
  };
  return table;
}

const Command *tessera::cli::commandNamed(StringRef name) {
  auto *found = llvm::find_if(commands(), [&](const Command &c) { return c.name == name; });
  return found == commands().end() ? nullptr : found;
}

ArrayRef<StringRef> tessera::cli::groupHeadings() {
  static constexpr StringRef table[] = {
#define GROUP(id, heading) heading,
#include "cli/Options.def"
  };
  return table;
}

ArrayRef<Option> tessera::cli::options() {
  static const Option table[] = {
#define OPTION(id, longName, shortName, kind, metavar, choices, commands, group, help)             \
  {Opt::id, longName, shortName, ValueKind::kind, metavar, choices, commands, Group::group, help},
#include "cli/Options.def"
  };
  return table;
}

std::string Option::spelling() const {
  return longName.empty() ? std::string{'-', shortName} : "--" + longName.str();
}

std::string Option::synopsis() const {
  if (kind == ValueKind::Flag)
    return longName.empty() || !shortName ? spelling()
                                          : std::string{'-', shortName} + ", --" + longName.str();
  if (!longName.empty())
    return "--" + longName.str() + "=" + metavar.str();
  if (kind != ValueKind::Choice)
    return spelling() + " " + metavar.str();
  // A letter with a choice is one word, so the words are listed.
  return spelling() + llvm::join(choiceList(), ", " + spelling());
}

llvm::SmallVector<StringRef> Option::choiceList() const {
  llvm::SmallVector<StringRef> list;
  choices.split(list, '|', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return list;
}
