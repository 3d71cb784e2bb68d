// RUN: split-file %s %t.dir
// RUN: not tessera opt %t.dir/sizes.mlir --tinytc-lower-to-core 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not tessera opt %t.dir/results.mlir --tinytc-lower-to-core 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not tessera opt %t.dir/tensors.mlir --tinytc-lower-to-core 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not tessera opt %t.dir/others.mlir --tinytc-lower-to-core 2>&1 | FileCheck %s --check-prefix=OTHERS
// A function that is not a kernel is rejected.

//  SIZES: sizes.mlir:1:1: error: {{.*}}is not a kernel: it lacks `tinytc.subgroup_size` or `tinytc.work_group_size`
//--- sizes.mlir
func.func @f() { return }
//  TYPES: :1:1: error: {{.*}}is not a kernel: it has results, or parameters of other types than numbers, memrefs and groups
//--- results.mlir
func.func @f(%x: f32) -> f32 attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} { return %x : f32 }
//--- tensors.mlir
func.func @f(%x: tensor<4xf32>) attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} { return }
// OTHERS: others.mlir:2:{{.*}} error: {{.*}}is not allowed in a kernel, which may contain only operations of tinytc
//--- others.mlir
func.func @f(%x: i32) attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 16, 1>} {
  %y = arith.addi %x, %x : i32
  return
}
