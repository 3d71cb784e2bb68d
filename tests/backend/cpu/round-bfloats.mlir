// RUN: tessera opt %s --round-bfloats | FileCheck %s
// Conversions to and from bfloat16 use no instruction of the processor for it.

// CHECK-LABEL: func @one(
//   CHECK-NOT:   arith.truncf
//       CHECK:   arith.bitcast %{{.*}} : i16 to bf16
func.func @one(%x: f32) -> bf16 {
  %r = arith.truncf %x : f32 to bf16
  return %r : bf16
}

// CHECK-LABEL: func @vector(
//   CHECK-NOT:   arith.truncf
//       CHECK:   arith.bitcast %{{.*}} : vector<16xi16> to vector<16xbf16>
func.func @vector(%x: vector<16xf32>) -> vector<16xbf16> {
  %r = arith.truncf %x : vector<16xf32> to vector<16xbf16>
  return %r : vector<16xbf16>
}

// CHECK-LABEL: func @extended(
//   CHECK-NOT:   arith.extf %{{.*}} : vector<9xbf16>
//       CHECK:   arith.bitcast %{{.*}} : vector<9xbf16> to vector<9xi16>
//       CHECK:   arith.bitcast %{{.*}} : vector<9xi32> to vector<9xf32>
func.func @extended(%x: vector<9xbf16>) -> vector<9xf32> {
  %r = arith.extf %x : vector<9xbf16> to vector<9xf32>
  return %r : vector<9xf32>
}

// CHECK-LABEL: func @twice(
//       CHECK:   arith.bitcast %{{.*}} : vector<9xi32> to vector<9xf32>
//       CHECK:   arith.extf %{{.*}} : vector<9xf32> to vector<9xf64>
func.func @twice(%x: vector<9xbf16>) -> vector<9xf64> {
  %r = arith.extf %x : vector<9xbf16> to vector<9xf64>
  return %r : vector<9xf64>
}

// CHECK-LABEL: func @alone(
//       CHECK:   arith.extf %{{.*}} : bf16 to f32
func.func @alone(%x: bf16) -> f32 {
  %r = arith.extf %x : bf16 to f32
  return %r : f32
}

// CHECK-LABEL: func @others(
//       CHECK:   arith.truncf %{{.*}} : f32 to f16
//       CHECK:   arith.truncf %{{.*}} : f64 to f32
func.func @others(%x: f32, %y: f64) -> (f16, f32) {
  %r = arith.truncf %x : f32 to f16
  %s = arith.truncf %y : f64 to f32
  return %r, %s : f16, f32
}
