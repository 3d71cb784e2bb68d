#include "cli/Values.h"
#include "cli/ArrayFile.h"
#include "cli/Generators.h"
#include "cli/Json.h"
#include "cli/Terminal.h"
#include "cli/kernels/Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

class ValueReader {
public:
  ValueReader(StringRef text, const ValueTarget &target, Terminal &terminal)
      : text(text), target(target), parameter(target.parameter), terminal(terminal),
        subject((target.noun + " `" + parameter.name + "`").str()) {}

  std::optional<Tensor> read() {
    std::optional<Tensor> value = readForm();
    if (!value || !fits(value->shape()))
      return std::nullopt;
    return value;
  }

private:
  template <typename... Ts> std::nullopt_t error(const DiagnosticKind &kind, Ts &&...values) {
    terminal.report(kind, subject, describe(parameter), std::forward<Ts>(values)...);
    return std::nullopt;
  }

  std::optional<Tensor> readForm() {
    auto [generator, shape] = text.split(':');
    if (isGenerator(generator))
      return make(generator, shape);
    if (text.starts_with("@"))
      return readFile(text.drop_front());
    return parseJson(text, "");
  }

  std::optional<Tensor> readFile(StringRef path) {
    if (path.ends_with(".json"))
      return readJsonFile(path);
    bool isKnown = path.ends_with(".npy") || path.ends_with(".npz") || path.contains(".npz:");
    if (!isKnown)
      return error(diag::UnknownFileForm, pathInBackticks(path));
    std::string problem;
    std::optional<Tensor> value = readArrayFile(
        path,
        {.element = parameter.element, .isComplex = isComplex(), .orDouble = target.isReference},
        problem);
    if (!value)
      return error(diag::BadArrayFile, pathInBackticks(path), problem);
    return value;
  }

  std::optional<Tensor> readJsonFile(StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return error(diag::BadArrayFile, pathInBackticks(path), buffer.getError().message());
    return parseJson((*buffer)->getBuffer(), path);
  }

  std::optional<Tensor> parseJson(StringRef json, StringRef path) {
    JsonTensor parsed;
    if (std::optional<JsonProblem> problem = readJson(json, parameter.element, parsed))
      return reportJson(*problem, json, path);
    std::optional<Tensor> value = Tensor::allocate(parameter.element, parsed.shape);
    if (!value)
      return error(diag::TooLarge, inBackticks(text));
    if (!parsed.bytes.empty())
      memcpy(value->data(), parsed.bytes.data(), parsed.bytes.size());
    return value;
  }

  std::nullopt_t reportJson(const JsonProblem &problem, StringRef json, StringRef path) {
    std::string where = place(json, problem.offset, path);
    switch (problem.kind) {
    case JsonProblem::Unreadable:
      return reportUnreadable(problem.text + where);
    case JsonProblem::WrongType:
      return error(diag::WrongType, inBackticks(problem.text) + where);
    case JsonProblem::OutOfRange:
      return error(diag::OutOfRange, inBackticks(problem.text) + where,
                   rangeText(parameter.element));
    }
    return std::nullopt;
  }

  std::nullopt_t reportUnreadable(const std::string &why) {
    Report report = terminal.report(diag::UnreadableValue, subject, describe(parameter),
                                    inBackticks(text), why);
    hintAtForms(report, text);
    return std::nullopt;
  }

  /// " at column 7", " at x.json:3:7"; "" for a scalar, where the position is obvious.
  static std::string place(StringRef json, size_t offset, StringRef path) {
    if (path.empty())
      return json.contains('[') ? " at column " + std::to_string(offset + 1) : "";
    StringRef before = json.take_front(offset);
    size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0.
    return llvm::formatv(" at {0}:{1}:{2}", path, before.count('\n') + 1, offset - lineStart + 1);
  }

  std::optional<Tensor> make(StringRef generator, StringRef shapeWords) {
    std::optional<llvm::SmallVector<int64_t, 4>> shape =
        text.contains(':') ? parseShape(shapeWords) : ownShape(generator);
    if (!shape)
      return std::nullopt;
    std::optional<int64_t> count = countElements(*shape);
    unsigned numParts = isComplex() ? 2 : 1;
    if (generator == "iota" && count && *count > 0 &&
        uint64_t(*count / numParts - 1) > largestCount(parameter.element))
      return error(diag::OutOfRange, inBackticks(text), rangeText(parameter.element));
    std::optional<Tensor> value = Tensor::allocate(parameter.element, *shape);
    if (!value)
      return error(diag::TooLarge, inBackticks(text));
    generate(generator, *value, RandomStream(target.seed, target.position), numParts);
    return value;
  }

  std::optional<llvm::SmallVector<int64_t, 4>> parseShape(StringRef words) {
    llvm::SmallVector<int64_t, 4> shape;
    for (StringRef word : llvm::split(words, 'x')) {
      int64_t size;
      if (word.empty() || !llvm::all_of(word, llvm::isDigit) || word.getAsInteger(10, size))
        return error(diag::BadShape, inBackticks(text));
      shape.push_back(size);
    }
    if (isComplex())
      shape.push_back(2);
    return shape;
  }

  /// Complex numbers are read as their parts, along a last dimension.
  bool isComplex() const { return parameter.kernel && parameter.kernel->isComplex; }
  std::string shapeOfParts(ArrayRef<int64_t> shape) const {
    bool arePairs = isComplex() && !shape.empty() && shape.back() == 2;
    std::string element =
        isComplex() ? kernels::elementText(*parameter.kernel) : name(parameter.element).str();
    return arePairs ? describe(element, shape.drop_back())
                    : describe(name(parameter.element), shape);
  }

  /// A generator without a shape takes the parameter's shape, if all its sizes are known.
  std::optional<llvm::SmallVector<int64_t, 4>> ownShape(StringRef generator) {
    if (!llvm::is_contained(parameter.shape, dynamicSize))
      return parameter.shape;
    std::string example = "2";
    for (size_t i = 1; i < parameter.shape.size(); ++i)
      example += "x" + std::to_string(i + 2);
    return error(diag::ShapeNeeded, generator, example);
  }

  void reportRank(const std::string &actual) {
    Report report =
        terminal.report(diag::WrongRank, subject, describe(parameter), inBackticks(text), actual);
    if (parameter.kernel && parameter.kernel->kind == KernelType::Kind::Group)
      report.hint("the last dimension counts the members; or give a list of files, as in "
                  "`[@a.npy, @b.npy]`");
  }

  bool fits(ArrayRef<int64_t> shape) {
    std::string actual = shape.empty() ? "a scalar" : shapeOfParts(shape);
    if (shape.size() != parameter.shape.size())
      return reportRank(actual), false;
    for (auto [dimension, wanted] : llvm::enumerate(parameter.shape))
      if (wanted != dynamicSize && wanted != shape[dimension])
        return error(diag::WrongSize, inBackticks(text), actual, dimension, wanted,
                     shape[dimension]),
               false;
    return true;
  }

  StringRef text;
  const ValueTarget &target;
  const Parameter &parameter;
  Terminal &terminal;
  std::string subject;
};

} // namespace

static bool looksLikeFile(StringRef text) {
  for (StringRef extension : {".npy", ".json", ".csv"})
    if (text.ends_with(extension))
      return true;
  return text.contains(".npz") || text.contains(".csv:");
}

void cli::hintAtForms(Report &report, StringRef text) {
  if (looksLikeFile(text) && !text.starts_with("@"))
    report.hint("to read a file, write `@{0}`", text);
  else if (!text.empty() && llvm::isAlpha(text.front()))
    report.hint("`rand`, `zeros`, `ones` and `iota` take a shape, as in `rand:2x3`");
}

std::pair<StringRef, StringRef> cli::splitName(StringRef word) {
  auto [name, value] = word.split('=');
  bool isName = word.contains('=') && !llvm::all_of(name, llvm::isDigit) &&
                llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isName ? std::pair(name, value) : std::pair(StringRef(), word);
}

std::optional<Tensor> cli::readValue(StringRef text, const ValueTarget &target,
                                     Terminal &terminal) {
  return ValueReader(text, target, terminal).read();
}
