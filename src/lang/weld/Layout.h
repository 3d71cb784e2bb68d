/// A document of tokens, with places where lines may end: laid out in the width that there is.
#ifndef TESSERA_LANG_WELD_LAYOUT_H
#define TESSERA_LANG_WELD_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <string>

namespace tessera::weld {

struct Comment {
  llvm::StringRef text;
  bool isOnOwnLine, isBehindEmptyLine;
};

struct Doc {
  enum Kind {
    Text,     ///< A token, behind its comments.
    Line,     ///< A blank, or the end of a line.
    SoftLine, ///< Nothing, or the end of a line.
    HardLine, ///< The end of a line in any case.
    Concat,
    Indent,
    Group, ///< Its lines end all or none, those of inner groups apart.
  };
  Kind kind;
  llvm::StringRef text = {};
  llvm::ArrayRef<Comment> comments = {};
  bool isBehindEmptyLine = false; ///< Of a Text: an empty line before it is kept behind a HardLine.
  llvm::ArrayRef<const Doc *> parts = {};
};

/// The text, with a line end behind it. `atEnd` are the comments behind the last token.
std::string layOut(const Doc &doc, llvm::ArrayRef<Comment> atEnd, unsigned width);

} // namespace tessera::weld

#endif
