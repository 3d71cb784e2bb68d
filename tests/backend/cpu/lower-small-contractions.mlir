// RUN: tessera opt %s --lower-contractions | FileCheck %s
// Small products do in registers what others do with copies.

// A transposed operand of a single tile is transposed in registers, four steps at a time: of five, the first and then
// the last four.
// CHECK-LABEL: func @turned(
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   scf.for
// CHECK-COUNT-4: vector.load {{.*}} vector<4xf32>
//       CHECK:   vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5]
// CHECK-COUNT-10: math.fma
//   CHECK-NOT:   math.fma
//       CHECK:   return
func.func @turned(%a: memref<2x5xf32>, %b: memref<4x5xf32>, %c: memref<2x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"],
                  tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x5xf32>, memref<4x5xf32>) outs(%c : memref<2x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %r = math.fma %x, %y, %sum : f32
    linalg.yield %r : f32
  }
  return
}

// Inside a parallel loop there may be many small products of unknown sizes: they have tiles of all sizes.
// CHECK-LABEL: func @open(
//       CHECK:   scf.parallel
//       CHECK:   call @[[SMALL:contraction.0]](
//       CHECK:   call @contraction.1(
//       CHECK:   func private @[[SMALL]](
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.index_switch
//       CHECK:   case 1 {
//       CHECK:     scf.index_switch
//       CHECK:     case 7 {
//       CHECK:   case 2 {
//       CHECK:   default {
//       CHECK:   func private @contraction.1
func.func @open(%n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    linalg.matmul {tessera.schedule = {kernel = "blocked", lanes = 16 : i64, rows = 14 : i64, vectors = 2 : i64, depth = 256 : i64, width = 1024 : i64, pack_rhs = 65536 : i64}}
        ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  }
  return
}

// With known sizes and operands from memory, tiles have all columns of up to four vectors, and fewer rows: here two.
// CHECK-LABEL: func private @contraction.2(
//       CHECK:   scf.for {{.*}} iter_args
// CHECK-COUNT-8:     math.fma
//   CHECK-NOT:   math.fma
func.func @in_one_go(%n: index, %a: memref<6x40xf32>, %b: memref<40x64xf32>, %c: memref<6x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    linalg.matmul {tessera.schedule = {kernel = "blocked", lanes = 16 : i64, rows = 6 : i64, vectors = 2 : i64}}
        ins(%a, %b : memref<6x40xf32>, memref<40x64xf32>) outs(%c : memref<6x64xf32>)
  }
  return
}

// Columns that do not fill a tile have tiles of their own: half as wide and twice as high, with no masks and no useless
// sums.
// CHECK-LABEL: func private @contraction.3(
//   CHECK-NOT:   vector.create_mask
// CHECK-COUNT-8:     math.fma {{.*}} vector<8xf32>
//       CHECK:   scf.for
// CHECK-COUNT-4:     math.fma {{.*}} vector<4xf32>
//   CHECK-NOT:   math.fma
//   CHECK-NOT:   vector.create_mask
//       CHECK:   return
func.func @narrow_rest(%n: index, %a: memref<4x40xf32>, %b: memref<40x36xf32>, %c: memref<4x36xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    linalg.matmul {tessera.schedule = {kernel = "blocked", lanes = 8 : i64, rows = 4 : i64, vectors = 2 : i64}}
        ins(%a, %b : memref<4x40xf32>, memref<40x36xf32>) outs(%c : memref<4x36xf32>)
  }
  return
}

// The first tile of a transposed operand packs it, four steps ahead of the multiplication; the second one reads the
// packed data.
// CHECK-LABEL: func private @contraction.4(
//       CHECK:   %[[PANEL:.*]] = memref.cast %{{.*}} : memref<320xf32>
// CHECK-COUNT-4:   vector.store {{.*}}, %[[PANEL]]
//       CHECK:   scf.for {{.*}} iter_args
// CHECK-COUNT-4:     vector.store {{.*}}, %[[PANEL]]
// CHECK-COUNT-16:    math.fma
//       CHECK:   scf.for {{.*}} iter_args
//   CHECK-NOT:     vector.store
//       CHECK:     vector.load %[[PANEL]]
// CHECK-COUNT-4:     math.fma
func.func @packed_by_a_tile(%n: index, %a: memref<8x40xf32>, %b: memref<8x40xf32>, %c: memref<8x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction"],
                    tessera.schedule = {kernel = "blocked", lanes = 8 : i64, rows = 4 : i64, vectors = 1 : i64}}
        ins(%a, %b : memref<8x40xf32>, memref<8x40xf32>) outs(%c : memref<8x8xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %r = math.fma %x, %y, %sum : f32
      linalg.yield %r : f32
    }
  }
  return
}
