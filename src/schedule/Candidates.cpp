#include "schedule/Candidates.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::schedule;
using Kind = Contraction::Kernel;

/// After this many mixtures that were all seen before, hardly any new ones are left.
static constexpr int maxFruitless = 256;

static bool isKnown(int64_t size) {
  return !ShapedType::isDynamic(size);
}

Candidates::Candidates(const Kernel &kernel, const Machine &machine, uint64_t seed)
    : kernel(kernel), machine(machine), engine(seed) {
  switch (kernel.model.kernel) {
  case Kind::Inner:
    addInnerTiles();
    break;
  case Kind::PrepackedTiles:
    addNumbers(&Contraction::prefetch, {0, 1});
    [[fallthrough]];
  case Kind::Tiles:
  case Kind::Prepacked:
    addRowsAndColumns();
    break;
  case Kind::Direct:
    addTiles();
    addRowsAndColumns();
    addNumbers(&Contraction::prefetch, {0, 1});
    addNumbers(&Contraction::unroll, {1, 4, 16}); // Steps of one chain; results do not change.
    break;
  case Kind::Blocked:
  case Kind::Unrolled:
    addTiles();
    fields.push_back({{{}, Kind::Unrolled}, {{}, Kind::Blocked}});
    if (kernel.sizes[3] != 1)
      addNumbers(&Contraction::parallelOuter, {0, 1});
    if (kernel.model.depth)
      addBlocks();
  }
  for (const Alternatives &field : fields)
    for (const Change &change : field)
      waiting.push_back(change.of(kernel.model));
  for (size_t left = waiting.size(); left > 1; --left)
    std::swap(waiting[left - 1], waiting[random(left)]);
}

Contraction Candidates::Change::of(Contraction schedule) const {
  for (auto [member, value] : numbers)
    schedule.*member = value;
  schedule.kernel = kernel.value_or(schedule.kernel);
  return schedule;
}

void Candidates::addNumbers(int64_t Contraction::*field, ArrayRef<int64_t> values) {
  Alternatives alternatives;
  for (int64_t value : values)
    if (value != kernel.model.*field)
      alternatives.push_back({{{field, value}}});
  fields.push_back(std::move(alternatives));
}

/// Tiles that use at least half of the registers, or all rows; known rows are divided evenly.
void Candidates::addTiles() {
  Alternatives tiles;
  auto [rows, columns, depth, outer] = sizesOfTiles(kernel.sizes, kernel.model);
  int64_t perRow = isKnown(columns)
                       ? llvm::divideCeil(std::max<int64_t>(columns, 1), kernel.model.lanes)
                       : machine.registers;
  for (int64_t vectors : {1, 2, 3, 4, 6, 8}) {
    int64_t most = (machine.registers - 1 - vectors) / vectors;
    for (int64_t height = most; height >= 1 && vectors <= perRow; --height) {
      bool isEven = !isKnown(rows) || rows <= 0 ||
                    height == int64_t(llvm::divideCeil(rows, llvm::divideCeil(rows, height)));
      bool isFull = 2 * height * vectors >= machine.registers || height == rows;
      if (isEven && isFull)
        tiles.push_back({{{&Contraction::rows, height}, {&Contraction::vectors, vectors}}});
    }
  }
  fields.push_back(std::move(tiles));
  addNumbers(&Contraction::lanes, {std::max<int64_t>(kernel.model.lanes / 2, 1)});
}

/// Varies how many sums are computed at a time. How each sum is split into parts is fixed.
void Candidates::addInnerTiles() {
  Alternatives tiles;
  for (int64_t rows : {1, 2, 3, 4, 6, 8})
    for (int64_t lanes : {1, 2, 4, 8, 16})
      if (rows * lanes * kernel.model.unroll + lanes + 1 <= machine.registers)
        tiles.push_back({{{&Contraction::rows, rows}, {&Contraction::lanes, lanes}}});
  fields.push_back(std::move(tiles));
}

void Candidates::addRowsAndColumns() {
  addNumbers(&Contraction::height, {0, 32, 64, 96, 128, 192, 256, 512, 1024});
  addNumbers(&Contraction::width, {0, 128, 256, 512, 1024, 2048, 4096});
}

void Candidates::addBlocks() {
  addNumbers(&Contraction::depth, {64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048});
  addNumbers(&Contraction::height, {0, 28, 56, 84, 126, 168, 252, 504, 1008});
  addNumbers(&Contraction::width, {0, 128, 256, 512, 1024, 2048, 4096});
  addNumbers(&Contraction::packLhs, {0, 1});
  addNumbers(&Contraction::packLate, {0, 1});
  addNumbers(&Contraction::prefetch, {0, 1, 2});
  if (kernel.hasKnownSizes())
    addNumbers(&Contraction::packRhs, {0, 1});
  else
    addNumbers(&Contraction::packRhs,
               {0, 1, kernel.model.packRhs / 4 + 1, kernel.model.packRhs * 4 + 1});
}

/// The effective part of a schedule: blocks that reach beyond the end of an axis are all the same.
static std::string effectOf(Contraction schedule, const KernelSizes &kernelSizes) {
  KernelSizes sizes = sizesOfTiles(kernelSizes, schedule);
  auto bound = [](int64_t &block, int64_t size) {
    if (isKnown(size) && (block == 0 || block > size))
      block = std::max<int64_t>(size, 1);
  };
  bound(schedule.height, sizes[0]);
  bound(schedule.width, sizes[1]);
  bound(schedule.depth, sizes[2]);
  if (schedule.kernel == Kind::Unrolled)
    schedule = {.kernel = Kind::Unrolled,
                .lanes = schedule.lanes,
                .rows = schedule.rows,
                .vectors = schedule.vectors,
                .parallelOuter = schedule.parallelOuter};
  return llvm::formatv("{0}", llvm::json::Value(schedule.toJson()));
}

bool Candidates::isNew(const Contraction &candidate) {
  bool isOther = candidate.kernel == Kind::Inner || candidate.usesTiles();
  bool fitsRegisters =
      isOther || candidate.rows * candidate.vectors + candidate.vectors + 1 <= machine.registers;
  if (!fitsRegisters || !candidate.complaint().empty() || !whyUnfit(candidate, kernel).empty())
    return false;
  return seen.insert(effectOf(candidate, kernel.sizes)).second;
}

/// Takes about half of the fields from the model.
std::optional<Contraction> Candidates::mixture() {
  for (int attempt = 0; attempt < maxFruitless; ++attempt) {
    Contraction candidate = kernel.model;
    for (const Alternatives &field : fields) {
      if (field.empty() || random(2) == 0)
        continue;
      candidate = field[random(field.size())].of(candidate);
    }
    if (isNew(candidate))
      return candidate;
  }
  return std::nullopt;
}

std::optional<Contraction> Candidates::next() {
  if (seen.empty()) {
    seen.insert(effectOf(kernel.model, kernel.sizes));
    return kernel.model;
  }
  while (!waiting.empty()) {
    Contraction candidate = waiting.back();
    waiting.pop_back();
    if (isNew(candidate))
      return candidate;
  }
  return mixture();
}
