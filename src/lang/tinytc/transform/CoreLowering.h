/// Lowers the dialect to core in buffer form [core.9]: one class, with a file for each construct.
#ifndef TESSERA_LANG_TINYTC_TRANSFORM_CORELOWERING_H
#define TESSERA_LANG_TINYTC_TRANSFORM_CORELOWERING_H

#include "core/Build.h"
#include "lang/tinytc/ir/Uniformity.h"
#include "lang/tinytc/transform/Lowered.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::tinytc {

/// Lowers one kernel. Values become leaves: a scalar is itself (its two parts, if complex), or in
/// SPMD regions a vector with one element per lane if lanes may differ; a memref is its pointer,
/// and the sizes and strides that its type leaves open; a group is its pointers in the order of
/// [core.9]; a matrix is its columns or, if it is large, pointers to its parts.
class CoreLowering {
public:
  CoreLowering(mlir::func::FuncOp source, core::Sites &sites);
  /// Replaces the function.
  void run();

private:
  using Attribute = mlir::Attribute;
  using Block = mlir::Block;
  using Location = mlir::Location;
  using Operation = mlir::Operation;
  using Type = mlir::Type;
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using VectorType = mlir::VectorType;

  // The function and its operations: LowerToCore.cpp.
  void declare(mlir::StringAttr name);
  void bindParameters();
  Leaves argumentLeaves(Type type, mlir::LLVM::LLVMStructType fields, unsigned &next);
  void lowerBlock(Block &block);
  void lowerOp(Operation &op);
  Leaves lowerKnown(Operation &op);
  Leaves leaves(Value value);
  void bind(ValueRange results, llvm::ArrayRef<Value> leaves);
  llvm::SmallVector<Type> leafTypes(Type type);
  /// The types of a value's leaves: vectors if lanes may differ.
  llvm::SmallVector<Type> laneTypes(Value value);

  // Scalars: LowerScalars.cpp, and arithmetic on them: LowerArithmetic.cpp.
  Leaves lower(ir::ConstantOp op);
  Leaves lower(ir::BinaryOp op);
  Leaves lower(ir::UnaryOp op);
  Leaves lower(ir::CompareOp op);
  Leaves lower(ir::CastOp op);
  Leaves lower(ir::BuiltinOp op);
  llvm::SmallVector<Number> numbers(Value value);
  Leaves flat(llvm::ArrayRef<Number> numbers, Type type);
  Number constant(Attribute value, Type type);
  void noteAffine(ir::BinaryOp op);
  Number arithmetic(ir::Binary function, Type type, Number lhs, Number rhs);
  Value arithmeticReal(ir::Binary function, Type type, Value lhs, Value rhs);
  Value divideIntegers(ir::Binary function, Value lhs, Value rhs);
  Value shift(ir::Binary function, Value lhs, Value rhs);
  Number divideComplex(Type type, Number lhs, Number rhs);
  Number multiply(Type type, Number lhs, Number rhs);
  /// sum + lhs * rhs, fused if the type supports that.
  Number multiplyAdd(Type type, Number lhs, Number rhs, Number sum);
  Number unary(ir::Unary function, Type type, Number operand);
  Value unaryReal(ir::Unary function, Type type, Value operand);
  Value modulus(Number operand);
  Value isFinite(Value value);
  Number expComplex(Number operand);
  Value compare(ir::Compare function, Type type, Number lhs, Number rhs);
  Number convert(Number operand, Type from, Type to);
  Value convertReal(Value operand, Type from, Type to);
  Value widened(Value value);
  Value rounded(Value value, Type to);
  Value saturated(Value operand, Type to);
  Number zero(Type type);
  Number select(Value condition, Number ifTrue, Number ifFalse);

  // Views: LowerViews.cpp.
  Tensor tensor(Value memref);
  Tensor uniformTensor(Value memref);
  Leaves leavesOf(const Tensor &tensor);
  Value mixed(mlir::OpFoldResult number);
  Leaves lower(ir::SubviewOp op);
  Leaves lower(ir::ExpandOp op);
  Leaves lower(ir::FuseOp op);
  Leaves lower(ir::SizeOp op);

  // Memory: LowerMemory.cpp; atomic additions: LowerAtomics.cpp.
  Leaves lower(ir::AllocaOp op);
  Leaves lower(ir::LifetimeStopOp op) { return {}; }
  Leaves lower(ir::LoadOp op);
  Leaves lower(ir::StoreOp op);
  Leaves loadMember(ir::LoadOp op);
  Index index(Value value);
  Value laneValue(const Index &index);
  Place place(const Tensor &tensor, llvm::ArrayRef<Index> indices);
  Value pointerAt(Type element, Value base, Value offset);
  Value partAt(Type part, Value address, unsigned number);
  Value addresses(Type element, const Place &place);
  Number loadFrom(const Place &place, Type element);
  void storeTo(const Place &place, Type element, Number value);
  Number loadPairs(const Place &place, Type part);
  void storePairs(const Place &place, Number value);
  Value reinterpreted(Value value, Type type);
  Value loadDense(Type type, Value address, Value mask);
  void storeDense(Value value, Value address, Value mask);
  Value loadScalar(Type type, Value address);
  void storeScalar(Value value, Value address);
  Value lastActive(Value value);
  Number addTo(const Place &place, Type element, Number value);
  /// The same if the old value is not used.
  void addAt(const Place &place, Type element, Number value);
  void addPlainly(const Place &place, Type element, Number value);
  Value isAlone();
  void forBothAlone(llvm::function_ref<void()> body);
  bool isShared(ir::BlasOp op);
  bool addsApart(ir::BlasOp op);
  Number addToOne(Value address, Type element, Number value, bool isLocal);
  Value addToReal(Value address, Value value, bool isLocal);
  Value addToNarrow(Value address, Value value);
  Number eachLane(Type element, const Place &place, Number value,
                  llvm::function_ref<Number(Value, Number)> body);

  // Collective operations: LowerCollectives.cpp, LowerGemm.cpp.
  Leaves lower(ir::AxpbyOp op);
  Leaves lower(ir::CumsumOp op);
  Leaves lower(ir::SumOp op);
  Leaves lower(ir::GemmOp op);
  Leaves lower(ir::GemvOp op);
  Leaves lower(ir::GerOp op);
  Leaves lower(ir::HadamardOp op);
  Number element(const Tensor &tensor, llvm::ArrayRef<Index> indices, Type as);
  void finish(ir::BlasOp op, llvm::ArrayRef<Index> indices, Number sum);
  Number scaled(ir::BlasOp op, Number sum, llvm::function_ref<Number()> before);
  Number withBothParts(Number value, Type type);
  Number zeroPair(Type type);
  Number zeroSum(Type type);
  void forOutput(ir::BlasOp op, llvm::function_ref<Number(llvm::ArrayRef<Index>, Type)> body);
  void forOutput(ir::BlasOp op, int64_t numLanes,
                 llvm::function_ref<Number(llvm::ArrayRef<Index>, Type)> body);
  void forSums(ir::BlasOp op, Value size,
               llvm::function_ref<Number(Index, llvm::ArrayRef<Index>, Number)> body);
  /// Runs the body for all indices below `size`, some lanes at a time.
  void forLanes(Value size, llvm::function_ref<void(Index)> body);
  void forEach(Value from, Value to, Value step, llvm::function_ref<void(Value)> body);
  struct Range {
    Value from, to, step;
  };
  /// Several sums; the body replaces each by the sum with one more term.
  llvm::SmallVector<Number>
  sumsOver(const Range &range, llvm::ArrayRef<Number> initials,
           llvm::function_ref<void(Value, llvm::MutableArrayRef<Number>)> body);
  Number sumOver(Value from, Value to, Value step, Number initial,
                 llvm::function_ref<Number(Value, Number)> body);
  Number sumInLanes(Value size, Type type, llvm::function_ref<Number(Index, Number)> body);
  bool canContract(ir::GemmOp op);
  bool canContract(ir::CoopMulAddOp op);
  void multiplyInLanes(ir::GemmOp op);
  void multiplyColumns(ir::GemmOp op, Value first, int64_t count);
  void multiplyByContraction(ir::GemmOp op);
  void multiplyByTiles(ir::GemmOp op);
  Tensor sumsOf(const Tile &tile, Type type, Value slot);
  void finishTile(ir::GemmOp op, const Tile &tile, const Tensor &sums);
  void multiplyAndScale(ir::GemmOp op);
  Operation *contract(const Factor &a, const Factor &other, Value result, bool clears);
  Value bufferOf(const Tensor &tensor);
  Tensor part(const Tensor &whole, const Tile &tile);
  Tile tileOf(ir::GemmOp op, const Tile &tile, const Tensor &operand, unsigned number);
  void forTiles(const Tensor &output, llvm::function_ref<void(const Tile &)> body);
  void scan(ir::CumsumOp op, llvm::SmallVector<Index> indices, int64_t mode);
  void scanInLanes(ir::CumsumOp op, llvm::SmallVector<Index> indices);

  // Collective operations in functions: ShareCollectives.cpp.
  static bool hasManyCollectives(mlir::func::FuncOp kernel);
  bool canShare(ir::BlasOp op);
  void callShared(ir::BlasOp op);
  mlir::func::FuncOp emitShared(ir::BlasOp op, mlir::TypeRange types);

  // Control: LowerControl.cpp.
  Leaves lower(ir::ForOp op);
  Leaves lower(ir::IfOp op);
  Leaves lower(ir::BarrierOp op);
  /// The counter of an scf loop. The variable is the counter or, if `first` is given, `first` plus
  /// that many steps.
  struct Counter {
    Value from, to, step, first, distance;
  };
  Counter counterOf(ir::ForOp op);
  Value variableOf(ir::ForOp op, const Counter &counter, Value count);
  Leaves uniformFor(ir::ForOp op);
  Leaves divergentFor(ir::ForOp op);
  Leaves divergentIf(ir::IfOp op);
  Leaves chosen(mlir::ValueRange results, Value condition, llvm::ArrayRef<Value> onTrue,
                llvm::ArrayRef<Value> onFalse);
  Leaves armOf(Block *block, Value condition, llvm::ArrayRef<Value> results);
  Leaves carried(ValueRange from, ValueRange to);

  // SPMD regions: LowerSpmd.cpp, FissionAtBarriers.cpp.
  Leaves lower(ir::ParallelOp op);
  Leaves lower(ir::ForeachOp op);
  void findVarying(Operation *region);
  bool findVaryingIn(Operation *op);
  bool isVarying(Value value) { return varying.contains(value); }
  void forSubgroups(llvm::function_ref<void()> body);
  /// The loops of a variable and of those before it; `outer` is the number of the point that the
  /// others have.
  void foreachPoints(ir::ForeachOp op, unsigned variable, Value outer);
  void bindPoints(Value variable, Value at, Value point);
  void takePoints();
  void foreachRounds(ir::ForeachOp op, Value from, Value size, Value outer);
  static bool holdsBarrier(Operation *op);
  void lowerPhases(Block &block);
  void lowerPhase(llvm::ArrayRef<Operation *> ops);
  void lowerPhased(ir::BarrierOp op);
  void lowerPhased(ir::ForOp op);
  void lowerPhased(ir::IfOp op);
  void actAsFirst();
  void advanceInSlots(ir::ForOp op);
  void keepInSlots(Value value, llvm::ArrayRef<Value> leaves);
  void copyToSlots(ValueRange from, ValueRange to);
  void makeSlots(ValueRange all);
  Value matrixOfSubgroup(Type type, Value slot);

  // Subgroups: LowerSubgroup.cpp.
  Leaves lower(ir::BroadcastOp op);
  Leaves lower(ir::SubgroupOp op);
  Number identity(ir::Reduction function, Type type);
  Number neutral(ir::Reduction function, Type type);
  Number reduced(ir::Reduction function, Type type, Number value);
  Number shiftedLanes(Number value, Number fill);
  Number scanned(ir::Reduction function, Type type, Number value, Number none);
  Number scannedBefore(ir::Reduction function, Type type, Number scan);
  Value uniform(Value value);
  Value firstOf(Value mask);
  Number shuffled(Number lhs, Number rhs, llvm::ArrayRef<int64_t> lanes);

  // Matrices: LowerCoopmatrix.cpp, sums of their products: LowerProducts.cpp.
  Leaves lower(ir::CoopLoadOp op);
  Leaves lower(ir::CoopStoreOp op);
  Leaves lower(ir::CoopMulAddOp op);
  Leaves lower(ir::CoopScaleOp op);
  Leaves multiplyInPlace(ir::CoopMulAddOp op);
  Leaves multiplyInMemory(ir::CoopMulAddOp op);
  void multiplyInLoops(const StoredMatrix &a, const StoredMatrix &other, const StoredMatrix &sums);
  std::optional<Leaves> sumProducts(ir::ForOp loop);
  Leaves sumProduct(ir::CoopMulAddOp op, Value initial, Value from, Value to);
  Tensor stripOf(ir::CoopLoadOp load, bool isDepthFirst, Value depth);
  MatrixAccess accessTo(Value memref, Value row, Value column, ir::CoopMatrixType type,
                        bool isTransposed, ir::Checked checked);
  Value rowsInside(const MatrixAccess &access, const Index &rows, Value column);
  Number accessPiece(const MatrixAccess &access, const Piece &piece,
                     llvm::function_ref<Number(const Place &)> body);

  // Matrices that registers do not hold, and pieces of any: MatricesInMemory.cpp.
  static bool isInMemory(Type type);
  void forPieces(ir::CoopMatrixType type, llvm::function_ref<void(const Piece &)> body);
  void forPiecesInMemory(ir::CoopMatrixType type, llvm::function_ref<void(const Piece &)> body);
  Leaves fromPieces(Type type, llvm::function_ref<Number(const Piece &)> body);
  Number pieceOf(Value value, const Piece &piece);
  Value pieceAt(Value part, ir::CoopMatrixType type, const Piece &piece);
  Number loadPiece(llvm::ArrayRef<Value> parts, ir::CoopMatrixType type, const Piece &piece);
  void storePiece(llvm::ArrayRef<Value> parts, ir::CoopMatrixType type, const Piece &piece,
                  Number value);
  Leaves matrixMemory(ir::CoopMatrixType type);
  bool isOwned(const Leaves &parts);
  void own(Value matrix);
  void leave(llvm::ArrayRef<Value> parts, ir::CoopMatrixType type);
  void leaveDead(Operation &op);
  void copyMatrix(llvm::ArrayRef<Value> from, llvm::ArrayRef<Value> to, ir::CoopMatrixType type);
  StoredMatrix copiedToMemory(Value matrix, Type component);
  StoredMatrix inMemory(Value matrix, Type component);
  StoredMatrix movedToMemory(Value matrix, Operation &user, Type component);
  Tensor tensorOf(const StoredMatrix &matrix);
  Leaves fromMemory(const StoredMatrix &matrix, ir::CoopMatrixType type);
  Leaves homeOf(Value goal);
  std::optional<Leaves> knownHome(Value goal);
  void bringHome(ValueRange from, ValueRange to);

  // Run-time errors for undefined behavior: LowerChecks.cpp.
  void trapIf(Value isBad, llvm::StringRef message, llvm::StringRef rule, ValueRange about);
  void checkIndices(const Tensor &tensor, llvm::ArrayRef<Index> indices);
  void checkMember(ir::LoadOp op);
  Value isOutside(Value begin, Value size, Value mode);
  void checkView(ir::SubviewOp op);
  void checkView(ir::ExpandOp op);
  void checkView(ir::FuseOp op);
  void checkShapes(ir::BlasOp op);
  void checkStep(ir::ForOp op);
  void checkOperands(ir::BinaryOp op);
  void checkDivisors(ir::BinaryOp op, ir::CoopMatrixType type);
  void checkRange(ir::CastOp op);
  void checkLane(ir::BroadcastOp op);
  void checkUniform(const Tensor &tensor);
  void checkMatrices(mlir::ValueRange results, Value condition);
  void checkMatrixOp(mlir::Operation &op);
  void checkMatrix(const MatrixAccess &access);
  void checkUniform(Value value, llvm::StringRef what);
  void checkReached(llvm::StringRef what);
  void checkAgreement(llvm::function_ref<Value()> decision);
  Value tripsOf(ir::ForOp op);

  // Kernels that are counted, not executed: LowerWork.cpp.
  std::optional<Leaves> lowerCounted(Operation &op);
  Leaves anyLeaves(ValueRange results);
  void doWork(Type type, Value count, int64_t operations);
  Value numElements(const Tensor &tensor);
  void count(ir::BlasOp op);
  void countPoints(ir::ForeachOp op, unsigned variable);
  void countItems(ir::ParallelOp op);
  void countMatrix(ir::CoopMatrixType type, int64_t operations);

  // Run-time errors for races on local memory: LowerRaces.cpp.
  enum class Access : uint8_t { Read, Write, Add, AtomicWrite };
  /// Who accesses memory: each work-item by itself, a subgroup as a whole, or a subgroup whose
  /// work-items share a matrix.
  enum class By : uint8_t { WorkItem, Subgroup, Matrix };
  static Access accessOf(ir::StoreFlag flag);
  void beginAccesses(int64_t bytes);
  void orderAccesses(bool arePoints);
  void noteAccess(const Place &place, Type element, Access access, By who);
  void beginMemory(ir::AllocaOp op);
  void noteOperands(ir::BlasOp op);
  void touch(const Tensor &tensor, Access access);
  void touchAt(Value address, Access access, Value accessor = {});
  Value localOffset(Value address);

  // Shorthands.
  Value number(int64_t value);
  Value fill(Type type, double value);
  Value fillInt(Type type, const llvm::APInt &value);
  /// The value, broadcast to a vector if it is a scalar.
  Value inLanes(Value value);
  Number inLanes(Number value);
  Value inLanesOf(Value value, Value other);
  Type vectorOf(Type scalar);
  static bool hasLanes(Value value) { return llvm::isa<VectorType>(value.getType()); }
  Type like(Value value, Type element);
  Value laneNumbers();
  Value lanesBelow(Value bound);
  Value activeLanes();
  Value anyOf(Value lanes);
  Value andOf(Value mask, Value condition);
  void when(Value condition, llvm::function_ref<void()> body);
  template <typename Op, typename... Rest> Value make(Value lhs, Value rhs, Rest... rest) {
    Value left = inLanesOf(lhs, rhs), right = inLanesOf(rhs, lhs);
    return Op::create(b, loc, left, right, rest...);
  }
  /// The same for two scalars, without code if both are known.
  template <typename Op> Value folded(Value lhs, Value rhs) {
    return b.createOrFold<Op>(loc, lhs, rhs);
  }
  Value compareInts(mlir::arith::CmpIPredicate predicate, Value lhs, Value rhs);
  Value stackSlot(Type type, int64_t count, int64_t alignment);
  Value groupSlot(Type type, int64_t count);

  mlir::func::FuncOp source;
  core::Sites &sites;
  const bool isCounted, isChecked, sharesCollectives;
  mlir::OpBuilder b;
  Location loc;
  mlir::func::FuncOp target;
  mlir::scf::ParallelOp groups;
  Type pointerType, i64, i1;
  llvm::DenseMap<Value, Leaves> values;
  llvm::DenseMap<Attribute, mlir::func::FuncOp> collectives; ///< By description.
  const ir::Uniformity uniformity;
  llvm::DenseMap<Value, Affine> affines; ///< Scalars that are known to be affine.
  Value groupId, numGroups;              ///< i64.
  Value alone;                           ///< i1: no other launch adds to global memory.
  std::optional<bool> knownAlone;        ///< Set in code that is only for one value of `alone`.
  Value local;                           ///< The work-group's memory.
  Value accesses;                        ///< The record of accesses to it, for --checked.
  int64_t bytesOnStack = 0;              ///< The slots of a work-group.
  struct Memory {
    Value pointer;
    int64_t bytes;
  };
  llvm::SmallVector<Memory> unused;                   ///< No longer used by matrices.
  llvm::SmallVector<std::pair<Value, Leaves>> owners; ///< Matrices in memory that are still read.
  llvm::DenseMap<Value, Leaves> homes;                ///< For results of branches and loops.

  // The state of the SPMD region, or collective operation, that is being lowered.
  int64_t lanes = 0; ///< 0: scalar code.
  Value mask;        ///< Which lanes are active; null: all of them.
  Value subgroupId;  ///< i64.
  Value laneId;      ///< i64: of the work-item, if these are counted one by one.
  Value firstPoint;  ///< i64: the number of the first lane's iteration of a `foreach`.
  /// For a `foreach` with barriers: the first variable at which all work-items begin, the number of
  /// that point, and the number of points from there on.
  struct Round {
    Value variable, at, point, rest;
  };
  std::optional<Round> round;
  llvm::DenseSet<Value> varying;
  llvm::DenseMap<Value, Leaves> slots; ///< Values that cross a barrier, with one slot per subgroup.
};

} // namespace tessera::tinytc

#endif
