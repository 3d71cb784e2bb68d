/// For any text, columns of texts and of numbers are read or rejected, by one thread as by two.
/// Bits of the first byte: there is no header, the delimiter is `;`, the last column is a number.
#include "Data.h"
#include "cli/data/Csv.h"
#include "runtime/Generated.h"
#include <cstring>

using namespace tessera;
using namespace tessera::cli::data;
using llvm::StringRef;

namespace {

/// The cells of all columns, each preceded by its length, or the error in one of them.
std::string readAs(const DataType &last, StringRef text, const CsvOptions &options) {
  CsvProblem problem;
  std::optional<CsvText> csv = CsvText::open(text, options, problem);
  if (!csv)
    return "header: " + problem.text;
  size_t numColumns = csv->columns().size(), numCells = numColumns * csv->numRows();
  DataType cell = fuzz::typeNumber(0);
  std::vector<tessera_vector> cells(numCells + 1);
  std::vector<CsvTarget> targets;
  for (size_t column = 0; column < numColumns; ++column)
    targets.push_back({column, column + 1 == numColumns ? &last : &cell,
                       reinterpret_cast<char *>(&cells[column]),
                       numColumns * sizeof(tessera_vector)});
  std::vector<std::shared_ptr<const void>> memory;
  if (auto found = csv->read(targets, memory))
    return csv->place(found->offset) + found->text + csv->sniff(found->column, found->text);
  std::string all;
  for (size_t index = 0; index < numCells; ++index) {
    bool isNumber = !last.isText() && (index + 1) % numColumns == 0;
    all += std::to_string(cells[index].count) + ":";
    if (!isNumber)
      all.append(static_cast<const char *>(cells[index].data), cells[index].count);
    else
      all.append(reinterpret_cast<const char *>(&cells[index]), last.size());
  }
  return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  StringRef text(reinterpret_cast<const char *>(data) + 1, size - 1);
  DataType last = data[0] & 4 ? DataType::scalar(Scalar::I16) : fuzz::typeNumber(0);
  CsvOptions options{!(data[0] & 1), data[0] & 2 ? ';' : ',', 1};
  std::string alone = readAs(last, text, options);
  options.threads = 2;
  if (readAs(last, text, options) != alone)
    fuzz::fail("two threads read something else than one", text, alone);
  return 0;
}
