// RUN: tessera opt %s --drop-void-slices | FileCheck %s
// A slice without an element of its source is only a shape.

// CHECK-LABEL: func @empty(
//       CHECK:   %[[E:.*]] = tensor.empty() : tensor<0x4xi32>
//       CHECK:   return %[[E]]
func.func @empty(%m: tensor<?x?xi32>) -> tensor<0x4xi32> {
  %s = tensor.extract_slice %m[0, 0] [0, 4] [1, 1] : tensor<?x?xi32> to tensor<0x4xi32>
  return %s : tensor<0x4xi32>
}

// CHECK-LABEL: func @before_its_source(
//       CHECK:   tensor.empty() : tensor<3xi32>
func.func @before_its_source(%m: tensor<5xi32>) -> tensor<3xi32> {
  %begin = arith.constant -1 : index
  %s = tensor.extract_slice %m[%begin] [3] [1] : tensor<5xi32> to tensor<3xi32>
  return %s : tensor<3xi32>
}

// CHECK-LABEL: func @backwards(
//       CHECK:   %[[E:.*]] = tensor.empty() : tensor<0xi32>
//       CHECK:   tensor.cast %[[E]] : tensor<0xi32> to tensor<?xi32>
func.func @backwards(%m: tensor<5xi32>) -> tensor<?xi32> {
  %size = arith.constant -2 : index
  %s = tensor.extract_slice %m[3] [%size] [1] : tensor<5xi32> to tensor<?xi32>
  return %s : tensor<?xi32>
}

// CHECK-LABEL: func @after_its_source(
//  CHECK-SAME:     %{{.*}}: tensor<5xi32>, %[[N:.*]]: index
//       CHECK:   tensor.empty(%[[N]]) : tensor<?xi32>
func.func @after_its_source(%m: tensor<5xi32>, %n: index) -> tensor<?xi32> {
  %begin = arith.constant 5 : index
  %s = tensor.extract_slice %m[%begin] [%n] [1] : tensor<5xi32> to tensor<?xi32>
  return %s : tensor<?xi32>
}

// CHECK-LABEL: func @of_nothing_after_a_cast(
//   CHECK-NOT:   tensor.extract_slice
func.func @of_nothing_after_a_cast(%m: tensor<0xi32>, %n: index) -> tensor<?xi32> {
  %cast = tensor.cast %m : tensor<0xi32> to tensor<?xi32>
  %s = tensor.extract_slice %cast[0] [%n] [1] : tensor<?xi32> to tensor<?xi32>
  return %s : tensor<?xi32>
}

// CHECK-LABEL: func @others_stay(
//       CHECK:   tensor.extract_slice
func.func @others_stay(%m: tensor<5xi32>, %i: index, %n: index) -> tensor<?xi32> {
  %s = tensor.extract_slice %m[%i] [%n] [1] : tensor<5xi32> to tensor<?xi32>
  return %s : tensor<?xi32>
}
