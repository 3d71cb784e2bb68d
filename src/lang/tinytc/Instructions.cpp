#include "lang/tinytc/Instructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

namespace {

/// What users write, for suggestions; the first word of each begins an instruction. The words of
/// version 0.4 come after those of the seed description.
constexpr StringRef words[] = {
#define TINYTC_BINARY(name, text, types) "arith." text,
#define TINYTC_UNARY(name, seed, later, types) seed,
#define TINYTC_COMPARE(name, seed, later, types) seed,
#define TINYTC_BLAS(name, text, transposes, inputs) text,
#include "lang/tinytc/Operators.def"
    "alloca",
    "barrier",
    "builtin.group_id",
    "builtin.group_size",
    "builtin.num_subgroups",
    "builtin.subgroup_id",
    "builtin.subgroup_local_id",
    "builtin.subgroup_size",
    "cast",
    "constant",
    "cooperative_matrix_load",
    "cooperative_matrix_mul_add",
    "cooperative_matrix_scale",
    "cooperative_matrix_store",
    "expand",
    "for",
    "foreach",
    "fuse",
    "if",
    "lifetime_stop",
    "load",
    "parallel",
    "size",
    "store",
    "subgroup_add",
    "subgroup_broadcast",
    "subgroup_max",
    "subgroup_min",
    "subview",
    "yield",
#define TINYTC_BINARY(name, text, types) text,
#define TINYTC_UNARY(name, seed, later, types) later,
#define TINYTC_COMPARE(name, seed, later, types) later,
#include "lang/tinytc/Operators.def"
    "atomic_add",
    "atomic_store",
    "cooperative_matrix_atomic_add",
    "cooperative_matrix_atomic_store",
    "group_id",
    "group_size",
    "hadamard",
    "num_groups",
    "num_subgroups",
    "subgroup_exclusive_scan_add",
    "subgroup_exclusive_scan_max",
    "subgroup_exclusive_scan_min",
    "subgroup_id",
    "subgroup_inclusive_scan_add",
    "subgroup_inclusive_scan_max",
    "subgroup_inclusive_scan_min",
    "subgroup_linear_id",
    "subgroup_local_id",
    "subgroup_reduce_add",
    "subgroup_reduce_max",
    "subgroup_reduce_min",
    "subgroup_size",
};

constexpr StringRef lastSeedWord = "yield";

} // namespace

bool tessera::tinytc::isInstruction(StringRef word) {
  return llvm::any_of(words, [&](StringRef known) { return known.split('.').first == word; });
}

llvm::ArrayRef<StringRef> tessera::tinytc::instructionWords(bool isSeed) {
  llvm::ArrayRef<StringRef> all = words;
  return isSeed ? all.take_front(llvm::find(all, lastSeedWord) - all.begin() + 1) : all;
}

std::optional<BinaryOp> tessera::tinytc::binaryNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<BinaryOp>>(name)
#define TINYTC_BINARY(name, text, types) .Case(text, BinaryOp::name)
#include "lang/tinytc/Operators.def"
      .Default(std::nullopt);
}

std::optional<UnaryOp> tessera::tinytc::unaryNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<UnaryOp>>(name)
#define TINYTC_UNARY(name, seed, later, types) .Case(seed, UnaryOp::name)
#include "lang/tinytc/Operators.def"
      .Default(std::nullopt);
}

std::optional<UnaryOp> tessera::tinytc::laterUnaryNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<UnaryOp>>(name)
#define TINYTC_UNARY(name, seed, later, types) .Case(later, UnaryOp::name)
#include "lang/tinytc/Operators.def"
      .Default(std::nullopt);
}

std::optional<CompareOp> tessera::tinytc::compareNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<CompareOp>>(name)
#define TINYTC_COMPARE(name, seed, later, types) .Case(seed, CompareOp::name)
#include "lang/tinytc/Operators.def"
      .Default(std::nullopt);
}

std::optional<CompareOp> tessera::tinytc::laterCompareNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<CompareOp>>(name)
#define TINYTC_COMPARE(name, seed, later, types) .Case(later, CompareOp::name)
#include "lang/tinytc/Operators.def"
      .Default(std::nullopt);
}

std::optional<BlasOp> tessera::tinytc::blasNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<BlasOp>>(name)
#define TINYTC_BLAS(name, text, transposes, inputs) .Case(text, BlasOp::name)
#include "lang/tinytc/Operators.def"
      .Case("hadamard", BlasOp::Hadamard)
      .Default(std::nullopt);
}

std::optional<Builtin::Kind> tessera::tinytc::builtinNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<Builtin::Kind>>(name)
      .Case("group_id", Builtin::GroupId)
      .Cases("group_size", "num_groups", Builtin::NumGroups)
      .Case("num_subgroups", Builtin::NumSubgroups)
      .Case("subgroup_size", Builtin::SubgroupSize)
      .Cases("subgroup_id", "subgroup_linear_id", Builtin::SubgroupId)
      .Case("subgroup_local_id", Builtin::SubgroupLocalId)
      .Default(std::nullopt);
}

ScalarType tessera::tinytc::typeOf(Builtin::Kind kind) {
  bool isIndex = kind == Builtin::GroupId || kind == Builtin::NumGroups;
  return isIndex ? ScalarType::Index : ScalarType::I32;
}
