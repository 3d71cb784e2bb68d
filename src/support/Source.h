/// Source text and positions in it.
#ifndef TESSERA_SUPPORT_SOURCE_H
#define TESSERA_SUPPORT_SOURCE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// A half-open range of byte offsets.
struct SourceRange {
  uint32_t begin = 0, end = 0;

  bool empty() const { return begin == end; }
  SourceRange upTo(SourceRange last) const { return {begin, last.end}; }
  bool operator==(const SourceRange &) const = default;
};

/// Both count from 1; columns count bytes.
struct LineColumn {
  uint32_t line = 1, column = 1;
};

/// A named text, without a leading byte-order mark. Positions are found by binary search over the
/// line starts.
class SourceFile {
public:
  SourceFile(std::string name, std::string text);

  llvm::StringRef name() const { return fileName; }
  llvm::StringRef text() const { return contents; }
  llvm::StringRef text(SourceRange range) const;
  LineColumn position(uint32_t offset) const;
  /// The line without its terminator; `number` counts from 1.
  llvm::StringRef line(uint32_t number) const;
  uint32_t numLines() const { return lineStarts.size(); }
  uint32_t lineStart(uint32_t number) const { return lineStarts[number - 1]; }

private:
  std::string fileName, contents;
  std::vector<uint32_t> lineStarts;
};

} // namespace tessera

#endif
