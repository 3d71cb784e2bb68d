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

/// The lengths of nested vectors, as far as there are any; false if a vector has a different length
/// than those before it.
bool measure(const DataType &type, const void *value, llvm::SmallVectorImpl<int64_t> &shape,
             std::string &problem, size_t depth = 0) {
  if (type.isScalar())
    return true;
  Items items = itemsOf(type, value);
  if (shape.size() == depth)
    shape.push_back(items.count);
  if (shape[depth] != items.count) {
    problem = llvm::formatv("one of its vectors has {0} elements, the first one {1}", items.count,
                            shape[depth]);
    return false;
  }
  for (int64_t index = 0; !items.type.isScalar() && index < items.count; ++index)
    if (!measure(items.type, items[index], shape, problem, depth + 1))
      return false;
  return true;
}

/// The elements, consecutively.
void gather(const DataType &type, const void *value, std::string &bytes) {
  if (type.isScalar()) {
    bytes.append(static_cast<const char *>(value), type.size());
    return;
  }
  Items items = itemsOf(type, value);
  if (items.type.isScalar())
    bytes.append(items.first, items.count * items.type.size());
  for (int64_t index = 0; !items.type.isScalar() && index < items.count; ++index)
    gather(items.type, items[index], bytes);
}

size_t rankOf(const DataType &type) {
  return type.isVector() ? 1 + rankOf(type.element()) : 0;
}

} // namespace

std::optional<llvm::SmallVector<int64_t, 4>> data::shapeOf(const DataType &type, const void *value,
                                                           std::string &problem) {
  llvm::SmallVector<int64_t, 4> shape;
  problem = whyNoNpy(type);
  if (!problem.empty() || !measure(type, value, shape, problem))
    return std::nullopt;
  shape.resize(rankOf(type)); // If there are no vectors, the inner ones have no elements.
  return shape;
}

std::string data::whyNoNpy(const DataType &type) {
  if (innermost(type).isScalar())
    return "";
  return "arrays have elements of one scalar type; `.json` holds anything, `.csv` has columns";
}

bool data::writeNpy(llvm::raw_ostream &out, const DataType &type, const void *value,
                    std::string &problem) {
  auto shape = shapeOf(type, value, problem);
  if (!shape)
    return false;
  std::string bytes;
  gather(type, value, bytes);
  tessera_view view{.data = bytes.data(),
                    .device = {1, 0},
                    .ndim = int32_t(shape->size()),
                    .dtype = dtypeOf(innermost(type).scalar()),
                    .shape = shape->data(),
                    .strides = nullptr,
                    .byte_offset = 0};
  cli::writeNpy(out, view);
  return true;
}
