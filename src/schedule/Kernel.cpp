#include "schedule/Kernel.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

/// The limit for unrolled vector operations, whatever a schedule asks for.
static constexpr int64_t mostUnrolled = 4096;

std::string schedule::sizeText(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

std::string schedule::sizesText(const KernelSizes &sizes) {
  return llvm::join(llvm::map_range(sizes, sizeText), "x");
}

std::optional<KernelSizes> schedule::parseSizes(StringRef text) {
  SmallVector<StringRef> words;
  text.split(words, 'x');
  KernelSizes sizes;
  if (words.size() != sizes.size())
    return std::nullopt;
  for (auto [word, size] : llvm::zip_equal(words, sizes))
    if (word == "?")
      size = ShapedType::kDynamic;
    else if (word.getAsInteger(10, size) || size < 0)
      return std::nullopt;
  return sizes;
}

KernelSizes schedule::sizesOfTiles(KernelSizes sizes, const Contraction &schedule) {
  if (schedule.across)
    std::swap(sizes[0], sizes[1]);
  return sizes;
}

bool Kernel::hasKnownSizes() const {
  return llvm::none_of(sizes, ShapedType::isDynamic);
}

std::string Kernel::describe() const {
  return llvm::formatv("operation {0} of `{1}`, {2} {3}", number, function, kind, sizesText(sizes));
}

llvm::json::Object Kernel::toJson() const {
  return llvm::json::Object{{"function", function},
                            {"number", number},
                            {"kind", kind},
                            {"sizes", sizesText(sizes)},
                            {"schedule", model.toJson()}};
}

std::optional<Kernel> Kernel::fromJson(const llvm::json::Object &object) {
  auto function = object.getString("function"), kind = object.getString("kind"),
       sizesText = object.getString("sizes");
  std::optional<int64_t> number = object.getInteger("number");
  const llvm::json::Object *schedule = object.getObject("schedule");
  if (!function || !kind || !sizesText || !number || !schedule)
    return std::nullopt;
  std::optional<KernelSizes> sizes = parseSizes(*sizesText);
  std::string error;
  std::optional<Contraction> model = Contraction::fromJson(*schedule, error);
  if (!sizes || !model)
    return std::nullopt;
  return Kernel{function->str(), *number, kind->str(), *sizes, *model};
}

/// The part of a schedule that determines the order of each sum.
static std::string orderText(const Contraction &schedule) {
  switch (schedule.kernel) {
  case Contraction::Kernel::Unrolled:
  case Contraction::Kernel::Blocked:
    return "in ascending order";
  case Contraction::Kernel::Inner:
    return llvm::formatv("in {0} parts, {1} per vector", schedule.depthLanes * schedule.unroll,
                         schedule.depthLanes);
  case Contraction::Kernel::Tiles:
    return llvm::formatv("in tiles of {0}", schedule.depth);
  case Contraction::Kernel::Prepacked:
    return llvm::formatv("in parts of {0}", schedule.depth);
  case Contraction::Kernel::PrepackedTiles:
    return llvm::formatv("in prepacked tiles of {0}", schedule.depth);
  case Contraction::Kernel::Direct:
    return schedule.across ? "window by window, across" : "window by window";
  }
  llvm_unreachable("all kernels are listed");
}

std::string schedule::whyUnfit(const Contraction &schedule, const Kernel &kernel) {
  if (orderText(schedule) != orderText(kernel.model))
    return llvm::formatv("it computes each sum {0} instead of {1}, which would change results",
                         orderText(schedule), orderText(kernel.model));
  if (schedule.kernel != Contraction::Kernel::Unrolled)
    return "";
  if (!kernel.hasKnownSizes())
    return "only products of known sizes can be unrolled";
  auto [rows, columns, depth, outer] = kernel.sizes;
  int64_t count = llvm::SaturatingMultiply(
      llvm::SaturatingMultiply<uint64_t>(rows, llvm::divideCeil(columns, schedule.lanes)),
      uint64_t(depth));
  if (count < 0 || count > mostUnrolled)
    return llvm::formatv("it would unroll to {0} vector operations; the limit is {1}", count,
                         mostUnrolled);
  return "";
}
