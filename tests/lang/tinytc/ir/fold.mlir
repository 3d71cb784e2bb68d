// RUN: tessera opt %s --canonicalize | FileCheck %s
// Known values are folded, unless the language has no literal for the result or devices may round differently.

// CHECK-LABEL: func @integers
// CHECK-DAG: %[[WRAPPED:.*]] = tinytc.constant i8 -56
// CHECK-DAG: %[[QUOTIENT:.*]] = tinytc.constant i8 -14
// CHECK-DAG: %[[MIN:.*]] = tinytc.binary shl
// CHECK-DAG: %[[ZERO:.*]] = tinytc.binary div
// CHECK: return %[[WRAPPED]], %[[QUOTIENT]], %[[MIN]], %[[ZERO]], %arg0
func.func @integers(%x: i64) -> (i8, i8, i64, i64, i64) {
  %a = tinytc.constant i8 100
  %b = tinytc.constant i8 7
  %n = tinytc.unary neg %a : i8 -> i8
  %0 = tinytc.binary add %a, %a : i8
  %1 = tinytc.binary div %n, %b : i8
  %c = tinytc.constant i64 1
  %d = tinytc.constant i64 63
  %2 = tinytc.binary shl %c, %d : i64
  %z = tinytc.constant i64 0
  %3 = tinytc.binary div %x, %z : i64
  %4 = tinytc.binary mul %x, %c : i64
  return %0, %1, %2, %3, %4 : i8, i8, i64, i64, i64
}

// CHECK-LABEL: func @floats
// CHECK-DAG: %[[SUM:.*]] = tinytc.constant f16 2.500000e+00
// CHECK-DAG: %[[INFINITE:.*]] = tinytc.binary mul
// CHECK-DAG: %[[SAME:.*]] = tinytc.binary add %arg0
// CHECK-DAG: %[[ROUNDED:.*]] = tinytc.cast %{{.*}} : f64 -> bf16
// CHECK-DAG: %[[EXACT:.*]] = tinytc.constant bf16 1.500000e+00
// CHECK: return %[[SUM]], %[[INFINITE]], %[[SAME]], %[[ROUNDED]], %[[EXACT]]
func.func @floats(%x: f32) -> (f16, f32, f32, bf16, bf16) {
  %a = tinytc.constant f16 1.0
  %b = tinytc.constant f16 1.5
  %0 = tinytc.binary add %a, %b : f16
  %c = tinytc.constant f32 3.0e+38
  %1 = tinytc.binary mul %c, %c : f32
  %z = tinytc.constant f32 0.0
  %2 = tinytc.binary add %x, %z : f32
  %d = tinytc.constant f64 0.1
  %3 = tinytc.cast %d : f64 -> bf16
  %e = tinytc.constant f64 1.5
  %4 = tinytc.cast %e : f64 -> bf16
  return %0, %1, %2, %3, %4 : f16, f32, f32, bf16, bf16
}

// CHECK-LABEL: func @control
// CHECK-NOT: tinytc.if
// CHECK-NOT: tinytc.for
// CHECK: return %arg0, %arg1, %arg0
func.func @control(%x: f32, %y: f32) -> (f32, f32, f32) {
  %a = tinytc.constant i32 1
  %b = tinytc.constant i32 2
  %c = tinytc.compare lt %a, %b : i32
  %0 = tinytc.if %c -> (f32) {
    tinytc.yield %x : f32
  } else {
    tinytc.yield %y : f32
  }
  %1 = tinytc.for %i : i32 = %a, %b init(%p = %x : f32) {
    tinytc.yield %y : f32
  }
  %2 = tinytc.for %i : i32 = %b, %a init(%p = %x : f32) {
    tinytc.yield %y : f32
  }
  return %0, %1, %2 : f32, f32, f32
}

// Folds in functions that state their work-group size.
// CHECK-LABEL: func @sizes
// CHECK-DAG: %[[SIZE:.*]] = tinytc.constant i32 16
// CHECK-DAG: %[[NUMBER:.*]] = tinytc.constant i32 4
// CHECK-DAG: %[[ROWS:.*]] = tinytc.constant index 4
// CHECK: return %[[SIZE]], %[[NUMBER]], %[[ROWS]]
func.func @sizes(%m: !tinytc.memref<4x?xf32>) -> (i32, i32, index)
    attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 32, 2>} {
  %0 = tinytc.builtin subgroup_size : i32
  %1 = tinytc.builtin num_subgroups : i32
  %2 = tinytc.size %m[0] : !tinytc.memref<4x?xf32>
  return %0, %1, %2 : i32, i32, index
}
