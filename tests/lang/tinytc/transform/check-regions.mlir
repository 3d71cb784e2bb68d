// RUN: tessera opt %s --tinytc-check-regions | FileCheck %s
// Work-items that provably diverge before an operation that all of them must reach.
!a = !tinytc.coopmatrix<8x8xf32, matrix_acc>

// CHECK-LABEL: func @barrier
// CHECK: tinytc.barrier {local, tinytc.divergent = "not all work-items of the work-group reach this barrier"}
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
// CHECK-LABEL: func @matrices
// CHECK: tinytc.coop_load {{.*}} {tinytc.divergent = "not all work-items of the subgroup reach this operation on matrices"}
// CHECK: tinytc.coop_load {{.*}} {tinytc.divergent = "an operand that must be the same in the whole subgroup differs among its work-items"}
func.func @matrices(%m: !tinytc.memref<8x8xf32>, %n: index) attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} {
  %none = tinytc.constant index 0
  tinytc.parallel {
    %id = tinytc.builtin subgroup_local_id : i32
    %x = tinytc.cast %id : i32 -> index
    tinytc.for %i : index = %none, %x {
      %0 = tinytc.coop_load %m[%i, %n] : !tinytc.memref<8x8xf32> -> !a
    }
    %1 = tinytc.coop_load %m[%n, %x] : !tinytc.memref<8x8xf32> -> !a
  }
  return
}
// Values that may be equal are not reported: all lanes are less than 16, and loads may agree.
// CHECK-LABEL: func @fine
// CHECK-NOT: divergent
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

// All work-items take the same path: no multiple of 2 is 3, one iteration is enough for all, and a loop has no iterations.
// CHECK-LABEL: func @together
// CHECK-NOT: tinytc.divergent
func.func @together(%m: !tinytc.memref<8x8xf32>) attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} {
  %c0 = tinytc.constant index 0
  %none = tinytc.constant i32 0
  %c1 = tinytc.constant i32 1
  %c2 = tinytc.constant i32 2
  %c3 = tinytc.constant i32 3
  %c64 = tinytc.constant i32 64
  %c100 = tinytc.constant i32 100
  tinytc.parallel {
    %id = tinytc.builtin subgroup_local_id : i32
    %twice = tinytc.binary mul %id, %c2 : i32
    %isOther = tinytc.compare ne %twice, %c3 : i32
    tinytc.if %isOther {
      %0 = tinytc.coop_load %m[%c0, %c0] : !tinytc.memref<8x8xf32> -> !a
    }
    %next = tinytc.binary add %id, %c1 : i32
    tinytc.for %i : i32 = %none, %next step %c64 {
      tinytc.barrier {local}
    }
    tinytc.for %i : i32 = %c100, %id {
      tinytc.barrier {local}
    }
  }
  return
}

// The first and the last lane decide; the interval over all iterations is wider than that of any one.
// CHECK-LABEL: func @ends
// CHECK: tinytc.barrier {local, tinytc.divergent =
// CHECK: tinytc.barrier {local, tinytc.divergent =
// CHECK: tinytc.barrier {local, tinytc.divergent =
// CHECK-NOT: tinytc.divergent
func.func @ends() attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} {
  %c0 = tinytc.constant i32 0
  %c4 = tinytc.constant i32 4
  %c15 = tinytc.constant i32 15
  %c16 = tinytc.constant i32 16
  %c32 = tinytc.constant i32 32
  tinytc.parallel {
    %id = tinytc.builtin subgroup_local_id : i32
    %isFirst = tinytc.compare eq %id, %c0 : i32
    tinytc.if %isFirst {
      tinytc.barrier {local}
    }
    %isNotLast = tinytc.compare gt %c15, %id : i32
    tinytc.if %isNotLast {
      tinytc.barrier {local}
    }
    %isLater = tinytc.compare gt %id, %c0 : i32
    tinytc.if %isLater {
      tinytc.barrier {local}
    }
    tinytc.for %i : i32 = %c0, %c4 {
      %base = tinytc.binary mul %i, %c16 : i32
      %at = tinytc.binary add %base, %id : i32
      %isEarly = tinytc.compare lt %at, %c32 : i32
      tinytc.if %isEarly {
        tinytc.barrier {local}
      }
    }
  }
  return
}
