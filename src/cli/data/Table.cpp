/// Values as rows and columns: tables for people, .csv files for programs.
#include "cli/Tensor.h"
#include "cli/data/Access.h"
#include "cli/data/Print.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Unicode.h"
#include <sys/ioctl.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using llvm::StringRef;

namespace {

/// An address, unless the base is null.
const char *at(const char *base, size_t offset) {
  return base ? base + offset : nullptr;
}

/// Columns of structs are those of their fields: "$1.$0".
void addColumns(std::string name, const DataType &type, const char *base, size_t stride,
                std::vector<Column> &columns) {
  if (!type.isStruct()) {
    columns.push_back({name.empty() ? "value" : name, &type, base, stride});
    return;
  }
  for (size_t field = 0; field < type.fields().size(); ++field)
    addColumns((name.empty() ? "$" : name + ".$") + std::to_string(field), type.fields()[field],
               at(base, type.offset(field)), stride, columns);
}

bool isStructOfVectors(const DataType &type) {
  return type.isStruct() && !type.fields().empty() &&
         llvm::all_of(type.fields(), [](const DataType &field) { return field.isVector(); });
}

/// The common length of the vectors in a struct; nullopt if they differ.
std::optional<int64_t> commonLength(const DataType &type, const void *value) {
  int64_t length = itemsOf(type.fields()[0], fieldOf(type, value, 0)).count;
  for (size_t field = 1; field < type.fields().size(); ++field)
    if (itemsOf(type.fields()[field], fieldOf(type, value, field)).count != length)
      return std::nullopt;
  return length;
}

Table columnsOf(const DataType &type, const void *value, int64_t length) {
  Table table{{}, length};
  for (size_t field = 0; field < type.fields().size(); ++field) {
    Items items = itemsOf(type.fields()[field], fieldOf(type, value, field));
    addColumns("$" + std::to_string(field), items.type, items.first, items.type.size(),
               table.columns);
  }
  return table;
}

StringRef textAt(const void *cell) {
  tessera_vector vector = runtime::vectorAt(cell);
  return {static_cast<const char *>(vector.data), size_t(vector.count)};
}

std::string jsonText(const DataType &type, const void *value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printJson(out, type, value, {.isAbbreviated = true, .showsTexts = true});
  return text;
}

size_t widthOf(StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : width;
}

struct Glyphs {
  StringRef horizontal, vertical, dots, rowDots;
  StringRef top[3], middle[3], bottom[3]; ///< Left, between columns, right.
};
constexpr Glyphs unicodeGlyphs = {
    "─", "│", "…", "⋮", {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
constexpr Glyphs asciiGlyphs = {
    "-", "|", "...", ":", {"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}};

class TablePrinter {
public:
  TablePrinter(llvm::raw_ostream &out, const Table &table, const TableStyle &style)
      : out(out), table(table), glyphs(style.isUnicode ? unicodeGlyphs : asciiGlyphs) {
    chooseRows();
    layOutWithin(style.width);
  }

  void print() {
    printRule(glyphs.top);
    for (size_t line = 0; line <= rows.size(); ++line) {
      out << glyphs.vertical;
      for (const Laid &column : columns)
        printCell(column, column.lines[line]);
      out << '\n';
      if (line == 0)
        printRule(glyphs.middle);
    }
    printRule(glyphs.bottom);
    if (isCut)
      out << table.numRows << (table.numRows == 1 ? " row, " : " rows, ") << table.columns.size()
          << (table.columns.size() == 1 ? " column\n" : " columns\n");
  }

private:
  static constexpr int64_t maxRows = 40, leftOut = -1;
  static constexpr size_t longestText = 40, shortestText = 4;

  struct Laid {
    std::vector<std::string> lines; ///< The name first.
    size_t width;
    bool isNumber;
  };

  void chooseRows() {
    isCut = table.numRows > maxRows;
    for (int64_t row = 0; row < table.numRows; ++row) {
      if (isCut && row == maxRows / 2) {
        rows.push_back(leftOut);
        row = table.numRows - maxRows / 2;
      }
      rows.push_back(row);
    }
  }

  /// Texts are cut off further until the table fits; numbers never are.
  void layOutWithin(size_t width) {
    for (maxText = longestText;; --maxText) {
      columns.clear();
      for (const Column &column : table.columns)
        columns.push_back(layOut(column));
      leaveOutColumns(width);
      if (lineWidth() <= width || maxText == shortestText)
        return;
    }
  }

  Laid layOut(const Column &column) const {
    Laid laid{{cut(column.name)}, 0, column.type->isScalar()};
    for (int64_t row : rows)
      laid.lines.push_back(row == leftOut ? glyphs.rowDots.str()
                                          : cellText(column, column.base + row * column.stride));
    for (const std::string &line : laid.lines)
      laid.width = std::max(laid.width, widthOf(line));
    return laid;
  }

  std::string cellText(const Column &column, const char *cell) const {
    if (column.type->isScalar())
      return jsonText(*column.type, cell);
    return cut(column.type->isText() ? shownText(textAt(cell)) : jsonText(*column.type, cell));
  }

  std::string cut(std::string text) const {
    if (widthOf(text) <= maxText)
      return text;
    size_t end = 0;
    for (size_t next = 0; widthOf(StringRef(text).take_front(next)) < maxText; ++next)
      if ((text[next] & 0xc0) != 0x80) // Between characters.
        end = next;
    return text.substr(0, end) + glyphs.dots.str();
  }

  size_t lineWidth() const {
    size_t width = 1;
    for (const Laid &column : columns)
      width += column.width + 3;
    return width;
  }

  /// The middle is left out first; one column replaces all that are left out.
  void leaveOutColumns(size_t width) {
    if (lineWidth() <= width || columns.size() < 3)
      return;
    isCut = true;
    size_t middle = columns.size() / 2;
    std::vector<std::string> dots(rows.size() + 1, glyphs.dots.str());
    columns[middle] = {dots, widthOf(glyphs.dots), false};
    size_t left = middle, right = middle + 1; // The columns that remain.
    auto remaining = [&] { return lineWidth(); };
    while (remaining() > width && columns.size() > 3) {
      bool fromLeft = left >= columns.size() - right && left > 1;
      columns.erase(columns.begin() + (fromLeft ? left - 1 : right));
      if (fromLeft)
        --left, --right;
    }
  }

  void printRule(const StringRef (&corners)[3]) {
    for (size_t column = 0; column < columns.size(); ++column) {
      out << corners[column ? 1 : 0];
      for (size_t i = 0; i < columns[column].width + 2; ++i)
        out << glyphs.horizontal;
    }
    out << corners[2] << '\n';
  }

  void printCell(const Laid &column, const std::string &text) {
    size_t space = column.width - widthOf(text);
    out << ' ';
    out.indent(column.isNumber ? space : 0) << text;
    out.indent(column.isNumber ? 0 : space) << ' ' << glyphs.vertical;
  }

  llvm::raw_ostream &out;
  const Table &table;
  const Glyphs &glyphs;
  std::vector<int64_t> rows; ///< The rows that are shown.
  std::vector<Laid> columns;
  size_t maxText = longestText; ///< In a cell.
  bool isCut = false;
};

std::string quoted(StringRef text, char delimiter) {
  bool isPlain = !text.contains(delimiter) && text.find_first_of("\"\r\n") == StringRef::npos;
  if (isPlain)
    return text.str();
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

/// The columns of a value of this type; pointers in it are not valid.
Table tableFor(const DataType &type) {
  std::vector<char> empty(type.size() + 1);
  return tabulate(type, empty.data());
}

} // namespace

Table data::tabulateTexts(const DataType &type, const void *value) {
  auto isText = [](const DataType &field) { return field.isText(); };
  if (!type.isText() && !(isStructOfVectors(type) && llvm::any_of(type.fields(), isText)))
    return tabulate(type, value);
  Table table;
  addColumns("", type, static_cast<const char *>(value), 0, table.columns);
  return table;
}

Table data::tabulate(const DataType &type, const void *value) {
  Table table;
  if (isStructOfVectors(type))
    if (std::optional<int64_t> length = commonLength(type, value))
      return columnsOf(type, value, *length);
  if (!type.isVector() && !type.isDictionary()) {
    addColumns("", type, static_cast<const char *>(value), 0, table.columns);
    return table;
  }
  Items items = itemsOf(type, value);
  table.numRows = items.count;
  if (type.isVector())
    addColumns("", items.type, items.first, items.type.size(), table.columns);
  else
    for (size_t part : {0, 1})
      addColumns(part ? "value" : "key", items.type.fields()[part],
                 at(items.first, items.type.offset(part)), items.type.size(), table.columns);
  return table;
}

TableStyle TableStyle::ofTerminal() {
  TableStyle style;
  winsize size{};
  const char *columns = getenv("COLUMNS");
  if (columns && StringRef(columns).getAsInteger(10, style.width))
    style.width = 80;
  if (!columns && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
    style.width = size.ws_col;
  for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char *locale = getenv(name); locale && *locale) {
      std::string lower = StringRef(locale).lower();
      style.isUnicode = StringRef(lower).contains("utf");
      return style;
    }
  style.isUnicode = false;
  return style;
}

void data::printTable(llvm::raw_ostream &out, const Table &table, const TableStyle &style) {
  TablePrinter(out, table, style).print();
}

std::string data::whyNoCsv(const DataType &type) {
  Table table = tableFor(type);
  if (table.columns.empty())
    return "it has no columns";
  for (const Column &column : table.columns)
    if (!column.type->isScalar() && !column.type->isText())
      return llvm::formatv("column `{0}` would be {1}; a cell is a number or a text", column.name,
                           column.type->text());
  return "";
}

bool data::printCsv(llvm::raw_ostream &out, const DataType &type, const void *value,
                    const CsvOptions &options, std::string &problem) {
  if (isStructOfVectors(type) && !commonLength(type, value)) {
    problem = "its vectors differ in length";
    return false;
  }
  Table table = tabulate(type, value);
  auto printRow = [&](auto cellText) {
    for (size_t column = 0; column < table.columns.size(); ++column) {
      if (column)
        out << options.delimiter;
      out << quoted(cellText(table.columns[column]), options.delimiter);
    }
    out << '\n';
  };
  if (options.hasHeader)
    printRow([](const Column &column) { return column.name; });
  for (int64_t row = 0; row < table.numRows; ++row)
    printRow([&](const Column &column) {
      const char *cell = column.base + row * column.stride;
      return column.type->isText() ? textAt(cell).str() : jsonText(*column.type, cell);
    });
  return true;
}
