// RUN: tessera opt %s --lower-contractions | FileCheck %s
// A convolution reads its windows in place. All of the depth is inside a tile: the sums are stored once.

#input = affine_map<(m, w, c, k) -> (c, w + k)>
#weights = affine_map<(m, w, c, k) -> (m, c, k)>
#output = affine_map<(m, w, c, k) -> (m, w)>

// Vectors along the result's rows: nothing is packed.
// CHECK-LABEL: func private @contraction.0(
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:     vector.maskedload
//       CHECK:     math.fma
//   CHECK-NOT:   vector.shuffle
//       CHECK:   vector.store
// Vectors of channels: the weights are packed, and the sums transposed before they are stored.
// CHECK-LABEL: func private @contraction.1(
//       CHECK:   memref.alloc
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:     math.fma
//       CHECK:   vector.shuffle
//       CHECK:   vector.{{(masked)?}}store
//       CHECK:   memref.dealloc
func.func @along(%a: memref<40x102xf32>, %b: memref<16x40x3xf32>, %c: memref<16x100xf32>) {
  linalg.generic {indexing_maps = [#input, #weights, #output], iterator_types = ["parallel", "parallel", "reduction", "reduction"],
                  tessera.schedule = {kernel = "direct", lanes = 8 : i64, rows = 4 : i64, vectors = 2 : i64, unroll = 4 : i64}}
      ins(%a, %b : memref<40x102xf32>, memref<16x40x3xf32>) outs(%c : memref<16x100xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %r = math.fma %x, %y, %s : f32
    linalg.yield %r : f32
  }
  return
}

func.func @across(%a: memref<40x102xf32>, %b: memref<16x40x3xf32>, %c: memref<16x100xf32>) {
  linalg.generic {indexing_maps = [#input, #weights, #output], iterator_types = ["parallel", "parallel", "reduction", "reduction"],
                  tessera.schedule = {across = 1 : i64, kernel = "direct", lanes = 8 : i64, rows = 4 : i64, vectors = 2 : i64}}
      ins(%a, %b : memref<40x102xf32>, memref<16x40x3xf32>) outs(%c : memref<16x100xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %r = math.fma %x, %y, %s : f32
    linalg.yield %r : f32
  }
  return
}
