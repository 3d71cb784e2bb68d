// RUN: tessera opt %s --store-elements | FileCheck %s
// The first and the last assignment of a run are left to bufferization; stores replace the others.

// CHECK-LABEL: func @run(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<4xi32>, %[[V:[a-z0-9]+]]: i32, %[[I:[a-z0-9]+]]: index
//       CHECK:   %[[FIRST:.*]] = tensor.insert %[[V]] into %[[X]][%[[I]]]
//       CHECK:   %[[M:.*]] = bufferization.to_buffer %[[FIRST]] read_only
// CHECK-COUNT-3: memref.store %[[V]], %[[M]][%[[I]]]
//       CHECK:   %[[E:.*]] = memref.load %[[M]][%[[I]]]
//       CHECK:   memref.store %[[E]], %[[M]][%[[I]]]
// CHECK-COUNT-3: memref.store %[[V]], %[[M]][%[[I]]]
//       CHECK:   %[[C:.*]] = memref.load %[[M]][%[[I]]]
//       CHECK:   %[[LAST:.*]] = tensor.insert %[[C]] into %[[FIRST]][%[[I]]]
//       CHECK:   return %[[LAST]]
func.func @run(%x: tensor<4xi32>, %v: i32, %i: index) -> tensor<4xi32> {
  %1 = tensor.insert %v into %x[%i] : tensor<4xi32>
  %2 = tensor.insert %v into %1[%i] : tensor<4xi32>
  %3 = tensor.insert %v into %2[%i] : tensor<4xi32>
  %4 = tensor.insert %v into %3[%i] : tensor<4xi32>
  %e = tensor.extract %4[%i] : tensor<4xi32>
  %5 = tensor.insert %e into %4[%i] : tensor<4xi32>
  %6 = tensor.insert %v into %5[%i] : tensor<4xi32>
  %7 = tensor.insert %v into %6[%i] : tensor<4xi32>
  %8 = tensor.insert %v into %7[%i] : tensor<4xi32>
  return %8 : tensor<4xi32>
}

// Seven assignments cost little.
// CHECK-LABEL: func @short(
//   CHECK-NOT:   memref.store
//       CHECK:   return
func.func @short(%x: tensor<4xi32>, %v: i32, %i: index) -> tensor<4xi32> {
  %1 = tensor.insert %v into %x[%i] : tensor<4xi32>
  %2 = tensor.insert %v into %1[%i] : tensor<4xi32>
  %3 = tensor.insert %v into %2[%i] : tensor<4xi32>
  %4 = tensor.insert %v into %3[%i] : tensor<4xi32>
  %5 = tensor.insert %v into %4[%i] : tensor<4xi32>
  %6 = tensor.insert %v into %5[%i] : tensor<4xi32>
  %7 = tensor.insert %v into %6[%i] : tensor<4xi32>
  return %7 : tensor<4xi32>
}

// The fourth value is read after the assignment that would overwrite it: the run ends there.
// CHECK-LABEL: func @read_later(
//   CHECK-NOT:   memref.store
//       CHECK:   return
func.func @read_later(%x: tensor<4xi32>, %v: i32, %i: index) -> (tensor<4xi32>, i32) {
  %1 = tensor.insert %v into %x[%i] : tensor<4xi32>
  %2 = tensor.insert %v into %1[%i] : tensor<4xi32>
  %3 = tensor.insert %v into %2[%i] : tensor<4xi32>
  %4 = tensor.insert %v into %3[%i] : tensor<4xi32>
  %5 = tensor.insert %v into %4[%i] : tensor<4xi32>
  %6 = tensor.insert %v into %5[%i] : tensor<4xi32>
  %e = tensor.extract %4[%i] : tensor<4xi32>
  %7 = tensor.insert %v into %6[%i] : tensor<4xi32>
  %8 = tensor.insert %v into %7[%i] : tensor<4xi32>
  return %8, %e : tensor<4xi32>, i32
}

// The same if the value is used as a whole.
// CHECK-LABEL: func @read_whole(
//   CHECK-NOT:   memref.store
//       CHECK:   return
func.func @read_whole(%x: tensor<4xi32>, %v: i32, %i: index) -> (tensor<4xi32>, tensor<4xi32>) {
  %1 = tensor.insert %v into %x[%i] : tensor<4xi32>
  %2 = tensor.insert %v into %1[%i] : tensor<4xi32>
  %3 = tensor.insert %v into %2[%i] : tensor<4xi32>
  %4 = tensor.insert %v into %3[%i] : tensor<4xi32>
  %5 = tensor.insert %v into %4[%i] : tensor<4xi32>
  %6 = tensor.insert %v into %5[%i] : tensor<4xi32>
  %7 = tensor.insert %v into %6[%i] : tensor<4xi32>
  %8 = tensor.insert %v into %7[%i] : tensor<4xi32>
  return %8, %4 : tensor<4xi32>, tensor<4xi32>
}

// Branches that only assign are part of a run; if one is at an end, the first element is assigned to itself.
// CHECK-LABEL: func @branches(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<4xi32>
//       CHECK:   %[[E:.*]] = tensor.extract %[[X]][%c0
//       CHECK:   %[[FIRST:.*]] = tensor.insert %[[E]] into %[[X]][%c0
//       CHECK:   %[[M:.*]] = bufferization.to_buffer %[[FIRST]] read_only
// CHECK-COUNT-7: scf.if
//       CHECK:   scf.if
//       CHECK:     memref.load %[[M]]
//       CHECK:     memref.store
//       CHECK:   } else {
//       CHECK:     scf.if
//       CHECK:       memref.store
//       CHECK:   %[[L:.*]] = memref.load %[[M]]
//       CHECK:   %[[LAST:.*]] = tensor.insert %[[L]] into %[[FIRST]]
//       CHECK:   return %[[LAST]]
func.func @branches(%x: tensor<4xi32>, %v: i32, %i: index, %c: i1) -> tensor<4xi32> {
  %1 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %x[%i] : tensor<4xi32>
    scf.yield %w : tensor<4xi32>
  } else {
    scf.yield %x : tensor<4xi32>
  }
  %2 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %1[%i] : tensor<4xi32>
    scf.yield %w : tensor<4xi32>
  } else {
    scf.yield %1 : tensor<4xi32>
  }
  %3 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %2[%i] : tensor<4xi32>
    scf.yield %w : tensor<4xi32>
  } else {
    scf.yield %2 : tensor<4xi32>
  }
  %4 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %3[%i] : tensor<4xi32>
    scf.yield %w : tensor<4xi32>
  } else {
    scf.yield %3 : tensor<4xi32>
  }
  %5 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %4[%i] : tensor<4xi32>
    scf.yield %w : tensor<4xi32>
  } else {
    scf.yield %4 : tensor<4xi32>
  }
  %6 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %5[%i] : tensor<4xi32>
    scf.yield %w : tensor<4xi32>
  } else {
    scf.yield %5 : tensor<4xi32>
  }
  %7 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %6[%i] : tensor<4xi32>
    scf.yield %w : tensor<4xi32>
  } else {
    scf.yield %6 : tensor<4xi32>
  }
  %8 = scf.if %c -> tensor<4xi32> {
    %e = tensor.extract %7[%i] : tensor<4xi32>
    %w = tensor.insert %e into %7[%i] : tensor<4xi32>
    scf.yield %w : tensor<4xi32>
  } else {
    %inner = scf.if %c -> tensor<4xi32> {
      %w = tensor.insert %v into %7[%i] : tensor<4xi32>
      scf.yield %w : tensor<4xi32>
    } else {
      scf.yield %7 : tensor<4xi32>
    }
    scf.yield %inner : tensor<4xi32>
  }
  return %8 : tensor<4xi32>
}

// The branch reads the old value before it assigns, and it is read again afterwards: the old value is needed, too.
// CHECK-LABEL: func @read_later_in_branch(
//   CHECK-NOT:   memref.store
//       CHECK:   return
func.func @read_later_in_branch(%x: tensor<4xi32>, %v: i32, %i: index, %c: i1) -> tensor<4xi32> {
  %1 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %x[%i] : tensor<4xi32>
    %e = tensor.extract %x[%i] : tensor<4xi32>
    %u = tensor.insert %e into %w[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  } else {
    scf.yield %x : tensor<4xi32>
  }
  %2 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %1[%i] : tensor<4xi32>
    %e = tensor.extract %1[%i] : tensor<4xi32>
    %u = tensor.insert %e into %w[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  } else {
    scf.yield %1 : tensor<4xi32>
  }
  %3 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %2[%i] : tensor<4xi32>
    %e = tensor.extract %2[%i] : tensor<4xi32>
    %u = tensor.insert %e into %w[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  } else {
    scf.yield %2 : tensor<4xi32>
  }
  %4 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %3[%i] : tensor<4xi32>
    %e = tensor.extract %3[%i] : tensor<4xi32>
    %u = tensor.insert %e into %w[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  } else {
    scf.yield %3 : tensor<4xi32>
  }
  %5 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %4[%i] : tensor<4xi32>
    %e = tensor.extract %4[%i] : tensor<4xi32>
    %u = tensor.insert %e into %w[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  } else {
    scf.yield %4 : tensor<4xi32>
  }
  %6 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %5[%i] : tensor<4xi32>
    %e = tensor.extract %5[%i] : tensor<4xi32>
    %u = tensor.insert %e into %w[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  } else {
    scf.yield %5 : tensor<4xi32>
  }
  %7 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %6[%i] : tensor<4xi32>
    %e = tensor.extract %6[%i] : tensor<4xi32>
    %u = tensor.insert %e into %w[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  } else {
    scf.yield %6 : tensor<4xi32>
  }
  %8 = scf.if %c -> tensor<4xi32> {
    %w = tensor.insert %v into %7[%i] : tensor<4xi32>
    %e = tensor.extract %7[%i] : tensor<4xi32>
    %u = tensor.insert %e into %w[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  } else {
    scf.yield %7 : tensor<4xi32>
  }
  return %8 : tensor<4xi32>
}
