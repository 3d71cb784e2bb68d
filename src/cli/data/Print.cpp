#include "cli/data/Print.h"
#include "cli/Tensor.h"
#include "cli/data/Access.h"
#include "runtime/Format.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using llvm::StringRef;

namespace {

/// The elements shown at each end of an abbreviated vector, as for tensors.
constexpr int64_t numShown = 3;

class Printer {
public:
  Printer(llvm::raw_ostream &out, JsonStyle style) : out(out), style(style) {}

  void print(const DataType &type, const void *value) {
    if (type.isScalar())
      return printScalar(type, value);
    if (type.isStruct())
      return printFields(type, value);
    Items items = itemsOf(type, value);
    if (style.showsTexts && type.isText())
      return printText(StringRef(items.first, items.count));
    out << '[';
    for (int64_t index = 0; index < items.count; ++index) {
      out << (index ? ", " : "");
      if (style.isAbbreviated && index == numShown && items.count > 2 * numShown) {
        out << "..., ";
        index = items.count - numShown;
      }
      print(items.type, items[index]);
    }
    out << ']';
  }

private:
  /// As `shownText` shows it in a cell of its own.
  void printText(StringRef text) {
    out << '"';
    for (char c : shownText(text))
      out << (c == '"' ? "\\" : "") << c;
    out << '"';
  }

  void printFields(const DataType &type, const void *value) {
    out << '[';
    for (size_t field = 0; field < type.fields().size(); ++field) {
      out << (field ? ", " : "");
      print(type.fields()[field], fieldOf(type, value, field));
    }
    out << ']';
  }

  void printScalar(const DataType &type, const void *value) {
    auto write = [](void *stream, const char *text, size_t size) {
      static_cast<llvm::raw_ostream *>(stream)->write(text, size);
    };
    uint64_t aligned = 0;
    memcpy(&aligned, value, type.size());
    runtime::FormatOptions options;
    options.quoteNonFinite = style.quotesNonFinite;
    runtime::formatElement({write, &out}, dtypeOf(type.scalar()), &aligned, options);
  }

  llvm::raw_ostream &out;
  JsonStyle style;
};

} // namespace

std::string data::shownText(llvm::StringRef text) {
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  bool isUtf8 = llvm::isLegalUTF8String(&begin, reinterpret_cast<const llvm::UTF8 *>(text.end()));
  constexpr llvm::StringLiteral named = "\n\r\t\\", names = "nrt\\";
  std::string result;
  for (unsigned char c : text)
    if (size_t found = named.find(char(c)); found != StringRef::npos)
      result += {'\\', names[found]};
    else if (c < 0x20 || c == 0x7f || (c >= 0x80 && !isUtf8))
      result += llvm::formatv("\\x{0:x-2}", unsigned(c));
    else
      result += c;
  return result;
}

void data::printJson(llvm::raw_ostream &out, const DataType &type, const void *value,
                     JsonStyle style) {
  Printer(out, style).print(type, value);
}

int64_t data::countScalars(const DataType &type, const void *value, int64_t limit) {
  if (type.isScalar())
    return 1;
  int64_t count = 0;
  if (type.isStruct()) {
    for (size_t field = 0; field < type.fields().size(); ++field)
      count += countScalars(type.fields()[field], fieldOf(type, value, field), limit);
    return count;
  }
  Items items = itemsOf(type, value);
  if (items.type.isScalar())
    return items.count;
  for (int64_t index = 0; index < items.count && count < limit; ++index)
    count += countScalars(items.type, items[index], limit);
  return count;
}

static int64_t countPointedBytes(const DataType &type, const void *value) {
  if (type.holdsNoPointers())
    return 0;
  int64_t count = 0;
  if (type.isStruct()) {
    for (size_t field = 0; field < type.fields().size(); ++field)
      count += countPointedBytes(type.fields()[field], fieldOf(type, value, field));
    return count;
  }
  Items items = itemsOf(type, value);
  for (int64_t index = 0; !items.type.holdsNoPointers() && index < items.count; ++index)
    count += countPointedBytes(items.type, items[index]);
  return count + items.count * items.type.size();
}

int64_t data::countBytes(const DataType &type, const void *value) {
  return type.size() + countPointedBytes(type, value);
}
