/// Values as text.
#ifndef TESSERA_CLI_DATA_PRINT_H
#define TESSERA_CLI_DATA_PRINT_H

#include "cli/data/Csv.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::cli::data {

struct JsonStyle {
  bool isAbbreviated = false;   ///< Only the ends of what is long.
  bool quotesNonFinite = false; ///< `nan` and infinities as strings, because JSON has none.
  bool showsTexts = false;      ///< Vectors of bytes as strings.
};
void printJson(llvm::raw_ostream &out, const DataType &type, const void *value,
               JsonStyle style = {});

/// The number of scalars in a value, but at most `limit`.
int64_t countScalars(const DataType &type, const void *value, int64_t limit);
/// The bytes of a value in memory, with everything that it points to.
int64_t countBytes(const DataType &type, const void *value);

/// A text for display, with the escape sequences of Weld: `\n`, `\r`, `\t`, `\\`, and `\xNN` for
/// other control characters and invalid UTF-8.
std::string shownText(llvm::StringRef text);

/// The part of a table that all its formats share.
struct Column {
  std::string name;
  const DataType *type;
  const char *base;
  size_t stride;
};
/// Rows are the elements of a vector, the entries of a dictionary, those of all vectors in a struct
/// of vectors of the same length, or the value itself. A struct inside of a row gives a column for
/// each field.
struct Table {
  std::vector<Column> columns;
  int64_t numRows = 1;
};
Table tabulate(const DataType &type, const void *value);
/// The same for people: vectors of bytes are texts at every depth, not columns of numbers.
Table tabulateTexts(const DataType &type, const void *value);

struct TableStyle {
  size_t width = 80;
  bool isUnicode = true;

  /// For this process's standard output.
  static TableStyle ofTerminal();
};
/// With a frame; if there are too many columns or rows, those in the middle are left out.
void printTable(llvm::raw_ostream &out, const Table &table, const TableStyle &style);

/// Why a .csv file cannot contain values of this type; "" if it can.
std::string whyNoCsv(const DataType &type);
/// In the format that is read; false, with the reason in `problem`, if columns differ in length.
bool printCsv(llvm::raw_ostream &out, const DataType &type, const void *value,
              const CsvOptions &options, std::string &problem);

/// The sizes of a scalar, or of rectangular vectors of scalars at any depth. For other values,
/// returns nullopt and sets `problem`.
std::optional<llvm::SmallVector<int64_t, 4>> shapeOf(const DataType &type, const void *value,
                                                     std::string &problem);
/// Why a .npy file cannot contain values of this type; "" if it can.
std::string whyNoNpy(const DataType &type);
/// False, with the reason in `problem`, if vectors inside of a vector differ in length.
bool writeNpy(llvm::raw_ostream &out, const DataType &type, const void *value,
              std::string &problem);

} // namespace tessera::cli::data

#endif
