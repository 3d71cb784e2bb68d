/// From words of the command line to the arguments of a kernel.
#include "cli/Arguments.h"
#include "cli/Generators.h"
#include "cli/Terminal.h"
#include "cli/Values.h"
#include "cli/kernels/Launch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::cli;
using kernels::Argument;
using kernels::Launch;
using llvm::StringRef;

using Shape = llvm::SmallVector<int64_t, 4>;

namespace {

using Words = std::vector<std::string>;

/// Returns nullopt if this is not a JSON array, or one without texts. Other elements are returned
/// as they are written.
std::optional<Words> wordsOfJson(StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Array *array = value->getAsArray();
  auto textOf = [](const llvm::json::Value &element) { return element.getAsString(); };
  if (!array || (!array->empty() && llvm::none_of(*array, textOf)))
    return std::nullopt;
  Words words;
  for (const llvm::json::Value &element : *array)
    words.push_back(textOf(element) ? textOf(element)->str() : llvm::formatv("{0}", element).str());
  return words;
}

/// `["@a.npy", "@b.npy"]`, or without quotes if no name contains a comma: one file per member; `[]`
/// has none. Returns nullopt for numbers.
std::optional<Words> memberWords(StringRef text) {
  text = text.trim();
  if (std::optional<Words> words = wordsOfJson(text))
    return words;
  bool isList = text.consume_front("[") && text.consume_back("]");
  if (!isList || !text.contains('@'))
    return std::nullopt;
  Words words;
  for (StringRef word : llvm::split(text, ','))
    words.push_back(word.trim().str());
  return words;
}

/// The same, or the contents of a file with such a list.
std::optional<Words> memberWordsIn(StringRef text) {
  StringRef path = text;
  if (!path.consume_front("@") || !path.ends_with(".json"))
    return memberWords(text);
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  return file ? memberWords((*file)->getBuffer()) : std::nullopt;
}

/// `@a.npy`, but not two without a comma.
bool isFile(StringRef word) {
  return word.starts_with("@") && !word.contains(" @");
}

/// Reads one argument.
class Reader {
public:
  Reader(const Parameter &parameter, unsigned position, uint64_t seed, Terminal &terminal)
      : parameter(parameter), type(*parameter.kernel), position(position), seed(seed),
        terminal(terminal) {}

  std::optional<Argument> read(StringRef text, int64_t offset) {
    bool isGroup = type.kind == KernelType::Kind::Group;
    if (auto words = isGroup ? memberWordsIn(text) : std::nullopt)
      return readMembers(text, *words, offset);
    Parameter wanted = form(parameter.name);
    if (isGroup)
      wanted.shape.insert(wanted.shape.begin() + type.shape.size(), type.count);
    if (auto mapped = map(text, wanted))
      if (auto argument = Argument::inPlace(type, offset, *mapped))
        return argument;
    std::optional<Tensor> values = readTensor(text, wanted);
    if (!values)
      return std::nullopt;
    Shape shape(values->shape().drop_back(type.isComplex));
    int64_t count = isGroup ? shape.pop_back_val() : 1;
    auto argument = allocate(text, offset, std::vector<Shape>(count, shape));
    if (argument)
      argument->fill(*values);
    return argument;
  }

private:
  /// One memref as a tensor: complex numbers have a last dimension for their parts.
  Parameter form(std::string name) const {
    Parameter wanted;
    wanted.name = std::move(name);
    wanted.element = type.element;
    wanted.isTensor = type.kind != KernelType::Kind::Scalar;
    wanted.shape = type.shape;
    if (type.isComplex)
      wanted.shape.push_back(2);
    wanted.kernel = type;
    return wanted;
  }

  std::optional<Tensor> readTensor(StringRef text, const Parameter &wanted) {
    return readValue(text, {wanted, "parameter", position, seed}, terminal);
  }

  /// A column-major file of the right shape, used in place.
  std::optional<MappedArray> map(StringRef text, const Parameter &wanted) const {
    if (type.kind == KernelType::Kind::Scalar || !text.consume_front("@"))
      return std::nullopt;
    std::optional<MappedArray> array = mapColumnMajor(text, kernels::dtypeOf(type));
    llvm::ArrayRef<int64_t> shape = llvm::ArrayRef(wanted.shape).drop_back(type.isComplex);
    bool fits = array && array->shape.size() == shape.size();
    for (size_t mode = 0; fits && mode < shape.size(); ++mode)
      fits = shape[mode] == dynamicSize || shape[mode] == array->shape[mode];
    return fits ? array : std::nullopt;
  }

  std::optional<Argument> allocate(StringRef text, int64_t offset, llvm::ArrayRef<Shape> shapes) {
    auto argument = Argument::allocate(type, offset, shapes);
    if (!argument)
      terminal.report(diag::TooLarge, "parameter `" + parameter.name + "`", describe(parameter),
                      inBackticks(text));
    return argument;
  }

  /// Reports which of them is not a file.
  bool areFiles(StringRef text, const Words &words) {
    auto other = llvm::find_if_not(words, isFile);
    if (other == words.end())
      return true;
    terminal
        .report(diag::NoMemberFile, parameter.name, describe(parameter), other - words.begin(),
                inBackticks(text), inBackticks(*other))
        .hint("a list of files is written `[@a.npy, @b.npy]`");
    return false;
  }

  std::optional<Tensor> readMember(StringRef word, size_t member) {
    Parameter wanted = form(llvm::formatv("{0}[{1}]", parameter.name, member));
    wanted.kernel->kind = KernelType::Kind::Memref;
    return readTensor(word, wanted);
  }

  std::optional<Argument> readMembers(StringRef text, const Words &words, int64_t offset) {
    if (!areFiles(text, words))
      return std::nullopt;
    if (type.count != dynamicSize && int64_t(words.size()) != type.count) {
      std::string files = llvm::formatv("{0} file{1}", words.size(), words.size() == 1 ? "" : "s");
      terminal.report(diag::WrongMemberCount, parameter.name, describe(parameter),
                      inBackticks(text), files, type.count);
      return std::nullopt;
    }
    std::vector<Tensor> values;
    std::vector<Shape> shapes;
    for (auto [member, word] : llvm::enumerate(words)) {
      std::optional<Tensor> value = readMember(word, member);
      if (!value)
        return std::nullopt;
      shapes.emplace_back(value->shape().drop_back(type.isComplex));
      values.push_back(std::move(*value));
    }
    auto argument = allocate(text, offset, shapes);
    for (size_t member = 0; argument && member < values.size(); ++member)
      argument->fill(member, values[member]);
    return argument;
  }

  const Parameter &parameter;
  const KernelType &type;
  unsigned position;
  uint64_t seed;
  Terminal &terminal;
};

/// Separates the words about offsets, `A.offset=3`, from the others.
class Offsets {
public:
  Offsets(const Signature &kernel, Terminal &terminal)
      : kernel(kernel), terminal(terminal), given(kernel.parameters.size()) {}

  bool take(StringRef word) {
    auto [name, value] = word.split(".offset=");
    auto parameter = llvm::find_if(
        kernel.parameters, [&](const Parameter &each) { return StringRef(each.name) == name; });
    if (!word.contains(".offset=") || parameter == kernel.parameters.end())
      return false;
    read(*parameter, given[parameter - kernel.parameters.begin()], value);
    return true;
  }

  /// A dynamic offset must be given.
  int64_t of(size_t index) {
    const Parameter &parameter = kernel.parameters[index];
    int64_t known = parameter.kernel->offset;
    if (known != dynamicSize || given[index])
      return given[index].value_or(known);
    isCorrect = false;
    terminal.report(diag::MissingArgument, parameter.name + ".offset", kernel.name,
                    "the offset of the members of " + describe(parameter));
    return 0;
  }

  bool isCorrect = true;

private:
  void read(const Parameter &parameter, std::optional<int64_t> &offset, StringRef text) {
    int64_t number = 0;
    bool isKnown = parameter.kernel->kind != KernelType::Kind::Group ||
                   parameter.kernel->offset != dynamicSize;
    bool isNumber = !text.getAsInteger(10, number) && number >= 0;
    if (isKnown)
      terminal.report(diag::NoOffset, parameter.name, describe(parameter), inBackticks(text));
    else if (!isNumber)
      terminal.report(diag::BadOffset, parameter.name, inBackticks(text));
    else if (offset)
      terminal.report(diag::ArgumentGivenTwice, parameter.name + ".offset",
                      inBackticks(std::to_string(*offset)), inBackticks(text));
    isCorrect &= !isKnown && isNumber && !offset;
    offset = number;
  }

  const Signature &kernel;
  Terminal &terminal;
  std::vector<std::optional<int64_t>> given;
};

} // namespace

std::unique_ptr<Launch> Launch::read(const Signature &kernel, const Invocation &invocation,
                                     Terminal &terminal) {
  std::unique_ptr<Launch> launch(new Launch(kernel));
  Offsets offsets(launch->kernel, terminal);
  std::vector<std::string> words;
  for (const std::string &word : invocation.arguments())
    if (!offsets.take(word))
      words.push_back(word);
  auto texts = assignArguments({launch->kernel, words}, terminal);
  if (!texts || !offsets.isCorrect)
    return nullptr;
  bool isCorrect = true;
  uint64_t seed = invocation.integer(Opt::Seed, 0);
  std::optional<int64_t> firstCount;
  for (auto [index, text] : llvm::enumerate(*texts)) {
    const Parameter &parameter = launch->kernel.parameters[index];
    int64_t offset = offsets.of(index);
    auto argument = Reader(parameter, index, seed, terminal).read(text, offset);
    isCorrect &= argument && offsets.isCorrect;
    if (argument && offset > 0 && offset >= argument->numReachable() && argument->numElements()) {
      terminal.report(diag::OffsetBeyond, parameter.name, offset, argument->numReachable());
      isCorrect = false;
    }
    if (argument && parameter.kernel->kind == KernelType::Kind::Group && !firstCount)
      firstCount = argument->members.size();
    if (argument)
      launch->values.push_back(std::move(*argument));
  }
  if (!isCorrect)
    return nullptr;
  launch->launch.groups = invocation.integer(Opt::Groups, firstCount.value_or(1));
  launch->launch.threads = invocation.integer(Opt::Threads, 0);
  launch->launch.alone = true; // No other thread knows the arguments.
  launch->pack();
  launch->listResults();
  return launch;
}
