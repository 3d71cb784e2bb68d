// Kernels as tinytc lowers them, written by hand: columns of a matrix, members of groups, and every type of scalar.
module attributes {tessera.language = "tinytc"} {

// func @scale(%alpha: f32, %A: memref<f32x?x?>): group g scales column g.
func.func @scale(%args: !llvm.ptr, %launch: !llvm.ptr) attributes {tessera.buffers, tessera.entry = "scale", tessera.kernel = [
    {name = "alpha", kind = "scalar", element = "float32"},
    {name = "A", kind = "memref", element = "float32", shape = array<i64: -1, -1>, strides = array<i64: 1, -1>}]} {
  %alpha = llvm.load %args : !llvm.ptr -> f32
  %p1 = llvm.getelementptr %args[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f32, ptr, i64, i64, i64)>
  %p2 = llvm.getelementptr %args[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f32, ptr, i64, i64, i64)>
  %p4 = llvm.getelementptr %args[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f32, ptr, i64, i64, i64)>
  %A = llvm.load %p1 : !llvm.ptr -> !llvm.ptr
  %rows = llvm.load %p2 : !llvm.ptr -> i64
  %stride = llvm.load %p4 : !llvm.ptr -> i64
  %groups = llvm.load %launch : !llvm.ptr -> i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.index_cast %groups : i64 to index
  %m = arith.index_cast %rows : i64 to index
  scf.parallel (%g) = (%c0) to (%n) step (%c1) {
    %column = arith.index_cast %g : index to i64
    %start = arith.muli %column, %stride : i64
    scf.for %i = %c0 to %m step %c1 {
      %row = arith.index_cast %i : index to i64
      %at = arith.addi %start, %row : i64
      %p = llvm.getelementptr %A[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %y = arith.mulf %x, %alpha : f32
      llvm.store %y, %p : f32, !llvm.ptr
    }
    scf.reduce
  } {tessera.grain = 1 : i64}
  return
}

// func @add(%A: group<memref<f64x2x2>x?, offset: ?> {alignment=16}, %B: group<memref<f64x?>x?>, %C: memref<i64x3x2,strided<1,4>>):
// group g adds A[g] to the first four elements of B[g], and writes their number to C[g, 1].
func.func @add(%args: !llvm.ptr, %launch: !llvm.ptr) attributes {tessera.buffers, tessera.entry = "add", tessera.kernel = [
    {name = "A", kind = "group", element = "float64", shape = array<i64: 2, 2>, strides = array<i64: 1, 2>, count = -1 : i64, offset = -1 : i64, alignment = 16 : i64},
    {name = "B", kind = "group", element = "float64", shape = array<i64: -1>, strides = array<i64: 1>, count = -1 : i64, offset = 0 : i64},
    {name = "C", kind = "memref", element = "int64", shape = array<i64: 3, 2>, strides = array<i64: 1, 4>}]} {
  %p2 = llvm.getelementptr %args[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr, i64, ptr)>
  %p3 = llvm.getelementptr %args[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr, i64, ptr)>
  %p4 = llvm.getelementptr %args[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr, i64, ptr)>
  %p6 = llvm.getelementptr %args[0, 6] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr, i64, ptr)>
  %A = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %offset = llvm.load %p2 : !llvm.ptr -> i64
  %B = llvm.load %p3 : !llvm.ptr -> !llvm.ptr
  %sizes = llvm.load %p4 : !llvm.ptr -> !llvm.ptr
  %C = llvm.load %p6 : !llvm.ptr -> !llvm.ptr
  %groups = llvm.load %launch : !llvm.ptr -> i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %four = arith.constant 4 : i64
  %n = arith.index_cast %groups : i64 to index
  scf.parallel (%g) = (%c0) to (%n) step (%c1) {
    %group = arith.index_cast %g : index to i64
    %pa = llvm.getelementptr %A[%group] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
    %pb = llvm.getelementptr %B[%group] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
    %ps = llvm.getelementptr %sizes[%group] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %a = llvm.load %pa : !llvm.ptr -> !llvm.ptr
    %b = llvm.load %pb : !llvm.ptr -> !llvm.ptr
    %size = llvm.load %ps : !llvm.ptr -> i64
    scf.for %i = %c0 to %c4 step %c1 {
      %at = arith.index_cast %i : index to i64
      %from = arith.addi %at, %offset : i64
      %pax = llvm.getelementptr %a[%from] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %pbx = llvm.getelementptr %b[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %isIn = arith.cmpi slt, %at, %size : i64
      scf.if %isIn {
        %x = llvm.load %pax : !llvm.ptr -> f64
        %y = llvm.load %pbx : !llvm.ptr -> f64
        %z = arith.addf %x, %y : f64
        llvm.store %z, %pbx : f64, !llvm.ptr
      }
    }
    %place = arith.addi %group, %four : i64
    %pc = llvm.getelementptr %C[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %size, %pc : i64, !llvm.ptr
    scf.reduce
  } {tessera.grain = 1 : i64}
  return
}

// func @types(%flag: bool, %a: i8, %b: i16, %c: i32, %d: i64, %h: f16, %e: bf16, %x: f32, %u: c32, %y: f64, %v: c64, %w: c64,
//             %z: c64, %q: f64, %0: memref<f64x18>, %M: memref<c32x2x2>):
// Each number goes to the next element of %0; the parts of %M change places.
func.func @types(%args: !llvm.ptr, %launch: !llvm.ptr) attributes {tessera.buffers, tessera.entry = "types", tessera.kernel = [
    {name = "flag", kind = "scalar", element = "bool"}, {name = "a", kind = "scalar", element = "int8"},
    {name = "b", kind = "scalar", element = "int16"}, {name = "c", kind = "scalar", element = "int32"},
    {name = "d", kind = "scalar", element = "int64"}, {name = "h", kind = "scalar", element = "float16"},
    {name = "e", kind = "scalar", element = "bfloat16"}, {name = "x", kind = "scalar", element = "float32"},
    {name = "u", kind = "scalar", element = "float32", complex}, {name = "y", kind = "scalar", element = "float64"},
    {name = "v", kind = "scalar", element = "float64", complex}, {name = "w", kind = "scalar", element = "float64", complex},
    {name = "z", kind = "scalar", element = "float64", complex}, {name = "q", kind = "scalar", element = "float64"},
    {name = "0", kind = "memref", element = "float64", shape = array<i64: 18>, strides = array<i64: 1>},
    {name = "M", kind = "memref", element = "float32", complex, shape = array<i64: 2, 2>, strides = array<i64: 1, 2>}]} {
  %p0 = llvm.getelementptr %args[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p1 = llvm.getelementptr %args[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p2 = llvm.getelementptr %args[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p3 = llvm.getelementptr %args[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p4 = llvm.getelementptr %args[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p5 = llvm.getelementptr %args[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p6 = llvm.getelementptr %args[0, 6] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p7 = llvm.getelementptr %args[0, 7] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p8 = llvm.getelementptr %args[0, 8] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p9 = llvm.getelementptr %args[0, 9] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p14 = llvm.getelementptr %args[0, 14] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %p15 = llvm.getelementptr %args[0, 15] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8, i16, i32, i64, f16, bf16, f32, struct<(f32, f32)>, f64, struct<(f64, f64)>, struct<(f64, f64)>, struct<(f64, f64)>, f64, ptr, ptr)>
  %out = llvm.load %p14 : !llvm.ptr -> !llvm.ptr
  %M = llvm.load %p15 : !llvm.ptr -> !llvm.ptr
  %flag = llvm.load %p0 : !llvm.ptr -> i8
  %a = llvm.load %p1 : !llvm.ptr -> i8
  %b = llvm.load %p2 : !llvm.ptr -> i16
  %c = llvm.load %p3 : !llvm.ptr -> i32
  %d = llvm.load %p4 : !llvm.ptr -> i64
  %h = llvm.load %p5 : !llvm.ptr -> f16
  %e = llvm.load %p6 : !llvm.ptr -> bf16
  %x = llvm.load %p7 : !llvm.ptr -> f32
  %u = llvm.load %p8 : !llvm.ptr -> !llvm.struct<(f32, f32)>
  %ur = llvm.extractvalue %u[0] : !llvm.struct<(f32, f32)>
  %ui = llvm.extractvalue %u[1] : !llvm.struct<(f32, f32)>
  %f0 = arith.sitofp %flag : i8 to f64
  %f1 = arith.sitofp %a : i8 to f64
  %f2 = arith.sitofp %b : i16 to f64
  %f3 = arith.sitofp %c : i32 to f64
  %f4 = arith.sitofp %d : i64 to f64
  %f5 = arith.extf %h : f16 to f64
  %f6 = arith.extf %e : bf16 to f64
  %f7 = arith.extf %x : f32 to f64
  %f8 = arith.extf %ur : f32 to f64
  %f9 = arith.extf %ui : f32 to f64
  %o1 = llvm.getelementptr %out[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %o2 = llvm.getelementptr %out[2] : (!llvm.ptr) -> !llvm.ptr, f64
  %o3 = llvm.getelementptr %out[3] : (!llvm.ptr) -> !llvm.ptr, f64
  %o4 = llvm.getelementptr %out[4] : (!llvm.ptr) -> !llvm.ptr, f64
  %o5 = llvm.getelementptr %out[5] : (!llvm.ptr) -> !llvm.ptr, f64
  %o6 = llvm.getelementptr %out[6] : (!llvm.ptr) -> !llvm.ptr, f64
  %o7 = llvm.getelementptr %out[7] : (!llvm.ptr) -> !llvm.ptr, f64
  %o8 = llvm.getelementptr %out[8] : (!llvm.ptr) -> !llvm.ptr, f64
  %o9 = llvm.getelementptr %out[9] : (!llvm.ptr) -> !llvm.ptr, f64
  llvm.store %f0, %out : f64, !llvm.ptr
  llvm.store %f1, %o1 : f64, !llvm.ptr
  llvm.store %f2, %o2 : f64, !llvm.ptr
  llvm.store %f3, %o3 : f64, !llvm.ptr
  llvm.store %f4, %o4 : f64, !llvm.ptr
  llvm.store %f5, %o5 : f64, !llvm.ptr
  llvm.store %f6, %o6 : f64, !llvm.ptr
  llvm.store %f7, %o7 : f64, !llvm.ptr
  llvm.store %f8, %o8 : f64, !llvm.ptr
  llvm.store %f9, %o9 : f64, !llvm.ptr
  // What follows in the struct are eight float64: y, v, w, z, q.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %ten = arith.constant 10 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i64
    %to = arith.addi %k, %ten : i64
    %pf = llvm.getelementptr %p9[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %pt = llvm.getelementptr %out[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %value = llvm.load %pf : !llvm.ptr -> f64
    llvm.store %value, %pt : f64, !llvm.ptr
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %k = arith.index_cast %i : index to i64
    %re = arith.muli %k, %two : i64
    %im = arith.addi %re, %one : i64
    %pr = llvm.getelementptr %M[%re] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %pi = llvm.getelementptr %M[%im] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %r = llvm.load %pr : !llvm.ptr -> f32
    %m = llvm.load %pi : !llvm.ptr -> f32
    llvm.store %m, %pr : f32, !llvm.ptr
    llvm.store %r, %pi : f32, !llvm.ptr
  }
  return
}

}
