include "mlir/Pass/PassBase.td"

def CallLibrary : Pass<"call-library", "::mlir::ModuleOp"> {
  let summary = "calls C's functions for what has no formula";
  let description = [{
    LLVM's own intrinsics for them would become such calls too, but only after LLVM has replaced some of
    them by others, which depends on the level of optimisation.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::vector::VectorDialect"];
}

def CollapseLoops : Pass<"collapse-loops", "::mlir::func::FuncOp"> {
  let summary = "makes one loop of neighbours that walk through every operand as one loop would";
  let description = [{
    Longer inner loops make better vectors. Operands that are plain blocks of memory are seen with fewer
    dimensions, and so are rows of such blocks.

    ```mlir
    sum[n] += x[n, c, h, w]   // becomes: sum[n] += x[n, chw]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def RoundBfloats : Pass<"round-bfloats", "::mlir::func::FuncOp"> {
  let summary = "rounds float32 to bfloat16 as integers do it";
  let description = [{
    To the nearest, ties to even; NaN stays one. The processor's own instruction takes numbers below the smallest
    normal one for zero, so results would depend on the processor and on the level of optimisation.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def DescribeEntries : Pass<"describe-entries", "::mlir::ModuleOp"> {
  let summary = "records what the outside needs to know of the entries";
  let description = [{
    Collects the names and types of the entries' parameters and results in the module's attribute
    `tessera.entries`, where they outlive the lowering to LLVM.
  }];
}

def ScheduleContractions : Pass<"schedule-contractions", "::mlir::func::FuncOp"> {
  let summary = "chooses a kernel for each contraction";
  let description = [{
    Writes the choice as a dictionary, `tessera.schedule`: the kernel's name and its numbers.
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", "64", "bytes of a vector register">,
                 Option<"l1", "l1", "int64_t", "32768", "bytes of the first-level cache">,
                 Option<"l2", "l2", "int64_t", "1048576", "bytes of the second-level cache">,
                 Option<"l3", "l3", "int64_t", "16777216", "bytes of the last-level cache">,
                 Option<"bfloatTiles", "bfloat-tiles", "bool", "false", "whether there are tile registers for bfloat16">,
                 Option<"byteTiles", "byte-tiles", "bool", "false", "whether there are tile registers for bytes">];
}

def LowerContractions : Pass<"lower-contractions", "::mlir::ModuleOp"> {
  let summary = "turns contractions on buffers into their kernels";
  let description = [{
    Without a schedule a contraction becomes a plain loop nest, one fma an iteration: the oracle's
    form. Either way each element is one chain of fma in ascending k [core.7], except where its order is free;
    a sum with a free order is left alone where there is no fma.
  }];
  let options = [Option<"bfloatTiles", "bfloat-tiles", "bool", "false", "whether there are tile registers for bfloat16">,
                 Option<"byteTiles", "byte-tiles", "bool", "false", "whether there are tile registers for bytes">,
                 Option<"fusedProducts", "fused-products", "bool", "true", "whether the processor adds products without rounding them">,
                 Option<"smallestStream", "smallest-stream", "int64_t", "16777216", "bytes of results that are written past the caches">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::amx::AMXDialect"];
}

def SmallElementwise : Pass<"small-elementwise", "::mlir::func::FuncOp"> {
  let summary = "turns elementwise operations on small matrices into one vector operation a row";
  let description = [{
    With all positions known, LLVM keeps such matrices in registers from one operation to the next.
  }];
  let options = [Option<"lanes", "lanes", "int64_t", "16", "elements of a vector register">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def ParallelLoops : Pass<"parallel-loops", "::mlir::func::FuncOp"> {
  let summary = "turns large elementwise operations on buffers into parallel loops";
  let description = [{
    Operations of a known small size are left to the lowering to plain loops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::affine::AffineDialect"];
}

def LowerWindows : Pass<"lower-windows", "::mlir::func::FuncOp"> {
  let summary = "turns reductions over windows on buffers into vectors of results";
  let description = [{
    Pooling and the like: windows are short and overlap, so vectors lie along a row of results, which stay in
    registers through the whole window. Each result is combined in the order of the loops.
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", "64", "bytes of a vector register">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerLookups : Pass<"lower-lookups", "::mlir::func::FuncOp"> {
  let summary = "turns sums of rows that other elements choose into loops over vectors";
  let description = [{
    The sum stays in registers while rows are added, and rows to come are asked for before they are needed.

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
    The innermost loop is the one that most operands are walked along. Is it reduced over, the result stays in a
    register; else pieces of rows are added to. Many results are shared out among threads; of few results from
    many elements, parts of a fixed size, whose results are combined in their order.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerRows : Pass<"lower-rows", "::mlir::func::FuncOp"> {
  let summary = "turns loops over rows, on buffers, into parallel chunks of rows";
  let description = [{
    A chunk has rows for so many elements as are worth handing to a thread. What rows have in a buffer of their
    own is allocated once a chunk.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LowerScatters : Pass<"lower-scatters", "::mlir::func::FuncOp"> {
  let summary = "adds to the one place that the data choose, instead of adding zeros to all others";
  let description = [{
    Of many elements, parts of a fixed size have sums of their own, which are added up in their order.

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
    Much of MLIR and LLVM takes more than twice the time for a function of twice the length. What a piece
    uses are its arguments, what is used behind it are its results. Kernels stay whole, and so does what is computed
    in vectors, up to the next place where none is in use.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def FenceStreams : Pass<"fence-streams", "::mlir::ModuleOp"> {
  let summary = "ends functions that write past the caches with a fence";
  let description = [{
    Other threads may otherwise see what the function did afterwards, such as saying that it is done, before
    they see these stores.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LowerStreams : Pass<"lower-streams", "::mlir::func::FuncOp"> {
  let summary = "writes what StreamResults has marked in whole cache lines, past the caches";
  let description = [{
    In a loop over rows, the next row of what is read is fetched meanwhile.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def StoreResults : Pass<"store-results", "::mlir::ModuleOp"> {
  let summary = "lets entries with many results write each to where the first argument points";
  let description = [{
    Returned together they are one value of hundreds of parts, for which code generation takes more than
    twice the time when there are twice as many.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StreamResults : Pass<"stream-results", "::mlir::func::FuncOp"> {
  let summary = "marks elementwise operations whose result is too large for the caches";
  let description = [{
    An ordinary store reads the line first: 12 bytes are moved for 8. Where sizes are not static, there is a
    copy of the operation, or of the loop over rows, and the size decides between them. What is read again
    while a row is computed stays in a buffer until the last operation on the row.
  }];
  let options = [Option<"smallest", "smallest", "int64_t", "16777216", "bytes of the smallest result that is large">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LowerTransposes : Pass<"lower-transposes", "::mlir::func::FuncOp"> {
  let summary = "turns copies into another order of dimensions into blocks that are transposed in registers";
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", "64", "bytes of a vector register">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def OutlineParallel : Pass<"outline-parallel", "::mlir::ModuleOp"> {
  let summary = "moves the bodies of parallel loops into functions of a range of iterations";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
}

def BindParallel : Pass<"bind-parallel", "::mlir::ModuleOp"> {
  let summary = "hands outlined loops to the runtime's threads, on the LLVM dialect";
}

def SplitBorders : Pass<"split-borders", "::mlir::func::FuncOp"> {
  let summary = "computes what is inside of a tensor apart from its border";
  let description = [{
    Guards that compare a loop with a number or a size go one way for all but a few iterations: what is inside is
    computed without them, the border as it was. So are indices that are kept inside with min and max.

    ```mlir
    0 < i && i < n - 1 ? x[i - 1] + x[i + 1] : 0   // for i = 0, for 0 < i < n - 1 (no guard), for i = n - 1
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def StridedCopies : Pass<"strided-copies", "::mlir::func::FuncOp"> {
  let summary = "turns copies that are large or no plain block of memory into loops";
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def UseRuntime : Pass<"use-runtime", "::mlir::ModuleOp"> {
  let summary = "binds allocation to the runtime and hides all functions but the entries";
}
