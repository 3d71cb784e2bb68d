// RUN: tessera opt %s --tinytc-simplify-views --cse | FileCheck %s
// A view of a view becomes one view, and a view that changes nothing disappears.
!m = !tinytc.memref<32x16x?xf32>

// CHECK-LABEL: func @slices
// CHECK-SAME: %[[M:[a-z0-9]*]]: !tinytc.memref<32x16x?xf32>, %[[N:[a-z0-9]*]]: index, %[[K:[a-z0-9]*]]: index
// CHECK: %[[SUM:.*]] = tinytc.binary add %[[N]], %[[K]] : index
// CHECK: %[[V:.*]] = tinytc.subview %[[M]] [5, %[[SUM]], %[[K]]] sizes [4, 0, 0] : <32x16x?xf32> -> <4xf32>
// CHECK: tinytc.load %[[V]]
func.func @slices(%m: !m, %n: index, %k: index) -> f32 {
  %0 = tinytc.subview %m[2, %n, %k] sizes [8, %n, 0] : !m -> !tinytc.memref<8x?xf32, strided<1, 32>>
  %1 = tinytc.subview %0[3, %k] sizes [4, 0] : !tinytc.memref<8x?xf32, strided<1, 32>> -> !tinytc.memref<4xf32>
  %2 = tinytc.load %1[%n] : !tinytc.memref<4xf32>
  return %2 : f32
}

// A known offset and an unknown one.
// CHECK-LABEL: func @mixed
// CHECK: %[[TWO:.*]] = tinytc.constant index 2
// CHECK: tinytc.binary add %[[TWO]], %{{.*}} : index
func.func @mixed(%m: !m, %n: index) -> f32 {
  %0 = tinytc.subview %m[2, 0, 0] sizes [8, 0, 0] : !m -> !tinytc.memref<8xf32>
  %1 = tinytc.subview %0[%n] sizes [4] : !tinytc.memref<8xf32> -> !tinytc.memref<4xf32>
  %2 = tinytc.load %1[%n] : !tinytc.memref<4xf32>
  return %2 : f32
}

// CHECK-LABEL: func @whole
// CHECK-SAME: %[[M:[a-z0-9]*]]: !tinytc.memref<32x16x?xf32>
// CHECK: tinytc.load %[[M]]
func.func @whole(%m: !m, %n: index) -> f32 {
  %s = tinytc.size %m[2] : !m
  %0 = tinytc.subview %m[0, 0, 0] sizes [32, 16, %s] : !m -> !m
  %1 = tinytc.load %0[%n, %n, %n] : !m
  return %1 : f32
}

// A part is not the whole, and a less precise type is kept.
// CHECK-LABEL: func @part
// CHECK: tinytc.subview
// CHECK: tinytc.subview
func.func @part(%m: !tinytc.memref<4xf32>, %d: !tinytc.memref<?xf32>, %n: index) -> (f32, f32) {
  %0 = tinytc.subview %m[0] sizes [4] : !tinytc.memref<4xf32> -> !tinytc.memref<4xf32, strided<?>>
  %1 = tinytc.load %0[%n] : !tinytc.memref<4xf32, strided<?>>
  %2 = tinytc.subview %d[0] sizes [%n] : !tinytc.memref<?xf32> -> !tinytc.memref<?xf32>
  %3 = tinytc.load %2[%n] : !tinytc.memref<?xf32>
  return %1, %3 : f32, f32
}

// CHECK-LABEL: func @there_and_back
// CHECK-SAME: %[[M:[a-z0-9]*]]: !tinytc.memref<32x16xf32>
// CHECK: %[[X:.*]] = tinytc.load %[[M]]
// CHECK: return %[[X]], %[[X]]
func.func @there_and_back(%m: !tinytc.memref<32x16xf32>, %n: index) -> (f32, f32) {
  %0 = tinytc.expand %m[1] into [2, 8] : !tinytc.memref<32x16xf32> -> !tinytc.memref<32x2x8xf32>
  %1 = tinytc.fuse %0[1, 2] : !tinytc.memref<32x2x8xf32> -> !tinytc.memref<32x16xf32>
  %2 = tinytc.load %1[%n, %n] : !tinytc.memref<32x16xf32>
  %3 = tinytc.fuse %m[0, 1] : !tinytc.memref<32x16xf32> -> !tinytc.memref<512xf32>
  %4 = tinytc.expand %3[0] into [32, 16] : !tinytc.memref<512xf32> -> !tinytc.memref<32x16xf32>
  %5 = tinytc.load %4[%n, %n] : !tinytc.memref<32x16xf32>
  return %2, %5 : f32, f32
}

// CHECK-LABEL: func @sizes
// CHECK-SAME: %[[M:[a-z0-9]*]]: !tinytc.memref<32x16x?xf32>, %[[N:[a-z0-9]*]]: index
// CHECK-DAG: %[[C:.*]] = tinytc.constant index 16
// CHECK-DAG: %[[S:.*]] = tinytc.size %[[M]][2]
// CHECK-DAG: %[[P:.*]] = tinytc.binary mul %[[C]], %[[S]] : index
// CHECK: return %[[N]], %[[N]], %[[S]], %[[P]]
func.func @sizes(%m: !m, %n: index) -> (index, index, index, index) {
  %0 = tinytc.subview %m[0, 0, 0] sizes [4, 0, %n] : !m -> !tinytc.memref<4x?xf32, strided<1, 512>>
  %a = tinytc.size %0[1] : !tinytc.memref<4x?xf32, strided<1, 512>>
  %1 = tinytc.expand %m[1] into [%n, 2] : !m -> !tinytc.memref<32x?x2x?xf32>
  %b = tinytc.size %1[1] : !tinytc.memref<32x?x2x?xf32>
  %c = tinytc.size %1[3] : !tinytc.memref<32x?x2x?xf32>
  %2 = tinytc.fuse %m[1, 2] : !m -> !tinytc.memref<32x?xf32>
  %d = tinytc.size %2[1] : !tinytc.memref<32x?xf32>
  return %a, %b, %c, %d : index, index, index, index
}
