// RUN: tessera opt %s --cse | FileCheck %s
// Loads are equal unless memory is written in between; what depends on the active work-items is not moved.

// CHECK-LABEL: func @loads
// CHECK-COUNT-2: tinytc.load
// CHECK-NOT: tinytc.load
func.func @loads(%m: !tinytc.memref<4xf32>, %g: !tinytc.group<!tinytc.memref<4xf32>, 2>, %i: index) -> (f32, f32, f32) {
  %0 = tinytc.load %m[%i] : !tinytc.memref<4xf32>
  %1 = tinytc.load %m[%i] : !tinytc.memref<4xf32>
  tinytc.barrier
  %2 = tinytc.load %m[%i] : !tinytc.memref<4xf32>
  %unused = tinytc.load %g[%i] : !tinytc.group<!tinytc.memref<4xf32>, 2>
  return %0, %1, %2 : f32, f32, f32
}

// CHECK-LABEL: func @subgroups
// CHECK-COUNT-2: tinytc.subgroup
func.func @subgroups(%m: !tinytc.memref<4xf32>, %f: f32, %c: i1, %i: index) {
  tinytc.parallel {
    %0 = tinytc.subgroup add reduce %f : f32
    tinytc.store %0, %m[%i] : !tinytc.memref<4xf32>
    tinytc.if %c {
      %1 = tinytc.subgroup add reduce %f : f32
      tinytc.store %1, %m[%i] : !tinytc.memref<4xf32>
    }
  }
  return
}
