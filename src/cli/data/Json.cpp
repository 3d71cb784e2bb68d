#include "cli/data/Json.h"
#include "cli/Numbers.h"
#include "cli/Terminal.h"
#include "llvm/Support/ConvertUTF.h"
#include <cstring>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using llvm::StringRef;

namespace {

/// Elements of a vector whose length is not known yet.
class Elements {
public:
  explicit Elements(size_t size) : size(size) {}

  char *add() {
    bytes.resize(bytes.size() + size);
    return bytes.data() + size * count++;
  }

  /// Copies them into `memory`; false if it is full.
  bool moveTo(Memory &memory, char *slot) const {
    tessera_vector vector{nullptr, int64_t(count)};
    if (!bytes.empty()) {
      vector.data = memory.allocate(bytes.size());
      if (!vector.data)
        return false;
      memcpy(vector.data, bytes.data(), bytes.size());
    }
    memcpy(slot, &vector, sizeof vector);
    return true;
  }

  std::vector<char> bytes;
  size_t size, count = 0;
};

class JsonReader {
public:
  JsonReader(StringRef text, Memory &memory, JsonProgress progress)
      : text(text), memory(memory), progress(progress) {}

  std::optional<data::JsonProblem> read(const DataType &type, char *slot) {
    if (!readValue(type, slot))
      return problem;
    skipSpace();
    if (at < text.size() && !unreadable(at, "unexpected text after the value"))
      return problem;
    return std::nullopt;
  }

private:
  using Kind = data::JsonProblem::Kind;
  struct Step {
    char mark; ///< `[` for an element, `$` for a field.
    size_t index;
  };

  bool fail(Kind kind, size_t offset, std::string found, const DataType &type) {
    problem = {kind, offset, std::move(found), pathText(), type.text(), type.scalar()};
    return false;
  }

  bool unreadable(size_t offset, std::string message) {
    problem = {Kind::Unreadable, offset, std::move(message), "", "", Scalar::I32};
    return false;
  }

  /// A dictionary's entry number 2 has the parts "[2].$0" and "[2].$1", as in JSON.
  std::string pathText() const {
    std::string result;
    for (const Step &step : path)
      result += step.mark == '[' ? "[" + std::to_string(step.index) + "]"
                                 : ".$" + std::to_string(step.index);
    return result;
  }

  void skipSpace() {
    while (at < text.size() && StringRef(" \t\r\n").contains(text[at]))
      ++at;
  }

  bool accept(char c) {
    skipSpace();
    bool isHere = at < text.size() && text[at] == c;
    at += isHere;
    return isHere;
  }

  bool readValue(const DataType &type, char *slot) {
    skipSpace();
    if (at == text.size())
      return unreadable(at, "expected a value, found the end of the text");
    if (StringRef(",]}").contains(text[at]))
      return unreadable(at, "a value is missing before `" + text.substr(at, 1).str() + "`");
    switch (type.kind()) {
    case DataType::Kind::Scalar:
      return readScalar(type, slot);
    case DataType::Kind::Vector:
      return readVector(type, slot);
    case DataType::Kind::Struct:
      return readStruct(type, slot);
    case DataType::Kind::Dictionary:
      return readDictionary(type, slot);
    }
    return false;
  }

  /// Describes the value here, which is known not to fit.
  std::string found() const {
    char first = text[at];
    if (first == '[')
      return "an array";
    if (first == '{')
      return "an object";
    size_t end = first == '"' ? std::min(text.find('"', at + 1), text.size() - 1) + 1
                              : std::min(text.find_first_of(" \t\r\n,]", at), text.size());
    return inBackticks(text.slice(at, end));
  }

  bool begin(char bracket, const DataType &type) {
    return accept(bracket) || fail(Kind::WrongType, at, found(), type);
  }

  /// Reads the items between brackets with `readItem`.
  bool readItems(const DataType &type, llvm::function_ref<bool(size_t)> readItem) {
    if (!begin('[', type))
      return false;
    path.push_back({type.isStruct() ? '$' : '[', 0});
    if (!accept(']')) {
      do {
        skipSpace();
        if (!readItem(path.back().index))
          return false;
        ++path.back().index;
        if (at >= nextReport)
          report();
      } while (accept(','));
      if (!accept(']'))
        return unreadable(at, at == text.size() ? "missing `]` at the end" : "expected `,` or `]`");
    }
    path.pop_back();
    return true;
  }

  void report() {
    nextReport = at + bytesPerReport;
    if (progress)
      progress(at, text.size());
  }

  bool readVector(const DataType &type, char *slot) {
    if (type.isText() && text[at] == '"')
      return readString(type, slot);
    Elements elements(type.element().size());
    size_t start = at;
    if (!readItems(type, [&](size_t) { return readValue(type.element(), elements.add()); }))
      return false;
    return elements.moveTo(memory, slot) || fail(Kind::NoMemory, start, "", type);
  }

  bool readStruct(const DataType &type, char *slot) {
    size_t start = at, numFields = type.fields().size(), count = 0;
    auto readField = [&](size_t field) {
      count = field + 1;
      if (field >= numFields)
        return skipRest(field, start, type);
      return readValue(type.fields()[field], slot + type.offset(field));
    };
    if (!readItems(type, readField))
      return false;
    return count == numFields || wrongCount(count, start, type);
  }

  /// After the last field: the message says how many there are.
  bool skipRest(size_t field, size_t start, const DataType &type) {
    path.pop_back();
    return wrongCount(field + 1, start, type, " or more");
  }

  bool wrongCount(size_t count, size_t start, const DataType &type, const char *more = "") {
    std::string fields = std::to_string(count) + more + (count == 1 ? " field" : " fields");
    return fail(Kind::WrongType, start, "an array of " + fields, type);
  }

  bool readDictionary(const DataType &type, char *slot) {
    size_t start = at;
    Elements entries(type.entry().size());
    std::vector<size_t> places;
    auto readEntry = [&](size_t) {
      places.push_back(at);
      return readValue(type.entry(), entries.add());
    };
    if (!readItems(type, readEntry))
      return false;
    std::optional<size_t> repeated;
    tessera_table *table = memory.makeTable(type, entries.bytes.data(), entries.count, repeated);
    if (repeated)
      return fail(Kind::WrongType, places[*repeated],
                  "the key of entry " + std::to_string(*repeated) + " a second time", type);
    memcpy(slot, &table, sizeof table);
    return table || fail(Kind::NoMemory, start, "", type);
  }

  bool readScalar(const DataType &type, char *slot) {
    size_t start = at;
    bool isQuoted = accept('"');
    auto belongs = [](char c) { return llvm::isAlnum(c) || c == '-' || c == '+' || c == '.'; };
    size_t begin = at;
    while (at < text.size() && belongs(text[at]))
      ++at;
    StringRef token = text.slice(begin, at);
    bool isWord = token == "nan" || token == "inf" || token == "-inf" || token == "-nan";
    bool isWhole = !token.empty() && (!isQuoted || (isWord && accept('"')));
    if (!isWhole) {
      at = start;
      return fail(Kind::WrongType, start, found(), type);
    }
    StringRef digits = token.starts_with("-") ? token.drop_front() : token;
    if (digits.size() > 1 && digits[0] == '0' && llvm::isDigit(digits[1]))
      return unreadable(start, "a number with a leading 0: " + inBackticks(token));
    switch (parseNumber(token, type.scalar(), slot)) {
    case NumberOutcome::Good:
      return true;
    case NumberOutcome::OutOfRange:
      return fail(Kind::OutOfRange, start, inBackticks(token), type);
    default:
      return fail(Kind::WrongType, start, inBackticks(token), type);
    }
  }

  bool readString(const DataType &type, char *slot) {
    size_t start = at++;
    Elements bytes(1);
    while (at < text.size() && text[at] != '"')
      if (text[at] != '\\')
        *bytes.add() = text[at++];
      else if (!readEscape(bytes))
        return false;
    if (!accept('"'))
      return unreadable(start, "missing quote at the end");
    return bytes.moveTo(memory, slot) || fail(Kind::NoMemory, start, "", type);
  }

  bool readEscape(Elements &bytes) {
    static constexpr StringRef letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    size_t start = at;
    char letter = ++at < text.size() ? text[at++] : 0;
    if (letter == 'u')
      return readUnicode(start, bytes);
    size_t which = letters.find(letter);
    if (!letter || which == StringRef::npos)
      return unreadable(start, "unknown escape");
    *bytes.add() = meanings[which];
    return true;
  }

  /// \u with four digits; a surrogate pair is one character.
  bool readUnicode(size_t start, Elements &bytes) {
    std::optional<uint32_t> code = readCodeUnit();
    if (code && *code >= 0xd800 && *code < 0xdc00 && text.substr(at).starts_with("\\u")) {
      at += 2;
      std::optional<uint32_t> low = readCodeUnit();
      bool isPair = low && *low >= 0xdc00 && *low < 0xe000;
      code = isPair ? std::optional(0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00))
                    : std::nullopt;
    }
    char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = buffer;
    if (!code || !llvm::ConvertCodePointToUTF8(*code, end))
      return unreadable(start, "an escape that is not a character");
    for (char *byte = buffer; byte != end; ++byte)
      *bytes.add() = *byte;
    return true;
  }

  std::optional<uint32_t> readCodeUnit() {
    uint32_t code;
    StringRef digits = text.substr(at, 4);
    if (digits.size() < 4 || !llvm::all_of(digits, llvm::isHexDigit) ||
        digits.getAsInteger(16, code))
      return std::nullopt;
    at += 4;
    return code;
  }

  StringRef text;
  Memory &memory;
  data::JsonProblem problem;
  llvm::SmallVector<Step, 8> path;
  size_t at = 0;

  static constexpr size_t bytesPerReport = 1 << 20;
  JsonProgress progress;
  size_t nextReport = bytesPerReport;
};

} // namespace

std::optional<data::JsonProblem> data::readJson(StringRef text, const DataType &type, void *slot,
                                                Memory &memory, JsonProgress progress) {
  return JsonReader(text, memory, progress).read(type, static_cast<char *>(slot));
}
