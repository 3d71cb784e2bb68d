#include "core/Stage.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera::core;

static constexpr llvm::StringLiteral names[] = {
    "ast", "dialect", "core", "optimized", "scheduled", "loops", "llvm", "asm", "object"};

llvm::StringRef tessera::core::name(Stage stage) {
  return names[static_cast<int>(stage)];
}

std::optional<Stage> tessera::core::stageNamed(llvm::StringRef name) {
  for (auto [index, candidate] : llvm::enumerate(names))
    if (candidate == name)
      return static_cast<Stage>(index);
  return std::nullopt;
}
