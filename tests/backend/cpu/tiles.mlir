// RUN: tessera opt %s --schedule-contractions="bfloat-tiles=true byte-tiles=true" | FileCheck %s --check-prefix=CHOICE
// RUN: tessera opt %s --schedule-contractions | FileCheck %s --check-prefix=WITHOUT
// Tile registers (AMX) are used if the processor has them for both operands and the order of the sum is free.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHOICE-LABEL: func @bfloats(
//       CHOICE:   kernel = "tiles", lanes = 16 : i64, rows = 32 : i64, vectors = 2 : i64
// WITHOUT-LABEL: func @bfloats(
//   WITHOUT-NOT:   "tiles"
//       WITHOUT: return
func.func @bfloats(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = math.fma %u, %v, %s fastmath<reassoc> : f32
    linalg.yield %p : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// CHOICE-LABEL: func @bytes(
//       CHOICE:   kernel = "tiles"
func.func @bytes(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extui %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %q = arith.addi %s, %p : i32
    linalg.yield %q : i32
  } -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// Operands in tile order are read in place, with vectors if there are no tile registers.
// CHOICE-LABEL: func @prepacked(
//       CHOICE:   kernel = "prepacked-tiles", lanes = 16 : i64, prefetch = 1 : i64, rows = 32 : i64, vectors = 2 : i64
// WITHOUT-LABEL: func @prepacked(
//       WITHOUT:   kernel = "prepacked", lanes = 16 : i64, rows = 16 : i64, vectors = 1 : i64
func.func @prepacked(%a: tensor<?x?x16x16x2xbf16>, %b: tensor<?x?x16x16x2xbf16>, %c: tensor<?x?x16x16xf32>)
    -> tensor<?x?x16x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(mo, no, mi, ni, ko, ki, kj) -> (mo, ko, mi, ki, kj)>,
                                        affine_map<(mo, no, mi, ni, ko, ki, kj) -> (no, ko, ki, ni, kj)>,
                                        affine_map<(mo, no, mi, ni, ko, ki, kj) -> (mo, no, mi, ni)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%a, %b : tensor<?x?x16x16x2xbf16>, tensor<?x?x16x16x2xbf16>) outs(%c : tensor<?x?x16x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = math.fma %u, %v, %s fastmath<reassoc> : f32
    linalg.yield %p : f32
  } -> tensor<?x?x16x16xf32>
  return %r : tensor<?x?x16x16xf32>
}

// Column by column, not in pairs of depth: no tile can be loaded from it.
// CHOICE-LABEL: func @otherwise(
//   CHOICE-NOT:   "prepacked
//       CHOICE: return
func.func @otherwise(%a: tensor<?x?x16x32xbf16>, %b: tensor<?x?x32x16xbf16>, %c: tensor<?x?x16x16xf32>)
    -> tensor<?x?x16x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(mo, no, mi, ni, ko, k) -> (mo, ko, mi, k)>,
                                        affine_map<(mo, no, mi, ni, ko, k) -> (no, ko, k, ni)>,
                                        affine_map<(mo, no, mi, ni, ko, k) -> (mo, no, mi, ni)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<?x?x16x32xbf16>, tensor<?x?x32x16xbf16>) outs(%c : tensor<?x?x16x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = math.fma %u, %v, %s fastmath<reassoc> : f32
    linalg.yield %p : f32
  } -> tensor<?x?x16x16xf32>
  return %r : tensor<?x?x16x16xf32>
}

// A chain of fma has one order, and a few rows do not fill a tile.
// CHOICE-LABEL: func @neither(
//   CHOICE-NOT:   "tiles"
//       CHOICE: return
func.func @neither(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x64xf32>,
                   %d: tensor<4x64xbf16>, %e: tensor<4x64xf32>) -> (tensor<64x64xf32>, tensor<4x64xf32>) {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = math.fma %u, %v, %s : f32
    linalg.yield %p : f32
  } -> tensor<64x64xf32>
  %q = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %b : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = math.fma %u, %v, %s fastmath<reassoc> : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  return %r, %q : tensor<64x64xf32>, tensor<4x64xf32>
}
