/// What to write instead of instructions of other versions and languages.
#include "lang/tinytc/Instructions.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

namespace {

/// Advice for several words.
namespace say {

constexpr StringRef noReplacement = "there is no replacement for it in a kernel";
constexpr StringRef cosine =
    "the cosine of x is `arith.re` of `math.exp` of x times [0.0,1.0], as complex numbers";
constexpr StringRef sine =
    "the sine of x is `arith.im` of `math.exp` of x times [0.0,1.0], as complex numbers";
constexpr StringRef power = "`math.exp` of x times 0.6931471805599453 is 2 to the power of x";
constexpr StringRef logarithm =
    "there are no logarithms; compute them outside of the kernel and pass the result";
constexpr StringRef maximum = "only additions are atomic; combine the values of a subgroup with "
                              "`subgroup_max.reduce` and let one work-item store the result";
constexpr StringRef minimum = "only additions are atomic; combine the values of a subgroup with "
                              "`subgroup_min.reduce` and let one work-item store the result";
constexpr StringRef matrixUpdate =
    "`cooperative_matrix_store.atomic_add` is the only atomic update of memory with a matrix";
constexpr StringRef components =
    "components have no names; store the matrix and `load` its elements from memory";
constexpr StringRef reduction =
    "store the matrix and combine its elements in memory, such as with `sum`";

constexpr StringRef addition = "`arith.add` takes all types of numbers";
constexpr StringRef subtraction = "`arith.sub` takes all types of numbers";
constexpr StringRef product = "`arith.mul` takes all types of numbers";
constexpr StringRef quotient = "`arith.div` takes all types of numbers; integers are signed";
constexpr StringRef remainder = "`arith.rem` is the remainder";
constexpr StringRef conversion = "`cast` converts between all types of numbers";
constexpr StringRef comparisons =
    "comparisons are `cmp.eq`, `cmp.ne`, `cmp.lt`, `cmp.le`, `cmp.gt` and `cmp.ge`";
constexpr StringRef selection =
    "`%name = if %condition -> (type) { yield (%a) } else { yield (%b) }` selects a value";
constexpr StringRef signedLess = "comparisons are signed: `cmp.lt`, `cmp.le`, `cmp.gt`, `cmp.ge`";
constexpr StringRef synchronization = "`barrier.local` waits for all work-items of the work-group";
constexpr StringRef elseBranch = "write `else { if %condition { ... } }` after the `}` of an `if`";
constexpr StringRef kernelEnd =
    "a kernel has no result: it writes to its arguments and ends at its `}`";
constexpr StringRef definition = "a value is defined by `%name = ...`";
constexpr StringRef numbersWorkItems =
    "`builtin.subgroup_id` and `builtin.subgroup_local_id` number the work-items of a work-group";

} // namespace say

constexpr UnreadInstruction unreadInstructions[] = {
    {"associated", "0.4", say::noReplacement},
    {"atomic_load", "0.4", "`load` reads the element, but not atomically"},
    {"atomic_max", "0.4", say::maximum},
    {"atomic_min", "0.4", say::minimum},
    {"bitcast", "0.5", "`cast` converts the value; nothing reinterprets its bits"},
    {"cooperative_matrix_apply", "0.4",
     "`arith` instructions and `cooperative_matrix_scale` compute with whole matrices"},
    {"cooperative_matrix_atomic_load", "0.4",
     "`cooperative_matrix_load.n` reads the matrix, but not atomically"},
    {"cooperative_matrix_atomic_max", "0.4", say::matrixUpdate},
    {"cooperative_matrix_atomic_min", "0.4", say::matrixUpdate},
    {"cooperative_matrix_construct", "0.4",
     "`constant` and `cooperative_matrix_load.n` make matrices"},
    {"cooperative_matrix_extract", "0.4", say::components},
    {"cooperative_matrix_insert", "0.4", say::components},
    {"cooperative_matrix_prefetch", "0.4", "leave it out: it affects only the speed"},
    {"cooperative_matrix_reduce_add", "0.4", say::reduction},
    {"cooperative_matrix_reduce_max", "0.4", say::reduction},
    {"cooperative_matrix_reduce_min", "0.4", say::reduction},
    {"cos", "0.4", say::cosine},
    {"exp2", "0.4", say::power},
    {"expandc2r", "0.5", say::noReplacement},
    {"foreach_tile", "0.4", "`foreach` runs its region for each index instead of each tile"},
    {"log", "0.4", say::logarithm},
    {"log2", "0.4", say::logarithm},
    {"native_cos", "0.4", say::cosine},
    {"native_exp2", "0.4", say::power},
    {"native_log", "0.4", say::logarithm},
    {"native_log2", "0.4", say::logarithm},
    {"native_sin", "0.4", say::sine},
    {"sin", "0.4", say::sine},
};

struct Advice {
  StringRef name, text;
};
constexpr Advice advice[] = {
    {"arith.addf", say::addition},
    {"arith.addi", say::addition},
    {"arith.andi", "`arith.and` takes bools and integers"},
    {"arith.cmpf", say::comparisons},
    {"arith.cmpi", say::comparisons},
    {"arith.constant", "write `constant`"},
    {"arith.divf", say::quotient},
    {"arith.divsi", say::quotient},
    {"arith.divui", say::quotient},
    {"arith.extf", say::conversion},
    {"arith.extsi", say::conversion},
    {"arith.extui", say::conversion},
    {"arith.fptosi", say::conversion},
    {"arith.index_cast", say::conversion},
    {"arith.maximumf", "`arith.max` is the maximum"},
    {"arith.maxsi", "`arith.max` is the maximum"},
    {"arith.minimumf", "`arith.min` is the minimum"},
    {"arith.minsi", "`arith.min` is the minimum"},
    {"arith.mod", say::remainder},
    {"arith.mulf", say::product},
    {"arith.muli", say::product},
    {"arith.negf", "`arith.neg` takes all types of numbers"},
    {"arith.ori", "`arith.or` takes bools and integers"},
    {"arith.remf", say::remainder},
    {"arith.remsi", say::remainder},
    {"arith.select", say::selection},
    {"arith.sitofp", say::conversion},
    {"arith.subf", say::subtraction},
    {"arith.subi", say::subtraction},
    {"arith.truncf", say::conversion},
    {"arith.trunci", say::conversion},
    {"arith.uitofp", say::conversion},
    {"arith.xori", "`arith.xor` takes bools and integers"},
    {"axpy", "`axpby.n %alpha, %A, %beta, %B` computes B = alpha A + beta B"},
    {"barrier_global", "write `barrier.global`"},
    {"barrier_local", "write `barrier.local`"},
    {"builtin.local_id", "`builtin.subgroup_local_id` numbers the work-items of a subgroup"},
    {"builtin.workgroup_id", "`builtin.group_id` is the number of the work-group"},
    {"call", "kernels cannot call functions"},
    {"cmp", say::comparisons},
    {"cmp.uge", say::signedLess},
    {"cmp.ugt", say::signedLess},
    {"cmp.ule", say::signedLess},
    {"cmp.ult", say::signedLess},
    {"const", "`%name = constant 4 : type` defines a constant"},
    {"copy", "`axpby` copies a tensor if alpha is 1 and beta is 0"},
    {"dot", "`hadamard_product` and `sum` compute the inner product of two vectors"},
    {"elif", say::elseBranch},
    {"elseif", say::elseBranch},
    {"end", "a region ends with `}`"},
    {"func.call", "kernels cannot call functions"},
    {"func.return", say::kernelEnd},
    {"get_global_id", "`builtin.group_id` and `builtin.subgroup_local_id` number work-items"},
    {"get_group_id", "`builtin.group_id` is the number of the work-group"},
    {"get_local_id", say::numbersWorkItems},
    {"gpu.barrier", say::synchronization},
    {"gpu.block_id", "`builtin.group_id` is the number of the work-group"},
    {"gpu.thread_id", say::numbersWorkItems},
    {"let", say::definition},
    {"linalg.matmul", "`gemm` multiplies matrices"},
    {"matmul", "`gemm` multiplies matrices"},
    {"memref.alloc", "write `alloca`"},
    {"memref.alloca", "write `alloca`"},
    {"memref.cast", "`subview` gives a type with known sizes"},
    {"memref.dim", "`size %tensor[mode]` is the size of a mode"},
    {"memref.load", "write `load %tensor[%index] : type`, with the type of the result"},
    {"memref.store", "write `store %value, %tensor[%index]`, without a type"},
    {"memref.subview", "`subview %tensor[offset:size] : type` has the type of the result"},
    {"mod", say::remainder},
    {"print", "kernels cannot print; write to memory and use `--print`"},
    {"ret", say::kernelEnd},
    {"return", say::kernelEnd},
    {"scf.for", "write `for %i = %from, %to { ... }`"},
    {"scf.forall", "`foreach (%i) = (%from), (%to) { ... }` runs in parallel"},
    {"scf.if", "write `if %condition { ... }`"},
    {"scf.parallel", "`foreach (%i) = (%from), (%to) { ... }` runs in parallel"},
    {"scf.while", "`for` is the only loop"},
    {"scf.yield", "write `yield (%value)`"},
    {"select", say::selection},
    {"set", say::definition},
    {"sync", say::synchronization},
    {"syncthreads", say::synchronization},
    {"__syncthreads", say::synchronization},
    {"var", say::definition},
    {"while", "`for` is the only loop"},
};

constexpr StringRef dialects[] = {"affine", "func",   "gpu", "index",
                                  "linalg", "memref", "scf", "vector"};

} // namespace

/// `math.sin` is `sin` in the seed description's style.
const UnreadInstruction *tessera::tinytc::unreadInstruction(StringRef word) {
  word.consume_front("math.");
  const UnreadInstruction *found =
      llvm::find_if(unreadInstructions, [&](const auto &row) { return row.name == word; });
  return found == std::end(unreadInstructions) ? nullptr : found;
}

StringRef tessera::tinytc::adviceFor(StringRef word) {
  const Advice *found = llvm::find_if(advice, [&](const Advice &row) { return row.name == word; });
  return found == std::end(advice) ? "" : found->text;
}

bool tessera::tinytc::isDialect(StringRef word) {
  return llvm::is_contained(dialects, word);
}
