/// Cases with obvious answers: the compiler is compared with the evaluator, so it must be right.
#include "Case.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::tinytc::random;

namespace {

/// The numbers in the memory of the last parameter of `@f` after the call, or the reason for
/// failure.
std::string run(const std::string &program) {
  Parsed parsed(program);
  if (!parsed.isCorrect)
    return parsed.errors();
  const tinytc::Function &function = *parsed.program->functions.front();
  std::optional<Call> call = readCall(program, "@f");
  if (!call)
    return "no call";
  std::vector<Datum> arguments = makeArguments(function, *call);
  Outcome outcome = evaluate(function, arguments, call->groups, 100'000);
  if (outcome.end != Outcome::Finished)
    return outcome.why;
  const Memory &memory = *std::get<Memref>(arguments.back()).memory;
  std::vector<std::string> numbers;
  for (size_t cell = 0; cell < memory.size(); ++cell)
    numbers.push_back(text(memory[cell], memory.element));
  return llvm::join(numbers, " ");
}

/// The body of a kernel with 16 work-items, two subgroups of 8, that writes to %A.
std::string items(const std::string &body, const std::string &type = "i32x16") {
  return run("; @f %A fill index\nfunc @f(%A: memref<" + type +
             ">) attributes {subgroup_size=8, work_group_size=[16,1]} { " + body + " }");
}

constexpr const char *ids =
    "%l = builtin.subgroup_local_id : i32 %s = builtin.subgroup_id : i32 %e = constant 8 : i32 "
    "%b = arith.mul %s, %e : i32 %n = arith.add %b, %l : i32 %i = cast %n : index ";

TEST(TinytcEvaluator, RunsEachWorkItem) {
  EXPECT_EQ(items("parallel { " + std::string(ids) + " store %l, %A[%i] }"),
            "0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7");
  EXPECT_EQ(items("parallel { " + std::string(ids) +
                  " %x = subgroup_add.inclusive_scan %s : i32 store %x, %A[%i] }"),
            "0 0 0 0 0 0 0 0 1 2 3 4 5 6 7 8");
  EXPECT_EQ(items("parallel { " + std::string(ids) +
                  " %x = subgroup_max.exclusive_scan %l : i32 %z = constant 0 : i32 "
                  "%y = arith.max %x, %z : i32 store %y, %A[%i] }"),
            "0 0 1 2 3 4 5 6 0 0 1 2 3 4 5 6");
  EXPECT_EQ(items("parallel { " + std::string(ids) +
                  " %c = constant 3 : i32 %x = subgroup_broadcast %n, %c : i32 store %x, %A[%i] }"),
            "3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11");
}

TEST(TinytcEvaluator, LetsLanesDiverge) {
  // Inactive work-items add nothing.
  EXPECT_EQ(items("parallel { " + std::string(ids) +
                  " %two = constant 2 : i32 %r = arith.rem %l, %two : i32 %z = constant 0 : i32 "
                  "%even = cmp.eq %r, %z : bool %x = if %even -> (i32) { "
                  "%y = subgroup_add.reduce %l : i32 yield (%y) } else { yield (%z) } "
                  "store %x, %A[%i] }"),
            "12 0 12 0 12 0 12 0 12 0 12 0 12 0 12 0");
  // Each with its own number of iterations.
  EXPECT_EQ(items("parallel { " + std::string(ids) +
                  " %z = constant 0 : i32 %x = for %k: i32 = %z, %l init(%a=%z) -> (i32) { "
                  "%y = arith.add %a, %k : i32 yield (%y) } store %x, %A[%i] }"),
            "0 0 1 3 6 10 15 21 0 0 1 3 6 10 15 21");
}

TEST(TinytcEvaluator, WaitsAtBarriers) {
  std::string exchange =
      "%T = alloca : memref<i32x16,local> parallel { " + std::string(ids) +
      " store %n, %T[%i] BARRIER %c = constant 15 : index %j = arith.sub %c, %i : index "
      "%x = load %T[%j] : i32 store %x, %A[%i] }";
  std::string with = exchange, without = exchange;
  with.replace(with.find("BARRIER"), 7, "barrier.local");
  without.replace(without.find("BARRIER"), 7, "");
  EXPECT_EQ(items(with), "15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0");
  EXPECT_EQ(items(without), "a read of unwritten memory");
}

TEST(TinytcEvaluator, RejectsUndefinedBehavior) {
  EXPECT_EQ(items("parallel { %z = constant 0 : index %x = constant 1 : i32 store %x, %A[%z] }"),
            "a write races with another access");
  EXPECT_EQ(items("parallel { %z = constant 0 : index %x = constant 1 : i32 "
                  "store.atomic_add %x, %A[%z] }"),
            "16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
  EXPECT_EQ(items("parallel { %z = constant 16 : index %x = load %A[%z] : i32 }"),
            "an index is outside of its mode");
  EXPECT_EQ(items("parallel { %z = constant 0 : i32 %l = builtin.subgroup_id : i32 "
                  "%c = cmp.eq %l, %z : bool if %c { barrier } }"),
            "not all work-items come to a barrier");
  EXPECT_EQ(items("%T = alloca : memref<i32x16,local> lifetime_stop %T %z = constant 0 : index "
                  "%x = load %T[%z] : i32"),
            "memory is used after its lifetime");
}

TEST(TinytcEvaluator, ComputesByDefinition) {
  std::string call = "; @f %A fill index\n; @f %B fill index\n; @f %C fill nan\n";
  auto blas = [&](const std::string &instruction, const std::string &types) {
    return run(call + "func @f(" + types + ") { %one = constant 1 : i32 %zero = constant 0 : i32 " +
               instruction + " }");
  };
  std::string matrices = "%A: memref<i32x2x2>, %B: memref<i32x2x2>, %C: memref<i32x2x2>";
  EXPECT_EQ(blas("gemm.n.n %one, %A, %B, %zero, %C", matrices), "2 3 6 11");
  EXPECT_EQ(blas("gemm.t.n %one, %A, %B, %zero, %C", matrices), "1 3 3 13");
  EXPECT_EQ(blas("hadamard_product %one, %A, %B, %zero, %C", matrices), "0 1 4 9");
  EXPECT_EQ(blas("axpby.t %one, %A, %zero, %C", matrices), "0 2 1 3");
  EXPECT_EQ(blas("cumsum %one, %A, 1, %zero, %C", matrices), "0 1 2 4");
  EXPECT_EQ(blas("sum.n %one, %A, %zero, %C", "%A: memref<i32x2x2>, %C: memref<i32x2>"), "2 4");
  EXPECT_EQ(blas("sum.t %one, %A, %zero, %C", "%A: memref<i32x2x2>, %C: memref<i32x2>"), "1 5");
  EXPECT_EQ(blas("ger %one, %A, %B, %zero, %C",
                 "%A: memref<i32x2>, %B: memref<i32x3>, %C: memref<i32x2x3>"),
            "0 0 0 1 0 2");
}

TEST(TinytcEvaluator, SkipsElementsOutOfBounds) {
  EXPECT_EQ(run("; @f %A fill index\n; @f %C fill index\n"
                "func @f(%A: memref<i32x2x2>, %C: memref<i32x3x3>) { parallel { "
                "%m = constant -1 : index %z = constant 0 : index "
                "%a = cooperative_matrix_load.t.both_checked %A[%m,%z] : "
                "coopmatrix<i32x3x3,matrix_acc> cooperative_matrix_store %a, %C[%z,%z] } }"),
            "0 0 0 0 2 0 1 3 0");
}

TEST(TinytcEvaluator, BoundsTheErrorOfOtherOrders) {
  // Sums of small numbers are exact in any order; others are not.
  std::string sum = "func @f(%A: memref<f32x9>, %B: memref<f32>) { %one = constant 1.0 : f32 "
                    "%zero = constant 0.0 : f32 sum.n %one, %A, %zero, %B }";
  EXPECT_EQ(run("; @f seed=1\n" + sum).find("+-"), std::string::npos);
  EXPECT_NE(run("; @f seed=1\n; @f %A fill rough\n" + sum).find("+-"), std::string::npos);
}

} // namespace
