// RUN: tessera opt %s --lower-contractions=smallest-stream=65536 | FileCheck %s
// Results of many products that exceed the caches are written past them, if vectors are whole and nothing reads them
// again.

// 256 bytes each: from 257 on. Only if lines are aligned.
// CHECK-LABEL: func @streamed(
//       CHECK:   scf.parallel
//       CHECK:     %[[MOST:.*]] = arith.constant 256 : index
//       CHECK:     %[[LARGE:.*]] = arith.cmpi sgt, %{{.*}}, %[[MOST]] : index
//       CHECK:     arith.andi %{{.*}}, %{{.*}} : index
//       CHECK:     %[[ALIGNED:.*]] = arith.cmpi eq,
//       CHECK:     %[[STREAMS:.*]] = arith.andi %[[LARGE]], %[[ALIGNED]] : i1
//       CHECK:     scf.if %[[STREAMS]]
// CHECK-COUNT-8:     vector.store {{.*}} {alignment = 32 : i64, nontemporal = true} : {{.*}} vector<8xf32>
//   CHECK-NOT:       vector.store
//       CHECK:     else
// CHECK-COUNT-8:     vector.store {{.*}} : memref<?xf32>, vector<8xf32>
func.func @streamed(%n: index, %a: memref<?x8x8xf32>, %b: memref<8x8xf32>, %c: memref<?x8x8xf32>) {
  %none = arith.constant 0.0 : f32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %x = memref.subview %a[%i, 0, 0][1, 8, 8][1, 1, 1] : memref<?x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    %y = memref.subview %c[%i, 0, 0][1, 8, 8][1, 1, 1] : memref<?x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%none : f32) outs(%y : memref<8x8xf32, strided<[8, 1], offset: ?>>)
    linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 8 : i64, rows = 8 : i64, vectors = 1 : i64}}
        ins(%x, %b : memref<8x8xf32, strided<[8, 1], offset: ?>>, memref<8x8xf32>) outs(%y : memref<8x8xf32, strided<[8, 1], offset: ?>>)
  }
  return
}

// Results that the next product reads stay in a cache.
// CHECK-LABEL: func @read_again(
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @read_again(%n: index, %b: memref<8x8xf32>, %c: memref<?x8x8xf32>) {
  %none = arith.constant 0.0 : f32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %y = memref.subview %c[%i, 0, 0][1, 8, 8][1, 1, 1] : memref<?x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%none : f32) outs(%y : memref<8x8xf32, strided<[8, 1], offset: ?>>)
    linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 8 : i64, rows = 8 : i64, vectors = 1 : i64}}
        ins(%b, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, strided<[8, 1], offset: ?>>)
    %first = memref.load %c[%i, %zero, %zero] : memref<?x8x8xf32>
    memref.store %first, %b[%zero, %zero] : memref<8x8xf32>
  }
  return
}

// So do results that are added to, and those whose rows are not whole vectors.
// CHECK-LABEL: func @added(
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @added(%n: index, %b: memref<8x8xf32>, %c: memref<?x8x8xf32>, %d: memref<?x8x9xf32>) {
  %none = arith.constant 0.0 : f32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %y = memref.subview %c[%i, 0, 0][1, 8, 8][1, 1, 1] : memref<?x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 8 : i64, rows = 8 : i64, vectors = 1 : i64}}
        ins(%b, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, strided<[8, 1], offset: ?>>)
    %z = memref.subview %d[%i, 0, 0][1, 8, 8][1, 1, 1] : memref<?x8x9xf32> to memref<8x8xf32, strided<[9, 1], offset: ?>>
    linalg.fill ins(%none : f32) outs(%z : memref<8x8xf32, strided<[9, 1], offset: ?>>)
    linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 8 : i64, rows = 8 : i64, vectors = 1 : i64}}
        ins(%b, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%z : memref<8x8xf32, strided<[9, 1], offset: ?>>)
  }
  return
}

// So do parts of lines, which would be read before they are written; and empty results.
// CHECK-LABEL: func @parts(
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @parts(%n: index, %b: memref<8x8xf32>, %c: memref<?x8x32xf32>, %d: memref<0x8xf32>, %e: memref<0x8xf32>) {
  %none = arith.constant 0.0 : f32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %y = memref.subview %c[%i, 0, 0][1, 8, 8][1, 1, 1] : memref<?x8x32xf32> to memref<8x8xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%none : f32) outs(%y : memref<8x8xf32, strided<[32, 1], offset: ?>>)
    linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 8 : i64, rows = 8 : i64, vectors = 1 : i64}}
        ins(%b, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, strided<[32, 1], offset: ?>>)
    linalg.fill ins(%none : f32) outs(%d : memref<0x8xf32>)
    linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 8 : i64, rows = 8 : i64, vectors = 1 : i64}}
        ins(%e, %b : memref<0x8xf32>, memref<8x8xf32>) outs(%d : memref<0x8xf32>)
  }
  return
}
