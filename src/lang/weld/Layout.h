/// Lays out a document of tokens, in which lines may end at certain points, in a given width.
#ifndef TESSERA_LANG_WELD_LAYOUT_H
#define TESSERA_LANG_WELD_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <string>

namespace tessera::weld {

struct Comment {
  llvm::StringRef text;
  bool isOnOwnLine, isAfterEmptyLine;
};

struct Doc {
  enum Kind {
    Text,     ///< A token, after its comments.
    Blank,    ///< A blank, never the end of a line.
    Line,     ///< A blank, or the end of a line.
    SoftLine, ///< Nothing, or the end of a line.
    HardLine, ///< The end of a line.
    Concat,
    Indent,
    Group, ///< All its lines end, or none; inner groups decide separately.
  };
  Kind kind;
  llvm::StringRef text = {};
  llvm::ArrayRef<Comment> comments = {};
  bool isAfterEmptyLine = false; ///< A Text that keeps an empty line before it, after a HardLine.
  llvm::ArrayRef<const Doc *> parts = {};
};

/// The text, ending with a line end. `atEnd` are the comments after the last token.
std::string layOut(const Doc &doc, llvm::ArrayRef<Comment> atEnd, unsigned width);

} // namespace tessera::weld

#endif
