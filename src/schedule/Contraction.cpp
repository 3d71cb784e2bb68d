#include "schedule/Contraction.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::schedule;

namespace {

/// What a number may be; nothing beyond it makes sense, and code grows with some of them.
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
                            {"across", &Contraction::across, 0, 1},
                            {"parallel_outer", &Contraction::parallelOuter, 0, 1},
                            {"depth_lanes", &Contraction::depthLanes, 0, 64},
                            {"unroll", &Contraction::unroll, 0, 16},
                            {"prefetch", &Contraction::prefetch, 0, 1}};
constexpr StringLiteral kernelNames[] = {"unrolled", "blocked", "inner", "tiles", "direct"};

std::string complaintAbout(const Contraction &schedule) {
  for (auto [name, member, least, most] : fields)
    if (int64_t value = schedule.*member; value < least || value > most)
      return llvm::formatv("`{0}` is {1}, not a number from {2} to {3}", name, value, least, most);
  if (!llvm::isPowerOf2_64(schedule.lanes))
    return llvm::formatv("`lanes` is {0}, not a power of two", schedule.lanes);
  bool isInner = schedule.kernel == Contraction::Kernel::Inner;
  for (const char *name : {"depth_lanes", "unroll"})
    if (int64_t value = StringRef(name) == "unroll" ? schedule.unroll : schedule.depthLanes;
        isInner && !llvm::isPowerOf2_64(value))
      return llvm::formatv("`{0}` is {1}, not a power of two", name, value);
  if (isInner && (schedule.vectors != 1 || schedule.depth))
    return "the kernel `inner` has one vector of sums and all of the depth";
  if (schedule.kernel == Contraction::Kernel::Tiles &&
      (schedule.lanes != 16 || schedule.vectors != 2 || schedule.rows != 32 ||
       schedule.depth <= 0 || schedule.depth % 64))
    return "the kernel `tiles` has 16 lanes, 2 vectors, 32 rows, and a multiple of 64 as `depth`";
  bool isDirect = schedule.kernel == Contraction::Kernel::Direct;
  if (isDirect && (schedule.depth || schedule.packLhs))
    return "the kernel `direct` has all of the depth and packs no rows";
  if (schedule.across && !isDirect)
    return "`across` needs the kernel `direct`";
  if (schedule.packLhs && !schedule.depth)
    return "`pack_lhs` needs a `depth`";
  return "";
}

} // namespace

DictionaryAttr Contraction::toAttribute(MLIRContext &context) const {
  Builder b(&context);
  SmallVector<NamedAttribute> entries{
      b.getNamedAttr("kernel", b.getStringAttr(kernelNames[int(kernel)]))};
  for (const Field &field : fields)
    if (int64_t value = this->*field.value)
      entries.push_back(b.getNamedAttr(field.name, b.getI64IntegerAttr(value)));
  return b.getDictionaryAttr(entries);
}

std::optional<Contraction> Contraction::fromAttribute(DictionaryAttr attribute,
                                                      std::string &error) {
  Contraction result;
  for (NamedAttribute entry : attribute) {
    auto number = dyn_cast<IntegerAttr>(entry.getValue());
    auto name = dyn_cast<StringAttr>(entry.getValue());
    const Field *field =
        llvm::find_if(fields, [&](const Field &each) { return each.name == entry.getName(); });
    const auto *kernel = name ? llvm::find(kernelNames, name.getValue()) : std::end(kernelNames);
    if (field != std::end(fields) && number)
      result.*field->value = number.getInt();
    else if (entry.getName() == "kernel" && kernel != std::end(kernelNames))
      result.kernel = Kernel(kernel - kernelNames);
    else
      error = llvm::formatv("`{0}` is nothing that a schedule has", entry.getName().getValue());
  }
  if (error.empty())
    error = complaintAbout(result);
  return error.empty() ? std::optional(result) : std::nullopt;
}
