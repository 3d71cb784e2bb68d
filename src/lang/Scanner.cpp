#include "lang/Scanner.h"

using namespace tessera;
using llvm::StringRef;

static bool isAscii(char c) {
  return !(c & 0x80);
}

void Scanner::skipUnknown() {
  char first = text[at++];
  if (!isAscii(first))
    skipWhile([](char c) { return !isAscii(c); });
  if (first != '"' && first != '\'')
    return;
  size_t end = text.find_first_of(std::string{first, '\n'}, at);
  if (end != StringRef::npos && text[end] == first)
    at = end + 1;
}

Report Scanner::report(size_t begin, const DiagnosticKind &kind) {
  return diagnostics.report(&file, rangeSince(begin), kind, escaped(since(begin)));
}
