/// Whatever the bytes: readers of JSON, .csv and .npy files end without a crash, and what is read
/// reads the same when it is written. The first byte chooses the format and the type.
#include "cli/Zip.h"
#include "cli/data/Json.h"
#include "cli/data/Print.h"
#include "runtime/Npy.h"
#include <cstdio>
#include <cstdlib>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using llvm::StringRef;

namespace {

[[noreturn]] void fail(const char *what, StringRef before, StringRef after) {
  fprintf(stderr, "%s\n--- before\n%s\n--- after\n%s\n", what, before.str().c_str(),
          after.str().c_str());
  abort();
}

DataType typeNumber(unsigned number) {
  DataType bytes = DataType::vector(DataType::scalar(Scalar::I8));
  DataType count = DataType::scalar(Scalar::U64), real = DataType::scalar(Scalar::F32);
  DataType types[] = {bytes, DataType::vector(DataType::structOf({count, real, bytes})),
                      DataType::dictionary(bytes, DataType::vector(real)),
                      DataType::dictionary(DataType::structOf({real, count}), count)};
  return types[number % 4];
}

std::string printed(const Value &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printJson(out, value.type, value.slot());
  return text;
}

void readAsJson(StringRef text, const DataType &type) {
  Value value(type), again(type);
  if (readJson(text, type, value.slot(), value.memory))
    return;
  std::string once = printed(value);
  if (readJson(once, type, again.slot(), again.memory))
    fail("what is printed cannot be read", text, once);
  if (printed(again) != once)
    fail("what is printed reads differently", once, printed(again));
}

/// All columns as texts.
void readAsCsv(StringRef text, const CsvOptions &options) {
  CsvProblem problem;
  std::optional<CsvText> csv = CsvText::open(text, options, problem);
  if (!csv)
    return;
  size_t numColumns = csv->columns().size(), numRows = csv->numRows();
  DataType cell = typeNumber(0);
  std::vector<tessera_vector> cells(numColumns * numRows + 1);
  std::vector<CsvTarget> targets;
  for (size_t column = 0; column < numColumns; ++column)
    targets.push_back({column, &cell, reinterpret_cast<char *>(&cells[column]),
                       numColumns * sizeof(tessera_vector)});
  std::vector<std::shared_ptr<const void>> memory;
  auto found = csv->read(targets, memory);
  if (found)
    return void(csv->place(found->offset));
  for (size_t index = 0; index < numColumns * numRows; ++index)
    if (cells[index].count < 0 || cells[index].count > int64_t(text.size()))
      fail("a cell is longer than the text", text, "");
  if (numColumns)
    csv->sniff(numColumns - 1, "1");
}

void readAsNpy(StringRef text) {
  runtime::NpyHeader header;
  runtime::Message message;
  runtime::parseNpyHeader(text.data(), text.size(), header, message);
  std::string problem;
  auto members = zipMembers(text);
  for (size_t i = 0; members && i < members->size(); ++i)
    if ((*members)[i].size < 1 << 20)
      zipContents(text, (*members)[i], problem);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  StringRef text(reinterpret_cast<const char *>(data) + 1, size - 1);
  unsigned choice = data[0];
  if (choice % 3 == 0)
    readAsJson(text, typeNumber(choice / 3));
  else if (choice % 3 == 1)
    readAsCsv(text, {choice / 3 % 2 == 0, choice / 6 % 2 ? ';' : ',', 1});
  else
    readAsNpy(text);
  return 0;
}
