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
  size_t end = at;
  while (end < text.size() && text[end] != first && text[end] != '\n')
    end += text[end] == '\\' && !text.substr(end + 1).starts_with("\n") ? 2 : 1;
  if (end < text.size() && text[end] == first)
    at = end + 1;
}

Report Scanner::report(size_t begin, const DiagnosticKind &kind) {
  return diagnostics.report(&file, rangeSince(begin), kind, escaped(since(begin)));
}
