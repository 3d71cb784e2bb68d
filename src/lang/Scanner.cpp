#include "lang/Scanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

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

static std::string printableText(StringRef text) {
  if (llvm::all_of(text, [](char c) { return llvm::isPrint(c) || !isAscii(c); }))
    return text.str();
  return llvm::formatv("byte {0}", int(static_cast<unsigned char>(text.front())));
}

Report Scanner::report(size_t begin, const DiagnosticKind &kind) {
  return diagnostics.report(&file, rangeSince(begin), kind, printableText(since(begin)));
}
