#include "cli/Print.h"
#include "cli/Elements.h"
#include "cli/Results.h"
#include "runtime/Format.h"
#include "runtime/View.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <complex>

using namespace tessera;
using namespace tessera::cli;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

runtime::Sink sinkFor(raw_ostream &out) {
  auto write = [](void *stream, const char *text, size_t size) {
    static_cast<raw_ostream *>(stream)->write(text, size);
  };
  return {write, &out};
}

void printNested(raw_ostream &out, const tessera_view &view, PrintForm form) {
  runtime::FormatOptions options;
  if (form != PrintForm::Short)
    options.abbreviateAbove = -1;
  options.quoteNonFinite = form == PrintForm::Json;
  runtime::formatView(sinkFor(out), view, options);
}

void printJson(raw_ostream &out, StringRef name, const tessera_view &view) {
  out << "{\"name\":" << llvm::json::Value(name) << ",\"type\":\""
      << runtime::nameOf(view.dtype).text << "\",\"shape\":" << shapeText(shapeOf(view))
      << ",\"value\":";
  printNested(out, view, PrintForm::Json);
  out << "}\n";
}

/// The innermost dimension as a row; a scalar is one cell.
struct Rows {
  std::vector<std::string> cells;
  size_t width = 1;
};

Rows rowsOf(const tessera_view &view) {
  Rows rows;
  if (view.ndim)
    rows.width = view.shape[view.ndim - 1];
  auto add = [&]<typename T>(T) {
    forEachElement<T>(view, [&](auto, const T &element) {
      rows.cells.push_back(elementText(view.dtype, &element));
    });
  };
  if (view.dtype.code == TESSERA_COMPLEX)
    view.dtype.bits == 64 ? add(std::complex<float>()) : add(std::complex<double>());
  else
    withElement(*scalarOf(view.dtype), add);
  return rows;
}

/// Tables of more than two dimensions have a heading over each matrix: "[1, 0, :, :]".
void printHeading(raw_ostream &out, llvm::ArrayRef<int64_t> shape, size_t row) {
  size_t numRows = shape[shape.size() - 2];
  if (row % numRows)
    return;
  llvm::SmallVector<std::string, 4> parts = {":", ":"};
  size_t matrix = row / numRows;
  for (size_t i = shape.size() - 2; i-- > 0; matrix /= shape[i])
    parts.insert(parts.begin(), std::to_string(matrix % shape[i]));
  out << "[" << llvm::join(parts, ", ") << "]\n";
}

void printTable(raw_ostream &out, const tessera_view &view) {
  Rows rows = rowsOf(view);
  std::vector<size_t> widths(rows.width, 0);
  for (size_t i = 0; i < rows.cells.size(); ++i)
    widths[i % rows.width] = std::max(widths[i % rows.width], rows.cells[i].size());
  for (size_t i = 0; i < rows.cells.size(); ++i) {
    size_t column = i % rows.width;
    if (column == 0 && view.ndim > 2)
      printHeading(out, shapeOf(view), i / rows.width);
    out.indent(widths[column] - rows.cells[i].size()) << rows.cells[i];
    out << (column + 1 == rows.width ? "\n" : "  ");
  }
}

void printCsv(raw_ostream &out, const tessera_view &view) {
  Rows rows = rowsOf(view);
  for (size_t i = 0; i < rows.cells.size(); ++i)
    out << rows.cells[i] << ((i + 1) % rows.width ? "," : "\n");
}

} // namespace

std::string cli::elementText(tessera_dtype dtype, const void *element) {
  std::string text;
  llvm::raw_string_ostream out(text);
  runtime::formatElement(sinkFor(out), dtype, element);
  return text;
}

void cli::printResult(raw_ostream &out, StringRef name, const tessera_view &view, PrintForm form) {
  switch (form) {
  case PrintForm::Json:
    return printJson(out, name, view);
  case PrintForm::Table:
    if (!name.empty())
      out << name << " =\n";
    return printTable(out, view);
  case PrintForm::Csv:
    if (!name.empty())
      out << "# " << name << '\n';
    return printCsv(out, view);
  default:
    if (!name.empty())
      out << name << " = ";
    printNested(out, view, form);
    out << '\n';
  }
}
