// RUN: tessera opt %s --outline-parallel | FileCheck %s
// Parallel loops become functions that run a range of iterations, which the runtime's threads call.

// CHECK-LABEL: func @two_dimensions(
//  CHECK-SAME:     %[[M:[a-z0-9]+]]: memref<?x?xf32>, %[[N:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: f32
//       CHECK:   %[[COUNT:.*]] = arith.index_cast %[[N]] : index to i64
//       CHECK:   call @parallel.0.launch(%[[COUNT]], %{{.*}}, %[[X]], %[[M]], %[[N]], %[[K]])
//   CHECK-NOT:   scf.parallel
func.func @two_dimensions(%m: memref<?x?xf32>, %n: index, %k: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %k) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }
  return
}

// A loop inside another one runs on one thread.
// CHECK-LABEL: func @nested(
//       CHECK:   call @parallel.1.launch(
//   CHECK-NOT:   call
//       CHECK:   return
func.func @nested(%m: memref<?x?xf32>, %n: index, %k: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%k) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// A loop may specify its own grain.
// CHECK-LABEL: func @own_grain(
//       CHECK:   %[[GRAIN:.*]] = arith.constant 3 : i64
//       CHECK:   call @parallel.2.launch(%{{.*}}, %[[GRAIN]],
func.func @own_grain(%m: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%i] : memref<?xf32>
  } {tessera.grain = 3}
  return
}

// Chunks are counted from 0 by 1; other loops stay.
// CHECK-LABEL: func @other_counting_stays(
// CHECK-COUNT-2: scf.parallel
//       CHECK:   return
func.func @other_counting_stays(%m: memref<?xf32>, %begin: index, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%begin) to (%n) step (%c1) {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c2) {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  return
}

// The order of a sum affects its value.
// CHECK-LABEL: func @reductions_stay(
//       CHECK:   scf.parallel
func.func @reductions_stay(%m: memref<?xf32>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    %a = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%a : f32) {
    ^bb0(%left: f32, %right: f32):
      %sum = arith.addf %left, %right : f32
      scf.reduce.return %sum : f32
    }
  }
  return %r : f32
}

// Chunks made by a front end are launched from inside another loop too, if that loop is short.
// CHECK-LABEL: func @cut(
//       CHECK:   call @parallel.4.launch
func.func @cut(%m: memref<?x?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
    } {tessera.grain = 1 : i64}
  }
  return
}

// The launcher is only declared, for `bind-parallel`; the body runs from lo to hi and duplicates its constants.
//       CHECK: func private @parallel.0.launch(i64, i64, f32, memref<?x?xf32>, index, index)
// CHECK-LABEL: func private @parallel.0(
//  CHECK-SAME:     %[[LO:[a-z0-9]+]]: i64, %[[HI:[a-z0-9]+]]: i64,
//   CHECK-DAG:   %[[BEGIN:.*]] = arith.index_cast %[[LO]]
//   CHECK-DAG:   %[[END:.*]] = arith.index_cast %[[HI]]
//       CHECK:   scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]]
//       CHECK:     scf.for %[[J:[a-z0-9]+]] =
//       CHECK:       memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// CHECK-LABEL: func private @parallel.1(
//       CHECK:   scf.for
//       CHECK:     scf.for
//   CHECK-NOT:   scf.parallel
//       CHECK:   return
// CHECK-LABEL: func private @parallel.4(
//       CHECK:   scf.for
//       CHECK:     call @parallel.3.launch
