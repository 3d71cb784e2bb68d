/// Parses the header of an .npy file: a magic string, a length, and a Python dictionary.
#include "runtime/Npy.h"
#include "runtime/View.h"
#include <cctype>
#include <cstdlib>
#include <cstring>

using namespace tessera::runtime;

namespace {

constexpr char magic[] = "\x93NUMPY";
constexpr int64_t magicBytes = 6;

/// A cursor over the dictionary's text. After anything unexpected, every step fails.
class Parser {
public:
  Parser(const char *begin, const char *end, NpyHeader &header, Message &message)
      : at(begin), end(end), header(header), message(message) {}

  /// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
  bool parse() {
    expect('{');
    while (!failed && !skip('}')) {
      parseEntry();
      if (!skip(',') && peek() != '}')
        fail("malformed header: expected `,` or `}`");
    }
    if (!failed && peek())
      fail("malformed header: text after the dictionary");
    for (int index = 0; index < 3; ++index)
      if (!seen[index])
        fail("malformed header: no `%s`", keys[index]);
    if (!failed && header.isText)
      addTextDimension();
    return !failed;
  }

private:
  static constexpr const char *keys[] = {"descr", "fortran_order", "shape"};

  [[gnu::format(printf, 2, 3)]] void fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (!failed)
      vsnprintf(message.text, sizeof message.text, format, values);
    va_end(values);
    failed = true;
    at = end;
  }

  char peek() {
    while (at != end && isspace((unsigned char)*at))
      ++at;
    return at == end ? 0 : *at;
  }

  bool skip(char wanted) {
    if (peek() != wanted)
      return false;
    ++at;
    return true;
  }

  void expect(char wanted) {
    if (!skip(wanted))
      fail("malformed header: expected `%c`", wanted);
    if (failed)
      at = end;
  }

  /// A Python string without escapes.
  void parseString(char *text, size_t capacity) {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return fail("malformed header: expected a string");
    const char *begin = ++at;
    while (at != end && *at != quote)
      ++at;
    if (at == end || size_t(at - begin) >= capacity)
      return fail("malformed header: a string does not end");
    memcpy(text, begin, at - begin);
    text[at++ - begin] = 0;
  }

  void parseEntry() {
    char key[32] = "";
    parseString(key, sizeof key);
    expect(':');
    for (int index = 0; index < 3 && !failed; ++index)
      if (!strcmp(key, keys[index])) {
        if (seen[index])
          return fail("malformed header: `%s` twice", key);
        seen[index] = true;
        return index == 0 ? parseType() : index == 1 ? parseOrder() : parseShape();
      }
    fail("malformed header: unknown key `%s`", key);
  }

  void parseType() {
    if (peek() == '[' || peek() == '(')
      return fail("structured element types are not supported");
    char name[64] = "";
    parseString(name, sizeof name);
    if (failed)
      return;
    const char *type = strchr("<>=|", name[0]) && name[0] ? name + 1 : name;
    char *rest = nullptr;
    long size = strtol(type[0] ? type + 1 : type, &rest, 10);
    if (type[0] == 'S' && size > 0 && !*rest)
      return setText(size);
    if (type[0] == 'U')
      return fail("element type `%s` is not supported: texts are bytes, `array.astype('S')`", name);
    if (!setType(type[0], size) || *rest)
      return fail("element type `%s` is not supported", name);
    if (name[0] == '>' && size > 1)
      fail("big-endian data (`%s`) is not supported", name);
  }

  void setText(long size) {
    header.isText = true;
    header.dtype = {TESSERA_INT, 8, 1};
    textBytes = size;
  }

  void addTextDimension() {
    if (header.ndim == maxNpyRank || (header.fortranOrder && header.ndim > 1))
      return fail("texts in column-major order, or with too many dimensions");
    header.shape[header.ndim++] = textBytes;
    header.fortranOrder = false;
  }

  bool setType(char kind, long size) {
    struct Row {
      char kind;
      uint8_t code;
      int minSize, maxSize;
    };
    static constexpr Row rows[] = {{'b', TESSERA_BOOL, 1, 1},
                                   {'i', TESSERA_INT, 1, 8},
                                   {'u', TESSERA_UINT, 1, 8},
                                   {'f', TESSERA_FLOAT, 2, 8},
                                   {'c', TESSERA_COMPLEX, 8, 16}};
    for (const Row &row : rows)
      if (row.kind == kind && size >= row.minSize && size <= row.maxSize && !(size & (size - 1))) {
        header.dtype = {row.code, uint8_t(size * 8), 1};
        return true;
      }
    return false;
  }

  bool skipWord(const char *word) {
    size_t length = strlen(word);
    if (size_t(end - at) < length || strncmp(at, word, length))
      return false;
    at += length;
    return true;
  }

  void parseOrder() {
    peek();
    if (skipWord("True"))
      header.fortranOrder = true;
    else if (!skipWord("False"))
      fail("malformed header: `fortran_order` is neither True nor False");
  }

  void parseShape() {
    expect('(');
    while (!failed && !skip(')')) {
      if (header.ndim == maxNpyRank)
        return fail("more than %d dimensions", maxNpyRank);
      header.shape[header.ndim++] = parseSize();
      if (!skip(',') && peek() != ')')
        fail("malformed header: expected `,` in the shape");
    }
  }

  int64_t parseSize() {
    if (!isdigit((unsigned char)peek()))
      return fail("malformed header: expected a size in the shape"), 0;
    int64_t size = 0;
    while (at != end && isdigit((unsigned char)*at))
      if (__builtin_mul_overflow(size, 10, &size) ||
          __builtin_add_overflow(size, *at++ - '0', &size))
        return fail("a size in the shape is too large"), 0;
    skip('L'); // Python 2 wrote long integers this way.
    return size;
  }

  const char *at, *end;
  NpyHeader &header;
  Message &message;
  long textBytes = 0;
  bool seen[3] = {};
  bool failed = false;
};

bool fail(Message &message, const char *text) {
  snprintf(message.text, sizeof message.text, "%s", text);
  return false;
}

/// The header is little-endian.
int64_t loadLength(const char *bytes, int count) {
  int64_t length = 0;
  for (int index = count - 1; index >= 0; --index)
    length = length << 8 | (unsigned char)bytes[index];
  return length;
}

} // namespace

bool tessera::runtime::parseNpyHeader(const char *bytes, int64_t size, NpyHeader &header,
                                      Message &message) {
  if (size < magicBytes || memcmp(bytes, magic, magicBytes))
    return fail(message, "not an .npy file (it does not begin with \\x93NUMPY)");
  if (size < 10)
    return fail(message, "truncated: the file ends in its header");
  int version = (unsigned char)bytes[6], lengthBytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3)
    return fail(message, "a version of the .npy format other than 1, 2 and 3");
  int64_t begin = 8 + lengthBytes;
  header.headerBytes = size < begin ? begin : begin + loadLength(bytes + 8, lengthBytes);
  if (header.headerBytes > size || size < begin)
    return fail(message, "truncated: the file ends in its header");
  if (!Parser(bytes + begin, bytes + header.headerBytes, header, message).parse())
    return false;
  if (!countBytes(header.ndim, header.shape, elementBytes(header.dtype), header.dataBytes))
    return fail(message, "its shape has more elements than memory can hold");
  return true;
}

NpyType tessera::runtime::npyTypeOf(tessera_dtype dtype) {
  static constexpr char kinds[] = {'i', 'u', 'f', '?', 'u', 'c', 'b'};
  NpyType type;
  Text(type.text, sizeof type.text)
      .add("%c%c%d", dtype.bits == 8 ? '|' : '<', kinds[dtype.code], dtype.bits / 8);
  return type;
}
