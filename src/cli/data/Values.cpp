#include "cli/data/Values.h"
#include "cli/Arguments.h"
#include "cli/ArrayFile.h"
#include "cli/Generators.h"
#include "cli/Values.h"
#include "cli/data/Json.h"
#include "cli/data/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// A scalar, or vectors nested around one: what a tensor may be.
struct Nest {
  Scalar element;
  unsigned rank = 0;
  bool isOfTexts = false; ///< The innermost vectors contain bytes.
};

std::optional<Nest> nestOf(const DataType &type) {
  Nest nest{type.scalar()};
  const DataType *inner = &type;
  for (; inner->isVector(); inner = &inner->element()) {
    nest.isOfTexts = inner->isText();
    ++nest.rank;
  }
  nest.element = inner->scalar();
  return inner->isScalar() ? std::optional(nest) : std::nullopt;
}

/// Vectors that point into a tensor.
class NestBuilder {
public:
  NestBuilder(const Tensor &tensor, bool isText, Memory &memory)
      : next(static_cast<char *>(tensor.data())), shape(tensor.shape()),
        elementBytes(bytesOf(tensor.element())), isText(isText), memory(memory) {
    memory.keep(tensor.memory());
  }

  /// Takes the elements in order. False if there is not enough memory.
  bool build(const DataType &type, char *slot, size_t dimension = 0) {
    if (dimension == shape.size()) {
      memcpy(slot, next, elementBytes);
      return true;
    }
    bool isInnermost = dimension + 1 == shape.size();
    tessera_vector vector =
        isInnermost ? take(shape[dimension]) : allocate(type.element(), shape[dimension]);
    if (!isInnermost && !vector.data)
      return false;
    memcpy(slot, &vector, sizeof vector);
    for (int64_t i = 0; !isInnermost && i < vector.count; ++i)
      if (!build(type.element(), static_cast<char *>(vector.data) + i * type.element().size(),
                 dimension + 1))
        return false;
    return true;
  }

private:
  /// The next elements. Zeros at the end of a text do not belong to it, as in NumPy.
  tessera_vector take(int64_t count) {
    tessera_vector vector{next, count};
    next += count * elementBytes;
    while (isText && vector.count && !static_cast<char *>(vector.data)[vector.count - 1])
      --vector.count;
    return vector;
  }

  tessera_vector allocate(const DataType &element, int64_t count) {
    return {memory.allocate(count * element.size()), count};
  }

  char *next;
  ArrayRef<int64_t> shape;
  size_t elementBytes;
  bool isText;
  Memory &memory;
};

std::unique_ptr<llvm::MemoryBuffer> openFile(StringRef path, std::string &problem) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    problem = buffer.getError().message();
    return nullptr;
  }
  return std::move(*buffer);
}

class ValueReader {
public:
  ValueReader(StringRef text, const Target &target, const ReadOptions &options, Terminal &terminal)
      : text(text), target(target), type(target.type), options(options), terminal(terminal) {}

  bool read() {
    auto [generator, shape] = text.split(':');
    if (isGenerator(generator))
      return make(generator, shape);
    if (!text.starts_with("@"))
      return readJsonText(text, "");
    StringRef path = text.drop_front();
    if (path.consume_front("bytes:"))
      return readBytes(path);
    if (path.ends_with(".json"))
      return readJsonFile(path);
    if (path.ends_with(".csv") || path.contains(".csv:"))
      return readCsvFile(path, target, options.csv, terminal);
    if (path.ends_with(".npy") || path.ends_with(".npz") || path.contains(".npz:"))
      return readArray(path);
    return error(diag::UnknownDataForm, inBackticks(path));
  }

private:
  template <typename... Ts> Report report(const DiagnosticKind &kind, Ts &&...values) {
    return terminal.report(kind, target.subject(), type.text(), std::forward<Ts>(values)...);
  }
  template <typename... Ts> bool error(const DiagnosticKind &kind, Ts &&...values) {
    report(kind, std::forward<Ts>(values)...);
    return false;
  }

  bool readJsonFile(StringRef path) {
    std::string problem;
    if (!isReadable(path, target, terminal))
      return false;
    auto buffer = openFile(path, problem);
    if (!buffer)
      return error(diag::BadArrayFile, inBackticks(path), problem);
    return readJsonText(buffer->getBuffer(), path);
  }

  bool readJsonText(StringRef json, StringRef path) {
    std::optional<data::JsonProblem> problem;
    {
      Progress progress(terminal, path);
      problem = readJson(json, type, target.slot, target.memory,
                         [&](size_t done, size_t total) { progress.show(done, total); });
    }
    return !problem || reportJson(*problem, json, path);
  }

  bool reportJson(const data::JsonProblem &problem, StringRef json, StringRef path) {
    std::string where = place(json, problem.offset, path);
    std::string part;
    if (!problem.path.empty())
      part = llvm::formatv(" for `{0}{1}`, which is {2}{3}", target.name, problem.path,
                           problem.type, where.empty() ? "" : ",");
    switch (problem.kind) {
    case data::JsonProblem::Unreadable:
      return error(diag::UnreadableValue, inBackticks(text), problem.text + where);
    case data::JsonProblem::WrongType:
      return wrongType(problem.text + part + where, path);
    case data::JsonProblem::OutOfRange:
      return error(diag::OutOfRange, problem.text + part + where, rangeText(problem.scalar));
    case data::JsonProblem::NoMemory:
      return error(diag::TooLarge, inBackticks(text));
    }
    return false;
  }

  bool wrongType(const std::string &found, StringRef path) {
    Report reported = report(diag::WrongType, found);
    if (path.empty())
      hintAtForms(reported, text);
    return false;
  }

  /// " at column 7", " at x.json:3:7"; "" for a scalar, where the position is obvious.
  static std::string place(StringRef json, size_t offset, StringRef path) {
    if (path.empty())
      return json.contains('[') ? " at column " + std::to_string(offset + 1) : "";
    StringRef before = json.take_front(offset);
    size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0.
    return llvm::formatv(" at {0}:{1}:{2}", path, before.count('\n') + 1, offset - lineStart + 1);
  }

  /// The bytes of a file are used in place; usually they are mapped.
  bool readBytes(StringRef path) {
    if (!type.isText())
      return error(diag::NotBytes, inBackticks(text));
    std::string problem;
    if (!isReadable(path, target, terminal))
      return false;
    std::shared_ptr<llvm::MemoryBuffer> buffer = openFile(path, problem);
    if (!buffer)
      return error(diag::BadArrayFile, inBackticks(path), problem);
    tessera_vector bytes{const_cast<char *>(buffer->getBufferStart()),
                         int64_t(buffer->getBufferSize())};
    memcpy(target.slot, &bytes, sizeof bytes);
    target.memory.keep(buffer);
    return true;
  }

  /// The arrays of a .npz file, one per field: those that are named, or all in order.
  bool readArrays(StringRef path) {
    size_t member = path.rfind(".npz:");
    StringRef file = path.take_front(member == StringRef::npos ? member : member + 4);
    std::string problem;
    auto names = arrayNames(file, problem);
    if (!names)
      return error(diag::BadArrayFile, inBackticks(path), problem);
    if (file != path) {
      names->clear();
      for (StringRef name : llvm::split(path.drop_front(file.size() + 1), ','))
        names->push_back(name.str());
    }
    if (names->size() == type.fields().size())
      return readFields(file, *names);
    report(diag::BadArrayFile, inBackticks(path),
           llvm::formatv("it gives {0} array{1} for {2} field{3}", names->size(),
                         names->size() == 1 ? "" : "s", type.fields().size(),
                         type.fields().size() == 1 ? "" : "s"))
        .hint("`@{0}:A,B` chooses arrays by their names", file);
    return false;
  }

  bool readFields(StringRef file, ArrayRef<std::string> names) {
    for (auto [index, name] : llvm::enumerate(names)) {
      std::string value = ("@" + file + ":" + name).str();
      std::string field = (target.name + ".$" + llvm::Twine(index)).str();
      void *slot = static_cast<char *>(target.slot) + type.offset(index);
      Target part{target.noun, field, type.fields()[index], slot, target.memory, target.position};
      if (!ValueReader(value, part, options, terminal).read())
        return false;
    }
    return true;
  }

  bool readArray(StringRef path) {
    if (type.isStruct() && !path.ends_with(".npy"))
      return readArrays(path);
    std::optional<Nest> nest = nestOf(type);
    if (!nest)
      return error(
          diag::BadArrayFile, inBackticks(path),
          "arrays have elements of one scalar type; a struct of arrays is a `.npz` file, rows "
          "are a `.csv` file, and `.json` holds anything");
    size_t member = path.rfind(".npz:");
    StringRef file = member == StringRef::npos ? path : path.take_front(member + 4);
    if (!isReadable(file, target, terminal))
      return false;
    std::string problem;
    bool isText = false;
    std::optional<Tensor> tensor;
    {
      Progress progress(terminal, file);
      auto show = [&](size_t done, size_t total) { progress.show(done, total); };
      tensor = readArrayFile(
          path, {nest->element, /*isComplex=*/false, nest->isOfTexts ? &isText : nullptr, show},
          problem);
    }
    if (!tensor)
      return error(diag::BadArrayFile, inBackticks(path), problem);
    return use(*tensor, *nest, isText);
  }

  bool use(const Tensor &tensor, const Nest &nest, bool isText = false) {
    if (tensor.shape().size() != nest.rank)
      return error(diag::WrongRank, inBackticks(text),
                   tensor.shape().empty() ? "a scalar"
                                          : describe(name(tensor.element()), tensor.shape()));
    NestBuilder builder(tensor, isText, target.memory);
    return builder.build(type, static_cast<char *>(target.slot)) ||
           error(diag::TooLarge, inBackticks(text));
  }

  bool make(StringRef generator, StringRef shapeWords) {
    std::optional<Nest> nest = nestOf(type);
    if (!nest)
      return error(diag::WrongType, inBackticks(text) + ", an array");
    std::optional<llvm::SmallVector<int64_t, 4>> shape = shapeFor(generator, shapeWords, *nest);
    if (!shape)
      return false;
    std::optional<int64_t> count = countElements(*shape);
    if (generator == "iota" && count && *count > 0 &&
        uint64_t(*count - 1) > largestCount(nest->element))
      return error(diag::OutOfRange, inBackticks(text), rangeText(nest->element));
    std::optional<Tensor> tensor = Tensor::allocate(nest->element, *shape);
    if (!tensor)
      return error(diag::TooLarge, inBackticks(text));
    generate(generator, *tensor, RandomStream(options.seed, target.position));
    return use(*tensor, *nest);
  }

  std::optional<llvm::SmallVector<int64_t, 4>> shapeFor(StringRef generator, StringRef words,
                                                        const Nest &nest) {
    llvm::SmallVector<int64_t, 4> shape;
    if (!text.contains(':')) {
      if (nest.rank == 0)
        return shape;
      std::string example = "2";
      for (unsigned i = 1; i < nest.rank; ++i)
        example += "x" + std::to_string(i + 2);
      return error(diag::ShapeNeeded, generator, example), std::nullopt;
    }
    for (StringRef word : llvm::split(words, 'x')) {
      int64_t size;
      if (word.empty() || !llvm::all_of(word, llvm::isDigit) || word.getAsInteger(10, size))
        return error(diag::BadShape, inBackticks(text)), std::nullopt;
      shape.push_back(size);
    }
    return shape;
  }

  StringRef text;
  const Target &target;
  const DataType &type;
  const ReadOptions &options;
  Terminal &terminal;
};

} // namespace

std::optional<ReadOptions> ReadOptions::read(const Invocation &invocation, Terminal &terminal) {
  ReadOptions options;
  options.seed = invocation.integer(Opt::Seed, 0);
  options.csv.threads = invocation.integer(Opt::Threads, 0);
  options.csv.hasHeader = !invocation.has(Opt::NoHeader);
  StringRef delimiter = invocation.text(Opt::Delimiter, ",");
  if (delimiter == "\\t")
    delimiter = "\t";
  if (delimiter.size() != 1 || StringRef("\"\r\n").contains(delimiter)) {
    terminal.report(diag::BadDelimiter, inBackticks(delimiter));
    return std::nullopt;
  }
  options.csv.delimiter = delimiter.front();
  return options;
}

bool data::isReadable(StringRef path, const Target &target, Terminal &terminal) {
  uint64_t bytes = 0;
  if (llvm::sys::fs::file_size(path, bytes) || bytes <= physicalMemory())
    return true; // A missing file is reported when it is opened.
  terminal.report(diag::FileTooLarge, target.subject(), target.type.text(), inBackticks(path),
                  bytes, physicalMemory());
  return false;
}

bool data::readValue(StringRef text, const Target &target, const ReadOptions &options,
                     Terminal &terminal) {
  return ValueReader(text, target, options, terminal).read();
}
