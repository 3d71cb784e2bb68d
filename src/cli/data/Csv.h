/// Comma-separated values, RFC 4180: reads the columns of a text, in parallel, directly into
/// memory.
#ifndef TESSERA_CLI_DATA_CSV_H
#define TESSERA_CLI_DATA_CSV_H

#include "lang/DataType.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Allocator.h"
#include <memory>
#include <optional>

namespace tessera::cli::data {

struct CsvOptions {
  bool hasHeader = true;
  char delimiter = ',';
  unsigned threads = 0; ///< 0: as many as there are processors.
};

/// A mistake in a text.
struct CsvProblem {
  enum Kind { Cell, Row };
  Kind kind = Row;
  size_t offset = 0;
  size_t column = 0; ///< For a cell.
  std::string text;  ///< For a cell, its text. For a row, what is wrong.
  bool isOutOfRange = false;
};

/// The destination of a column: cell i goes to base + i * stride. Its type is a scalar's or a
/// text's.
struct CsvTarget {
  size_t column;
  const DataType *type;
  char *base;
  size_t stride;
};

/// A text with its columns and rows; it must outlive this object and the texts in cells, which
/// point into it.
class CsvText {
public:
  /// Finds the rows. Returns nullopt and sets `problem` if the header cannot be read.
  static std::optional<CsvText> open(llvm::StringRef text, const CsvOptions &options,
                                     CsvProblem &problem);

  /// The names in the header; without one, "1", "2"...
  llvm::ArrayRef<std::string> columns() const { return names; }
  size_t numRows() const { return rows; }

  /// Called on any thread with the number of parts that are read, and of all parts.
  using ProgressFunction = llvm::function_ref<void(size_t done, size_t total)>;

  /// Fills in the columns. Returns the first problem in the text. Texts that differ from the file,
  /// because of doubled quotes, live as long as `memory`.
  std::optional<CsvProblem> read(
      llvm::ArrayRef<CsvTarget> targets, std::vector<std::shared_ptr<const void>> &memory,
      ProgressFunction progress = [](size_t, size_t) {}) const;

  /// The type that fits the cells of a column, the first thousand and the one at `offset`: "i64",
  /// "f64", "bool", or "vec[i8]" for text.
  std::string sniff(size_t column, llvm::StringRef also) const;

  /// "3:7": line and column, from 1.
  std::string place(size_t offset) const;

private:
  /// A part of the text; a row belongs to the part with the line break before it.
  struct Chunk {
    size_t begin, end;
    size_t breaks[2] = {}; ///< Those that end a row, if it begins outside or inside quotes.
    bool flips = false;    ///< Whether it ends inside quotes if it begins outside.
    bool isInside = false; ///< Whether it begins inside.
    size_t firstRow = 0;
  };

  CsvText(llvm::StringRef text, const CsvOptions &options) : text(text), options(options) {}
  bool readHeader(CsvProblem &problem);
  void dropBlankLines();
  void findRows();
  static void scan(llvm::StringRef text, Chunk &chunk);

  llvm::StringRef text;
  CsvOptions options;
  std::vector<std::string> names;
  std::vector<Chunk> chunks;
  size_t body = 0; ///< Where the rows begin.
  size_t rows = 0;
};

/// One record, such as a list of names. Returns nullopt if quotes are wrong.
std::optional<std::vector<std::string>> parseCsvRecord(llvm::StringRef text, char delimiter);

} // namespace tessera::cli::data

#endif
