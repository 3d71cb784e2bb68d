/// Lowers the dialect to core in buffer form [core.9]: one class, one file per construct.
#ifndef TESSERA_LANG_WELD_TRANSFORM_CORELOWERING_H
#define TESSERA_LANG_WELD_TRANSFORM_CORELOWERING_H

#include "core/Build.h"
#include "lang/weld/transform/Layout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::weld {

using Leaves = llvm::SmallVector<mlir::Value, 4>;

/// The loop of an iterator: how many elements it has, and where they are.
struct Walk {
  ir::IteratorOperands iterator;
  mlir::Value count;
  mlir::Value first; ///< For a fringe: the first element's index.
};

/// How many elements an iteration of a loop appends, at most or exactly.
struct Reservation {
  int64_t perIteration;
  bool isExact;
};

/// The pieces that the chunks of a parallel loop build, one struct per chunk.
struct Chunks {
  Layout layout; ///< The layout of its builders.
  int64_t bytes, home;
  mlir::Value pieces, count;
  bool haveRegions;
  mlir::Value iterations;
  /// For each such builder: where in its vector the elements of each chunk begin, or -1 if that is
  /// not known yet.
  llvm::SmallVector<mlir::Value, 2> ends = {};
};

/// The number of iterations of the first chunk, and of all others except perhaps the last.
struct Cut {
  mlir::Value first, rest, numChunks;
};

/// The conditions and values of some iterations, and where the chosen values go.
struct FilterBlock {
  mlir::Type element;
  mlir::Value flags, values, data;
};

/// Memory to which a loop appends numbers that may bypass the caches: how many there are at first,
/// and in which line of the vector they end.
struct Stage {
  mlir::Type element;
  mlir::Value data, isPast, count, line;
};

/// Some iterations, of which those that meet a condition are chosen: their flags and numbers.
struct SiftBlock {
  mlir::Value condition, flags, chosen, start = {}, size = {};
};

/// An entry of a table: its key, its size, and its value.
struct EntryLayout {
  Layout key;
  int64_t bytes, valueOffset, valueBytes;
};

/// How to initialize a new value in a table, and how to update an existing one.
struct EntryUpdate {
  llvm::function_ref<void(mlir::Value)> begin, goOn;
};

/// Whether the loop contains others, so that iterations may take long.
bool hasLoops(ir::ForOp op);

/// The iterations of a chunk of an innermost loop.
constexpr int64_t innerChunk = 16384;
/// With this many iterations, an inner loop is worth threads of its own.
constexpr int64_t minLong = 4 * innerChunk;
/// Whether an inner loop may be one of a few that do all the work, so that it is worth compiling it
/// twice.
bool mayBeLong(ir::ForOp op);

/// An index outside a vector: the index, and the number of elements.
inline constexpr llvm::StringLiteral outOfBounds =
    "ArrayOutOfBounds: index {0} of a vector of length {1}";

/// Lowers one function. Values become their leaves (Layout.h).
class CoreLowering {
public:
  CoreLowering(mlir::func::FuncOp source, core::Sites &sites);
  /// Replaces the function.
  void run();

private:
  using Block = mlir::Block;
  using Location = mlir::Location;
  using Operation = mlir::Operation;
  using Type = mlir::Type;
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;

  // The function and its operations: LowerToCore.cpp.
  void declare(mlir::StringAttr name);
  void bindParameters();
  mlir::Attribute tableOf(llvm::ArrayRef<int32_t> words);
  void lowerBlock(Block &block);
  void lowerOp(Operation &op);
  Leaves yielded(Block &block);
  Leaves &leaves(Value value);
  Value leaf(Value value) { return leaves(value)[0]; }
  Leaves fieldOf(const Leaves &all, Type type, unsigned index);

  // Scalars: LowerScalars.cpp.
  Leaves lower(ir::ConstantOp op);
  Leaves lower(ir::BinaryOp op);
  Leaves lower(ir::CompareOp op);
  Leaves lower(ir::UnaryOp op);
  Leaves lower(ir::CastOp op);
  Leaves lower(ir::SelectOp op);
  Leaves lower(ir::BroadcastOp op);
  Value arithmetic(ir::Binary function, Type type, Value lhs, Value rhs);
  Value comparison(ir::Binary function, Type type, Value lhs, Value rhs);
  Value compareWhole(ir::BinaryOp op);
  Value compareFields(ir::Binary function, llvm::ArrayRef<Type> scalars, const Leaves &lhs,
                      const Leaves &rhs);
  Value divide(ir::BinaryOp op, Type lane);
  Value power(ir::BinaryOp op, Type lane);
  Value integerPower(Value base, Value exponent);
  void checkLanes(Value fails, llvm::StringRef message);
  Value convert(Value operand, Type from, Type to);
  Value saturate(Value operand, Type to, Type type);

  // Vectors: LowerVectors.cpp.
  Value constantBytes(llvm::StringRef bytes, int64_t alignment);
  Leaves lower(ir::StringOp op);
  Leaves lower(ir::MakeVecOp op);
  Leaves lower(ir::MakeStructOp op);
  Leaves lower(ir::FieldOp op);
  Leaves lower(ir::LookupOp op);
  Leaves lower(ir::LenOp op);
  Leaves lower(ir::SliceOp op);
  Leaves lower(ir::ToVecOp op);

  // Sorting: LowerSort.cpp.
  Leaves lower(ir::SortOp op);
  Value sortByMerging(ir::SortOp op);
  Value orderTable(ir::SortOp op);
  void mergeRuns(ir::SortOp op, Value from, Value to, Value count, Value width);
  Value isInOrder(ir::SortOp op, Value left, Value right);

  // Dictionaries: LowerDictionaries.cpp.
  Leaves lower(ir::OptLookupOp op);
  Leaves lower(ir::KeyExistsOp op);
  Leaves lookupKey(ir::LookupOp op);
  void trapIfMissing(Value value, Type keyType, const Leaves &key);
  Value findValue(ir::DictType type, Value table, const Leaves &key);
  Leaves tableLeaves(Type key, Value table);
  Value addByCall(ir::DictMergerType type, Value table, const Leaves &key);
  Leaves addKey(ir::DictMergerType type, Value table, const Leaves &key, Value place,
                llvm::function_ref<Value()> take, const EntryUpdate &update);
  Value looksFree(const Layout &value, Value address);
  void clearGaps(const Layout &layout, Value address);
  Leaves mergeHashed(ir::DictMergerType type, const EntryLayout &entry, const Leaves &table,
                     const Leaves &key, const EntryUpdate &update);
  Leaves mergeDirectly(ir::DictMergerType type, const EntryLayout &entry, const Leaves &table,
                       const Leaves &key, const EntryUpdate &update);
  Leaves mergeByBytes(ir::DictMergerType type, const Leaves &table, const Leaves &key,
                      const EntryUpdate &update);
  Leaves mergeEntry(ir::DictMergerType type, const Leaves &table, const Leaves &key,
                    const EntryUpdate &update);
  std::pair<Value, Value> directValue(const EntryLayout &entry, const Leaves &table, Value key);
  void settle(Value table);
  Value wordOf(const Layout &layout, const Leaves &key, int64_t number);
  Leaves keyWords(const Layout &layout, const Leaves &key);
  Leaves storedWords(const Layout &layout, Value address);
  Value mixed(Value bits);
  Value hashOf(const Leaves &words);
  Value differ(const Leaves &lhs, const Leaves &rhs);
  Value tagOf(Value hash);
  Leaves search(const EntryLayout &entry, const Leaves &table, const Leaves &words, Value hash,
                bool isMerge);
  Leaves searchAfter(const EntryLayout &entry, const Leaves &table, const Leaves &words,
                     Value hash);
  Value isHashed(const Leaves &table);
  Value findStored(const EntryLayout &entry, const Leaves &table, const Leaves &words);
  Value entryIn(const EntryLayout &entry, const Leaves &table, Value place, bool isMerge);
  /// The key in memory, as tables expect it.
  Value storedKey(Type type, const Leaves &key);
  Leaves canonical(const Leaves &key);
  Value entryType(Type key, Type value);

  // Control flow: LowerControl.cpp.
  Leaves lower(ir::IfOp op);
  Leaves lower(ir::IterateOp op);
  Leaves iteratePlain(ir::IterateOp op);
  Leaves iterateInRegions(ir::IterateOp op);
  Leaves repeat(const Leaves &initial, llvm::function_ref<Leaves(const Leaves &)> body);
  Leaves movedState(Type type, const Leaves &state, llvm::ArrayRef<Value> regions);

  // Loops: LowerLoops.cpp, LowerIterators.cpp, LowerParallel.cpp, LowerNests.cpp.
  Leaves lower(ir::ForOp op);
  llvm::SmallVector<Walk> walksOf(ir::ForOp op);
  Walk walkOf(const ir::IteratorOperands &iterator);
  Value countRange(Value start, Value end, Value stride);
  Leaves elementOf(const Walk &walk, Value index);
  Value ndIndex(const Walk &walk, Value index);
  Leaves loop(ir::ForOp op, llvm::ArrayRef<Walk> walks, Value lo, Value hi, const Leaves &builders);
  Leaves rounds(ir::ForOp op, llvm::ArrayRef<Walk> walks, Value lo, Value hi,
                llvm::ArrayRef<Leaves> states);
  Leaves round(ir::ForOp op, llvm::ArrayRef<Walk> walks, llvm::ArrayRef<Leaves> states,
               ValueRange current, Value index);
  static void setVectorizing(mlir::scf::ForOp loop, bool isWanted);
  void steerVectorizer(ir::ForOp op, mlir::scf::ForOp loop);
  void checkIndices(ir::ForOp op, Value lo, Value hi, const Leaves &builders);
  llvm::SmallVector<Leaves> split(ir::ForOp op, llvm::ArrayRef<Value> builders);
  static llvm::SmallVector<Leaves> apart(llvm::ArrayRef<Value> all, llvm::ArrayRef<Leaves> like);
  Leaves exactly(ir::ForOp op, llvm::ArrayRef<Walk> walks, Value lo, Value hi,
                 const Leaves &builders, Value condition);
  std::optional<Reservation> reservationOf(ir::ForOp op, unsigned builder);
  Leaves reserved(ir::ForOp op, const Leaves &builders, Value count, bool hasPieces);
  static bool runsOverVector(ir::ForOp op);
  void addEnds(ir::ForOp op, const Leaves &builders, const Cut &cut, Chunks &chunks);
  void copyPiece(Type element, Value piece, Value data);
  bool isTracked(ir::ForOp op, unsigned builder);
  Value newEnds(const Leaves &appender, Value numChunks);
  Leaves pieceAtEnd(ir::ForOp op, unsigned index, const Leaves &builder, Value end, Value size);
  void noteEnd(const Leaves &builder, const Leaves &filled, Value ends, Value chunk);
  Leaves gathered(Type element, const Leaves &builder, const Chunks &chunks, int64_t offset,
                  Value ends);
  Leaves inParallel(ir::ForOp op, llvm::ArrayRef<Walk> walks, const Leaves &builders);
  Value chunkSize(ir::ForOp op, Value count, const Leaves &builders);
  void forChunks(Value numChunks, Value first, llvm::function_ref<void(Value)> body,
                 Value inside = nullptr);
  Value chunksInside(ir::ForOp op, llvm::ArrayRef<Walk> walks);
  Value countInside(const ir::IteratorOperands &iterator);
  Cut cutOf(Value count, Value first, Value rest);
  std::pair<Value, Value> boundsOf(const Cut &cut, Value chunk, Value count);
  Value restSize(ir::ForOp op, const Leaves &builders, Value first, Value count);
  void runChunk(ir::ForOp op, llvm::ArrayRef<Walk> walks, const Leaves &builders,
                const Chunks &chunks, const Cut &cut, Value chunk);
  Leaves piecesOf(ir::ForOp op, const Leaves &builders, const Chunks &chunks, const Cut &cut,
                  Value chunk);
  Leaves newPiece(ir::ForOp op, unsigned index, const Leaves &builder, Value size);
  Leaves combined(ir::ForOp op, const Leaves &builders, const Chunks &chunks, Value count);
  Leaves pieceOf(const Chunks &chunks, Value chunk, unsigned leaf, unsigned count);
  void foldMergers(ir::ForOp op, Leaves &leaves, const Chunks &chunks);
  Leaves folded(ir::BuilderType type, const Leaves &first, const Chunks &chunks, unsigned leaf);
  Leaves addPiece(ir::BuilderType type, const Leaves &sum, const Leaves &piece);
  Leaves addTable(ir::DictMergerType type, const Leaves &sum, Value other);
  Leaves addEntries(ir::DictMergerType type, const Leaves &sum, Value entries, Value count,
                    int64_t bytes);
  Value isWhole(Value table);
  Leaves combinedTables(ir::DictMergerType type, const Leaves &first, const Chunks &chunks,
                        unsigned leaf, bool isSearched);
  Leaves joinedParts(ir::DictMergerType type, const Leaves &first, const Chunks &chunks,
                     unsigned leaf, bool isSearched);
  Leaves mergedPart(ir::DictMergerType type, Value parts, Value part);
  Leaves concatenated(Type element, const Leaves &first, const Chunks &chunks, int64_t offset);
  void settleRegions(ir::ForOp op, const Chunks &chunks);
  bool wantsChunkRegions(ir::ForOp op);
  bool wantsOwnRegion(ir::ForOp op);

  // Appenders of parallel loops: LowerAppenders.cpp; filters: LowerFilters.cpp.
  std::optional<Leaves> filter(ir::ForOp op, llvm::ArrayRef<Walk> walks, Value lo, Value hi,
                               const Leaves &builder);
  Value filterEach(ir::ForOp op, ir::IfOp branch, llvm::ArrayRef<Walk> walks, Value lo, Value hi,
                   const Leaves &builder);
  Value filterBlocks(ir::ForOp op, ir::IfOp branch, llvm::ArrayRef<Walk> walks, Value lo, Value hi,
                     const Leaves &builder);
  Value pressed(const FilterBlock &block, Value size, Value count);
  std::optional<Leaves> scatterIf(ir::IfOp op);
  std::pair<Value, Leaves> guarded(ir::IfOp op, Value builder);
  std::pair<Value, Leaves> guardedBody(ir::ForOp op, ir::IfOp branch, llvm::ArrayRef<Walk> walks,
                                       Value index);
  Value appendIf(Type element, const Leaves &value, Value isWanted, Value data, Value count);

  // Loops whose iterations are chosen first: LowerSifts.cpp.
  Value siftingCondition(ir::ForOp op);
  Leaves siftedRounds(ir::ForOp op, llvm::ArrayRef<Walk> walks, Value lo, Value hi,
                      llvm::ArrayRef<Leaves> states, Value condition);
  Value choose(ir::ForOp op, llvm::ArrayRef<Walk> walks, const SiftBlock &block);
  Value pressedNumbers(const SiftBlock &block);

  // Long results: LowerStreams.cpp.
  bool isStream(ir::ForOp op);
  Leaves stream(ir::ForOp op, llvm::ArrayRef<Walk> walks, Value lo, Value hi, const Leaves &piece,
                Value iterations);
  void copyPastCaches(Type element, Value from, Value to, Value count);
  void copyLines(Type element, Value from, Value to, Value numLines);
  Stage newStage(Type element, const Leaves &appender, int64_t numElements);
  Leaves flushed(const Stage &stage, Value count, Value line);
  Value emptied(const Stage &stage, Value data, Value count, Value line);

  // The least and the largest of floats: LowerExtremes.cpp.
  llvm::SmallVector<Leaves> carried(ir::ForOp op, const Leaves &builders, bool isQuick);
  Leaves released(ir::ForOp op, const Leaves &builders, llvm::ArrayRef<Leaves> states,
                  bool isQuick);
  Leaves noExtremes(mlir::FloatType format);
  Leaves withExtreme(ir::Combine combine, const Leaves &state, Value value);
  Value hadNaN(mlir::FloatType format, const Leaves &state);
  Value extremeOf(ir::Combine combine, const Leaves &state, Value initial);
  static bool hasQuickExtremes(ir::ForOp op);
  Leaves quickly(ir::ForOp op, llvm::ArrayRef<Walk> walks, Value lo, Value hi,
                 const Leaves &builders);
  Leaves noQuickExtreme(ir::Combine combine);
  Leaves withQuickExtreme(ir::Combine combine, const Leaves &state, Value value);
  Value quickExtremeOf(ir::Combine combine, const Leaves &state, Value initial);
  Value isInDoubt(const Leaves &state, Value initial);
  Value constantDouble(double value);

  // Builders: LowerBuilders.cpp.
  Leaves lower(ir::NewBuilderOp op);
  Leaves lower(ir::MergeOp op);
  Leaves lower(ir::ResultOp op);
  Leaves newBuilder(ir::BuilderType type);
  Value expectedSize(ir::NewBuilderOp op);
  Value advisedSize(ir::NewBuilderOp op, int64_t bytes);
  Value newTable(ir::DictMergerType type, Value capacity);
  Leaves identity(Type type, ir::Combine combine);
  Leaves combine(Type type, ir::Combine combine, const Leaves &lhs, const Leaves &rhs);
  Value reduced(ir::MergerType type, Value lanes);
  Leaves append(ir::MergeOp op);
  Leaves mergeInto(ir::DictMergerType type, const Leaves &builder, const Leaves &key,
                   const Leaves &value);
  Leaves mergeInto(ir::VecMergerType type, ir::MergeOp op);
  Leaves withRoom(Type element, const Leaves &appender, Value more);
  Value copyVector(Type element, Value data, Value count);

  // Others: LowerValues.cpp.
  Leaves lower(ir::SerializeOp op);
  Leaves lower(ir::DeserializeOp op);
  Leaves lower(ir::AssertOp op);
  Leaves lower(ir::CudfOp op);

  // Memory: Memory.cpp.
  Value number(int64_t value);
  Value null();
  Value isNull(Value pointer);
  Value allocate(Value bytes);
  Value stackSlot(const Layout &layout);
  Value at(Value base, int64_t offset);
  Value product(Value count, int64_t each);
  Value elementAt(Type element, Value data, Value index);
  Value elementAt(int64_t bytes, Value data, Value index);
  Value loadLeaf(Type leaf, Value address);
  void storeLeaf(Value leaf, Value address);
  Leaves load(const Layout &layout, Value address);
  void store(const Layout &layout, llvm::ArrayRef<Value> leaves, Value address);
  Value spill(Type type, llvm::ArrayRef<Value> leaves);
  Leaves zero(Type type);
  Value typeTable(llvm::ArrayRef<int32_t> words);
  llvm::SmallVector<Value, 1> call(llvm::StringRef callee, mlir::TypeRange results,
                                   ValueRange arguments);
  Value callFor(llvm::StringRef callee, Type result, ValueRange arguments);
  Value site(llvm::StringRef name);
  void trapIf(Value condition, llvm::StringRef message, ValueRange values);
  Value createRegion();

  // Shorthands for arithmetic on i64 and i1.
  template <typename Op> Value make(Value lhs, Value rhs) { return Op::create(b, loc, lhs, rhs); }
  Value compare(mlir::arith::CmpIPredicate predicate, Value lhs, Value rhs);
  Value elementBytes(Type element);
  mlir::scf::ForOp forLoop(Value lo, Value hi, ValueRange state);
  /// The regions of an `if` with these results.
  Leaves either(Value condition, mlir::TypeRange types, llvm::function_ref<Leaves()> onTrue,
                llvm::function_ref<Leaves()> onFalse);
  void when(Value condition, llvm::function_ref<void()> body);
  void branch(Value condition, llvm::function_ref<void()> onTrue,
              llvm::function_ref<void()> onFalse);

  mlir::func::FuncOp source;
  core::Sites &sites;
  mlir::OpBuilder b;
  Location loc;
  mlir::func::FuncOp target;
  Type pointerType, i64, i1;
  llvm::DenseMap<Value, Leaves> values;
  Value region; ///< Where values are allocated.
  bool isInLoop = false;
  llvm::DenseSet<Operation *> roomy; ///< Merges for which space is reserved.
};

} // namespace tessera::weld

#endif
