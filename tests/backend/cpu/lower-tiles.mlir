// RUN: tessera opt %s --lower-contractions="bfloat-tiles=true byte-tiles=true" > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera opt %t.mlir --outline-parallel --expand-strided-metadata --convert-scf-to-cf --convert-vector-to-llvm \
// RUN:   --convert-to-llvm --reconcile-unrealized-casts --bind-parallel --use-runtime \
// RUN:   | mlir-translate --mlir-to-llvmir | llc -O2 -mcpu=sapphirerapids | FileCheck %s --check-prefix=ASM
// RUN: not tessera opt %s --lower-contractions 2>&1 | FileCheck %s --check-prefix=WITHOUT
// Two by two tiles of sums stay in tile registers over all of the depth; later operations read them from memory.

// WITHOUT: has an invalid schedule: the processor has no tile registers for these operands

// CHECK-LABEL: func private @contraction.0(
//       CHECK:   call @tessera_rt_use_tiles()
// CHECK-COUNT-4: amx.tile_zero
//       CHECK:   scf.for
// CHECK-COUNT-4:   amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
// CHECK-COUNT-4:   amx.tile_mulf
//       CHECK:     scf.yield
// CHECK-COUNT-4: amx.tile_store
//       CHECK:   arith.addf
//       CHECK:   vector.maskedstore
// CHECK-LABEL: func private @contraction.1(
//       CHECK:   amx.tile_muli %{{.*}}, %{{.*}} zext, %{{.*}} : !amx.tile<16x64xi8>

//       ASM: tileloadd
// ASM-COUNT-4: tdpbf16ps
//   ASM-NOT: tilestored
//       ASM: j
//       ASM: tilestored
//       ASM: tdpbsud

func.func @bfloats(%a: memref<40x70xbf16>, %b: memref<70x50xbf16>, %c: memref<40x50xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"],
                  tessera.schedule = {kernel = "tiles", lanes = 16 : i64, rows = 32 : i64, vectors = 2 : i64,
                                      depth = 64 : i64, height = 64 : i64, width = 64 : i64}}
      ins(%a, %b : memref<40x70xbf16>, memref<70x50xbf16>) outs(%c : memref<40x50xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %r = math.fma %u, %v, %s fastmath<reassoc> : f32
    linalg.yield %r : f32
  }
  return
}

func.func @bytes(%a: memref<40x70xi8>, %b: memref<50x70xi8>, %c: memref<40x50xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"],
                  tessera.schedule = {kernel = "tiles", lanes = 16 : i64, rows = 32 : i64, vectors = 2 : i64,
                                      depth = 64 : i64, height = 64 : i64, width = 64 : i64}}
      ins(%a, %b : memref<40x70xi8>, memref<50x70xi8>) outs(%c : memref<40x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extui %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %r = arith.addi %s, %p : i32
    linalg.yield %r : i32
  }
  return
}
