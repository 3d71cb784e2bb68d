// RUN: tessera opt %s --call-library | FileCheck %s
// Functions without a formula become calls of C's functions; those with instructions do not.

// CHECK-DAG: func.func private @cbrt(f64) -> f64
// CHECK-DAG: func.func private @atan2f(f32, f32) -> f32

// CHECK-LABEL: func @scalar(
//       CHECK:   call @cbrt(
func.func @scalar(%x: f64) -> f64 {
  %y = math.cbrt %x : f64
  return %y : f64
}

// CHECK-LABEL: func @vectors(
// CHECK-COUNT-2: call @atan2f(
func.func @vectors(%x: vector<2xf32>, %y: vector<2xf32>) -> vector<2xf32> {
  %z = math.atan2 %x, %y : vector<2xf32>
  return %z : vector<2xf32>
}

// CHECK-LABEL: func @instructions(
//   CHECK-NOT:   call
//       CHECK:   return
func.func @instructions(%x: f64) -> f64 {
  %a = math.floor %x : f64
  %b = math.sqrt %a : f64
  %c = math.fma %a, %b, %x : f64
  %d = math.absf %c : f64
  return %d : f64
}
