// RUN: tessera opt %s --lower-contractions="bfloat-tiles=true byte-tiles=true" > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera opt %t.mlir --outline-parallel --expand-strided-metadata --convert-scf-to-cf --convert-vector-to-llvm \
// RUN:   --convert-to-llvm --reconcile-unrealized-casts --bind-parallel --use-runtime \
// RUN:   | mlir-translate --mlir-to-llvmir | llc -O2 -mcpu=sapphirerapids | FileCheck %s --check-prefix=ASM
// RUN: not tessera opt %s --lower-contractions 2>&1 | FileCheck %s --check-prefix=WITHOUT
// Operands in tile order are loaded in place, and sums go to the result directly.

// WITHOUT: has an invalid schedule: the processor has no tile registers for these operands

// Three tiles of rows: the last one has smaller blocks.
// CHECK-LABEL: func private @contraction.0(
//       CHECK:   call @tessera_rt_use_tiles()
//       CHECK:   scf.parallel
// CHECK-COUNT-4: amx.tile_load {{.*}} into !amx.tile<16x16xf32>
//       CHECK:   scf.for
// CHECK-COUNT-4:   amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
// CHECK-COUNT-4:   amx.tile_mulf
//       CHECK:     scf.yield
// CHECK-COUNT-4: amx.tile_store
// CHECK-COUNT-2: amx.tile_load {{.*}} into !amx.tile<16x16xf32>
//       CHECK:   scf.for
// CHECK-COUNT-3:   amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
// CHECK-COUNT-2:   amx.tile_mulf
//       CHECK:     scf.yield
// CHECK-COUNT-2: amx.tile_store
//   CHECK-NOT:   amx.tile_store
// CHECK-LABEL: func private @contraction.1(
// CHECK-COUNT-4: amx.tile_zero
// A step prefetches a quarter of the next panel, since there are two slivers of rows, and a row of four tiles of sums.
// CHECK-COUNT-16:  memref.prefetch {{.*}}, read, locality<2>
// CHECK-COUNT-4:   memref.prefetch {{.*}}, write, locality<3>
//       CHECK:     amx.tile_muli %{{.*}}, %{{.*}} zext, %{{.*}} : !amx.tile<16x64xi8>
//       CHECK:   amx.tile_store
//       CHECK:   arith.maxsi

// ASM-COUNT-4: tdpbsud
//       ASM: tilestored
// ASM-COUNT-4: tdpbf16ps
//   ASM-NOT: tile
//       ASM: j
//       ASM: tilestored

#a = affine_map<(mo, no, mi, ni, ko, ki, kj) -> (mo, ko, mi, ki, kj)>
#b = affine_map<(mo, no, mi, ni, ko, ki, kj) -> (no, ko, ki, ni, kj)>
#c = affine_map<(mo, no, mi, ni, ko, ki, kj) -> (mo, no, mi, ni)>
#all = affine_map<(mo, no, mi, ni) -> (mo, no, mi, ni)>
#loops = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]

func.func @bfloats(%a: memref<3x5x16x16x2xbf16>, %b: memref<4x5x16x16x2xbf16>, %c: memref<3x4x16x16xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = #loops,
                  tessera.schedule = {kernel = "prepacked-tiles", lanes = 16 : i64, rows = 32 : i64, vectors = 2 : i64,
                                      depth = 64 : i64, height = 64 : i64, width = 32 : i64}}
      ins(%a, %b : memref<3x5x16x16x2xbf16>, memref<4x5x16x16x2xbf16>) outs(%c : memref<3x4x16x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %r = math.fma %u, %v, %s fastmath<reassoc> : f32
    linalg.yield %r : f32
  }
  return
}

// Functions of the sums are computed on vectors.
func.func @bytes(%a: memref<2x5x16x16x4xi8>, %b: memref<4x5x16x16x4xi8>, %least: i32) -> memref<2x4x16x16xi32> {
  %zero = arith.constant 0 : i32
  %c = memref.alloc() : memref<2x4x16x16xi32>
  linalg.fill ins(%zero : i32) outs(%c : memref<2x4x16x16xi32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = #loops,
                  tessera.schedule = {kernel = "prepacked-tiles", lanes = 16 : i64, rows = 32 : i64, vectors = 2 : i64,
                                      depth = 512 : i64, height = 64 : i64, width = 64 : i64, prefetch = 1 : i64}}
      ins(%a, %b : memref<2x5x16x16x4xi8>, memref<4x5x16x16x4xi8>) outs(%c : memref<2x4x16x16xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extui %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %r = arith.addi %s, %p : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : memref<2x4x16x16xi32>) outs(%c : memref<2x4x16x16xi32>) {
  ^bb0(%x: i32, %old: i32):
    %r = arith.maxsi %x, %least : i32
    linalg.yield %r : i32
  }
  return %c : memref<2x4x16x16xi32>
}
