#include "lang/tc/Format.h"
#include "lang/tc/Lexer.h"
#include "lang/tc/Parser.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

constexpr size_t maxWidth = 100;
constexpr unsigned indentStep = 2, continuationIndent = 4;

/// A token or a comment, in the order of the text.
struct Piece {
  Tok kind;
  SourceRange range;
  bool isComment;
  StringRef text;
  unsigned linesBefore; ///< Line ends between this piece and the one before.
  // For a token that follows another one.
  bool isSpaced = false;
  int breakLevel = 0; ///< A line may be broken before it; the lowest level is best.
};
constexpr int noBreak = INT_MAX, leftSide = INT_MAX - 1, lastResort = INT_MAX - 2;

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
  return pieces;
}

/// Decides about the space between two tokens of a line.
class Spacing {
public:
  /// In the order of the text.
  void place(Piece &piece) {
    Role role = roleOf(piece.kind);
    piece.isSpaced = isSpaced(role, piece.kind);
    piece.breakLevel = breakLevel(role, piece.kind);
    nesting += (piece.kind == Tok::LParen) - (piece.kind == Tok::RParen);
    lastRole = role;
    lastKind = piece.kind;
  }

private:
  enum class Role { Other, Operand, Prefix, Binary, Assignment, RangeColon };

  Role roleOf(Tok kind) {
    switch (kind) {
    case Tok::Identifier:
    case Tok::Integer:
    case Tok::Float:
    case Tok::RParen:
      return Role::Operand;
    case Tok::Minus:
      return lastRole == Role::Operand ? Role::Binary : Role::Prefix;
    case Tok::Not:
      return Role::Prefix;
    case Tok::Question:
      questions.push_back(nesting);
      return Role::Binary;
    case Tok::Colon:
      return colon();
    case Tok::Assign:
      return Role::Assignment;
    default:
      if (kind >= Tok::AddInit && kind <= Tok::MaxAssign)
        return Role::Assignment;
      return levelOf(kind) ? Role::Binary : Role::Other;
    }
  }

  /// The `:` of the innermost `?` that has none yet; otherwise one between bounds.
  Role colon() {
    while (!questions.empty() && questions.back() > nesting)
      questions.pop_back();
    if (questions.empty() || questions.back() < nesting)
      return Role::RangeColon;
    questions.pop_back();
    return Role::Binary;
  }

  bool isSpaced(Role role, Tok kind) const {
    if (lastKind == Tok::LParen || lastKind == Tok::Dot || lastRole == Role::Prefix ||
        lastRole == Role::RangeColon)
      return false;
    if (kind == Tok::RParen || kind == Tok::Comma || kind == Tok::Dot || role == Role::RangeColon)
      return false;
    bool isApplied = lastKind == Tok::Identifier || lastKind == Tok::TypeName ||
                     lastKind == Tok::KwMin || lastKind == Tok::KwMax;
    return kind != Tok::LParen || !isApplied;
  }

  /// Lines break before operators, `where` and `->`, and after commas.
  int breakLevel(Role role, Tok kind) const {
    int outside = 10 * nesting;
    if (lastKind == Tok::Comma)
      return outside + 1;
    if (kind == Tok::KwWhere || kind == Tok::Arrow)
      return outside;
    if (role == Role::Binary)
      return outside + 2 + levelOf(kind);
    return lastRole == Role::Assignment ? lastResort : noBreak;
  }

  /// 0 for those of `?:` and for tokens that are not operators.
  static int levelOf(Tok kind) {
#define TC_BINARY(name, token, level, class)                                                       \
  if (kind == Tok::token)                                                                          \
    return level;
#include "lang/tc/Operators.def"
    return 0;
  }

  int nesting = 0;
  llvm::SmallVector<int> questions; ///< The nesting of each `?` that waits for its `:`.
  Role lastRole = Role::Other;
  Tok lastKind = Tok::End;
};

/// The tree determines where lines begin; tokens and comments are written in source order.
class Formatter {
public:
  explicit Formatter(std::vector<Piece> pieces) : pieces(std::move(pieces)) {
    Spacing spacing;
    for (Piece &piece : this->pieces)
      if (!piece.isComment)
        spacing.place(piece);
  }

  std::string run(const Program &program) {
    for (const Def *def : program.defs) {
      startLine(0, def->range.begin, /*needsEmptyLine=*/!out.empty());
      write(bodyBegin(), 0);
      trailingComments();
      block(*def);
      trailingComments();
    }
    leadingComments(0, UINT32_MAX, false);
    out += '\n';
    return std::move(out);
  }

private:
  bool atEnd() const { return next == pieces.size(); }
  bool commentNext() const { return !atEnd() && pieces[next].isComment; }

  /// The offset after the next `{`.
  uint32_t bodyBegin() const {
    size_t index = next;
    while (pieces[index].kind != Tok::LBrace)
      ++index;
    return pieces[index].range.end;
  }

  void newLine(unsigned indent, bool afterEmptyLine = false) {
    if (!out.empty())
      out += afterEmptyLine ? "\n\n" : "\n";
    out.append(indent, ' ');
    column = indent;
  }

  void append(StringRef text) {
    out += text;
    column += text.size();
  }

  /// Comments before `begin` get lines of their own.
  bool leadingComments(unsigned indent, uint32_t begin, bool needsEmptyLine) {
    while (commentNext() && pieces[next].range.begin < begin) {
      bool hadEmptyLine = pieces[next].linesBefore > 1 && !isFirstInBlock;
      newLine(indent, needsEmptyLine || hadEmptyLine);
      append(pieces[next++].text);
      needsEmptyLine = isFirstInBlock = false;
    }
    return needsEmptyLine;
  }

  void startLine(unsigned indent, uint32_t begin, bool needsEmptyLine = false) {
    needsEmptyLine = leadingComments(indent, begin, needsEmptyLine);
    bool hadEmptyLine = pieces[next].linesBefore > 1 && !isFirstInBlock;
    newLine(indent, needsEmptyLine || hadEmptyLine);
    isFirstInBlock = false;
  }

  /// A comment at the end of a line.
  void trailingComments() {
    if (!commentNext() || pieces[next].linesBefore > 0)
      return;
    append(" ");
    append(pieces[next++].text);
  }

  /// The left side of a statement is broken only if it does not fit a line by itself.
  void keepLeftSide(const Stmt &stmt) {
    auto *comprehension = stmt.as<Comprehension>();
    uint32_t end =
        comprehension ? comprehension->opRange.begin : stmt.as<CallStmt>()->callee.range.begin;
    for (size_t index = next; index < pieces.size() && pieces[index].range.begin < end; ++index)
      if (pieces[index].breakLevel != noBreak)
        pieces[index].breakLevel = leftSide;
  }

  /// One statement per line, and `}`.
  void block(const Def &def) {
    isFirstInBlock = true;
    for (const Stmt *stmt : def.body) {
      startLine(indentStep, stmt->range.begin);
      keepLeftSide(*stmt);
      write(stmt->range.end, indentStep);
      trailingComments();
    }
    leadingComments(indentStep, def.range.end, false);
    newLine(0);
    append(pieces[next++].text);
    isFirstInBlock = false;
  }

  /// Everything before `end`. A line that is too long continues on the next one, indented further;
  /// so does a line after a comment.
  void write(uint32_t end, unsigned indent) {
    while (!atEnd() && pieces[next].range.begin < end) {
      size_t first = next;
      while (!atEnd() && pieces[next].range.begin < end && !pieces[next].isComment)
        ++next;
      writeTokens(ArrayRef(pieces).slice(first, next - first), indent + continuationIndent);
      while (commentNext() && pieces[next].range.begin < end)
        writeInnerComment(indent + continuationIndent);
    }
  }

  void writeInnerComment(unsigned indent) {
    if (pieces[next].linesBefore > 0)
      newLine(indent);
    else
      append(" ");
    append(pieces[next++].text);
    if (!commentNext())
      newLine(indent);
  }

  void writeTokens(ArrayRef<Piece> tokens, unsigned indent) {
    while (!tokens.empty()) {
      size_t count = numInLine(tokens);
      for (const Piece &token : tokens.take_front(count)) {
        if (token.isSpaced && &token != tokens.begin())
          append(" ");
        append(token.text);
      }
      tokens = tokens.drop_front(count);
      if (!tokens.empty())
        newLine(indent);
    }
  }

  /// How many tokens fit on the current line: all, or those before the last of the best breaks; if
  /// there is no break in time, those before the first one.
  size_t numInLine(ArrayRef<Piece> tokens) const {
    size_t end = column, best = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      bool canBreak = i > 0 && tokens[i].breakLevel != noBreak;
      bool isBest = canBreak && (!best || tokens[i].breakLevel <= tokens[best].breakLevel);
      if (isBest)
        best = i;
      end += tokens[i].text.size() + (i > 0 && tokens[i].isSpaced);
      if (end > maxWidth && best)
        return best;
    }
    return tokens.size();
  }

  std::vector<Piece> pieces;
  size_t next = 0, column = 0;
  std::string out;
  bool isFirstInBlock = false;
};

} // namespace

std::optional<std::string> tessera::tc::format(const SourceFile &file,
                                               DiagnosticEngine &diagnostics) {
  std::unique_ptr<Program> program = parse(file, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  DiagnosticEngine ignored;
  return Formatter(piecesOf(file, lex(file, ignored))).run(*program);
}
