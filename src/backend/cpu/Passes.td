include "mlir/Pass/PassBase.td"

def CallLibrary : Pass<"call-library", "::mlir::ModuleOp"> {
  let summary = "replaces mathematical functions without a formula by calls of C's functions";
  let description = [{
    LLVM's own intrinsics would become such calls too, but only after LLVM has replaced some functions by
    others, depending on the optimization level.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::vector::VectorDialect"];
}

def CollapseLoops : Pass<"collapse-loops", "::mlir::func::FuncOp"> {
  let summary = "joins neighboring loops that step through every operand as a single loop would";
  let description = [{
    Longer inner loops vectorize better. Contiguous operands, and rows of contiguous buffers, are viewed with
    fewer dimensions.

    ```mlir
    sum[n] += x[n, c, h, w]   // becomes: sum[n] += x[n, chw]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def RoundBfloats : Pass<"round-bfloats", "::mlir::func::FuncOp"> {
  let summary = "rounds float32 to bfloat16 with integer operations";
  let description = [{
    Rounds to the nearest, ties to even; NaN stays NaN. The processor's own instruction flushes subnormal numbers
    to zero, so results would depend on the processor and on the optimization level.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def DescribeEntries : Pass<"describe-entries", "::mlir::ModuleOp"> {
  let summary = "records the names and types of the entries";
  let description = [{
    Collects the names and types of the entries' parameters and results in the module's attribute
    `tessera.entries`, where they outlive the lowering to LLVM.
  }];
}

def ScheduleContractions : Pass<"schedule-contractions", "::mlir::func::FuncOp"> {
  let summary = "chooses a schedule for each contraction";
  let description = [{
    Records the choice as a dictionary, `tessera.schedule`: the name of the tuned loops and their parameters.
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", "64", "bytes of a vector register">,
                 Option<"l1", "l1", "int64_t", "32768", "bytes of the first-level cache">,
                 Option<"l2", "l2", "int64_t", "1048576", "bytes of the second-level cache">,
                 Option<"l3", "l3", "int64_t", "16777216", "bytes of the last-level cache">,
                 Option<"bfloatTiles", "bfloat-tiles", "bool", "false", "whether there are tile registers for bfloat16">,
                 Option<"byteTiles", "byte-tiles", "bool", "false", "whether there are tile registers for bytes">];
}

def LowerContractions : Pass<"lower-contractions", "::mlir::ModuleOp"> {
  let summary = "turns contractions on buffers into tuned loops";
  let description = [{
    Without a schedule, a contraction becomes a plain loop nest with one fma per iteration: the oracle's
    form. In both cases each element is one chain of fma in ascending k [core.7], unless its order is free.
    Sums with a free order are left alone if there is no fma.
  }];
  let options = [Option<"bfloatTiles", "bfloat-tiles", "bool", "false", "whether there are tile registers for bfloat16">,
                 Option<"byteTiles", "byte-tiles", "bool", "false", "whether there are tile registers for bytes">,
                 Option<"fusedProducts", "fused-products", "bool", "true", "whether the processor has fused multiply-add">,
                 Option<"smallestStream", "smallest-stream", "int64_t", "16777216", "smallest results, in bytes, that are written past the caches">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::amx::AMXDialect"];
}

def SmallElementwise : Pass<"small-elementwise", "::mlir::func::FuncOp"> {
  let summary = "turns elementwise operations on small matrices into one vector operation per row";
  let description = [{
    With constant indices, LLVM keeps such matrices in registers from one operation to the next.
  }];
  let options = [Option<"lanes", "lanes", "int64_t", "16", "elements of a vector register">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def ParallelLoops : Pass<"parallel-loops", "::mlir::func::FuncOp"> {
  let summary = "turns large elementwise operations on buffers into parallel loops";
  let description = [{
    Operations that are known to be small are left to the lowering to plain loops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::affine::AffineDialect"];
}

def LowerWindows : Pass<"lower-windows", "::mlir::func::FuncOp"> {
  let summary = "turns reductions over windows on buffers into vectors of results";
  let description = [{
    For pooling and the like: windows are short and overlap, so vectors lie along a row of results, which stay in
    registers for the whole window. Each result is combined in the order of the loops.
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", "64", "bytes of a vector register">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerLookups : Pass<"lower-lookups", "::mlir::func::FuncOp"> {
  let summary = "turns sums of rows that other elements select into loops over vectors";
  let description = [{
    The sum stays in registers while rows are added, and later rows are prefetched.

    ```mlir
    sum[b, d] += table[chosen[b, l], d]
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def LowerReductions : Pass<"lower-reductions", "::mlir::func::FuncOp"> {
  let summary = "turns reductions on buffers into loops";
  let description = [{
    The innermost loop is the one along which the most operands are contiguous. If it is a reduction, the result
    stays in a register; otherwise elements are added to pieces of rows. Many results are divided among threads; a
    few results of many elements are divided into parts of a fixed size, which are combined in order.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerRows : Pass<"lower-rows", "::mlir::func::FuncOp"> {
  let summary = "turns loops over rows, on buffers, into parallel chunks of rows";
  let description = [{
    A chunk has enough rows to be worth a thread. Buffers of a row are allocated once per chunk.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LowerScatters : Pass<"lower-scatters", "::mlir::func::FuncOp"> {
  let summary = "adds to the element that the data select, instead of adding zeros to all others";
  let description = [{
    Many elements are divided into parts of a fixed size, each with its own sums, which are added in order.

    ```mlir
    count[k] += label[n] == k ? 1 : 0   // becomes: count[label[n]] += 1
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def CutFunctions : Pass<"cut-functions", "::mlir::ModuleOp"> {
  let summary = "moves pieces of long blocks into functions of their own";
  let description = [{
    Much of MLIR and LLVM takes more than linear time in the length of a function. The values that a piece uses
    become its arguments, and the values that are used after it become its results. Tuned loops are never cut, nor
    is a block between the definition and the last use of a vector.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def FenceStreams : Pass<"fence-streams", "::mlir::ModuleOp"> {
  let summary = "ends functions that write past the caches with a fence";
  let description = [{
    Otherwise other threads may see later effects, such as a flag that says the function is done, before they see
    these stores.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LowerStreams : Pass<"lower-streams", "::mlir::func::FuncOp"> {
  let summary = "writes results that StreamResults has marked past the caches, in whole cache lines";
  let description = [{
    In a loop over rows, the next row to be read is prefetched meanwhile.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def StoreResults : Pass<"store-results", "::mlir::ModuleOp"> {
  let summary = "makes entries with many results store each through the first argument";
  let description = [{
    Returned together, they would form one value of hundreds of parts, for which code generation takes more
    than linear time.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StreamResults : Pass<"stream-results", "::mlir::func::FuncOp"> {
  let summary = "marks elementwise operations whose result is too large for the caches";
  let description = [{
    An ordinary store reads the line first: 12 bytes are moved for 8. For dynamic sizes, the operation or the
    loop over rows is duplicated, and the size selects the version at run time. Rows that are read again while
    they are computed stay in a buffer until the last operation on the row.
  }];
  let options = [Option<"smallest", "smallest", "int64_t", "16777216", "smallest results, in bytes, that count as large">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LowerTransposes : Pass<"lower-transposes", "::mlir::func::FuncOp"> {
  let summary = "turns copies that permute dimensions into blocks that are transposed in registers";
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", "64", "bytes of a vector register">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def OutlineParallel : Pass<"outline-parallel", "::mlir::ModuleOp"> {
  let summary = "moves the bodies of parallel loops into functions that run a range of iterations";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
}

def BindParallel : Pass<"bind-parallel", "::mlir::ModuleOp"> {
  let summary = "runs outlined loops on the runtime's threads, in the LLVM dialect";
}

def SplitBorders : Pass<"split-borders", "::mlir::func::FuncOp"> {
  let summary = "separates the interior of a tensor from its border";
  let description = [{
    Guards that compare a loop counter with a number or a size have the same outcome for all but a few iterations:
    the interior is computed without them, the border as before. The same holds for indices clamped with min and
    max.

    ```mlir
    0 < i && i < n - 1 ? x[i - 1] + x[i + 1] : 0   // for i = 0, for 0 < i < n - 1 (no guard), for i = n - 1
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def StridedCopies : Pass<"strided-copies", "::mlir::func::FuncOp"> {
  let summary = "turns copies that are large or not contiguous into loops";
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def UseRuntime : Pass<"use-runtime", "::mlir::ModuleOp"> {
  let summary = "binds allocation to the runtime and hides all functions but the entries";
}
