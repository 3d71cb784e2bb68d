// RUN: tessera opt %s --expand-math | FileCheck %s
// RUN: tessera opt %s --expand-math=fma=false | FileCheck %s --check-prefix=UNFUSED
// Functions become plain arithmetic: no calls, tables or branches, so that loops around them can be vectorized.

// UNFUSED-NOT: math.fma

// CHECK-LABEL: func @exponential(
//   CHECK-NOT:   math.exp
//       CHECK:   math.fma
//       CHECK:   arith.select
//   CHECK-NOT:   math.exp
//       CHECK:   return
func.func @exponential(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// Whole vectors.
// CHECK-LABEL: func @vectors(
//       CHECK:   math.fma {{.*}} : vector<8xf64>
//   CHECK-NOT:   math.log
//       CHECK:   return
func.func @vectors(%x: vector<8xf64>) -> vector<8xf64> {
  %y = math.log %x : vector<8xf64>
  return %y : vector<8xf64>
}

// Half precision is computed in single precision.
// CHECK-LABEL: func @half(
//       CHECK:   arith.extf %{{.*}} : f16 to f32
//       CHECK:   %[[Y:.*]] = arith.truncf %{{.*}} : f32 to f16
//       CHECK:   return %[[Y]]
func.func @half(%x: f16) -> f16 {
  %y = math.tanh %x : f16
  return %y : f16
}

// A formula for angles of moderate size; the runtime replaces its result for others.
// CHECK-LABEL: func @angle(
//       CHECK:   %[[FORMULA:.*]] = arith.select
//       CHECK:   %[[Y:.*]] = call @tessera_rt_far_sinf(%{{.*}}, %[[FORMULA]], %{{.*}}, %{{.*}}) : (f32, f32, f32, f32) -> f32
//       CHECK:   return %[[Y]]
func.func @angle(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}

// For vectors, one test decides whether any element needs it.
// CHECK-LABEL: func @angles(
//       CHECK:   %[[ANY:.*]] = vector.reduction <or>, %{{.*}} : vector<4xi1> into i1
//       CHECK:   scf.if %[[ANY]]
//       CHECK:     scf.for
//       CHECK:       call @tessera_rt_far_cos(
func.func @angles(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %y = math.cos %x : vector<2x2xf64>
  return %y : vector<2x2xf64>
}

// Two results are two functions.
// CHECK-LABEL: func @both(
//   CHECK-NOT:   math.sincos
//       CHECK:   call @tessera_rt_far_sinf
//       CHECK:   call @tessera_rt_far_cosf
func.func @both(%x: f32) -> (f32, f32) {
  %s, %c = math.sincos %x : f32
  return %s, %c : f32, f32
}

// Square roots and divisions are instructions, so a formula may use them.
// CHECK-LABEL: func @inverse(
//   CHECK-NOT:   math.{{asin|acos|atan}}
//       CHECK:   math.sqrt %{{.*}} : f64
//       CHECK:   math.copysign %{{.*}} : f64
//       CHECK:   math.sqrt %{{.*}} : vector<4xf32>
//       CHECK:   arith.divf %{{.*}} : f64
//       CHECK:   return
func.func @inverse(%x: f64, %v: vector<4xf32>) -> (f64, vector<4xf32>, f64) {
  %a = math.asin %x : f64
  %b = math.acos %v : vector<4xf32>
  %c = math.atan2 %a, %x : f64
  return %a, %b, %c : f64, vector<4xf32>, f64
}

// Constants are not folded: the host's library could give another last place.
// CHECK-LABEL: func @constant(
//       CHECK:   math.fma
func.func @constant() -> f32 {
  %x = arith.constant 1.0 : f32
  %y = math.exp %x : f32
  return %y : f32
}

// From here on: operations without a formula, and single instructions, stay.
// CHECK-LABEL: func @others(
//  CHECK-NEXT:   math.tan %{{.*}} : f64
//  CHECK-NEXT:   math.sqrt
//  CHECK-NEXT:   math.floor
//  CHECK-NEXT:   math.absi
//  CHECK-NEXT:   return
func.func @others(%x: f64, %i: i32) -> (f64, f64, f64, i32) {
  %a = math.tan %x : f64
  %b = math.sqrt %x : f64
  %c = math.floor %x : f64
  %d = math.absi %i : i32
  return %a, %b, %c, %d : f64, f64, f64, i32
}

// CHECK-LABEL: func @tensors(
//  CHECK-NEXT:   math.exp
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
