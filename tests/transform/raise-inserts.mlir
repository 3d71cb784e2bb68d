// RUN: tessera opt %s --raise-inserts | FileCheck %s
// Loops that copy one matrix into another, element by element, become one operation on slices.

// CHECK-LABEL: func @copy(
//  CHECK-SAME:     %[[TO:[a-z0-9]+]]: tensor<8x8xf32>, %[[FROM:[a-z0-9]+]]: tensor<8x8xf32>
//       CHECK:   %[[PART:.*]] = tensor.extract_slice %[[FROM]][1, 2] [6, 3] [1, 1]
//       CHECK:   %[[R:.*]] = tensor.insert_slice %[[PART]] into %[[TO]][1, 3] [6, 3] [1, 1]
//   CHECK-NOT:   tensor.insert {{%}}
//       CHECK:   return %[[R]]
func.func @copy(%to: tensor<8x8xf32>, %from: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %i = %c1 to %c7 step %c1 iter_args(%u = %to) -> (tensor<8x8xf32>) {
    %s = scf.for %j = %c2 to %c5 step %c1 iter_args(%v = %u) -> (tensor<8x8xf32>) {
      %x = tensor.extract %from[%i, %j] : tensor<8x8xf32>
      %next = arith.addi %j, %c1 : index
      %w = tensor.insert %x into %v[%i, %next] : tensor<8x8xf32>
      scf.yield %w : tensor<8x8xf32>
    }
    scf.yield %s : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// From here on: other loops stay.
// CHECK-NOT: tensor.extract_slice

// Each element is read after the one before was written.
func.func @reads_what_it_writes(%to: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%u = %to) -> (tensor<8xf32>) {
    %x = tensor.extract %u[%i] : tensor<8xf32>
    %next = arith.addi %i, %c1 : index
    %w = tensor.insert %x into %u[%next] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Elements in between are skipped.
func.func @other_steps(%to: tensor<8xf32>, %from: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %i = %c0 to %c7 step %c2 iter_args(%u = %to) -> (tensor<8xf32>) {
    %x = tensor.extract %from[%i] : tensor<8xf32>
    %w = tensor.insert %x into %u[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A transposed copy is not a slice.
func.func @transposed(%to: tensor<8x8xf32>, %from: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%u = %to) -> (tensor<8x8xf32>) {
    %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%v = %u) -> (tensor<8x8xf32>) {
      %x = tensor.extract %from[%j, %i] : tensor<8x8xf32>
      %w = tensor.insert %x into %v[%i, %j] : tensor<8x8xf32>
      scf.yield %w : tensor<8x8xf32>
    }
    scf.yield %s : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// The inner bound changes: the elements form a triangle.
func.func @triangle(%to: tensor<8x8xf32>, %from: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%u = %to) -> (tensor<8x8xf32>) {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%v = %u) -> (tensor<8x8xf32>) {
      %x = tensor.extract %from[%i, %j] : tensor<8x8xf32>
      %w = tensor.insert %x into %v[%i, %j] : tensor<8x8xf32>
      scf.yield %w : tensor<8x8xf32>
    }
    scf.yield %s : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// Some elements are skipped.
func.func @conditional(%to: tensor<8xf32>, %from: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%u = %to) -> (tensor<8xf32>) {
    %x = tensor.extract %from[%i] : tensor<8xf32>
    %s = scf.if %p -> (tensor<8xf32>) {
      %w = tensor.insert %x into %u[%i] : tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    } else {
      scf.yield %u : tensor<8xf32>
    }
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Every iteration but the last is overwritten.
func.func @always_the_same_element(%to: tensor<8xf32>, %from: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%u = %to) -> (tensor<8xf32>) {
    %x = tensor.extract %from[%i] : tensor<8xf32>
    %w = tensor.insert %x into %u[%c1] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A slice must be in bounds and must not be empty: the program fails only if it runs.
func.func @outside_and_empty(%to: tensor<8xf32>, %from: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c20 = arith.constant 20 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%u = %to) -> (tensor<8xf32>) {
    %x = tensor.extract %from[%i] : tensor<8xf32>
    %w = tensor.insert %x into %u[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %s = scf.for %i = %c20 to %c9 step %c1 iter_args(%u = %to) -> (tensor<8xf32>) {
    %x = tensor.extract %from[%i] : tensor<8xf32>
    %w = tensor.insert %x into %u[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// No loop at all.
func.func @number(%to: tensor<f32>, %from: tensor<f32>) -> tensor<f32> {
  %x = tensor.extract %from[] : tensor<f32>
  %w = tensor.insert %x into %to[] : tensor<f32>
  return %w : tensor<f32>
}
