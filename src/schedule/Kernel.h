/// The contractions of a program that have schedules, and what a schedule must be to fit one.
#ifndef TESSERA_SCHEDULE_KERNEL_H
#define TESSERA_SCHEDULE_KERNEL_H

#include "schedule/Contraction.h"
#include <array>

namespace tessera::schedule {

/// Rows, columns, depth, and the number of products; ShapedType::kDynamic where not known.
using KernelSizes = std::array<int64_t, 4>;
std::string sizeText(int64_t size);              ///< "512", or "?" where it is not known.
std::string sizesText(const KernelSizes &sizes); ///< "512x512x512x1", with `?` where not known.
std::optional<KernelSizes> parseSizes(llvm::StringRef text);

/// As the tiles of a schedule see them: across, rows and columns have changed places.
KernelSizes sizesOfTiles(KernelSizes sizes, const Contraction &schedule);

/// One contraction as a file or a database names it.
struct Kernel {
  std::string function; ///< The entry it stands in, by its outside name where it has one.
  int64_t number = 0;   ///< Among the contractions of the function.
  std::string kind;     ///< All that decides about kernels besides sizes: "f32*f32+f32,fused".
  KernelSizes sizes = {};
  Contraction model; ///< What the model chose.

  bool hasKnownSizes() const;
  /// "kernel 0 of `multiply`, f32*f32+f32,fused 512x512x512x1".
  std::string describe() const;

  llvm::json::Object toJson() const;
  static std::optional<Kernel> fromJson(const llvm::json::Object &object);
};

/// Why a kernel cannot be computed so; "" where it can. Sums keep the order that the model gave
/// them, so that no schedule changes a result.
std::string whyUnfit(const Contraction &schedule, const Kernel &kernel);

} // namespace tessera::schedule

#endif
