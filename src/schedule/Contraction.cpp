#include "schedule/Contraction.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::schedule;

namespace {

/// The range of a number: values beyond it make no sense, and some fields make code grow.
struct Field {
  StringLiteral name;
  int64_t Contraction::*value;
  int64_t least, most;
};
constexpr int64_t unbounded = int64_t(1) << 40;
constexpr Field fields[] = {{"lanes", &Contraction::lanes, 1, 64},
                            {"rows", &Contraction::rows, 1, 32},
                            {"vectors", &Contraction::vectors, 1, 16},
                            {"depth", &Contraction::depth, 0, 1 << 16},
                            {"height", &Contraction::height, 0, unbounded},
                            {"width", &Contraction::width, 0, unbounded},
                            {"pack_lhs", &Contraction::packLhs, 0, 1},
                            {"pack_rhs", &Contraction::packRhs, 0, unbounded},
                            {"pack_late", &Contraction::packLate, 0, 1},
                            {"across", &Contraction::across, 0, 1},
                            {"parallel_outer", &Contraction::parallelOuter, 0, 1},
                            {"depth_lanes", &Contraction::depthLanes, 0, 64},
                            {"unroll", &Contraction::unroll, 0, 16},
                            {"prefetch", &Contraction::prefetch, 0, 3}};
constexpr StringLiteral kernelNames[] = {"unrolled",  "blocked",         "inner", "tiles",
                                         "prepacked", "prepacked-tiles", "direct"};

} // namespace

std::string Contraction::complaint() const {
  for (auto [name, member, least, most] : fields)
    if (int64_t value = this->*member; value < least || value > most)
      return llvm::formatv("`{0}` is {1}, not a number from {2} to {3}", name, value, least, most);
  if (!llvm::isPowerOf2_64(lanes))
    return llvm::formatv("`lanes` is {0}, not a power of two", lanes);
  bool isInner = kernel == Kernel::Inner;
  for (const char *name : {"depth_lanes", "unroll"})
    if (int64_t value = StringRef(name) == "unroll" ? unroll : depthLanes;
        isInner && !llvm::isPowerOf2_64(value))
      return llvm::formatv("`{0}` is {1}, not a power of two", name, value);
  if (!isInner && depthLanes)
    return "`depth_lanes` requires the kernel `inner`";
  if (isInner && lanes > depthLanes)
    return llvm::formatv("the kernel `inner` has {0} lanes, more than its `depth_lanes` of {1}",
                         lanes, depthLanes);
  if (isInner && (vectors != 1 || depth))
    return "the kernel `inner` requires 1 vector and no `depth`";
  bool hasSteps = depth > 0 && depth % 64 == 0;
  if (usesTiles() && (lanes != 16 || vectors != 2 || rows != 32 || !hasSteps))
    return llvm::formatv(
        "the kernel `{0}` requires 16 lanes, 2 vectors, 32 rows, and a multiple of 64 as `depth`",
        kernelNames[int(kernel)]);
  if (kernel == Kernel::Prepacked &&
      (lanes != 16 || vectors != 1 || !llvm::isPowerOf2_64(rows) || rows > 16 || !hasSteps))
    return "the kernel `prepacked` requires 16 lanes, 1 vector, 1, 2, 4, 8 or 16 rows, and a "
           "multiple "
           "of 64 as `depth`";
  bool isDirect = kernel == Kernel::Direct;
  if (isDirect && (depth || packLhs))
    return "the kernel `direct` allows neither `depth` nor `pack_lhs`";
  if (across && !isDirect)
    return "`across` requires the kernel `direct`";
  if (packLhs && !depth)
    return "`pack_lhs` requires a `depth`";
  return "";
}

DictionaryAttr Contraction::toAttribute(MLIRContext &context) const {
  Builder b(&context);
  SmallVector<NamedAttribute> entries{
      b.getNamedAttr("kernel", b.getStringAttr(kernelNames[int(kernel)]))};
  for (const Field &field : fields)
    if (int64_t value = this->*field.value)
      entries.push_back(b.getNamedAttr(field.name, b.getI64IntegerAttr(value)));
  return b.getDictionaryAttr(entries);
}

bool Contraction::setNumber(StringRef name, int64_t value) {
  const Field *field = llvm::find_if(fields, [&](const Field &each) { return each.name == name; });
  if (field == std::end(fields))
    return false;
  this->*field->value = value;
  return true;
}

bool Contraction::setKernel(StringRef name) {
  const auto *found = llvm::find(kernelNames, name);
  if (found == std::end(kernelNames))
    return false;
  kernel = Kernel(found - kernelNames);
  return true;
}

/// Explains why `value`, as written, is invalid for the field.
static std::string wrongText(StringRef name, const std::string &value) {
  if (name == "kernel")
    return llvm::formatv("`kernel` is {0}, not one of {1}", value,
                         llvm::join(ArrayRef(kernelNames), ", "));
  const Field *field = llvm::find_if(fields, [&](const Field &each) { return each.name == name; });
  if (field == std::end(fields))
    return llvm::formatv("unknown schedule field `{0}`", name);
  return llvm::formatv("`{0}` is {1}, not a number from {2} to {3}", name, value, field->least,
                       field->most);
}

std::optional<Contraction> Contraction::fromAttribute(DictionaryAttr attribute,
                                                      std::string &error) {
  Contraction result;
  for (NamedAttribute entry : attribute) {
    auto number = dyn_cast<IntegerAttr>(entry.getValue());
    auto name = dyn_cast<StringAttr>(entry.getValue());
    bool isKnown = number ? result.setNumber(entry.getName(), number.getInt())
                          : name && entry.getName() == "kernel" && result.setKernel(name);
    if (!isKnown)
      error = wrongText(entry.getName(), llvm::formatv("{0}", entry.getValue()));
  }
  if (error.empty())
    error = result.complaint();
  return error.empty() ? std::optional(result) : std::nullopt;
}

llvm::json::Object Contraction::toJson() const {
  llvm::json::Object object{{"kernel", kernelNames[int(kernel)]}};
  for (const Field &field : fields)
    if (int64_t value = this->*field.value)
      object[field.name] = value;
  return object;
}

std::optional<Contraction> Contraction::fromJson(const llvm::json::Object &object,
                                                 std::string &error) {
  Contraction result;
  for (const auto *entry : llvm::json::sortedElements(object)) {
    StringRef name = entry->first;
    std::optional<int64_t> number = entry->second.getAsInteger();
    std::optional<StringRef> text = entry->second.getAsString();
    bool isKnown = number ? result.setNumber(name, *number)
                          : text && name == "kernel" && result.setKernel(*text);
    if (!isKnown)
      error = wrongText(name, llvm::formatv("{0}", entry->second));
  }
  if (error.empty())
    error = result.complaint();
  return error.empty() ? std::optional(result) : std::nullopt;
}
