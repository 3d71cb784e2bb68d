// RUN: tessera opt %s --tinytc-specialize-constants | FileCheck %s
// Known sizes become part of types, provided that all uses agree.
!d = !tinytc.memref<?x?xf32>

// CHECK-LABEL: func @views
// CHECK: tinytc.subview %{{.*}} [3, %{{.*}}] sizes [8, 0] : <?x?xf32> -> <8xf32>
// CHECK: tinytc.expand %{{.*}}[0] into [2, 4] : <8xf32> -> <2x4xf32>
// CHECK: tinytc.fuse %{{.*}}[0, 1] : <2x4xf32> -> <8xf32>
func.func @views(%a: !d, %i: index) -> f32 {
  %c2 = tinytc.constant index 2
  %c3 = tinytc.constant index 3
  %c8 = tinytc.constant index 8
  %0 = tinytc.subview %a[%c3, %i] sizes [%c8, 0] : !d -> !tinytc.memref<?xf32>
  %1 = tinytc.expand %0[0] into [%c2, 4] : !tinytc.memref<?xf32> -> !tinytc.memref<?x4xf32>
  %2 = tinytc.fuse %1[0, 1] : !tinytc.memref<?x4xf32> -> !tinytc.memref<?xf32>
  %x = tinytc.load %2[%i] : !tinytc.memref<?xf32>
  return %x : f32
}

// Both sides of a product become known together.
// CHECK-LABEL: func @together
// CHECK: tinytc.gemm {{.*}} : f32, !tinytc.memref<8x?xf32, strided<1, ?>>, !tinytc.memref<?x8xf32>, f32, !tinytc.memref<8x8xf32, strided<1, ?>>
func.func @together(%f: f32, %a: !d, %b: !d, %c: !d, %n: index) {
  %c8 = tinytc.constant index 8
  %0 = tinytc.subview %a[0, 0] sizes [%c8, %n] : !d -> !d
  %1 = tinytc.subview %b[0, 0] sizes [%n, %c8] : !d -> !d
  %2 = tinytc.subview %c[0, 0] sizes [%c8, %c8] : !d -> !d
  tinytc.gemm %f, %0, %1, %f, %2 : f32, !d, !d, f32, !d
  return
}

// A size that must equal an unknown one stays unknown. A size of 0 would mean something else.
// CHECK-LABEL: func @alone
// CHECK: tinytc.subview %{{.*}} [4] sizes [%{{.*}}] : <?xf32> -> <?xf32>
// CHECK: tinytc.axpby
// CHECK: tinytc.subview %{{.*}} [0] sizes [%{{.*}}] : <?xf32> -> <?xf32>
func.func @alone(%f: f32, %a: !tinytc.memref<?xf32>, %b: !tinytc.memref<?xf32>, %i: index) -> f32 {
  %c0 = tinytc.constant index 0
  %c4 = tinytc.constant index 4
  %0 = tinytc.subview %a[%c4] sizes [%c4] : !tinytc.memref<?xf32> -> !tinytc.memref<?xf32>
  tinytc.axpby %f, %0, %f, %b : f32, !tinytc.memref<?xf32>, f32, !tinytc.memref<?xf32>
  %1 = tinytc.subview %a[0] sizes [%c0] : !tinytc.memref<?xf32> -> !tinytc.memref<?xf32>
  %x = tinytc.load %1[%i] : !tinytc.memref<?xf32>
  return %x : f32
}

// A contradiction in the program is left to run time.
// CHECK-LABEL: func @contradiction
// CHECK: tinytc.expand %{{.*}}[0] into [%{{.*}}, 3]
func.func @contradiction(%a: !tinytc.memref<6xf32>, %i: index) -> f32 {
  %c4 = tinytc.constant index 4
  %0 = tinytc.expand %a[0] into [%c4, 3] : !tinytc.memref<6xf32> -> !tinytc.memref<?x3xf32>
  %x = tinytc.load %0[%i, %i] : !tinytc.memref<?x3xf32>
  return %x : f32
}

// If two views contradict each other, neither gets the known size.
// CHECK-LABEL: func @gap
// CHECK: tinytc.subview %{{.*}}[0, 0] sizes [%{{.*}}, 8] : <8x8xf32> -> <?x8xf32, strided<1, 8>>
// CHECK: tinytc.fuse %{{.*}}[0, 1] : <?x8xf32, strided<1, 8>> -> <?xf32>
func.func @gap(%a: !tinytc.memref<8x8xf32>, %i: index) -> f32 {
  %c4 = tinytc.constant index 4
  %0 = tinytc.subview %a[0, 0] sizes [%c4, 8] : !tinytc.memref<8x8xf32> -> !tinytc.memref<?x8xf32, strided<1, 8>>
  %1 = tinytc.fuse %0[0, 1] : !tinytc.memref<?x8xf32, strided<1, 8>> -> !tinytc.memref<?xf32>
  %x = tinytc.load %1[%i] : !tinytc.memref<?xf32>
  return %x : f32
}

// No type can have so many rows between two columns.
// CHECK-LABEL: func @overlap
// CHECK: tinytc.subview %{{.*}}[0, 0] sizes [%{{.*}}, 4] : <8x8xf32> -> <?x4xf32, strided<1, 8>>
func.func @overlap(%a: !tinytc.memref<8x8xf32>, %i: index) -> f32 {
  %c16 = tinytc.constant index 16
  %0 = tinytc.subview %a[0, 0] sizes [%c16, 4] : !tinytc.memref<8x8xf32> -> !tinytc.memref<?x4xf32, strided<1, 8>>
  %x = tinytc.load %0[%i, %i] : !tinytc.memref<?x4xf32, strided<1, 8>>
  return %x : f32
}

// Nor can an impossible factor become known, nor a size beyond memory.
// CHECK-LABEL: func @impossible
// CHECK: tinytc.expand %{{.*}}[0] into [%{{.*}}, %{{.*}}] : <4x6xf32> -> <?x?x6xf32
// CHECK: tinytc.expand %{{.*}}[0] into [%{{.*}}, %{{.*}}] : <4x6xf32> -> <?x?x6xf32
// CHECK: tinytc.subview %{{.*}}[0] sizes [%{{.*}}] : <4xf32> -> <?xf32
func.func @impossible(%a: !tinytc.memref<4x6xf32>, %b: !tinytc.memref<4xf32>, %i: index) -> f32 {
  %c6 = tinytc.constant index 6
  %negative = tinytc.constant index -1
  %most = tinytc.constant index 9223372036854775807
  %0 = tinytc.expand %a[0] into [%c6, %negative] : !tinytc.memref<4x6xf32> -> !tinytc.memref<?x?x6xf32, strided<1, ?, 4>>
  %1 = tinytc.expand %a[0] into [%most, %c6] : !tinytc.memref<4x6xf32> -> !tinytc.memref<?x?x6xf32, strided<1, ?, 4>>
  %2 = tinytc.subview %b[0] sizes [%most] : !tinytc.memref<4xf32> -> !tinytc.memref<?xf32>
  %x = tinytc.load %0[%i, %i, %i] : !tinytc.memref<?x?x6xf32, strided<1, ?, 4>>
  %y = tinytc.load %1[%i, %i, %i] : !tinytc.memref<?x?x6xf32, strided<1, ?, 4>>
  %z = tinytc.load %2[%i] : !tinytc.memref<?xf32>
  %xy = tinytc.binary add %x, %y : f32
  %xyz = tinytc.binary add %xy, %z : f32
  return %xyz : f32
}
