// RUN: tessera opt %s --split-loop-state | FileCheck %s
// A time step that reads the old state while it writes the new one needs two buffers with the same contents.

// CHECK-LABEL: func @read_while_written(
//  CHECK-SAME:     %[[INIT:[a-z0-9]+]]: tensor<64xf32>
//       CHECK:   %[[SPARE:.*]] = bufferization.alloc_tensor() copy(%[[INIT]])
//       CHECK:   scf.for {{.*}} iter_args(%[[X:[a-z0-9]+]] = %[[INIT]], %[[W:[a-z0-9]+]] = %[[SPARE]])
//       CHECK:     %[[Y:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[W]])
//       CHECK:       tensor.extract %[[X]]
//       CHECK:     scf.yield %[[Y]], %[[Y]]
func.func @read_while_written(%init: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%x = %init) -> (tensor<64xf32>) {
    %y = scf.for %i = %c1 to %c63 step %c1 iter_args(%w = %x) -> (tensor<64xf32>) {
      %left = arith.subi %i, %c1 : index
      %a = tensor.extract %x[%left] : tensor<64xf32>
      %s = tensor.insert %a into %w[%i] : tensor<64xf32>
      scf.yield %s : tensor<64xf32>
    }
    scf.yield %y : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// Read again after the first write: the same.
// CHECK-LABEL: func @read_after_the_write(
//       CHECK:   bufferization.alloc_tensor
func.func @read_after_the_write(%init: tensor<64xf32>, %n: index, %f: f32) -> (tensor<64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%x = %init, %sum = %f) -> (tensor<64xf32>, f32) {
    %y = tensor.insert %f into %x[%t] : tensor<64xf32>
    %old = tensor.extract %x[%t] : tensor<64xf32>
    %more = arith.addf %sum, %old : f32
    scf.yield %y, %more : tensor<64xf32>, f32
  }
  return %r#0, %r#1 : tensor<64xf32>, f32
}

// Reads before the first write are done by then.
// CHECK-LABEL: func @read_before_the_write(
//   CHECK-NOT:   bufferization.alloc_tensor
//       CHECK:   return
func.func @read_before_the_write(%init: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%x = %init) -> (tensor<64xf32>) {
    %a = tensor.extract %x[%t] : tensor<64xf32>
    %y = tensor.insert %a into %x[%c0] : tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// A value that is built elsewhere overwrites nothing.
// CHECK-LABEL: func @built_elsewhere(
//   CHECK-NOT:   bufferization.alloc_tensor
//       CHECK:   return
func.func @built_elsewhere(%init: tensor<4x4xf32>, %zero: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%x = %init) -> (tensor<4x4xf32>) {
    %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %y : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// Scalars need no buffer.
// CHECK-LABEL: func @scalars_stay(
//   CHECK-NOT:   bufferization.alloc_tensor
//       CHECK:   return
func.func @scalars_stay(%init: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%x = %init) -> (f32) {
    %y = arith.addf %x, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
