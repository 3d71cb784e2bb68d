#include "lang/tinytc/Format.h"
#include "lang/tinytc/Lexer.h"
#include "lang/tinytc/Parser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

namespace {

constexpr size_t maxWidth = 100;

/// Writes tokens in order; the parser has determined where lines begin and which braces enclose
/// regions.
class Formatter {
public:
  Formatter(const Program &program, const TokenList &list)
      : file(*program.file), tokens(list.tokens), comments(list.comments),
        lineStarts(program.lineStarts.begin(), program.lineStarts.end()),
        regionBraces(program.regionBraces.begin(), program.regionBraces.end()) {}

  std::string run() {
    for (at = 0; at < tokens.size(); ++at) {
      writeComments();
      if (tokens[at].kind != Tok::End)
        writeToken();
    }
    endLine();
    return std::move(out);
  }

private:
  // The context of a token.
  StringRef text(size_t index) const { return file.text(tokens[index].range); }
  Tok kind(size_t index) const { return index < tokens.size() ? tokens[index].kind : Tok::End; }
  bool isRegionBrace(size_t index) const {
    return index < tokens.size() && regionBraces.contains(tokens[index].range.begin) &&
           (kind(index) == Tok::LBrace || kind(index) == Tok::RBrace);
  }
  bool hasCommentBefore(size_t index) const {
    return nextComment < comments.size() && comments[nextComment].begin < tokens[index].range.begin;
  }
  /// Whether the opening brace, after the comments before it, belongs to `{}`.
  bool opensEmptyRegion(size_t index) const {
    return isRegionBrace(index) && kind(index) == Tok::LBrace && kind(index + 1) == Tok::RBrace &&
           !hasCommentBefore(index + 1);
  }
  bool isName(size_t index) const {
    return kind(index) == Tok::Variable || kind(index) == Tok::Local;
  }
  Tok enclosing() const { return brackets.empty() ? Tok::End : brackets.back(); }

  // Lines.
  void endLine() {
    if (line.empty())
      return;
    out += line + "\n";
    line.clear();
    isAfterOpening = false;
  }
  void emptyLine(uint32_t begin) {
    bool isWanted = file.text({lastEnd, begin}).count('\n') > 1;
    if (isWanted && !out.empty() && !isAfterOpening)
      out += "\n";
  }
  void startLine(unsigned indent) { line = std::string(indent, ' '); }
  unsigned indentOf(bool continues) const { return 2 * depth + (continues ? 4 : 0); }

  /// Writes the comments before the token.
  void writeComments() {
    for (; hasCommentBefore(at); ++nextComment) {
      SourceRange range = comments[nextComment];
      StringRef comment = file.text(range).rtrim();
      bool isOnOwnLine = file.text({lastEnd, range.begin}).contains('\n') || at == 0;
      if (!isOnOwnLine && !line.empty()) {
        line += (" " + comment).str();
        endLine();
      } else if (!isOnOwnLine && !out.empty()) {
        out.pop_back(); // The line has already ended.
        out += (" " + comment + "\n").str();
      } else {
        bool continues = !startsLine(at) && kind(at) != Tok::End && !closesRegion(at);
        endLine();
        emptyLine(range.begin);
        isAfterOpening = false;
        out += std::string(indentOf(continues), ' ') + comment.str() + "\n";
      }
      lastEnd = range.end;
    }
  }

  bool startsLine(size_t index) const {
    return lineStarts.contains(tokens[index].range.begin) && kind(index) != Tok::RBrace;
  }
  bool closesRegion(size_t index) const {
    return isRegionBrace(index) && kind(index) == Tok::RBrace;
  }

  void writeToken() {
    bool isClosing = closesRegion(at) && !isInEmptyRegion;
    bool begins = startsLine(at) || isClosing;
    if (begins) {
      endLine();
      depth -= isClosing;
      if (!isClosing)
        emptyLine(tokens[at].range.begin);
      startLine(indentOf(false));
    } else if (line.empty()) {
      startLine(indentOf(true));
    } else if (breaksHere()) {
      endLine();
      startLine(indentOf(true));
    } else if (hasGap()) {
      line += ' ';
    }
    line += text(at).str();
    lastEnd = tokens[at].range.end;
    updateBrackets();
    updateRegion();
  }

  void updateRegion() {
    isInEmptyRegion = opensEmptyRegion(at);
    if (!isRegionBrace(at) || kind(at) == Tok::RBrace || isInEmptyRegion)
      return;
    endLine();
    isAfterOpening = true;
    ++depth;
  }
  void updateBrackets() {
    if (isRegionBrace(at))
      return;
    switch (kind(at)) {
    case Tok::LParen:
    case Tok::LBracket:
    case Tok::LBrace:
    case Tok::Less:
      brackets.push_back(at > 0 && kind(at - 1) == Tok::Calc ? Tok::Calc : kind(at));
      break;
    case Tok::RParen:
    case Tok::RBracket:
    case Tok::RBrace:
    case Tok::Greater:
      if (!brackets.empty())
        brackets.pop_back();
      break;
    default:
      break;
    }
  }

  /// Whether to break the line: between elements of lists in parentheses, if the next one does not
  /// fit.
  bool breaksHere() {
    bool isElement = enclosing() == Tok::End || enclosing() == Tok::LParen;
    return kind(at - 1) == Tok::Comma && isElement && line.size() + widthOfElement() > maxWidth;
  }

  /// The width of everything up to the next comma, with the blank before it.
  size_t widthOfElement() {
    size_t start = at, width = 0;
    std::vector<Tok> open = brackets;
    for (; kind(at) != Tok::End; ++at) {
      bool ends = at > start && (startsLine(at) || hasCommentBefore(at) || closesRegion(at));
      if (ends)
        break;
      width += hasGap() + text(at).size();
      updateBrackets();
      bool isLast = (kind(at) == Tok::Comma && brackets.size() == open.size()) || isRegionBrace(at);
      if (isLast)
        break;
    }
    at = start;
    brackets = open;
    return width;
  }

  /// Whether a blank precedes the token.
  bool hasGap() const {
    Tok before = kind(at - 1), here = kind(at);
    if (closesRegion(at) || here == Tok::Comma || here == Tok::RParen || here == Tok::RBracket ||
        here == Tok::Greater || here == Tok::Less || here == Tok::Modifier)
      return false;
    if (isRegionBrace(at) || isRegionBrace(at - 1))
      return true;
    if (here == Tok::RBrace || before == Tok::LBrace || before == Tok::LParen ||
        before == Tok::LBracket || before == Tok::Less)
      return false;
    if (enclosing() == Tok::Calc)
      return true;
    if (before == Tok::Comma)
      return enclosing() != Tok::Less || text(at) == "offset";
    if (here == Tok::Times || before == Tok::Times)
      return isName(here == Tok::Times ? at - 1 : at - 2) ||
             isName(here == Tok::Times ? at + 1 : at);
    if (here == Tok::Colon)
      return hasGapBeforeColon();
    if (before == Tok::Colon)
      return enclosing() != Tok::LBracket;
    if (here == Tok::Assign || before == Tok::Assign)
      return enclosing() == Tok::End;
    if (here == Tok::LBracket)
      return before != Tok::Local;
    if (here == Tok::LParen)
      return before != Tok::Global && before != Tok::Calc && text(at - 1) != "init";
    return true;
  }

  /// `%a: f32` in heads, `load %a[] : f32` after operands, `[0:4]` in slices.
  bool hasGapBeforeColon() const {
    if (enclosing() == Tok::LBracket || text(at - 1) == "offset")
      return false;
    bool isParameter = enclosing() == Tok::LParen && kind(at - 1) == Tok::Local;
    bool isLoop = at > 1 && kind(at - 1) == Tok::Local && text(at - 2) == "for";
    return !isParameter && !isLoop;
  }

  const SourceFile &file;
  const std::vector<Token> &tokens;
  const std::vector<SourceRange> &comments;
  llvm::DenseSet<uint32_t> lineStarts, regionBraces;
  std::string out, line;
  std::vector<Tok> brackets; ///< Open brackets, except braces of regions.
  size_t at = 0, nextComment = 0;
  uint32_t lastEnd = 0;
  unsigned depth = 0;
  bool isInEmptyRegion = false; ///< The next token closes it.
  bool isAfterOpening = false;  ///< The last line ended with the brace of a region.
};

} // namespace

std::optional<std::string> tessera::tinytc::format(const SourceFile &file,
                                                   DiagnosticEngine &diagnostics) {
  std::unique_ptr<Program> program = parseLayout(file, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  DiagnosticEngine ignored;
  TokenList list = lex(file, ignored);
  return Formatter(*program, list).run();
}
