// RUN: tessera opt %s --tinytc-check-regions 2>&1 | FileCheck %s
// Work-items that provably part before something that all of them must reach.
!a = !tinytc.coopmatrix<8x8xf32, matrix_acc>

// CHECK: check-regions.mlir:[[#@LINE+7]]:{{.*}}not all work-items of the group reach this barrier
func.func @barrier(%n: i32) attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} {
  %c3 = tinytc.constant i32 3
  tinytc.parallel {
    %id = tinytc.builtin subgroup_local_id : i32
    %c = tinytc.compare lt %id, %c3 : i32
    tinytc.if %c {
      tinytc.barrier {local}
    }
  }
  return
}
// CHECK: check-regions.mlir:[[#@LINE+7]]:{{.*}}not all work-items of the subgroup reach
// CHECK: check-regions.mlir:[[#@LINE+8]]:{{.*}}an operand that must be the same
func.func @matrices(%m: !tinytc.memref<8x8xf32>, %n: index) attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} {
  tinytc.parallel {
    %id = tinytc.builtin subgroup_local_id : i32
    %x = tinytc.cast %id : i32 -> index
    tinytc.for %i : index = %n, %x {
      %0 = tinytc.coop_load %m[%i, %n] : !tinytc.memref<8x8xf32> -> !a
    }
    %1 = tinytc.coop_load %m[%n, %x] : !tinytc.memref<8x8xf32> -> !a
  }
  return
}
// What may be the same is not reported: all lanes are less than 16, and loads may agree.
// CHECK-NOT: warning
func.func @fine(%m: !tinytc.memref<16xi32>, %n: index) attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} {
  %c16 = tinytc.constant i32 16
  %f = tinytc.constant f32 1.0
  tinytc.parallel {
    %id = tinytc.builtin subgroup_local_id : i32
    %c = tinytc.compare lt %id, %c16 : i32
    tinytc.if %c {
      tinytc.barrier
    }
    %x = tinytc.cast %id : i32 -> index
    %y = tinytc.load %m[%x] : !tinytc.memref<16xi32>
    %z = tinytc.broadcast %f, %y : f32
  }
  return
}
