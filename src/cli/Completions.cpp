/// `tessera completions`: scripts for shells, from the same tables as the parser.
#include "cli/Commands.h"
#include "cli/Help.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera::cli;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

struct Shell {
  StringRef name;
  void (*print)(raw_ostream &);
};
constexpr Shell shells[] = {
    {"bash", printBashCompletions},
    {"zsh", printZshCompletions},
    {"fish", printFishCompletions},
    {"man", printManPage},
};

bool isPattern(StringRef files) {
  return files.starts_with("*.");
}

/// The words that spell an option: `--call=`, `-h`, `-O0`.
std::vector<std::string> spellings(const Option &option, StringRef afterLong) {
  std::vector<std::string> words;
  if (!option.longName.empty())
    words.push_back("--" + option.longName.str() + (option.takesValue() ? afterLong.str() : ""));
  bool isAttached = option.longName.empty() && option.kind == ValueKind::Choice;
  if (isAttached)
    for (StringRef choice : option.choiceList())
      words.push_back(std::string{'-', option.shortName} + choice.str());
  else if (option.shortName)
    words.push_back({'-', option.shortName});
  return words;
}

void forEachOption(const Command &command, llvm::function_ref<void(const Option &)> visit) {
  for (const Option &option : options())
    if (option.isIn(command))
      visit(option);
}

/// Text inside single quotes of a shell.
std::string quotedText(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result;
}

/// Text inside single quotes of zsh's _arguments, where brackets and colons have a meaning.
std::string zshEscaped(StringRef text) {
  std::string result;
  for (char c : quotedText(text)) {
    if (c == '[' || c == ']' || c == ':')
      result += '\\';
    result += c;
  }
  return result;
}

void printBashCommand(raw_ostream &out, const Command &command) {
  out << "    " << command.name << ")\n      options='";
  forEachOption(command, [&](const Option &option) {
    for (const std::string &word : spellings(option, "="))
      out << word << ' ';
  });
  out << "'\n";
  if (isPattern(command.files))
    out << "      patterns=('" << llvm::join(llvm::split(command.files, '|'), "' '") << "')\n";
  else if (!command.files.empty())
    out << "      words='" << llvm::join(llvm::split(command.files, '|'), " ") << "'\n";
  out << "      ;;\n";
}

/// Spellings are unique among options with choices, so one list serves all commands.
void printBashChoices(raw_ostream &out) {
  for (const Option &option : options())
    if (!option.choices.empty() && !option.longName.empty())
      out << "    --" << option.longName << ") choices='" << llvm::join(option.choiceList(), " ")
          << "' ;;\n";
}

void printZshOption(raw_ostream &out, const Option &option) {
  for (const std::string &word : spellings(option, "=")) {
    out << "        '" << (option.kind == ValueKind::Repeated ? "*" : "") << word << '['
        << zshEscaped(option.help) << ']';
    bool isDone = !option.takesValue() || (option.longName.empty() && !option.choices.empty());
    if (!isDone && !option.choices.empty())
      out << ':' << option.metavar << ":(" << llvm::join(option.choiceList(), " ") << ')';
    else if (!isDone)
      out << ':' << zshEscaped(option.metavar) << ':'
          << (option.shortName || option.kind == ValueKind::File ? "_files" : " ");
    out << "' \\\n";
  }
}

void printZshCommand(raw_ostream &out, const Command &command) {
  out << "    " << command.name << ")\n      _arguments -S \\\n";
  forEachOption(command, [&](const Option &option) { printZshOption(out, option); });
  if (isPattern(command.files))
    out << "        '*:file:_files -g \"" << llvm::join(llvm::split(command.files, '|'), " ")
        << "\"'\n";
  else if (!command.files.empty())
    out << "        '1:shell:(" << llvm::join(llvm::split(command.files, '|'), " ") << ")'\n";
  else
    out << "        '*: :'\n";
  out << "      ;;\n";
}

void printFishOption(raw_ostream &out, const Command &command, const Option &option) {
  out << "complete -c tessera -n '__fish_seen_subcommand_from " << command.name << "'";
  bool isAttached = option.longName.empty() && option.kind == ValueKind::Choice;
  if (isAttached)
    out << " -a '" << llvm::join(spellings(option, ""), " ") << "'";
  else if (option.shortName)
    out << " -s " << option.shortName;
  if (!option.longName.empty())
    out << " -l " << option.longName;
  if (option.takesValue() && !isAttached)
    out << (option.shortName || option.kind == ValueKind::File ? " -rF" : " -x");
  if (!option.choices.empty() && !isAttached)
    out << " -a '" << llvm::join(option.choiceList(), " ") << "'";
  out << " -d '" << quotedText(option.help) << "'\n";
}

void printFishCommand(raw_ostream &out, const Command &command) {
  out << "complete -c tessera -n __fish_use_subcommand -a " << command.name << " -d '"
      << quotedText(command.summary) << "'\n";
  std::string condition =
      "complete -c tessera -n '__fish_seen_subcommand_from " + command.name.str();
  if (isPattern(command.files))
    for (StringRef pattern : llvm::split(command.files, '|'))
      out << condition << "' -k -a '(__fish_complete_suffix " << pattern.drop_front(1) << ")'\n";
  else if (!command.files.empty())
    out << condition << "' -a '" << llvm::join(llvm::split(command.files, '|'), " ") << "'\n";
  forEachOption(command, [&](const Option &option) { printFishOption(out, command, option); });
}

// The parts of the bash script that do not come from the tables, in order.

constexpr StringRef bashHead = R"(# bash completion for tessera
_tessera() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local name='' command='' options='' words='' choices='' i
  local -a patterns=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      )";

constexpr StringRef bashNoCommand = R"x() command=${COMP_WORDS[i]}; break ;;
    esac
  done
  if [[ -z $command ]]; then
    mapfile -t COMPREPLY < <(compgen -W '--help --version )x";

// `=` separates words, so `--name=value` arrives as three of them.
constexpr StringRef bashFindOption = R"(' -- "$current")
    return
  fi
  if [[ $current == = ]]; then
    name=$previous current=''
  elif [[ $previous == = ]]; then
    name=${COMP_WORDS[COMP_CWORD-2]}
  else
    name=$previous
  fi
  case $name in
)";

constexpr StringRef bashOfferChoices = R"(  esac
  if [[ -n $choices ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
    return
  fi
  case $command in
)";

constexpr StringRef bashOfferRest = R"(  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  elif [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ $current == @* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -P @ -f -- "${current#@}")
  elif [[ ${#patterns[@]} -gt 0 && $previous != -o ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(for i in "${patterns[@]}"; do compgen -f -X "!$i" -- "$current"; done
      compgen -d -- "$current")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _tessera tessera
)";

StringRef nameOf(const Command &command) {
  return command.name;
}

} // namespace

void tessera::cli::printBashCompletions(raw_ostream &out) {
  out << bashHead << llvm::join(llvm::map_range(commands(), nameOf), "|") << bashNoCommand
      << llvm::join(llvm::map_range(commands(), nameOf), " ") << bashFindOption;
  printBashChoices(out);
  out << bashOfferChoices;
  for (const Command &command : commands())
    printBashCommand(out, command);
  out << bashOfferRest;
}

void tessera::cli::printZshCompletions(raw_ostream &out) {
  out << "#compdef tessera\n"
         "# zsh completion for tessera\n"
         "_tessera() {\n"
         "  local -a commands\n"
         "  commands=(\n";
  for (const Command &command : commands())
    out << "    '" << command.name << ':' << zshEscaped(command.summary) << "'\n";
  out << "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe -t commands command commands\n"
         "    _arguments '--help[print help and exit]' '--version[print the version and exit]'\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in\n";
  for (const Command &command : commands())
    printZshCommand(out, command);
  out << "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _tessera ]]; then\n"
         "  _tessera \"$@\"\n"
         "else\n"
         "  compdef _tessera tessera\n"
         "fi\n";
}

void tessera::cli::printFishCompletions(raw_ostream &out) {
  out << "# fish completion for tessera\n"
         "complete -c tessera -f\n"
         "complete -c tessera -n __fish_use_subcommand -s h -l help -d 'print help and exit'\n"
         "complete -c tessera -n __fish_use_subcommand -l version -d 'print the version and "
         "exit'\n";
  for (const Command &command : commands())
    printFishCommand(out, command);
}

int tessera::cli::runCompletions(const Invocation &invocation, Terminal &terminal) {
  StringRef wanted = invocation.operands[0];
  for (const Shell &shell : shells)
    if (shell.name == wanted) {
      shell.print(terminal.out);
      return Success;
    }
  llvm::SmallVector<StringRef> names;
  for (const Shell &shell : shells)
    names.push_back(shell.name);
  terminal.report(diag::UnknownShell, inBackticks(wanted), alternatives(names));
  return UsageError;
}
