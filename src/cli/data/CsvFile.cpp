/// Values from .csv files: which columns, as what, and what is wrong with them.
#include "cli/Tensor.h"
#include "cli/data/Progress.h"
#include "cli/data/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using llvm::StringRef;

namespace {

bool isCell(const DataType &type) {
  return type.isScalar() || type.isText();
}

/// How columns become a value.
struct Layout {
  enum Form { Column, Columns, Rows };
  Form form;
  std::vector<const DataType *> cells;
};

std::optional<Layout> layoutOf(const DataType &type) {
  if (type.isVector() && isCell(type.element()))
    return Layout{Layout::Column, {&type.element()}};
  bool isRows = type.isVector() && type.element().isStruct();
  Layout layout{isRows ? Layout::Rows : Layout::Columns, {}};
  const DataType &fields = isRows ? type.element() : type;
  if (!fields.isStruct() || fields.fields().empty())
    return std::nullopt;
  for (const DataType &field : fields.fields()) {
    if (!isRows && !field.isVector())
      return std::nullopt;
    layout.cells.push_back(isRows ? &field : &field.element());
  }
  bool areCells = llvm::all_of(layout.cells, [](const DataType *cell) { return isCell(*cell); });
  return areCells ? std::optional(layout) : std::nullopt;
}

std::string countText(size_t count) {
  return std::to_string(count) + (count == 1 ? " column" : " columns");
}

/// Other characters that may separate the columns of a header.
char delimiterIn(StringRef header) {
  size_t place = header.find_first_of(";\t");
  return place == StringRef::npos ? '\0' : header[place];
}

class CsvReader {
public:
  CsvReader(StringRef path, StringRef selection, const Target &target, const CsvOptions &options,
            Terminal &terminal)
      : path(path), selection(selection), target(target), options(options), terminal(terminal) {}

  bool read(Layout &layout) {
    if (!isReadable(path, target, terminal))
      return false;
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return error(diag::BadArrayFile, inBackticks(path), buffer.getError().message()), false;
    CsvProblem problem;
    std::shared_ptr<llvm::MemoryBuffer> text = std::move(*buffer);
    std::optional<CsvText> csv = CsvText::open(text->getBuffer(), options, problem);
    if (!csv) {
      size_t line = StringRef(text->getBuffer()).take_front(problem.offset).count('\n') + 1;
      error(diag::BadRow, inBackticks(llvm::formatv("{0}:{1}", path, line).str()), problem.text);
      return false;
    }
    target.memory.keep(text);
    auto chosen = choose(*csv, layout.cells.size());
    return chosen && fill(*csv, layout, *chosen);
  }

private:
  template <typename... Ts> Report error(const DiagnosticKind &kind, Ts &&...values) {
    return terminal.report(kind, target.subject(), target.type.text(), std::forward<Ts>(values)...);
  }

  /// The numbers of the columns that are named, or of all.
  std::optional<std::vector<size_t>> choose(const CsvText &csv, size_t wanted) {
    std::vector<size_t> chosen;
    if (selection.empty()) {
      for (size_t column = 0; column < csv.columns().size(); ++column)
        chosen.push_back(column);
    } else if (!chooseNamed(csv, chosen)) {
      return std::nullopt;
    }
    if (chosen.size() == wanted)
      return chosen;
    std::string has = countText(chosen.size());
    if (chosen.size() < 20)
      has += ": " +
             llvm::join(llvm::map_range(chosen, [&](size_t i) { return csv.columns()[i]; }), ", ");
    Report report = error(diag::WrongColumnCount, countText(wanted), inBackticks(path), has);
    hintAtColumns(report, csv.columns());
    return std::nullopt;
  }

  void hintAtColumns(Report &report, llvm::ArrayRef<std::string> columns) {
    char other = columns.size() == 1 ? delimiterIn(columns.front()) : '\0';
    if (other)
      report.hint("`--delimiter='{0}'` would separate them", other == '\t' ? "\\t" : ";");
    else if (selection.empty())
      report.hint("`@{0}:NAME` chooses a column, `@{0}:A,B` several", path);
  }

  bool chooseNamed(const CsvText &csv, std::vector<size_t> &chosen) {
    auto names = parseCsvRecord(selection, ',');
    if (!names) {
      error(diag::UnknownColumn, inBackticks(path), inBackticks(selection));
      return false;
    }
    for (const std::string &name : *names) {
      std::optional<size_t> column = find(csv, name);
      if (!column)
        return false;
      if (llvm::is_contained(chosen, *column)) {
        error(diag::AmbiguousColumn, inBackticks(path), inBackticks(name), "named twice");
        return false;
      }
      chosen.push_back(*column);
    }
    return true;
  }

  std::optional<size_t> find(const CsvText &csv, const std::string &name) {
    auto columns = csv.columns();
    const std::string *found = llvm::find(columns, name);
    if (found == columns.end()) {
      reportUnknown(columns, name);
      return std::nullopt;
    }
    if (std::find(found + 1, columns.end(), name) != columns.end()) {
      error(diag::AmbiguousColumn, inBackticks(path), inBackticks(name), "in its header twice");
      return std::nullopt;
    }
    return found - columns.begin();
  }

  void reportUnknown(llvm::ArrayRef<std::string> columns, const std::string &name) {
    llvm::SmallVector<StringRef> names(columns.begin(), columns.end());
    Report report = error(diag::UnknownColumn, inBackticks(path), inBackticks(name));
    StringRef nearest = nearestName(name, names);
    if (!options.hasHeader)
      report.hint("without a header, columns are named 1 to {0}", columns.size());
    else if (!nearest.empty())
      report.hint("did you mean `{0}`?", nearest);
    else if (columns.size() < 20)
      report.hint("its columns are {0}", llvm::join(columns, ", "));
  }

  bool fill(const CsvText &csv, const Layout &layout, llvm::ArrayRef<size_t> chosen) {
    std::vector<CsvTarget> targets;
    if (!place(csv, layout, chosen, targets)) {
      error(diag::TooLarge, llvm::formatv("the {0} rows of `{1}`", csv.numRows(), path));
      return false;
    }
    std::vector<std::shared_ptr<const void>> memory;
    std::optional<CsvProblem> problem;
    {
      Progress progress(terminal, path);
      problem =
          csv.read(targets, memory, [&](size_t done, size_t total) { progress.show(done, total); });
    }
    for (auto &each : memory)
      target.memory.keep(std::move(each));
    return !problem || report(csv, *problem, targets);
  }

  /// Allocates memory, and says where each column goes.
  bool place(const CsvText &csv, const Layout &layout, llvm::ArrayRef<size_t> chosen,
             std::vector<CsvTarget> &targets) {
    auto *slot = static_cast<char *>(target.slot);
    const DataType &type = target.type;
    char *rows = nullptr;
    if (layout.form == Layout::Rows && !(rows = allocate(type.element(), csv.numRows(), slot)))
      return false;
    for (auto [index, column] : llvm::enumerate(chosen)) {
      const DataType &cell = *layout.cells[index];
      CsvTarget next{column, &cell, rows, cell.size()};
      if (rows) {
        next.base += type.element().offset(index);
        next.stride = type.element().size();
      } else {
        size_t offset = layout.form == Layout::Columns ? type.offset(index) : 0;
        if (!(next.base = allocate(cell, csv.numRows(), slot + offset)))
          return false;
      }
      targets.push_back(next);
    }
    return true;
  }

  char *allocate(const DataType &element, size_t count, char *slot) {
    tessera_vector vector{target.memory.allocate(element.size() * count), int64_t(count)};
    memcpy(slot, &vector, sizeof vector);
    return static_cast<char *>(vector.data);
  }

  bool report(const CsvText &csv, const CsvProblem &problem, llvm::ArrayRef<CsvTarget> targets) {
    std::string where = path.str() + ":" + csv.place(problem.offset);
    if (problem.kind == CsvProblem::Row) {
      error(diag::BadRow, inBackticks(where), problem.text);
      return false;
    }
    const DataType &type =
        *llvm::find_if(targets, [&](auto &each) { return each.column == problem.column; })->type;
    Report report = error(diag::BadCell, inBackticks(csv.columns()[problem.column]), type.text(),
                          where, problem.text.empty() ? "nothing" : inBackticks(problem.text));
    std::string sniffed = csv.sniff(problem.column, problem.text);
    if (problem.isOutOfRange)
      report.hint("{0}: {1}", type.text(), rangeText(type.scalar()));
    else if (!problem.text.empty() && sniffed != type.text())
      report.hint("the column looks like {0}", sniffed == "vec[i8]" ? "text, vec[i8]" : sniffed);
    return false;
  }

  StringRef path, selection;
  const Target &target;
  const CsvOptions &options;
  Terminal &terminal;
};

} // namespace

bool data::readCsvFile(StringRef path, const Target &target, const CsvOptions &options,
                       Terminal &terminal) {
  size_t colon = path.find(".csv:");
  StringRef file = colon == StringRef::npos ? path : path.take_front(colon + 4);
  StringRef selection = path.drop_front(std::min(file.size() + 1, path.size()));
  std::optional<Layout> layout = layoutOf(target.type);
  if (!layout) {
    terminal.report(diag::NotTabular, target.subject(), target.type.text(), inBackticks(file));
    return false;
  }
  return CsvReader(file, selection, target, options, terminal).read(*layout);
}
