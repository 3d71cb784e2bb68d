#include "lang/ttl/Format.h"
#include "lang/ttl/Lexer.h"
#include "lang/ttl/Parser.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

namespace {

/// A token or a comment, in the order of the text.
struct Piece {
  Tok kind;
  SourceRange range;
  bool isComment;
  StringRef text;
  unsigned linesBefore; ///< Line ends between this piece and the one before.
};

std::vector<Piece> piecesOf(const SourceFile &file, const TokenList &list) {
  std::vector<Piece> pieces;
  auto comment = list.comments.begin();
  auto add = [&](Tok kind, SourceRange range, bool isComment) {
    uint32_t last = pieces.empty() ? 0 : pieces.back().range.end;
    StringRef between = file.text({last, range.begin});
    pieces.push_back(
        {kind, range, isComment, file.text(range).rtrim(), unsigned(between.count('\n'))});
  };
  for (const Token &token : list.tokens) {
    for (; comment != list.comments.end() && comment->begin < token.range.begin; ++comment)
      add(Tok::Error, *comment, true);
    if (token.kind != Tok::End)
      add(token.kind, token.range, false);
  }
  for (; comment != list.comments.end(); ++comment)
    add(Tok::Error, *comment, true);
  return pieces;
}

/// The tree determines where lines begin and how far they are indented; tokens and comments are
/// written in source order.
class Formatter {
public:
  explicit Formatter(std::vector<Piece> pieces) : pieces(std::move(pieces)) {}

  std::string run(const Program &program) {
    for (const Function *function : program.functions) {
      startLine(0, function->range.begin, /*needsEmptyLine=*/!out.empty());
      inlineUpTo(function->bodyRange.begin);
      block(function->body, function->bodyRange.end, 0);
      trailingComments();
    }
    leadingComments(0, UINT32_MAX, false);
    if (!out.empty())
      out += '\n';
    return std::move(out);
  }

private:
  bool atEnd() const { return next == pieces.size(); }
  bool commentNext() const { return !atEnd() && pieces[next].isComment; }
  bool afterLineComment() const {
    return next > 0 && pieces[next - 1].isComment && pieces[next - 1].text.starts_with("//");
  }

  void newLine(unsigned depth, bool afterEmptyLine) {
    if (!out.empty())
      out += afterEmptyLine ? "\n\n" : "\n";
    out.append(2 * depth, ' ');
    lineIsOpen = false;
  }

  /// Comments before `begin` get lines of their own.
  bool leadingComments(unsigned depth, uint32_t begin, bool needsEmptyLine) {
    while (commentNext() && pieces[next].range.begin < begin) {
      bool hadEmptyLine = pieces[next].linesBefore > 1 && !isFirstInBlock;
      newLine(depth, needsEmptyLine || hadEmptyLine);
      out += pieces[next++].text;
      needsEmptyLine = isFirstInBlock = false;
    }
    return needsEmptyLine;
  }

  void startLine(unsigned depth, uint32_t begin, bool needsEmptyLine = false) {
    needsEmptyLine = leadingComments(depth, begin, needsEmptyLine);
    bool hadEmptyLine = !atEnd() && pieces[next].linesBefore > 1 && !isFirstInBlock;
    newLine(depth, needsEmptyLine || hadEmptyLine);
    isFirstInBlock = false;
    lineDepth = depth;
  }

  /// Comments after a statement, on its line.
  void trailingComments() {
    while (commentNext() && pieces[next].linesBefore == 0) {
      out += ' ';
      out += pieces[next++].text;
    }
  }

  /// Writes everything before `end` on the current line. Where the user broke a line inside
  /// brackets, or where a `//` comment forces a break, the line continues on the next one, indented
  /// twice.
  void inlineUpTo(uint32_t end) {
    for (; !atEnd() && pieces[next].range.begin < end; ++next) {
      const Piece &piece = pieces[next];
      const Piece *last = next && lineIsOpen ? &pieces[next - 1] : nullptr;
      bool isForced = last && last->isComment && last->text.starts_with("//");
      bool isUsers =
          last && piece.linesBefore > 0 && (brackets > 0 || piece.isComment || last->isComment);
      if (isForced || isUsers) {
        newLine(lineDepth + 2, false);
        last = nullptr;
      }
      if (last && isSpaced(*last, piece))
        out += ' ';
      out += piece.text;
      lineIsOpen = true;
      track(piece);
    }
  }

  void track(const Piece &piece) {
    if (piece.isComment)
      return;
    bool opens =
        piece.kind == Tok::LParen || piece.kind == Tok::LBracket || piece.kind == Tok::LBrace;
    bool closes =
        piece.kind == Tok::RParen || piece.kind == Tok::RBracket || piece.kind == Tok::RBrace;
    brackets += opens - closes;
    if (piece.kind == Tok::KwMatrix)
      inMatrixType = true;
    if (piece.kind == Tok::LBracket)
      inMatrixType = false;
    // A sign after an operand is binary; anywhere else it is a prefix.
    bool endsOperand = closes || piece.kind == Tok::Identifier || piece.kind == Tok::Integer ||
                       piece.kind == Tok::Float;
    lastIsPrefix = (piece.kind == Tok::Minus || piece.kind == Tok::Not) && !afterOperand;
    afterOperand = endsOperand;
  }

  bool isSpaced(const Piece &last, const Piece &piece) const {
    if (last.isComment || piece.isComment)
      return true;
    switch (last.kind) {
    case Tok::LParen:
    case Tok::LBracket:
    case Tok::LBrace:
    case Tok::Ellipsis:
      return false;
    case Tok::Minus:
    case Tok::Not:
      if (lastIsPrefix)
        return false;
      break;
    default:
      break;
    }
    return isSpacedInFront(last, piece.kind);
  }

  bool isSpacedInFront(const Piece &last, Tok kind) const {
    switch (kind) {
    case Tok::Comma:
    case Tok::Semicolon:
    case Tok::RParen:
    case Tok::RBracket:
    case Tok::RBrace:
    case Tok::Ellipsis:
    case Tok::LBrace: // A slice: blocks are not written here.
      return false;
    case Tok::LParen:
      return last.kind != Tok::Identifier;
    case Tok::LBracket:
      return last.kind != Tok::Identifier && last.kind != Tok::Greater;
    case Tok::Less:
    case Tok::Greater:
    case Tok::KwInt:
    case Tok::KwFloat:
      return !inMatrixType;
    default:
      return true;
    }
  }

  /// "{", one statement per line, "}". `end` is the offset after the brace.
  void block(llvm::ArrayRef<Stmt *> body, uint32_t end, unsigned depth) {
    if (afterLineComment())
      newLine(depth, false);
    out += out.empty() || out.back() == ' ' || out.back() == '\n' ? "{" : " {";
    ++next;
    trailingComments();
    isFirstInBlock = true;
    for (const Stmt *stmt : body)
      line(*stmt, depth + 1);
    leadingComments(depth + 1, end, false);
    newLine(depth, false);
    out += '}';
    ++next;
    isFirstInBlock = false;
    afterOperand = false;
  }

  void line(const Stmt &stmt, unsigned depth) {
    startLine(depth, stmt.range.begin);
    write(stmt, depth);
    trailingComments();
  }

  /// A statement whose line has begun.
  void write(const Stmt &stmt, unsigned depth) {
    if (auto *loop = stmt.as<For>()) {
      inlineUpTo(loop->body->range.begin);
      body(*loop->body, depth);
    } else if (auto *branch = stmt.as<If>()) {
      writeIf(*branch, depth);
    } else if (auto *compound = stmt.as<Compound>()) {
      block(compound->body, stmt.range.end, depth);
    } else {
      inlineUpTo(stmt.range.end);
    }
  }

  void body(const Stmt &stmt, unsigned depth) {
    if (auto *compound = stmt.as<Compound>())
      return block(compound->body, stmt.range.end, depth);
    line(stmt, depth + 1);
  }

  void writeIf(const If &branch, unsigned depth) {
    const Stmt *before = nullptr;
    for (const If::Arm &arm : branch.arms) {
      if (before)
        writeElse(*before, arm.range.begin, depth);
      lineIsOpen |= before != nullptr;
      inlineUpTo(arm.body->range.begin);
      body(*arm.body, depth);
      before = arm.body;
    }
    if (!branch.elseBody)
      return;
    writeElse(*before, branch.elseBody->range.begin, depth);
    body(*branch.elseBody, depth);
  }

  /// "else" between the body before and what begins at `begin`.
  void writeElse(const Stmt &before, uint32_t begin, unsigned depth) {
    bool hadComments = commentNext();
    trailingComments();
    if (!before.as<Compound>() || hadComments)
      startLine(depth, begin);
    else
      out += ' ';
    lineDepth = depth;
    lineIsOpen = false;
    inlineUpTo(begin);
  }

  std::vector<Piece> pieces;
  size_t next = 0;
  std::string out;
  unsigned lineDepth = 0;
  int brackets = 0;
  bool lineIsOpen = false, isFirstInBlock = false, inMatrixType = false, lastIsPrefix = false,
       afterOperand = false;
};

} // namespace

std::optional<std::string> tessera::ttl::format(const SourceFile &file,
                                                DiagnosticEngine &diagnostics) {
  std::unique_ptr<Program> program = parse(file, {.emptyBodies = true}, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  DiagnosticEngine ignored;
  return Formatter(piecesOf(file, lex(file, ignored))).run(*program);
}
