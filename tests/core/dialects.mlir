// Which operations are legal in a module at which stage.
// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir

// [core.2] Values, mathematics and control flow are core.
// RUN: tessera emit --from=core core.mlir --stage=optimized -O0 | FileCheck %s --check-prefix=CORE
// CORE: math.sqrt
// CORE: linalg.fill
// CORE: scf.for

// Vectors, memory and target operations are not.
// RUN: not tessera emit --from=core vector.mlir --stage=optimized -O0 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: 'vector.broadcast' op is not legal at stage `{{core|optimized}}`
// RUN: not tessera emit --from=core memref.mlir --stage=optimized -O0 2>&1 | FileCheck %s --check-prefix=MEMREF
// MEMREF: 'memref.alloc' op is not legal at stage `{{core|optimized}}`
// RUN: not tessera emit --from=core llvm.mlir --stage=optimized -O0 2>&1 | FileCheck %s --check-prefix=LLVM
// LLVM: 'llvm.mlir.constant' op is not legal at stage `{{core|optimized}}`
// RUN: not tessera emit --from=core bufferization.mlir --stage=optimized -O0 2>&1 | FileCheck %s --check-prefix=BUFFERIZATION
// BUFFERIZATION: 'bufferization.alloc_tensor' op is not legal at stage `{{core|optimized}}`

// [core.5] From `scheduled` on, contractions may be in buffer form, and destinations are explicit.
// RUN: tessera emit --from=scheduled vector.mlir --stage=scheduled -O0 | FileCheck %s --check-prefix=KERNEL
// KERNEL: vector.broadcast
// RUN: tessera emit --from=scheduled memref.mlir --stage=scheduled -O0 | FileCheck %s --check-prefix=BUFFER
// BUFFER: memref.alloc
// RUN: tessera emit --from=scheduled bufferization.mlir --stage=scheduled -O0 | FileCheck %s --check-prefix=DESTINATION
// DESTINATION: bufferization.alloc_tensor
// RUN: not tessera emit --from=optimized llvm.mlir --stage=scheduled -O0 2>&1 | FileCheck %s --check-prefix=SCHEDULED
// SCHEDULED: 'llvm.mlir.constant' op is not legal at stage `{{optimized|scheduled}}`

// [core.6] At `loops` there is memory, and no tensor is left.
// RUN: tessera emit --from=scheduled core.mlir --stage=loops -O0 | FileCheck %s --check-prefix=LOOPS
// LOOPS-NOT: tensor
// LOOPS: memref.store
// RUN: not tessera emit --from=scheduled llvm.mlir --stage=loops -O0 2>&1 | FileCheck %s --check-prefix=NOLOOPS
// NOLOOPS: 'llvm.mlir.constant' op is not legal at stage `{{scheduled|loops}}`

// After that, only LLVM.
// RUN: tessera emit --from=loops memref.mlir --stage=llvm -O0 | FileCheck %s --check-prefix=OBJECT
// OBJECT: call ptr @tessera_rt_alloc

//--- core.mlir
func.func private @f(%x: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %new = tensor.empty(%n) : tensor<?xf32>
  %y = math.sqrt %x : f32
  %full = linalg.fill ins(%y : f32) outs(%new : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %full) -> (tensor<?xf32>) {
    %s = tensor.insert %x into %t[%i] : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
//--- vector.mlir
func.func private @f(%x: f32) -> vector<4xf32> {
  %v = vector.broadcast %x : f32 to vector<4xf32>
  return %v : vector<4xf32>
}
//--- memref.mlir
func.func @main() -> f32 attributes {tessera.entry = "main"} {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %y = memref.load %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %y : f32
}
//--- llvm.mlir
func.func private @f() -> i32 {
  %x = llvm.mlir.constant(1 : i32) : i32
  return %x : i32
}
//--- bufferization.mlir
func.func private @f() -> tensor<4xf32> {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  return %t : tensor<4xf32>
}
