/// For any text, a value read as JSON is the same after it is written and read again. Digits select
/// a type, letters the element type of a tensor.
#include "Data.h"
#include "cli/Json.h"
#include "cli/data/Json.h"
#include "cli/data/Print.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

namespace {

std::string printed(const data::Value &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  data::printJson(out, value.type, value.slot());
  return text;
}

void readAs(const DataType &type, StringRef text) {
  data::Value value(type), again(type);
  if (data::readJson(text, type, value.slot(), value.memory))
    return;
  std::string once = printed(value);
  if (data::readJson(once, type, again.slot(), again.memory))
    fuzz::fail("what is printed cannot be read", text, once);
  if (printed(again) != once)
    fuzz::fail("what is printed reads differently", once, printed(again));
}

void readAsTensor(Scalar element, StringRef text) {
  JsonTensor tensor;
  if (readJson(text, element, tensor))
    return;
  size_t count = 1;
  for (int64_t size : tensor.shape)
    count *= size;
  if (tensor.bytes.size() != count * bytesOf(element))
    fuzz::fail("a tensor has not as many elements as its shape", text, "");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  StringRef text(reinterpret_cast<const char *>(data) + 1, size - 1);
  Scalar elements[] = {Scalar::Bool, Scalar::I8, Scalar::U64, Scalar::F16, Scalar::F64};
  if (data[0] < 'a')
    readAs(fuzz::typeNumber(data[0] - '0'), text);
  else
    readAsTensor(elements[(data[0] - 'a') % std::size(elements)], text);
  return 0;
}
