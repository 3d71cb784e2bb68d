#include "cli/Sizes.h"
#include "cli/Arguments.h"
#include "cli/Print.h"
#include "cli/Terminal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

Sizes::Sizes(const Signature &signature) : function(signature.name) {
  for (const Parameter &parameter : signature.parameters) {
    if (parameter.isInitial) // It has the sizes of a result, which nobody chooses.
      continue;
    for (size_t dimension = 0; dimension < parameter.shape.size(); ++dimension)
      add(sizeName(parameter, dimension), parameter);
    if (parameter.decidesSizes)
      add(parameter.name, parameter);
  }
}

void Sizes::add(StringRef name, const Parameter &parameter) {
  if (!name.empty() && !find(name))
    names.push_back({name.str(), parameter.name});
}

Sizes::Name *Sizes::find(StringRef name) {
  auto found = llvm::find_if(names, [&](const Name &known) { return known.text == name; });
  return found == names.end() ? nullptr : &*found;
}

bool Sizes::bind(StringRef name, Known found, Terminal &terminal) {
  Name *size = find(name);
  if (!size)
    return true;
  if (!size->known)
    size->known = found;
  if (size->known->value == found.value)
    return true;
  terminal.report(diag::SizesDiffer, name, size->known->value, size->known->origin, found.value,
                  found.origin);
  return false;
}

bool Sizes::bind(const Parameter &parameter, const Tensor &value, Terminal &terminal) {
  bool isGood = true;
  for (auto [dimension, size] : llvm::enumerate(value.shape())) {
    std::string origin =
        llvm::formatv("in dimension {0} of parameter `{1}`", dimension, parameter.name);
    isGood &= bind(sizeName(parameter, dimension), {size, origin}, terminal);
  }
  return (!parameter.decidesSizes || bindValue(parameter, value, terminal)) && isGood;
}

bool Sizes::bindValue(const Parameter &parameter, const Tensor &value, Terminal &terminal) {
  int64_t size = 0;
  bool fits = withElement(parameter.element, [&]<typename T>(T) {
    T element = value.elements<T>().front();
    if constexpr (std::is_integral_v<T>)
      size = static_cast<int64_t>(element);
    return std::is_integral_v<T> && !(size < 0 && element > T(0));
  });
  if (fits)
    return bind(parameter.name, {size, "by parameter `" + parameter.name + "`"}, terminal);
  terminal.report(diag::OutOfRange, "parameter `" + parameter.name + "`", describe(parameter),
                  inBackticks(elementText(dtypeOf(parameter.element), value.data())),
                  "it bounds a range, whose ends are " + rangeText(Scalar::I64));
  return false;
}

/// One `NAME=N`.
bool Sizes::readOption(StringRef text, Terminal &terminal) {
  auto [name, number] = text.split('=');
  int64_t value;
  if (name.empty() || number.empty() || !llvm::all_of(number, llvm::isDigit) ||
      number.getAsInteger(10, value)) {
    terminal.report(diag::BadSize, inBackticks(text));
    if (Name *size = find(name))
      size->isReported = true; // So that it is not reported as unknown, too.
    return false;
  }
  if (find(name))
    return bind(name, {value, "by `--size`"}, terminal);
  std::vector<StringRef> texts;
  for (const Name &known : names)
    texts.push_back(known.text);
  Report report = terminal.report(diag::UnknownSize, function, inBackticks(name), value);
  if (StringRef nearest = nearestName(name, texts); !nearest.empty())
    report.hint("did you mean `{0}`?", nearest);
  else if (!texts.empty())
    report.hint("its sizes are {0}", llvm::join(texts, ", "));
  return false;
}

bool Sizes::readOptions(const Invocation &invocation, Terminal &terminal) {
  bool isGood = true;
  for (StringRef option : invocation.texts(Opt::Sizes))
    for (StringRef text : llvm::split(option, ','))
      isGood &= readOption(text.trim(), terminal);
  return isGood;
}

bool Sizes::isKnown(Name &size, Terminal &terminal) {
  if (!size.known && !size.isReported)
    terminal.report(diag::MissingSize, size.text, size.owner);
  size.isReported = true;
  return size.known.has_value();
}

bool Sizes::areKnown(Terminal &terminal) {
  std::vector<std::string> open;
  for (const Name &size : names)
    if (!size.known)
      open.push_back(inBackticks(size.text));
  if (!open.empty())
    terminal.report(diag::MissingSizes, function, llvm::join(open, ", "))
        .hint("give all sizes, or none to compile for any sizes");
  return open.empty();
}

bool Sizes::areKnown(const Parameter &parameter, Terminal &terminal) {
  bool isGood = true;
  for (auto [dimension, size] : llvm::enumerate(parameter.shape))
    if (Name *name = find(sizeName(parameter, dimension)); name && size == dynamicSize)
      isGood &= isKnown(*name, terminal);
  return isGood;
}

SizeBindings Sizes::bindings() const {
  SizeBindings bindings;
  for (const Name &size : names)
    if (size.known)
      bindings.emplace_back(size.text, size.known->value);
  return bindings;
}

Parameter Sizes::known(Parameter parameter) const {
  for (auto [dimension, size] : llvm::enumerate(parameter.shape))
    for (const Name &name : names)
      if (size == dynamicSize && name.known && name.text == sizeName(parameter, dimension))
        size = name.known->value;
  return parameter;
}
