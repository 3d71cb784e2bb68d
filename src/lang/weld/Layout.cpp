#include "lang/weld/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace tessera::weld;
using llvm::StringRef;

namespace {

constexpr unsigned indentStep = 2;

/// Oppen's and Wadler's algorithm: a group is written on one line if it fits there together with
/// what follows up to the next possible line end.
class Writer {
public:
  explicit Writer(unsigned width) : width(width) {}

  std::string run(const Doc &doc, llvm::ArrayRef<Comment> atEnd) {
    stack.push_back({&doc, 0, false});
    while (!stack.empty()) {
      Item item = stack.pop_back_val();
      write(item);
    }
    for (const Comment &comment : atEnd)
      write(comment, 0);
    out += '\n';
    return std::move(out);
  }

private:
  struct Item {
    const Doc *doc;
    unsigned indent;
    bool isFlat;
  };

  void push(llvm::SmallVectorImpl<Item> &items, Item item, unsigned indent, bool isFlat) {
    for (const Doc *part : llvm::reverse(item.doc->parts))
      items.push_back({part, indent, isFlat});
  }

  void write(Item item) {
    switch (item.doc->kind) {
    case Doc::Text:
      return text(*item.doc, item.indent);
    case Doc::Blank:
      hasBlank = true;
      return;
    case Doc::Line:
      if (item.isFlat)
        hasBlank = true;
      else
        endLine(item.indent);
      return;
    case Doc::SoftLine:
      if (!item.isFlat)
        endLine(item.indent);
      return;
    case Doc::HardLine:
      endLine(item.indent);
      keepsEmptyLine = true;
      return;
    case Doc::Concat:
      return push(stack, item, item.indent, item.isFlat);
    case Doc::Indent:
      return push(stack, item, item.indent + indentStep, item.isFlat);
    case Doc::Group:
      return push(stack, item, item.indent, item.isFlat || fits(item));
    }
  }

  /// The line end is written when something follows, because a comment may belong on the line
  /// before.
  void endLine(unsigned indent) {
    hasLineEnd = true;
    lineIndent = indent;
    keepsEmptyLine = false;
  }

  void newLine(bool isAfterEmptyLine) {
    if (!out.empty())
      out += isAfterEmptyLine ? "\n\n" : "\n";
    out.append(lineIndent, ' ');
    column = lineIndent;
    hasLineEnd = hasBlank = keepsEmptyLine = false;
  }

  void append(StringRef text) {
    out += text;
    column += text.size();
  }

  void write(const Comment &comment, unsigned indent) {
    bool isAfterEmptyLine = comment.isAfterEmptyLine && (keepsEmptyLine || !hasLineEnd);
    if (!hasLineEnd)
      lineIndent = indent;
    if (comment.isOnOwnLine || out.empty())
      newLine(isAfterEmptyLine && !out.empty());
    else
      append(" ");
    append(comment.text);
    hasLineEnd = true;
    keepsEmptyLine = true;
  }

  void text(const Doc &doc, unsigned indent) {
    for (const Comment &comment : doc.comments)
      write(comment, indent);
    if (hasLineEnd)
      newLine(keepsEmptyLine && doc.isAfterEmptyLine);
    else if (hasBlank)
      append(" ");
    hasBlank = false;
    append(doc.text);
  }

  bool fits(Item group) {
    size_t used = (hasLineEnd ? lineIndent : column) + hasBlank;
    llvm::SmallVector<Item> items;
    push(items, group, group.indent, true);
    size_t rest = stack.size();
    bool isFirst = true; // Comments before the group are not part of it.
    while (used <= width) {
      if (items.empty()) {
        if (rest == 0)
          return true;
        items.push_back(stack[--rest]);
      }
      Item item = items.pop_back_val();
      switch (item.doc->kind) {
      case Doc::Text:
        if (!item.doc->comments.empty() && !isFirst)
          return !item.isFlat;
        if (!item.doc->comments.empty())
          used = hasLineEnd ? lineIndent : item.indent;
        isFirst = false;
        used += item.doc->text.size();
        break;
      case Doc::Blank:
        ++used;
        break;
      case Doc::Line:
      case Doc::SoftLine:
        if (!item.isFlat)
          return true;
        isFirst = false;
        used += item.doc->kind == Doc::Line;
        break;
      case Doc::HardLine:
        return !item.isFlat;
      case Doc::Group:
      case Doc::Concat:
      case Doc::Indent:
        push(items, item, item.indent, item.isFlat);
        break;
      }
    }
    return false;
  }

  unsigned width;
  std::string out;
  size_t column = 0;
  llvm::SmallVector<Item> stack;
  unsigned lineIndent = 0;
  bool hasLineEnd = false, hasBlank = false;
  bool keepsEmptyLine = false; ///< For the line end that has not been written.
};

} // namespace

std::string tessera::weld::layOut(const Doc &doc, llvm::ArrayRef<Comment> atEnd, unsigned width) {
  return Writer(width).run(doc, atEnd);
}
