#include "cli/CallArguments.h"
#include "cli/Generators.h"
#include "cli/Terminal.h"
#include "cli/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

using Texts = std::vector<std::optional<StringRef>>; ///< One per parameter.

/// Assigns words to parameters, before any word is read.
class Assignment {
public:
  Assignment(const Signature &signature, Terminal &terminal)
      : texts(signature.parameters.size()), signature(signature), terminal(terminal) {
    for (auto [index, parameter] : llvm::enumerate(signature.parameters))
      if (!parameter.isInitial)
        arguments.push_back(index);
  }

  void add(StringRef word) {
    auto [name, value] = splitName(word);
    if (StringRef own = word.split('=').first; word.contains('=') && isParameter(own))
      return addNamed(own, word.drop_front(own.size() + 1)); // Names in kernels include `0`.
    if (!name.empty())
      return addNamed(name, value);
    if (numPositional < arguments.size())
      return set(arguments[numPositional++], value);
    reportSurplus(word);
  }

  /// A value for an unknown name probably belongs to a parameter without a value.
  void checkComplete() {
    if (!isCorrect)
      return;
    for (size_t index : arguments)
      if (!texts[index])
        error(diag::MissingArgument, signature.parameters[index].name, signature.name,
              describe(signature.parameters[index]));
  }

  Texts texts;
  bool isCorrect = true;

private:
  template <typename... Ts> Report error(const DiagnosticKind &kind, Ts &&...values) {
    isCorrect = false;
    return terminal.report(kind, std::forward<Ts>(values)...);
  }

  bool isParameter(StringRef name) const {
    return llvm::any_of(arguments,
                        [&](size_t index) { return signature.parameters[index].name == name; });
  }

  void addNamed(StringRef name, StringRef value) {
    for (size_t index : arguments)
      if (signature.parameters[index].name == name)
        return set(index, value);
    reportUnknown(name, value);
  }

  void set(size_t index, StringRef value) {
    if (!texts[index]) {
      texts[index] = value;
      return;
    }
    Report report = error(diag::ArgumentGivenTwice, signature.parameters[index].name,
                          inBackticks(*texts[index]), inBackticks(value));
    if (numPositional)
      report.hint("values without a name go to the first parameters, in order");
  }

  void reportSurplus(StringRef word) {
    size_t count = arguments.size();
    std::string takes = count == 0   ? "no arguments"
                        : count == 1 ? "1 argument"
                                     : std::to_string(count) + " arguments";
    error(diag::SurplusArgument, signature.name, takes, inBackticks(word));
  }

  void reportUnknown(StringRef name, StringRef value) {
    llvm::SmallVector<StringRef> names;
    for (size_t index : arguments)
      names.push_back(signature.parameters[index].name);
    Report report =
        error(diag::UnknownParameter, signature.name, inBackticks(name), inBackticks(value));
    bool isInitial = llvm::any_of(signature.parameters, [&](const Parameter &parameter) {
      return parameter.isInitial && parameter.name == name;
    });
    if (isInitial)
      report.hint("`{0}` is a result; give its initial value with `--init {0}={1}`", name, value);
    else if (StringRef nearest = nearestName(name, names); !nearest.empty())
      report.hint("did you mean `{0}`?", nearest);
    else if (!names.empty())
      report.hint("its parameters are {0}", llvm::join(names, ", "));
  }

  const Signature &signature;
  Terminal &terminal;
  std::vector<size_t> arguments; ///< Which parameters are arguments.
  size_t numPositional = 0;
};

/// Assigns the --init options to results.
class InitialAssignment {
public:
  InitialAssignment(const Signature &signature, Terminal &terminal)
      : texts(signature.parameters.size()), signature(signature), terminal(terminal) {
    for (auto [index, parameter] : llvm::enumerate(signature.parameters))
      if (parameter.isInitial)
        initials.push_back(index);
  }

  void add(StringRef word) {
    auto [name, value] = splitName(word);
    std::optional<size_t> index = find(name);
    if (!index)
      return reportUnknown(name, value);
    if (texts[*index])
      error(diag::ResultGivenTwice, "--init", signature.parameters[*index].name,
            inBackticks(*texts[*index]), inBackticks(value));
    texts[*index] = value;
  }

  void checkComplete() {
    for (size_t index : initials)
      if (const Parameter &parameter = signature.parameters[index]; !texts[index])
        error(diag::MissingInitial, signature.name, parameter.name, describe(parameter))
            .hint("give it with `--init {0}=VALUE`", parameter.name);
  }

  Texts texts;
  bool isCorrect = true;

private:
  template <typename... Ts> Report error(const DiagnosticKind &kind, Ts &&...values) {
    isCorrect = false;
    return terminal.report(kind, std::forward<Ts>(values)...);
  }

  /// The name may be left out if there is only one result.
  std::optional<size_t> find(StringRef name) const {
    if (name.empty() && initials.size() == 1)
      return initials.front();
    for (size_t index : initials)
      if (signature.parameters[index].name == name)
        return index;
    return std::nullopt;
  }

  void reportUnknown(StringRef name, StringRef value) {
    llvm::SmallVector<StringRef> names;
    for (size_t index : initials)
      names.push_back(signature.parameters[index].name);
    if (name.empty() && !names.empty()) {
      error(diag::ResultNameNeeded, signature.name,
            std::to_string(names.size()) + " results with initial values", "--init",
            inBackticks(value));
      return;
    }
    Report report = error(diag::UnknownInitial, signature.name,
                          name.empty() ? "" : " " + inBackticks(name), inBackticks(value));
    if (StringRef nearest = nearestName(name, names); !nearest.empty())
      report.hint("did you mean `{0}`?", nearest);
    else if (!names.empty())
      report.hint("it updates {0}", llvm::join(names, ", "));
  }

  const Signature &signature;
  Terminal &terminal;
  std::vector<size_t> initials;
};

} // namespace

std::optional<std::vector<StringRef>> cli::assignArguments(const ArgumentWords &words,
                                                           Terminal &terminal) {
  Assignment assignment(words.signature, terminal);
  for (const std::string &word : words.positional)
    assignment.add(word);
  assignment.checkComplete();
  if (!assignment.isCorrect)
    return std::nullopt;
  std::vector<StringRef> texts;
  for (const std::optional<StringRef> &text : assignment.texts)
    texts.push_back(*text);
  return texts;
}

std::optional<ArgumentValues> cli::readArguments(const ArgumentWords &words, Sizes &sizes,
                                                 Terminal &terminal) {
  ArrayRef<Parameter> parameters = words.signature.parameters;
  Assignment assignment(words.signature, terminal);
  for (const std::string &word : words.positional)
    assignment.add(word);
  assignment.checkComplete();
  ArgumentValues values(parameters.size());
  bool isCorrect = assignment.isCorrect;
  auto read = [&](size_t index, const Parameter &parameter) {
    ValueTarget target{parameter, "parameter", unsigned(index), words.seed};
    values[index] = readValue(*assignment.texts[index], target, terminal);
    isCorrect &= values[index] && sizes.bind(parameters[index], *values[index], terminal);
  };
  // Values with a shape come first: they determine the sizes of the others.
  for (auto [index, text] : llvm::enumerate(assignment.texts))
    if (text && !isGenerator(*text))
      read(index, parameters[index]);
  if (!isCorrect) // An unreadable value might have determined what others lack.
    return std::nullopt;
  for (auto [index, text] : llvm::enumerate(assignment.texts))
    if (text && isGenerator(*text)) {
      Parameter parameter = sizes.known(parameters[index]);
      sizes.areKnown(parameter, terminal) ? read(index, parameter) : void(isCorrect = false);
    }
  return isCorrect ? std::optional(std::move(values)) : std::nullopt;
}

std::unique_ptr<data::Value> cli::readDataArguments(const ArgumentWords &words,
                                                    const data::ReadOptions &options,
                                                    Terminal &terminal) {
  ArrayRef<Parameter> parameters = words.signature.parameters;
  Assignment assignment(words.signature, terminal);
  for (const std::string &word : words.positional)
    assignment.add(word);
  assignment.checkComplete();
  std::vector<DataType> types;
  for (const Parameter &parameter : parameters)
    types.push_back(*parameter.data);
  auto values = std::make_unique<data::Value>(DataType::structOf(std::move(types)));
  bool isCorrect = assignment.isCorrect;
  for (auto [index, text] : llvm::enumerate(assignment.texts)) {
    void *slot = static_cast<char *>(values->slot()) + values->type.offset(index);
    data::Target target{"parameter", parameters[index].name, *parameters[index].data,
                        slot,        values->memory,         unsigned(index)};
    isCorrect &= text && data::readValue(*text, target, options, terminal);
  }
  return isCorrect ? std::move(values) : nullptr;
}

bool cli::readInitialValues(const ArgumentWords &words, const Sizes &sizes, ArgumentValues &values,
                            Terminal &terminal) {
  InitialAssignment assignment(words.signature, terminal);
  for (StringRef word : words.initial)
    assignment.add(word);
  assignment.checkComplete();
  for (auto [index, text] : llvm::enumerate(assignment.texts)) {
    if (!text)
      continue;
    Parameter parameter = sizes.known(words.signature.parameters[index]);
    values[index] = readValue(*text, {parameter, "result", unsigned(index), words.seed}, terminal);
    assignment.isCorrect &= values[index].has_value();
  }
  return assignment.isCorrect;
}
