/// Values as text.
#ifndef TESSERA_CLI_DATA_PRINT_H
#define TESSERA_CLI_DATA_PRINT_H

#include "cli/data/Csv.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::cli::data {

struct JsonStyle {
  bool isAbbreviated = false;   ///< Only the ends of what is long.
  bool quotesNonFinite = false; ///< `nan` and infinities as strings: JSON has no others.
  bool showsTexts = false;      ///< Vectors of bytes as strings.
};
void printJson(llvm::raw_ostream &out, const DataType &type, const void *value,
               JsonStyle style = {});

/// How many scalars a value holds; `limit` or more are not told apart.
int64_t countScalars(const DataType &type, const void *value, int64_t limit);
/// What a value takes in memory, with all that it points to.
int64_t countBytes(const DataType &type, const void *value);

/// A text for display: invalid UTF-8 and control characters are escaped.
std::string shownText(llvm::StringRef text);

/// A column of a table.
struct Column {
  std::string name;
  const DataType *type;
  const char *base;
  size_t stride;
};
/// Rows are the elements of a vector, the entries of a dictionary, those of all vectors in a struct
/// of vectors of one length, or the value itself. Structs inside of rows give a column a field.
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

  /// Of this process's standard output.
  static TableStyle ofTerminal();
};
/// With a frame; columns and rows in the middle are left out where there are too many.
void printTable(llvm::raw_ostream &out, const Table &table, const TableStyle &style);

/// Why no .csv file can hold values of this type; "" where one can.
std::string whyNoCsv(const DataType &type);
/// As it is read; false, and why in `problem`, where columns are not of one length.
bool printCsv(llvm::raw_ostream &out, const DataType &type, const void *value,
              const CsvOptions &options, std::string &problem);

/// The sizes of a scalar, or of vectors of scalars at any depth that are a rectangle. Nothing, and
/// why in `problem`, of others.
std::optional<llvm::SmallVector<int64_t, 4>> shapeOf(const DataType &type, const void *value,
                                                     std::string &problem);
/// Why no .npy file can hold values of this type; "" where one can.
std::string whyNoNpy(const DataType &type);
/// False, and why in `problem`, where vectors inside of a vector are not of one length.
bool writeNpy(llvm::raw_ostream &out, const DataType &type, const void *value,
              std::string &problem);

} // namespace tessera::cli::data

#endif
