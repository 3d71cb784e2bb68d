/// The scheduled contractions of a program, and what a schedule must satisfy to fit one.
#ifndef TESSERA_SCHEDULE_KERNEL_H
#define TESSERA_SCHEDULE_KERNEL_H

#include "schedule/Contraction.h"
#include <array>

namespace tessera::schedule {

/// Rows, columns, depth, and the number of products; ShapedType::kDynamic if unknown.
using KernelSizes = std::array<int64_t, 4>;
std::string sizeText(int64_t size);              ///< "512", or "?" if unknown.
std::string sizesText(const KernelSizes &sizes); ///< "512x512x512x1", with `?` if unknown.
std::optional<KernelSizes> parseSizes(llvm::StringRef text);

/// The sizes as the tiles of a schedule see them: with `across`, rows and columns are swapped.
KernelSizes sizesOfTiles(KernelSizes sizes, const Contraction &schedule);

/// One contraction as files and databases identify it.
struct Kernel {
  std::string function; ///< The function that contains it, by its exported name if it has one.
  int64_t number = 0;   ///< Among the contractions of the function.
  std::string kind;     ///< Everything besides sizes that selects tuned loops: "f32*f32+f32,fused".
  KernelSizes sizes = {};
  Contraction model; ///< What the model chose.

  bool hasKnownSizes() const;
  /// "operation 0 of `multiply`, f32*f32+f32,fused 512x512x512x1".
  std::string describe() const;

  llvm::json::Object toJson() const;
  static std::optional<Kernel> fromJson(const llvm::json::Object &object);
};

/// Why this schedule cannot be used; "" if it can. The order of each sum must be the model's, so
/// that no schedule changes a result.
std::string whyUnfit(const Contraction &schedule, const Kernel &kernel);

} // namespace tessera::schedule

#endif
