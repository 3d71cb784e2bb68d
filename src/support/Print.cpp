/// The printed forms of a diagnostic: text with marked source lines, and JSON.
#include "support/Diagnostics.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

using namespace tessera;
using llvm::raw_ostream;
using llvm::StringRef;

/// The size in bytes of the character at the beginning of `text`; 0 if it is invalid.
static size_t characterSize(StringRef text) {
  const auto *begin = text.bytes_begin();
  size_t size = llvm::getNumBytesForUTF8(*begin);
  return size <= text.size() && llvm::isLegalUTF8Sequence(begin, begin + size) ? size : 0;
}

static bool isControl(char c) {
  return static_cast<unsigned char>(c) < 32 || c == 127;
}

std::string tessera::escaped(StringRef text) {
  std::string result;
  while (!text.empty()) {
    bool isLayout = text.front() == '\n' || text.front() == '\t';
    size_t size = isControl(text.front()) && !isLayout ? 0 : characterSize(text);
    if (size)
      result += text.take_front(size);
    else
      result += llvm::formatv("\\x{0:x-2}", static_cast<unsigned char>(text.front()));
    text = text.drop_front(std::max<size_t>(size, 1));
  }
  return result;
}

namespace {

/// Longer source lines are cut around the marked range.
constexpr uint32_t maxLineWidth = 160;

const char *colorOf(Severity severity) {
  static constexpr const char *codes[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
  return codes[static_cast<int>(severity)];
}

class TextPrinter {
public:
  TextPrinter(raw_ostream &out, const Diagnostic &diagnostic, bool color)
      : out(out), diagnostic(diagnostic), file(diagnostic.file), color(color) {}

  void print() {
    heading(diagnostic.range, file, diagnostic.severity, diagnostic.message);
    if (diagnostic.kind->rule[0])
      out << " [" << diagnostic.kind->rule << "]";
    out << '\n';
    if (file)
      excerpt(diagnostic.range, diagnostic.labels);
    for (const FixIt &fix : diagnostic.fixits)
      suggest(fix);
    for (const Note &note : diagnostic.notes)
      remark(note);
  }

private:
  void heading(SourceRange range, const SourceFile *where, Severity severity, StringRef message) {
    if (color)
      out << "\033[1m";
    if (where) {
      auto [line, column] = where->position(range.begin);
      out << where->name() << ':' << line << ':' << column << ": ";
    } else {
      out << "tessera: ";
    }
    if (color)
      out << colorOf(severity);
    out << name(severity) << ": ";
    if (color)
      out << "\033[0m\033[1m";
    out << escaped(message);
    if (color)
      out << "\033[0m";
  }

  /// Prints the first line of `range` with a line of marks below, then one line per label on it.
  void excerpt(SourceRange range, llvm::ArrayRef<Label> labels) {
    uint32_t number = file->position(range.begin).line;
    StringRef text = file->line(number);
    uint32_t start = file->lineStart(number), skipped = 0;
    uint32_t at = range.begin - start;
    if (text.size() > maxLineWidth) {
      skipped = at > maxLineWidth / 2 ? at - maxLineWidth / 2 : 0;
      text = text.substr(skipped, maxLineWidth);
    }
    std::string gutter = llvm::formatv("{0,4} | ", number).str();
    std::string shown = printable(text);
    out << gutter << shown << '\n';
    std::string margin = std::string(gutter.size() - 2, ' ') + "| ";
    std::string marks(text.size() + 1, ' ');
    // If labels mark both sides of a mismatch, the text between them is not marked.
    bool isInside = llvm::any_of(labels, [&](const Label &label) {
      return range.begin <= label.range.begin && label.range.end <= range.end;
    });
    if (!isInside)
      mark(marks, range, start + skipped, labels.empty() ? '^' : '~', /*caret=*/labels.empty());
    for (const Label &label : labels)
      if (onLine(label, number))
        mark(marks, label.range, start + skipped, '~', false);
    writeMarks(margin, inColumns(marks, shown), labels, number, start + skipped);
  }

  /// A multi-byte character takes one column: the marks of its further bytes are dropped.
  static bool isFurtherByte(char c) { return (c & 0xc0) == 0x80; }
  static std::string inColumns(const std::string &marks, StringRef text) {
    std::string result;
    for (size_t i = 0; i < marks.size(); ++i)
      if (i >= text.size() || !isFurtherByte(text[i]))
        result += marks[i];
    return result;
  }
  unsigned columnsBetween(uint32_t begin, uint32_t end) const {
    return llvm::count_if(printable(file->text({begin, end})),
                          [](char c) { return !isFurtherByte(c); });
  }

  bool onLine(const Label &label, uint32_t number) const {
    return file->position(label.range.begin).line == number;
  }

  /// Keeps the number of bytes: characters that would garble the terminal or the columns of the
  /// marks take one column.
  static std::string printable(StringRef text) {
    std::string result = text.str();
    for (size_t i = 0, size; i < text.size(); i += std::max<size_t>(size, 1)) {
      size = characterSize(text.drop_front(i));
      if (isControl(text[i]))
        result[i] = ' ';
      else if (!size)
        result[i] = '?';
    }
    return result;
  }

  static void mark(std::string &marks, SourceRange range, uint32_t start, char with, bool caret) {
    if (range.begin < start || range.begin - start >= marks.size())
      return;
    size_t begin = range.begin - start;
    size_t end = std::min<size_t>(std::max(range.end, range.begin + 1) - start, marks.size() - 1);
    for (size_t i = begin; i < std::max(end, begin + 1); ++i)
      marks[i] = with == '^' ? '~' : with;
    if (caret)
      marks[begin] = '^';
  }

  /// The last label of the line follows the marks if they end with its own; all others go below,
  /// each under its range.
  void writeMarks(StringRef margin, const std::string &marks, llvm::ArrayRef<Label> labels,
                  uint32_t number, uint32_t start) {
    std::vector<const Label *> here;
    for (const Label &label : labels)
      if (onLine(label, number) && label.range.begin >= start)
        here.push_back(&label);
    std::stable_sort(here.begin(), here.end(), [](const Label *a, const Label *b) {
      return a->range.begin > b->range.begin;
    });
    green();
    StringRef marked = StringRef(marks).rtrim();
    out << margin << marked;
    bool isLast = !here.empty() && columnsBetween(start, here.front()->range.end) >= marked.size();
    if (isLast)
      out << ' ' << escaped(here.front()->text);
    out << '\n';
    for (const Label *label : llvm::ArrayRef(here).drop_front(isLast))
      out << margin << std::string(columnsBetween(start, label->range.begin), ' ')
          << escaped(label->text) << '\n';
    plain();
    for (const Label &label : labels)
      if (!onLine(label, number))
        remark({label.range, true, label.text});
  }

  /// An inserted line is shown without its indentation and line break.
  static StringRef withoutBreaks(StringRef text) {
    return text.contains('\n') ? text.trim() : text;
  }

  void suggest(const FixIt &fix) {
    auto [line, column] = file->position(fix.range.begin);
    out << "     = fix: ";
    if (fix.replacement.empty())
      out << "remove `" << printable(file->text(fix.range)) << "`";
    else if (fix.range.empty())
      out << "insert `" << withoutBreaks(fix.replacement) << "`";
    else
      out << "write `" << fix.replacement << "` instead of `" << printable(file->text(fix.range))
          << "`";
    out << " at " << line << ':' << column << '\n';
  }

  void remark(const Note &note) {
    if (!note.hasRange) {
      out << "     = note: " << escaped(note.text) << '\n';
      return;
    }
    heading(note.range, file, Severity::Note, note.text);
    out << '\n';
    excerpt(note.range, {});
  }

  void green() {
    if (color)
      out << "\033[32m";
  }
  void plain() {
    if (color)
      out << "\033[0m";
  }

  raw_ostream &out;
  const Diagnostic &diagnostic;
  const SourceFile *file;
  bool color;
};

/// File names and fixes may hold any bytes; JSON may not.
std::string jsonText(StringRef text) {
  return llvm::json::fixUTF8(text);
}

llvm::json::Object positions(const SourceFile *file, SourceRange range) {
  llvm::json::Object object;
  if (!file)
    return object;
  LineColumn begin = file->position(range.begin), end = file->position(range.end);
  object["file"] = jsonText(file->name());
  object["line"] = begin.line;
  object["column"] = begin.column;
  object["endLine"] = end.line;
  object["endColumn"] = end.column;
  return object;
}

llvm::json::Object toJson(const Diagnostic &diagnostic) {
  llvm::json::Object object = positions(diagnostic.file, diagnostic.range);
  object["severity"] = name(diagnostic.severity);
  object["rule"] = diagnostic.kind->rule;
  object["message"] = escaped(diagnostic.message);
  llvm::json::Array notes, fixits;
  for (const Label &label : diagnostic.labels) {
    llvm::json::Object entry = positions(diagnostic.file, label.range);
    entry["message"] = escaped(label.text);
    notes.push_back(std::move(entry));
  }
  for (const Note &note : diagnostic.notes) {
    llvm::json::Object entry = positions(note.hasRange ? diagnostic.file : nullptr, note.range);
    entry["message"] = escaped(note.text);
    notes.push_back(std::move(entry));
  }
  for (const FixIt &fix : diagnostic.fixits) {
    llvm::json::Object entry = positions(diagnostic.file, fix.range);
    entry["replacement"] = jsonText(fix.replacement);
    fixits.push_back(std::move(entry));
  }
  object["notes"] = std::move(notes);
  object["fixits"] = std::move(fixits);
  return object;
}

} // namespace

void tessera::print(raw_ostream &out, const Diagnostic &diagnostic, PrintStyle style) {
  if (style.json)
    out << llvm::json::Value(toJson(diagnostic)) << '\n';
  else
    TextPrinter(out, diagnostic, style.color).print();
}
