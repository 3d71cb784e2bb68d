#include "cli/Arguments.h"
#include "cli/Terminal.h"
#include "runtime/CpuCount.h"
#include "llvm/ADT/STLExtras.h"
#include <charconv>
#include <cmath>

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// A word that looks like an option, split: `--name=value`, `-oVALUE`, `-g`.
struct OptionWord {
  std::string name; ///< With its dashes.
  std::optional<StringRef> value;
};

bool looksLikeOption(StringRef word) {
  return word.size() > 1 && word[0] == '-' && !readsAsNumber(word);
}

/// A letter followed by more text is an option only if it takes a value.
OptionWord split(StringRef word) {
  if (word.starts_with("--")) {
    auto [name, value] = word.split('=');
    return {name.str(), word.contains('=') ? std::optional(value) : std::nullopt};
  }
  bool takesValue = llvm::any_of(
      options(), [&](const Option &o) { return o.shortName == word[1] && o.takesValue(); });
  if (word.size() == 2 || !takesValue)
    return {word.str(), std::nullopt};
  return {word.take_front(2).str(), word.drop_front(2)};
}

bool isSpelled(const Option &option, StringRef name) {
  return name.starts_with("--") ? !option.longName.empty() && name.drop_front(2) == option.longName
                                : name.size() == 2 && name[1] == option.shortName;
}

/// The option of this spelling: the command's own, otherwise any other command's.
const Option *findOption(StringRef name, const Command *command) {
  const Option *elsewhere = nullptr;
  for (const Option &option : options())
    if (isSpelled(option, name)) {
      if (!command || option.isIn(*command))
        return &option;
      elsewhere = &option;
    }
  return elsewhere;
}

/// A word such as `-` or `foo.ttl`, which is a file and not a misspelled command.
bool looksLikeFile(StringRef word) {
  return word == "-" || word.contains('.') || word.contains('/');
}

template <typename T> std::optional<T> parseNumber(StringRef text) {
  T value{};
  auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || end != text.end() || text.empty())
    return std::nullopt;
  return value;
}

/// What a kind of number accepts; "" if the text is such a number.
StringRef wantedInstead(ValueKind kind, StringRef text) {
  std::optional<uint64_t> integer = parseNumber<uint64_t>(text);
  std::optional<double> real = parseNumber<double>(text);
  switch (kind) {
  case ValueKind::Count:
    return integer && *integer >= 1 && *integer <= INT32_MAX ? ""
                                                             : "an integer from 1 to 2147483647";
  case ValueKind::Threads:
    static_assert(runtime::maxThreads == 256);
    return integer && *integer >= 1 && *integer <= 256 ? "" : "an integer from 1 to 256";
  case ValueKind::Natural:
    if (integer && *integer > INT64_MAX)
      return "an integer up to 9223372036854775807";
    return integer ? "" : "an integer of at least 0";
  case ValueKind::Real:
    return real && *real >= 0 && std::isfinite(*real) ? "" : "a number of at least 0";
  case ValueKind::Size:
    return parseSize(text) ? "" : "a size such as `512M` or `4G`";
  default:
    return "";
  }
}

class Parser {
public:
  Parser(ArrayRef<const char *> words, Terminal &terminal) : words(words), terminal(terminal) {}

  std::optional<Invocation> parse() {
    size_t commandAt = findCommand();
    if (commandAt < words.size() && !chooseCommand(words[commandAt]))
      return std::nullopt;
    while (at < words.size())
      if (at == commandAt)
        ++at;
      else
        parseWord(words[at++]);
    if (isCorrect && !result.has(Opt::Help) && !result.has(Opt::Version))
      checkOperands();
    return isCorrect ? std::optional(std::move(result)) : std::nullopt;
  }

private:
  template <typename... Ts> Report error(const DiagnosticKind &kind, Ts &&...values) {
    isCorrect = false;
    return terminal.report(kind, std::forward<Ts>(values)...);
  }

  /// Options may come before the command, so it may not be the first word.
  size_t findCommand() const {
    size_t index = 0;
    for (; index < words.size() && looksLikeOption(words[index]); ++index) {
      OptionWord word = split(words[index]);
      const Option *option = findOption(word.name, nullptr);
      if (option && option->takesValue() && !word.value)
        ++index;
    }
    return std::min(index, words.size());
  }

  bool chooseCommand(StringRef word) {
    result.command = commandNamed(word);
    if (result.command)
      return true;
    if (looksLikeFile(word)) {
      error(diag::FileWithoutCommand, inBackticks(word))
          .hint("did you mean `tessera run {0}`?", word);
      return false;
    }
    llvm::SmallVector<StringRef> names;
    for (const Command &command : commands())
      names.push_back(command.name);
    Report report = error(diag::UnknownCommand, inBackticks(word));
    if (StringRef nearest = nearestName(word, names); !nearest.empty())
      report.hint("did you mean `{0}`?", nearest);
    else
      report.hint("`tessera --help` lists the commands");
    return false;
  }

  void parseWord(StringRef word) {
    if (isPastOptions || !looksLikeOption(word))
      result.operands.push_back(word.str());
    else if (word == "--")
      isPastOptions = true;
    else
      parseOption(word);
  }

  void parseOption(StringRef word) {
    OptionWord parts = split(word);
    const Option *option = findOption(parts.name, result.command);
    bool isHere = option && (!result.command || option->isIn(*result.command));
    if (isHere)
      return take(*option, parts.value);
    if (result.command && result.command->takesPasses() && word.starts_with("--"))
      return result.passes.push_back(word.drop_front(2).str());
    // Its value is not an operand, whatever else is wrong.
    if (option && option->takesValue() && !parts.value)
      nextValue();
    option ? reportElsewhere(*option) : reportUnknown(parts.name);
  }

  void take(const Option &option, std::optional<StringRef> value) {
    if (!option.takesValue()) {
      if (value)
        error(diag::SurplusValue, option.spelling(), inBackticks(*value));
      return record(option, "");
    }
    if (!value)
      value = nextValue();
    if (!value)
      return void(error(diag::MissingValue, option.spelling(), option.synopsis()));
    if (checkValue(option, *value))
      record(option, *value);
  }

  /// The following word, unless it is an option: then the value was probably forgotten.
  std::optional<StringRef> nextValue() {
    if (at == words.size() || looksLikeOption(words[at]))
      return std::nullopt;
    return StringRef(words[at++]);
  }

  bool checkValue(const Option &option, StringRef value) {
    llvm::SmallVector<StringRef> choices = option.choiceList();
    if (option.kind == ValueKind::Choice && !llvm::is_contained(choices, value)) {
      error(diag::BadChoice, option.spelling(), alternatives(choices), inBackticks(value));
      return false;
    }
    StringRef wanted = wantedInstead(option.kind, value);
    if (!wanted.empty())
      error(diag::BadNumber, option.spelling(), wanted, inBackticks(value));
    return wanted.empty();
  }

  /// Two different values are reported, because it is unclear which one is meant.
  void record(const Option &option, StringRef value) {
    bool isNew = option.kind == ValueKind::Repeated || !result.has(option.id);
    StringRef earlier = result.text(option.id);
    if (isNew)
      result.given.push_back({option.id, value.str()});
    else if (earlier != value)
      error(diag::GivenTwice, option.spelling(), inBackticks(earlier), inBackticks(value));
  }

  void reportElsewhere(const Option &option) {
    llvm::SmallVector<StringRef> takers;
    for (const Command &command : commands())
      if (option.isIn(command))
        takers.push_back(command.name);
    error(diag::OptionElsewhere, result.command->name, option.spelling())
        .hint("it is an option of {0}", alternatives(takers));
  }

  void reportUnknown(StringRef name) {
    std::vector<std::string> spellings;
    for (const Option &option : options())
      if (!result.command || option.isIn(*result.command))
        spellings.push_back(option.spelling());
    llvm::SmallVector<StringRef> candidates(spellings.begin(), spellings.end());
    Report report = error(diag::UnknownOption, inBackticks(name));
    if (StringRef nearest = nearestName(name, candidates); !nearest.empty())
      report.hint("did you mean `{0}`?", nearest);
    else if (result.command)
      report.hint("`tessera {0} --help` lists the options", result.command->name);
  }

  void checkOperands() {
    const Command *command = result.command;
    if (!command && !result.given.empty())
      error(diag::MissingCommand).hint("`tessera --help` lists the commands");
    if (!command)
      return;
    StringRef wanted = command->operands.empty() ? "no operands" : command->operands;
    if (result.operands.size() < command->minOperands)
      error(diag::MissingOperand, command->name, command->operands.split(' ').first)
          .hint("usage: tessera {0} [OPTION...] {1}", command->name, command->operands);
    else if (result.operands.size() > command->maxOperands)
      error(diag::SurplusOperand, command->name, wanted,
            inBackticks(result.operands[command->maxOperands]));
  }

  ArrayRef<const char *> words;
  Terminal &terminal;
  Invocation result;
  size_t at = 0;
  bool isCorrect = true, isPastOptions = false;
};

} // namespace

std::optional<Invocation> cli::parseArguments(ArrayRef<const char *> words, Terminal &terminal) {
  return Parser(words, terminal).parse();
}

bool cli::readsAsNumber(StringRef word) {
  double value;
  auto [end, error] = std::from_chars(word.begin(), word.end(), value);
  return end == word.end() && error != std::errc::invalid_argument;
}

std::optional<uint64_t> cli::parseSize(StringRef text) {
  StringRef digits = text;
  digits.consume_back("B");
  unsigned shift = 0;
  if (size_t unit = digits.empty() ? StringRef::npos : StringRef("KMGT").find(digits.back());
      unit != StringRef::npos) {
    shift = 10 * (unit + 1);
    digits = digits.drop_back();
  }
  std::optional<uint64_t> count = parseNumber<uint64_t>(digits);
  if (!count || *count == 0 || *count > (UINT64_MAX >> shift))
    return std::nullopt;
  return *count << shift;
}

std::string cli::listed(ArrayRef<StringRef> words, StringRef conjunction) {
  std::string text;
  for (auto [index, word] : llvm::enumerate(words)) {
    if (index)
      text += index + 1 == words.size() ? " " + conjunction.str() + " " : ", ";
    text += "`" + word.str() + "`";
  }
  return text;
}

std::string cli::alternatives(ArrayRef<StringRef> words) {
  return listed(words, "or");
}

bool Invocation::has(Opt option) const {
  return llvm::any_of(given, [&](const Given &g) { return g.option == option; });
}

StringRef Invocation::text(Opt option, StringRef otherwise) const {
  for (const Given &g : given)
    if (g.option == option)
      return g.text;
  return otherwise;
}

llvm::SmallVector<StringRef> Invocation::texts(Opt option) const {
  llvm::SmallVector<StringRef> all;
  for (const Given &g : given)
    if (g.option == option)
      all.push_back(g.text);
  return all;
}

uint64_t Invocation::integer(Opt option, uint64_t otherwise) const {
  if (!has(option))
    return otherwise;
  if (std::optional<uint64_t> bytes = parseSize(text(option)))
    return *bytes;
  return parseNumber<uint64_t>(text(option)).value_or(otherwise);
}

double Invocation::real(Opt option, double otherwise) const {
  return has(option) ? parseNumber<double>(text(option)).value_or(otherwise) : otherwise;
}
