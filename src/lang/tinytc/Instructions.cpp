#include "lang/tinytc/Instructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

namespace {

/// Instructions as users write them, for suggestions; the first word of each begins an instruction.
constexpr StringRef words[] = {
#define TINYTC_BINARY(name, text, types) "arith." text, text,
#define TINYTC_UNARY(name, seed, later, types) seed, later,
#define TINYTC_COMPARE(name, seed, later, types) seed, later,
#define TINYTC_BLAS(name, text, transposes, inputs) text,
#include "lang/tinytc/Operators.def"
    "alloca",
    "atomic_add",
    "atomic_store",
    "barrier",
    "builtin.group_id",
    "builtin.group_size",
    "builtin.num_subgroups",
    "builtin.subgroup_id",
    "builtin.subgroup_local_id",
    "builtin.subgroup_size",
    "cast",
    "constant",
    "cooperative_matrix_atomic_add",
    "cooperative_matrix_atomic_store",
    "cooperative_matrix_load",
    "cooperative_matrix_mul_add",
    "cooperative_matrix_scale",
    "cooperative_matrix_store",
    "expand",
    "for",
    "foreach",
    "fuse",
    "group_id",
    "group_size",
    "hadamard",
    "if",
    "lifetime_stop",
    "load",
    "num_groups",
    "num_subgroups",
    "parallel",
    "size",
    "store",
    "subgroup_add",
    "subgroup_broadcast",
    "subgroup_exclusive_scan_add",
    "subgroup_exclusive_scan_max",
    "subgroup_exclusive_scan_min",
    "subgroup_id",
    "subgroup_inclusive_scan_add",
    "subgroup_inclusive_scan_max",
    "subgroup_inclusive_scan_min",
    "subgroup_linear_id",
    "subgroup_local_id",
    "subgroup_max",
    "subgroup_min",
    "subgroup_reduce_add",
    "subgroup_reduce_max",
    "subgroup_reduce_min",
    "subgroup_size",
    "subview",
    "yield",
};

} // namespace

bool tessera::tinytc::isInstruction(StringRef word) {
  return llvm::any_of(words, [&](StringRef known) { return known.split('.').first == word; });
}

llvm::ArrayRef<StringRef> tessera::tinytc::instructionWords() {
  return words;
}

namespace {

/// Instructions of later versions that are not supported: docs/languages/tinytc.md lists them.
struct LaterInstruction {
  StringRef name, version;
};
constexpr LaterInstruction laterInstructions[] = {
    {"associated", "0.4"},
    {"atomic_load", "0.4"},
    {"atomic_max", "0.4"},
    {"atomic_min", "0.4"},
    {"bitcast", "0.5"},
    {"cooperative_matrix_apply", "0.4"},
    {"cooperative_matrix_atomic_load", "0.4"},
    {"cooperative_matrix_atomic_max", "0.4"},
    {"cooperative_matrix_atomic_min", "0.4"},
    {"cooperative_matrix_construct", "0.4"},
    {"cooperative_matrix_extract", "0.4"},
    {"cooperative_matrix_insert", "0.4"},
    {"cooperative_matrix_prefetch", "0.4"},
    {"cooperative_matrix_reduce_add", "0.4"},
    {"cooperative_matrix_reduce_max", "0.4"},
    {"cooperative_matrix_reduce_min", "0.4"},
    {"cos", "0.4"},
    {"exp2", "0.4"},
    {"expandc2r", "0.5"},
    {"foreach_tile", "0.4"},
    {"log", "0.4"},
    {"log2", "0.4"},
    {"native_cos", "0.4"},
    {"native_exp2", "0.4"},
    {"native_log", "0.4"},
    {"native_log2", "0.4"},
    {"native_sin", "0.4"},
    {"sin", "0.4"},
};

struct Advice {
  StringRef name, text;
};
constexpr Advice advice[] = {
    {"arith.addf", "`arith.add` takes all types of numbers"},
    {"arith.addi", "`arith.add` takes all types of numbers"},
    {"arith.constant", "write `constant`"},
    {"arith.mulf", "`arith.mul` takes all types of numbers"},
    {"arith.muli", "`arith.mul` takes all types of numbers"},
    {"arith.subf", "`arith.sub` takes all types of numbers"},
    {"arith.subi", "`arith.sub` takes all types of numbers"},
    {"builtin.local_id", "`builtin.subgroup_local_id` numbers the work-items of a subgroup"},
    {"builtin.workgroup_id", "`builtin.group_id` is the number of the work-group"},
    {"call", "kernels cannot call functions"},
    {"cmp", "comparisons are `cmp.eq`, `cmp.ne`, `cmp.lt`, `cmp.le`, `cmp.gt` and `cmp.ge`"},
    {"const", "write `constant`"},
    {"copy", "`axpby` copies a tensor if alpha is 1 and beta is 0"},
    {"get_global_id", "`builtin.group_id` and `builtin.subgroup_local_id` number work-items"},
    {"get_group_id", "`builtin.group_id` is the number of the work-group"},
    {"let", "a value is defined by `%name = ...`"},
    {"matmul", "`gemm` multiplies matrices"},
    {"mod", "`arith.rem` is the remainder"},
    {"arith.mod", "`arith.rem` is the remainder"},
    {"print", "kernels cannot print; write to memory and use `--print`"},
    {"return", "a kernel has no result: it writes to its arguments and ends at its `}`"},
    {"sync", "`barrier.local` waits for all work-items of the work-group"},
    {"syncthreads", "`barrier.local` waits for all work-items of the work-group"},
    {"__syncthreads", "`barrier.local` waits for all work-items of the work-group"},
    {"var", "a value is defined by `%name = ...`"},
    {"while", "`for` is the only loop"},
};

} // namespace

/// Also finds `math.sin`, which is `sin` in the style of the seed description.
StringRef tessera::tinytc::versionWith(StringRef word) {
  word.consume_front("math.");
  auto found = llvm::find_if(laterInstructions, [&](const auto &row) { return row.name == word; });
  return found == std::end(laterInstructions) ? "" : found->version;
}

StringRef tessera::tinytc::adviceFor(StringRef word) {
  auto found = llvm::find_if(advice, [&](const Advice &row) { return row.name == word; });
  return found == std::end(advice) ? "" : found->text;
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
