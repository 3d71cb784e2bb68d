// RUN: tessera opt %s --store-elements | FileCheck %s
// Of a run of assignments the first and the last are left to bufferisation; between them are stores.

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

// Seven cost little.
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

// The fourth value is read behind the assignment that would overwrite it: no run reaches across.
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

// So it is where the value is seen as a whole.
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
