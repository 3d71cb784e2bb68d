/// Chooses a contraction's schedule from its sizes and the machine alone.
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "schedule/Contraction.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::schedule;

namespace {

/// Multiply-adds that may be unrolled.
constexpr int64_t maxUnrolled = 512, maxUnrolledDepth = 32;
/// Vectors in a tile with few rows: enough sums to hide the latency of an addition.
constexpr int64_t wantedSums = 8;
/// With at least this many vector registers, tiles have many rows.
constexpr int64_t manyRegisters = 32;
/// The number of tiles that may each read a row of rhs from memory again.
constexpr int64_t maxReads = 2;
/// The maximal width, in vectors, of a tile with many rows.
constexpr int64_t widestTile = 3;
/// Products that are distributed one per chunk, and the multiplications in a product that is not
/// divided.
constexpr int64_t minOuter = 16, maxUndivided = 4 << 20;
/// Up to this many rows, packing a transposed rhs costs more than it saves, if there is an
/// alternative.
constexpr int64_t maxInnerRows = 4;
/// The rows and columns from which tile registers pay off.
constexpr int64_t minTiled = 16;
/// Steps through a window that may be unrolled.
constexpr int64_t maxUnrolledSteps = 16;
/// Lanes of vectors that are transposed in registers, as many vectors at a time as lanes.
constexpr int64_t maxTurned = 16;
/// Registers for transposing besides the sums; bytes of the smallest register, which all
/// transposing uses; bytes of the smallest element.
constexpr int64_t turnedRegisters = 8, smallestRegister = 16, minTurnedBytes = 4;
/// Limits for a product that is computed vector by vector, each with its own code.
constexpr int64_t maxColumnVectors = 4, maxColumnDepth = 64;
/// If columns fill a smaller part of the lanes, rows and columns are swapped, given this many rows
/// and steps of depth.
constexpr double minFullness = 0.85;
constexpr int64_t minAcross = 64;
/// Assumptions for unknown sizes: the part of the lanes that is filled, and the depth.
constexpr double unknownFullness = 0.85;
constexpr int64_t usualDepth = 1024;
/// Rows of lhs that are read in place at a time: lines a power of two apart compete for few sets of
/// the second-level cache, too.
constexpr int64_t maxReadHeight = 64;
/// Rows and columns packed at a time, and bytes of packed columns: more would save nothing.
constexpr int64_t maxHeight = 256, maxWidth = 4096, maxPacked = 4 << 20;
/// The rows that can share columns packed late, and the multiplications from which threads share
/// them.
constexpr int64_t maxLateHeight = 512, minLateWork = 1 << 20;
/// Lines at this distance map to the same set of the first-level cache, which holds its size
/// divided by this distance; and they are on different pages.
constexpr int64_t setBytes = 4096;

class Model {
public:
  Model(const ContractionShape &shape, const Machine &machine) : shape(shape), machine(machine) {}

  Contraction choose() {
    choice.lanes = machine.vectorBytes / shape.elementBytes;
    if (shape.hasWindows)
      return chooseDirect(), choice;
    if (shape.isInTileOrder)
      return choosePrepacked(), choice;
    choice.parallelOuter = hasManyProducts();
    if (isInner())
      return chooseInner(), choice;
    if (isTiled())
      return chooseTiles(), choice;
    if (!isSmall() && isBetterAcross())
      return chooseDirect(), choice;
    chooseLanes();
    chooseTile();
    if (isSmall())
      choice.kernel = Contraction::Kernel::Unrolled;
    else if (!shape.isLhsSpread)
      chooseRowBlocks();
    else
      chooseBlocks();
    return choice;
  }

private:
  static bool isKnown(int64_t size) { return !ShapedType::isDynamic(size); }

  /// Whether there are enough products for all threads, or each is too small to divide.
  bool hasManyProducts() const {
    if (!isKnown(shape.outer) || shape.outer >= minOuter)
      return true;
    bool isLarge = !isKnown(shape.rows) || !isKnown(shape.columns) || !isKnown(shape.depth) ||
                   shape.rows * shape.columns * shape.depth > maxUndivided;
    return shape.outer > 1 && !isLarge;
  }

  /// Takes no more lanes than there are columns.
  void chooseLanes() {
    if (isKnown(shape.columns))
      choice.lanes =
          std::min<int64_t>(choice.lanes, llvm::PowerOf2Ceil(std::max<int64_t>(shape.columns, 1)));
  }

  int64_t vectorsPerRow() const { return llvm::divideCeil(shape.columns, choice.lanes); }

  bool isSmall() const {
    return isByVector() ||
           (hasKnownSizes() && shape.isRhsDense && shape.depth <= maxUnrolledDepth &&
            shape.rows * vectorsPerRow() * shape.depth <= maxUnrolled);
  }

  /// One column of vectors after another, where one tile has all rows. A transposed rhs is
  /// transposed in registers, which other tiles would repeat; with a dense rhs, a short last vector
  /// has a tile of its own.
  bool isByVector() const {
    bool isTransposed = !shape.isRhsDense && shape.rhsStride == shape.elementBytes;
    bool hasShortVector = shape.isRhsDense && shape.columns > choice.lanes &&
                          shape.columns % choice.lanes && shape.rows >= wantedSums;
    return hasKnownSizes() && (isTransposed || hasShortVector) && shape.isLhsSpread &&
           !shape.isNarrow && shape.elementBytes >= minTurnedBytes &&
           choice.lanes * shape.elementBytes >= smallestRegister &&
           vectorsPerRow() <= maxColumnVectors && shape.depth <= maxColumnDepth &&
           shape.rows <= machine.registers - turnedRegisters;
  }

  /// Operands that are dense only along depth, with too few rows to share packed data.
  bool isInner() const {
    bool hasFewRows = isKnown(shape.rows) && shape.rows <= maxInnerRows;
    return shape.isReorderable && shape.isDepthDense &&
           (shape.columns == 1 || !shape.isLhsDense || (!shape.isRhsDense && hasFewRows));
  }

  void chooseInner() {
    choice.kernel = Contraction::Kernel::Inner;
    choice.depthLanes = choice.lanes;
    choice.vectors = 1;
    choice.rows = isKnown(shape.rows) ? std::clamp<int64_t>(shape.rows, 1, maxInnerRows) : 1;
    choice.lanes =
        isKnown(shape.columns)
            ? std::min<int64_t>(wantedSums,
                                llvm::bit_floor<uint64_t>(std::max<int64_t>(shape.columns, 1)))
            : wantedSums;
    while (choice.rows * choice.lanes + choice.lanes + 1 > machine.registers)
      choice.lanes /= 2;
    choice.unroll = std::max<int64_t>(wantedSums / (choice.rows * choice.lanes), 1);
    choice.unroll = llvm::bit_floor<uint64_t>(choice.unroll);
  }

  /// Packing must pay off: known sizes must fill enough of a tile.
  bool isTiled() const {
    auto fills = [](int64_t size, int64_t least) { return !isKnown(size) || size >= least; };
    return machine.has(shape.tiles) && shape.isReorderable && shape.isLhsSpread &&
           fills(shape.rows, minTiled) && fills(shape.columns, minTiled) &&
           fills(shape.depth, 2 * minTiled);
  }

  /// A panel of rhs takes half of the first-level cache, packed rows of lhs a quarter of the
  /// second-level cache.
  void chooseTiles() {
    choice.kernel = Contraction::Kernel::Tiles;
    choice.lanes = 16, choice.vectors = 2, choice.rows = 32;
    int64_t bytes = shape.tiles == Tiles::Byte ? 1 : 2;
    choice.depth = partOf(machine.l1 / 2, choice.columns() * bytes, 256, 1024, 64);
    int64_t depthBytes = choice.depth * bytes;
    choice.height = partOf(machine.l2 / 4, depthBytes, choice.rows, maxHeight, choice.rows);
    choice.width = partOf(std::min(machine.l3 / 4, maxPacked), depthBytes, choice.columns(),
                          maxWidth, choice.columns());
  }

  /// Sums are stored and loaded again for each part of depth, which costs more than panels that
  /// exceed the first-level cache. So the rows of a part fill half of the second-level cache, and
  /// the sums of a chunk a quarter.
  void choosePrepacked() {
    int64_t bytes = shape.tiles == Tiles::Byte ? 1 : 2;
    choice.lanes = 16, choice.vectors = 2, choice.rows = 32;
    choice.height = maxHeight;
    choice.depth = partOf(machine.l2 / 2, choice.height * bytes, 256, 4096, 64);
    choice.width = partOf(machine.l2 / 4, choice.height * shape.elementBytes, 64, 1024, 32);
    choice.prefetch = isLarge(shape.rows, shape.columns, machine.l2 / 2);
    choice.kernel = Contraction::Kernel::PrepackedTiles;
    if (machine.has(shape.tiles))
      return;
    choice.kernel = Contraction::Kernel::Prepacked;
    choice.vectors = 1, choice.prefetch = 0;
    choice.rows = machine.registers >= manyRegisters ? 16 : 4;
  }

  /// The rows whose sums fit the registers, together with a row of rhs and a broadcast element of
  /// lhs. More rows of lhs would evict each other from the first-level cache.
  int64_t mostRows(int64_t vectors) const {
    int64_t rows = (machine.registers - 1 - vectors) / vectors;
    return std::clamp<int64_t>(rows, 1, machine.registers >= manyRegisters ? 14 : 6);
  }

  /// The useful part of a tile's work: vectors may exceed the last column, and with few sums each
  /// waits for the previous one. Tiles one vector wide load an element of lhs for each
  /// multiply-add.
  double usefulness(int64_t vectors) const {
    static constexpr double quality[] = {0, 0.93, 1, 0.995};
    int64_t rows = mostRows(vectors);
    if (isKnown(shape.rows))
      rows = std::min(rows, shape.rows);
    double busy = std::min(1.0, double(rows * vectors) / wantedSums);
    return quality[vectors] * busy * vectorsPerRow() / llvm::alignTo(vectorsPerRow(), vectors);
  }

  /// Two vectors wide if there are many rows, or one or three if that fits the columns better;
  /// wider if rows are few.
  void chooseTile() {
    choice.vectors = 2;
    if (isKnown(shape.rows))
      while (shape.rows * choice.vectors < wantedSums &&
             choice.vectors * 2 * (shape.rows + 1) < machine.registers)
        choice.vectors *= 2;
    if (isKnown(shape.columns) && vectorsPerRow() > choice.vectors && choice.vectors == 2 &&
        choice.kernel != Contraction::Kernel::Direct)
      for (int64_t other : {3, 1})
        if (usefulness(other) > usefulness(choice.vectors))
          choice.vectors = other;
    if (isKnown(shape.columns))
      choice.vectors = std::clamp<int64_t>(vectorsPerRow(), 1, choice.vectors);
    if (hasSmallRest())
      choice.vectors = 2;
    choice.rows = evenRows(mostRows(choice.vectors));
    if (isSmall() && choice.vectors > 1) // Rows of lhs are read from memory in turn.
      choice.rows = std::min(choice.rows, evenRows(wantedSums / choice.vectors));
    if (isByVector())
      choice.vectors = 1, choice.rows = std::max<int64_t>(shape.rows, 1);
  }

  /// A tile with two vectors and a short one would need too many registers. In a small product, the
  /// remaining columns get narrower tiles of their own.
  bool hasSmallRest() const {
    return hasKnownSizes() && !isSmall() && choice.vectors == 3 &&
           shape.columns < choice.columns() && shape.columns % choice.lanes &&
           shape.rows * shape.columns * shape.depth < minChunkWork;
  }

  /// Divides known rows evenly among the tiles.
  int64_t evenRows(int64_t most) const {
    if (!isKnown(shape.rows) || shape.rows == 0)
      return most;
    return llvm::divideCeil(shape.rows, llvm::divideCeil(shape.rows, most));
  }

  /// The part of the lanes that is used. Half a vector costs half as much as a whole one.
  double fullness(int64_t size) const {
    if (!isKnown(size))
      return unknownFullness;
    int64_t lanes = std::clamp<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(size, 1)),
                                        choice.lanes / 2, choice.lanes);
    return double(size) / llvm::alignTo(std::max<int64_t>(size, 1), lanes);
  }

  /// The part of the lanes that is used if only whole vectors are available.
  double wholeFullness(int64_t size) const {
    return double(size) / llvm::alignTo(std::max<int64_t>(size, 1), choice.lanes);
  }

  /// A plain product whose columns leave lanes empty that its rows would fill, such as a 1x1
  /// convolution of small images. Packing rows and transposing tiles must pay off, and the packed
  /// rows must stay in a cache.
  bool isBetterAcross() const {
    bool isPlain = shape.canBeAcross && shape.isRhsDense && shape.isLhsSpread && !shape.isNarrow;
    if (!isPlain || !isKnown(shape.rows) || !isKnown(shape.columns) || !isKnown(shape.depth))
      return false;
    int64_t panel = 2 * machine.vectorBytes * shape.depth;
    return shape.columns > choice.lanes && shape.rows >= minAcross && shape.depth >= minAcross &&
           panel <= machine.l2 / 2 && wholeFullness(shape.columns) < minFullness &&
           wholeFullness(shape.rows) > minFullness;
  }

  /// If rows and columns are swapped, neighboring steps of a window read the same elements, which
  /// stay in registers as long as there are enough.
  int64_t unrolledSteps() const {
    int64_t used = choice.rows * choice.vectors + choice.rows + choice.vectors + 2;
    return !choice.across || used < machine.registers ? maxUnrolledSteps : 1;
  }

  /// Chooses as columns what fills vectors better; dense columns need no gathering. Blocks of the
  /// operand without windows stay in half of the second-level cache.
  void chooseDirect() {
    double asIs = fullness(shape.columns) * (shape.isRhsDense ? 1 : 0.5);
    choice.kernel = Contraction::Kernel::Direct;
    choice.across = shape.canBeAcross && fullness(shape.rows) >= asIs;
    choice.packRhs = choice.across;
    choice.prefetch = 1;
    if (choice.across) {
      std::swap(shape.rows, shape.columns);
      choice.lanes = std::min(choice.lanes, maxTurned);
    }
    chooseLanes();
    chooseTile();
    choice.unroll = unrolledSteps();
    int64_t depth = isKnown(shape.wholeDepth) ? std::max<int64_t>(shape.wholeDepth, 1) : usualDepth;
    int64_t line = depth * shape.elementBytes;
    if (choice.across)
      choice.width = partOf(machine.l2 / 2, line, choice.columns(), maxWidth, choice.columns());
    else
      choice.height = partOf(machine.l2 / 2, line, choice.rows, maxHeight, choice.rows);
  }

  bool isLarge(int64_t first, int64_t second, int64_t bytes) const {
    return !isKnown(first) || !isKnown(second) || first * second * shape.elementBytes > bytes;
  }

  bool hasKnownSizes() const {
    return isKnown(shape.rows) && isKnown(shape.columns) && isKnown(shape.depth);
  }

  void choosePacking() {
    if (!hasKnownSizes())
      choice.packRhs = machine.l2 / 4 / shape.elementBytes;
    else if (shape.rows >= minPackedRows && isLarge(shape.columns, shape.depth, machine.l2 / 4))
      choice.packRhs = 1;
    if (!shape.isRhsDense || shape.isNarrow)
      choice.packRhs = 1;
    bool isReused = !isKnown(shape.columns) || shape.columns > 2 * choice.columns();
    choice.packLhs = isReused && !canReadLhs() &&
                     (!hasKnownSizes() || isLarge(shape.rows, shape.depth, machine.l2 / 4));
    choice.prefetch = isLarge(shape.rows, shape.columns, machine.l2 / 2);
  }

  /// Rows that are dense along depth are read in place, by tiles specialized for their stride.
  bool canReadLhs() const {
    return hasKnownSizes() && !shape.isNarrow && shape.lhsStep == shape.elementBytes;
  }

  /// Whether tiles have so few rows that too many of them would read each row of rhs.
  bool isReadOften() const {
    return machine.registers < manyRegisters && shape.rows > maxReads * choice.rows;
  }

  /// Adapts the tile to operands that are read in place and scattered in memory.
  void adaptTile() {
    bool isScattered =
        shape.rhsStride >= setBytes && isLarge(shape.columns, shape.depth, machine.l2);
    // The stride is unknown: rhs may be a part of a larger matrix that is not cached yet.
    bool mayBeScattered = !shape.rhsStride && shape.depth > 1 && shape.columns > choice.columns();
    if (!choice.packRhs && isScattered && isReadOften())
      choice.packRhs = 1;
    else if (!choice.packRhs && isScattered)
      chooseScattered();
    else if (!choice.packRhs && mayBeScattered)
      choice.prefetch = 3;
    bool doRowsCollide = shape.lhsStride && shape.lhsStride % setBytes == 0;
    if (!choice.packLhs && doRowsCollide)
      choice.rows = evenRows(std::min(choice.rows, machine.l1 / setBytes));
  }

  /// A panel of rhs takes a small part of the second-level cache and the packed rows of lhs a
  /// quarter; the packed columns of rhs take a quarter of the last-level cache.
  void chooseBlocks() {
    choosePacking();
    if (hasKnownSizes())
      adaptTile();
    int64_t panelRow = choice.columns() * shape.elementBytes;
    choice.depth = partOf(machine.l2 / 16, panelRow, 64, 512, 32);
    int64_t depthBytes = choice.depth * shape.elementBytes;
    int64_t mostRows = choice.packLhs ? maxHeight : maxReadHeight;
    choice.height = partOf(machine.l2 / 4, depthBytes, choice.rows, mostRows, choice.rows);
    choice.width = partOf(std::min(machine.l3 / 4, maxPacked), depthBytes, choice.columns(),
                          maxWidth, choice.columns());
    if (isPackedLate())
      choice.packLate = 1, choice.width = 0, choice.height = llvm::alignTo(shape.rows, choice.rows);
  }

  /// Whether to pack columns just before use: either no cache holds them all and the rows are
  /// packed once; or few rows use them and are read in place, so that no thread waits for others to
  /// pack.
  bool isPackedLate() const {
    if (!hasKnownSizes() || !choice.packRhs || shape.rhsStride != shape.elementBytes)
      return false;
    if (isLarge(shape.columns, shape.depth, machine.l3))
      return shape.rows <= maxHeight;
    return !choice.packLhs && shape.rows <= maxLateHeight &&
           shape.rows * shape.columns * shape.depth >= minLateWork;
  }

  /// Reads long pieces of rows of rhs that are on different pages and that no cache keeps until the
  /// next tile.
  void chooseScattered() {
    choice.prefetch = 2;
    if (vectorsPerRow() < widestTile)
      return;
    choice.vectors = widestTile;
    choice.rows = evenRows(mostRows(widestTile));
  }

  /// Each element of lhs is used by one sum. Takes few rows, as many memory streams as can be
  /// prefetched. Blocks of rows fill half of the second-level cache and have equal sizes.
  void chooseRowBlocks() {
    choice.vectors = isKnown(shape.columns) ? std::clamp<int64_t>(vectorsPerRow(), 1, 2) : 2;
    choice.rows = isKnown(shape.rows) ? std::clamp<int64_t>(shape.rows, 1, 2) : 2;
    if (!isKnown(shape.columns) || !isKnown(shape.depth))
      return;
    int64_t row = std::max<int64_t>(shape.columns * shape.depth * shape.elementBytes, 1);
    choice.height = partOf(machine.l2 / 2, row, choice.rows, maxHeight, choice.rows);
    while (isKnown(shape.rows) && shape.rows % choice.height)
      --choice.height;
  }

  /// How many pieces fit into `bytes`, within bounds, rounded down to a multiple.
  static int64_t partOf(int64_t bytes, int64_t piece, int64_t least, int64_t most,
                        int64_t multiple) {
    return std::max(std::clamp(bytes / piece, least, most) / multiple * multiple, multiple);
  }

  ContractionShape shape;
  const Machine &machine;
  Contraction choice;
};

} // namespace

Contraction tessera::schedule::chooseContraction(const ContractionShape &shape,
                                                 const Machine &machine) {
  return Model(shape, machine).choose();
}
