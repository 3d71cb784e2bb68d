/// For any bytes, `deserialize` reads a value or rejects them, and a value that it reads can be
/// read back from its own bytes. The first byte selects the type.
#include "../runtime/Values.h"
#include "Data.h"
#include "cli/data/Memory.h"

using namespace tessera;
using llvm::StringRef;

namespace {

const tessera_site site{"fuzz.weld", 1, 1, "DeserializationError", nullptr};

/// Reads the bytes as a value and writes it again; nullopt if they are not a value.
std::optional<std::string> readAndWrite(const DataType &type, StringRef bytes) {
  std::vector<int32_t> table = cli::data::tableOf(type);
  std::vector<uint64_t> value(type.size() / 8 + 1);
  std::string written;
  int status = tests::enter([&] {
    tessera_region *region = tessera_rt_region_create(&site);
    tessera_vector from{const_cast<char *>(bytes.data()), int64_t(bytes.size())}, to;
    tessera_rt_deserialize(table.data(), &from, region, &site, value.data());
    tessera_rt_copy(table.data(), value.data(), region, &site);
    tessera_rt_serialize(table.data(), value.data(), region, &site, &to);
    written.assign(static_cast<const char *>(to.data), to.count);
    tessera_rt_region_free(region);
  });
  return status == TESSERA_OK ? std::optional(written) : std::nullopt;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  StringRef bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
  DataType type = fuzz::typeNumber(data[0] - '0');
  std::optional<std::string> once = readAndWrite(type, bytes);
  if (!once)
    return 0;
  if (once->size() != bytes.size())
    fuzz::fail("a value has not as many bytes as it is read from", bytes, *once);
  if (readAndWrite(type, *once) != once)
    fuzz::fail("a value does not come back from its own bytes", bytes, *once);
  return 0;
}
