/// Values as .npy files.
#include "cli/ArrayFile.h"
#include "cli/data/Access.h"
#include "cli/data/Print.h"

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;

namespace {

const DataType &innermost(const DataType &type) {
  return type.isVector() ? innermost(type.element()) : type;
}

/// A rectangle of elements, gathered from vectors of vectors.
class Gatherer {
public:
  explicit Gatherer(size_t elementBytes) : elementBytes(elementBytes) {}

  /// False where a vector has another length than those before it.
  bool gather(const DataType &type, const void *value, size_t depth = 0) {
    if (type.isScalar()) {
      bytes.append(static_cast<const char *>(value), elementBytes);
      return true;
    }
    Items items = itemsOf(type, value);
    if (shape.size() == depth)
      shape.push_back(items.count);
    if (shape[depth] != items.count)
      return differ(items.count, shape[depth]);
    if (items.type.isScalar()) {
      bytes.append(items.first, items.count * elementBytes);
      return true;
    }
    for (int64_t index = 0; index < items.count; ++index)
      if (!gather(items.type, items[index], depth + 1))
        return false;
    return true;
  }

  std::string bytes, problem;
  llvm::SmallVector<int64_t, 4> shape;

private:
  bool differ(int64_t count, int64_t before) {
    problem =
        llvm::formatv("a vector inside of it has {0} elements, the first one {1}", count, before);
    return false;
  }

  size_t elementBytes;
};

size_t rankOf(const DataType &type) {
  return type.isVector() ? 1 + rankOf(type.element()) : 0;
}

} // namespace

std::string data::whyNoNpy(const DataType &type) {
  if (innermost(type).isScalar())
    return "";
  return "arrays have elements of one scalar type; `.json` holds anything, `.csv` has columns";
}

bool data::writeNpy(llvm::raw_ostream &out, const DataType &type, const void *value,
                    std::string &problem) {
  const DataType &element = innermost(type);
  Gatherer gatherer(element.size());
  if (!gatherer.gather(type, value)) {
    problem = gatherer.problem;
    return false;
  }
  gatherer.shape.resize(rankOf(type)); // Of no vectors, the inner ones have no elements.
  tessera_view view{.data = gatherer.bytes.data(),
                    .device = {1, 0},
                    .ndim = int32_t(gatherer.shape.size()),
                    .dtype = dtypeOf(element.scalar()),
                    .shape = gatherer.shape.data(),
                    .strides = nullptr,
                    .byte_offset = 0};
  cli::writeNpy(out, view);
  return true;
}
