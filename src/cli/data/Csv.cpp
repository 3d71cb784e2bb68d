#include "cli/data/Csv.h"
#include "cli/Numbers.h"
#include "cli/data/Threads.h"
#include "runtime/Generated.h"
#include <atomic>
#include <cstring>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using llvm::StringRef;

namespace {

/// Reads fields in turn, from any position.
class FieldReader {
public:
  FieldReader(StringRef text, char delimiter)
      : begin(text.begin()), end(text.end()), delimiter(delimiter) {}

  struct Field {
    StringRef text; ///< Between the quotes, if there are any.
    bool hasEscapes = false;
  };

  /// What follows a field.
  enum class Follows { Field, Row, End };

  const char *begin, *at = nullptr, *end;
  char delimiter;

  /// Nothing if quotes are wrong; `why` says how, and `at` where.
  std::optional<Field> read(const char *&why) {
    Field field;
    if (at != end && *at == '"')
      return readQuoted(field, why) ? std::optional(field) : std::nullopt;
    const char *start = at;
    while (at != end && *at != delimiter && *at != '\n' && *at != '"')
      ++at;
    if (at != end && *at == '"') {
      why = "a quote inside a field that does not begin with one";
      return std::nullopt;
    }
    field.text = StringRef(start, at - start);
    if (at != end && *at == '\n')
      field.text.consume_back("\r");
    return field;
  }

  /// Whether a field may end here.
  bool isAtEnd(const char *place) const {
    return place == end || *place == delimiter || *place == '\n' ||
           (*place == '\r' && place + 1 != end && place[1] == '\n');
  }

  /// Continues after the delimiter or the line break.
  Follows next() {
    if (at != end && *at == '\r')
      ++at;
    if (at == end)
      return Follows::End;
    return *at++ == '\n' ? Follows::Row : Follows::Field;
  }

private:
  bool readQuoted(Field &field, const char *&why) {
    const char *start = ++at;
    for (;;) {
      at = static_cast<const char *>(memchr(at, '"', end - at));
      if (!at) {
        at = start - 1;
        why = "an unclosed quote";
        return false;
      }
      if (at + 1 == end || at[1] != '"')
        break;
      field.hasEscapes = true;
      at += 2;
    }
    field.text = StringRef(start, at - start);
    ++at;
    if (isAtEnd(at))
      return true;
    why = "text after a closing quote";
    return false;
  }
};

std::string unescaped(const FieldReader::Field &field) {
  std::string result;
  for (size_t i = 0; i < field.text.size(); ++i) {
    result += field.text[i];
    i += field.hasEscapes && field.text[i] == '"';
  }
  return result;
}

/// Reads a number at the beginning of a text; null if there is none. Usually, this avoids searching
/// for the end of the field first.
template <typename T> const char *readFront(const char *at, const char *end, char *slot) {
  if constexpr (Integer<T> || WideFloat<T>) {
    T value;
    auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc())
      return nullptr;
    memcpy(slot, &value, sizeof value);
    return stop;
  } else {
    return nullptr;
  }
}

/// A target with its type.
struct Sink {
  const CsvTarget *target = nullptr;
  const char *(*readFront)(const char *at, const char *end, char *slot) = nullptr;
};

/// In addition to JSON: blanks around a cell, `+` before a number, `1` and `0` as bools, and words
/// with capitals.
NumberOutcome parseCell(StringRef cell, Scalar scalar, void *value) {
  cell = cell.trim(' ');
  if (scalar == Scalar::Bool)
    for (auto [digit, word] : {std::pair("1", "true"), std::pair("0", "false")})
      if (cell == digit || cell.equals_insensitive(word))
        return parseNumber(word, scalar, value);
  StringRef number = cell;
  bool isPlus = number.consume_front("+") && !number.starts_with("-");
  return parseNumber(isPlus ? number : cell, scalar, value);
}

/// The rows of one chunk.
class RowReader {
public:
  RowReader(StringRef text, char delimiter, llvm::ArrayRef<Sink> sinks)
      : fields(text, delimiter), sinks(sinks) {}

  /// Reads this many rows from here on.
  bool read(const char *start, size_t firstRow, size_t count) {
    fields.at = start;
    for (size_t row = firstRow; row < firstRow + count; ++row)
      if (!readRow(row))
        return false;
    return true;
  }

  std::optional<CsvProblem> problem;
  std::shared_ptr<llvm::BumpPtrAllocator> memory; ///< For texts with doubled quotes.

private:
  bool fail(CsvProblem found, const char *place) {
    found.offset = place - fields.begin;
    problem = std::move(found);
    return false;
  }

  bool readRow(size_t row) {
    const char *start = fields.at;
    for (size_t column = 0; column < sinks.size(); ++column) {
      if (!readField(sinks[column], row, column))
        return false;
      bool isLast = column + 1 == sinks.size();
      auto follows = fields.next();
      if (isLast != (follows != FieldReader::Follows::Field))
        return wrongCount(start, column + 1, follows);
    }
    return true;
  }

  bool wrongCount(const char *start, size_t count, FieldReader::Follows follows) {
    const char *why;
    while (follows == FieldReader::Follows::Field && fields.read(why)) {
      ++count;
      follows = fields.next();
    }
    std::string text = llvm::formatv("{0} {1} for {2} columns", count,
                                     count == 1 ? "field" : "fields", sinks.size());
    return fail({CsvProblem::Row, 0, 0, text}, start);
  }

  bool readField(const Sink &sink, size_t row, size_t column) {
    const CsvTarget *target = sink.target;
    char *slot = target ? target->base + row * target->stride : nullptr;
    if (sink.readFront) {
      const char *stop = sink.readFront(fields.at, fields.end, slot);
      if (stop && fields.isAtEnd(stop)) {
        fields.at = stop;
        return true;
      }
    }
    const char *start = fields.at, *why = nullptr;
    auto field = fields.read(why);
    if (!field)
      return fail({CsvProblem::Row, 0, 0, why}, fields.at);
    if (!target)
      return true;
    return target->type->isVector()
               ? storeText(*field, slot)
               : storeNumber(*field, *target, slot) ||
                     fail({CsvProblem::Cell, 0, column, unescaped(*field), isOutOfRange}, start);
  }

  bool storeText(const FieldReader::Field &field, char *slot) {
    StringRef text = field.text;
    if (field.hasEscapes) {
      if (!memory)
        memory = std::make_shared<llvm::BumpPtrAllocator>();
      text = StringRef(unescaped(field)).copy(*memory);
    }
    tessera_vector vector{const_cast<char *>(text.data()), int64_t(text.size())};
    memcpy(slot, &vector, sizeof vector);
    return true;
  }

  bool storeNumber(const FieldReader::Field &field, const CsvTarget &target, char *slot) {
    NumberOutcome outcome = parseCell(field.text, target.type->scalar(), slot);
    isOutOfRange = outcome == NumberOutcome::OutOfRange;
    return outcome == NumberOutcome::Good;
  }

  FieldReader fields;
  llvm::ArrayRef<Sink> sinks;
  bool isOutOfRange = false;
};

Sink sinkFor(const CsvTarget &target) {
  Sink sink{&target, nullptr};
  if (target.type->isScalar())
    withElement(target.type->scalar(), [&]<typename T>(T) { sink.readFront = readFront<T>; });
  return sink;
}

constexpr size_t chunkBytes = 1 << 20;
constexpr StringRef byteOrderMark = "\xef\xbb\xbf";

} // namespace

/// Counts the line breaks under both assumptions at once.
void CsvText::scan(StringRef text, Chunk &chunk) {
  StringRef part = text.slice(chunk.begin, chunk.end);
  if (!part.contains('"')) {
    chunk.breaks[0] = part.count('\n');
    return;
  }
  bool isInside = false;
  for (char c : part) {
    isInside ^= c == '"';
    chunk.breaks[isInside] += c == '\n';
  }
  chunk.flips = isInside;
}

bool CsvText::readHeader(CsvProblem &problem) {
  body = text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
  FieldReader fields(text, options.delimiter);
  fields.at = text.begin() + body;
  if (fields.at == fields.end) {
    problem = {CsvProblem::Row, 0, 0, "no header: the file is empty"};
    return !options.hasHeader;
  }
  FieldReader::Follows follows;
  do {
    const char *why, *start = fields.at;
    auto field = fields.read(why);
    if (!field) {
      problem = {CsvProblem::Row, size_t(fields.at - fields.begin), 0, why};
      return false;
    }
    bool isQuoted = start != fields.end && *start == '"';
    if (size_t place = field->text.find('\r'); !isQuoted && place != StringRef::npos) {
      problem = {CsvProblem::Row, size_t(start - fields.begin) + place, 0,
                 "a carriage return without the line feed that ends a line"};
      return false;
    }
    names.push_back(options.hasHeader ? unescaped(*field) : std::to_string(names.size() + 1));
    follows = fields.next();
  } while (follows == FieldReader::Follows::Field);
  if (options.hasHeader)
    body = fields.at - text.begin();
  return true;
}

/// If rows have several fields, a blank line is not a row.
void CsvText::dropBlankLines() {
  while (names.size() > 1 && text.size() > body &&
         (text.ends_with("\n\n") || text.ends_with("\n\r\n")))
    text = text.drop_back(text.ends_with("\r\n") ? 2 : 1);
}

void CsvText::findRows() {
  for (size_t begin = body; begin < text.size(); begin += chunkBytes)
    chunks.push_back({begin, std::min(begin + chunkBytes, text.size())});
  forEachInParallel(chunks.size(), options.threads,
                    [&](size_t index) { scan(text, chunks[index]); });
  bool isInside = false;
  for (Chunk &chunk : chunks) {
    chunk.isInside = isInside;
    chunk.firstRow = rows;
    rows += chunk.breaks[isInside] + (&chunk == &chunks.front());
    isInside ^= chunk.flips;
  }
  // There is no row after the last line break.
  if (!chunks.empty() && text.ends_with("\n") && !isInside)
    --rows;
}

std::optional<CsvText> CsvText::open(StringRef text, const CsvOptions &options,
                                     CsvProblem &problem) {
  CsvText csv(text, options);
  if (!csv.readHeader(problem))
    return std::nullopt;
  csv.dropBlankLines();
  csv.findRows();
  return csv;
}

/// Where the first row of a chunk begins: after its first line break outside of quotes.
static const char *firstRowOf(StringRef part, bool isInside) {
  for (const char &c : part) {
    isInside ^= c == '"';
    if (c == '\n' && !isInside)
      return &c + 1;
  }
  return nullptr;
}

std::optional<CsvProblem> CsvText::read(llvm::ArrayRef<CsvTarget> targets,
                                        std::vector<std::shared_ptr<const void>> &memory,
                                        ProgressFunction progress) const {
  std::vector<Sink> sinks(names.size());
  for (const CsvTarget &target : targets)
    sinks[target.column] = sinkFor(target);
  std::vector<std::optional<RowReader>> readers(chunks.size());
  std::atomic<size_t> numDone{0};
  forEachInParallel(chunks.size(), options.threads, [&](size_t index) {
    const Chunk &chunk = chunks[index];
    size_t next = index + 1 < chunks.size() ? chunks[index + 1].firstRow : rows;
    StringRef part = text.slice(chunk.begin, chunk.end);
    const char *start = index ? firstRowOf(part, chunk.isInside) : part.begin();
    readers[index].emplace(text, options.delimiter, sinks);
    if (next > chunk.firstRow)
      readers[index]->read(start, chunk.firstRow, next - chunk.firstRow);
    progress(++numDone, chunks.size());
  });
  for (std::optional<RowReader> &reader : readers) {
    if (reader->problem)
      return reader->problem;
    if (reader->memory)
      memory.push_back(reader->memory);
  }
  return std::nullopt;
}

std::string CsvText::sniff(size_t column, StringRef also) const {
  constexpr Scalar guesses[] = {Scalar::I64, Scalar::F64, Scalar::Bool};
  constexpr int maxRows = 1000;
  bool fits[] = {true, true, true};
  auto look = [&](StringRef cell) {
    uint64_t value;
    for (auto [guess, fit] : llvm::zip(guesses, fits))
      fit &= parseCell(cell, guess, &value) == NumberOutcome::Good;
  };
  look(also);
  FieldReader fields(text, options.delimiter);
  fields.at = text.begin() + body;
  size_t current = 0;
  const char *why;
  for (int row = 0; row < maxRows;) {
    auto field = fields.read(why);
    if (!field)
      break;
    if (current == column)
      look(field->text);
    auto follows = fields.next();
    if (fields.at == fields.end || follows == FieldReader::Follows::End)
      break;
    bool isRow = follows == FieldReader::Follows::Row;
    current = isRow ? 0 : current + 1;
    row += isRow;
  }
  for (auto [guess, fit] : llvm::zip(guesses, fits))
    if (fit)
      return DataType::scalar(guess).text();
  return "vec[i8]";
}

std::string CsvText::place(size_t offset) const {
  StringRef before = text.take_front(offset);
  size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0.
  return std::to_string(before.count('\n') + 1) + ":" + std::to_string(offset - lineStart + 1);
}

std::optional<std::vector<std::string>> data::parseCsvRecord(StringRef text, char delimiter) {
  FieldReader fields(text, delimiter);
  fields.at = text.begin();
  std::vector<std::string> record;
  FieldReader::Follows follows;
  do {
    const char *why;
    auto field = fields.read(why);
    if (!field)
      return std::nullopt;
    record.push_back(unescaped(*field));
    follows = fields.next();
  } while (follows == FieldReader::Follows::Field);
  return record;
}
