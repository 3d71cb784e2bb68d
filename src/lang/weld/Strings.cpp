#include "lang/weld/Strings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using llvm::StringRef;

namespace {
struct Escape {
  char letter, byte;
};
constexpr Escape escapes[] = {{'"', '"'}, {'\\', '\\'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}};
} // namespace

size_t weld::escapeSize(StringRef text) {
  if (text.size() < 2 || text[0] != '\\')
    return 0;
  if (text[1] == 'x')
    return text.size() >= 4 && llvm::isHexDigit(text[2]) && llvm::isHexDigit(text[3]) ? 4 : 0;
  for (const Escape &escape : escapes)
    if (text[1] == escape.letter)
      return 2;
  return 0;
}

size_t weld::characterSize(StringRef text) {
  if (text.empty())
    return 0;
  const auto *begin = text.bytes_begin();
  size_t size = llvm::getNumBytesForUTF8(*begin);
  return size <= text.size() && llvm::isLegalUTF8Sequence(begin, begin + size) ? size : 0;
}

/// The byte that an escape sequence stands for.
static char byteOf(StringRef sequence) {
  if (sequence[1] == 'x')
    return llvm::hexDigitValue(sequence[2]) * 16 + llvm::hexDigitValue(sequence[3]);
  for (const Escape &escape : escapes)
    if (sequence[1] == escape.letter)
      return escape.byte;
  return sequence[1];
}

std::string weld::unescapedString(StringRef text) {
  std::string bytes;
  while (!text.empty()) {
    size_t size = escapeSize(text);
    bytes += size ? byteOf(text) : text.front();
    text = text.drop_front(std::max<size_t>(size, 1));
  }
  return bytes;
}

/// One character, which may be invalid, as it is written in a literal.
static std::string escapedCharacter(StringRef character) {
  char first = character.front();
  for (const Escape &escape : escapes)
    if (first == escape.byte)
      return {'\\', escape.letter};
  bool isControl = static_cast<unsigned char>(first) < 0x20 || first == 0x7f;
  if (!isControl && weld::characterSize(character))
    return character.str();
  return llvm::formatv("\\x{0:x-2}", static_cast<unsigned char>(first));
}

std::string weld::escapedString(StringRef bytes) {
  std::string text;
  while (!bytes.empty()) {
    size_t size = std::max<size_t>(characterSize(bytes), 1);
    text += escapedCharacter(bytes.take_front(size));
    bytes = bytes.drop_front(size);
  }
  return text;
}
