#include "support/Source.h"
#include <algorithm>

using namespace tessera;

SourceFile::SourceFile(std::string name, std::string text)
    : fileName(std::move(name)), contents(std::move(text)), lineStarts{0} {
  constexpr llvm::StringLiteral byteOrderMark = "\xEF\xBB\xBF";
  if (llvm::StringRef(contents).starts_with(byteOrderMark))
    contents.erase(0, byteOrderMark.size());
  for (size_t at = contents.find('\n'); at != std::string::npos; at = contents.find('\n', at + 1))
    lineStarts.push_back(at + 1);
}

llvm::StringRef SourceFile::text(SourceRange range) const {
  return text().slice(range.begin, range.end);
}

LineColumn SourceFile::position(uint32_t offset) const {
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  uint32_t line = next - lineStarts.begin();
  return {line, offset - lineStarts[line - 1] + 1};
}

llvm::StringRef SourceFile::line(uint32_t number) const {
  uint32_t begin = lineStarts[number - 1];
  uint32_t end = number < numLines() ? lineStarts[number] - 1 : contents.size();
  return text().slice(begin, end).rtrim('\r');
}
