#include "cli/data/Memory.h"
#include "cli/Tensor.h"
#include "runtime/Table.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <sys/mman.h>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;

static constexpr size_t cacheLine = 64, largestSmall = 64 << 10, hugePageBytes = 4 << 20;

Memory::~Memory() {
  if (region)
    tessera_rt_region_free(region);
}

void *Memory::allocate(size_t bytes) {
  if (bytes <= largestSmall) {
    void *memory = small.Allocate(bytes, bytes < cacheLine ? alignof(int64_t) : cacheLine);
    return memset(memory, 0, bytes);
  }
  size_t limit = physicalMemory();
  if (bytes > limit || largeBytes > limit - bytes)
    return nullptr;
  // Pages are cleared when the threads that fill them first write to them.
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  if (bytes >= hugePageBytes)
    madvise(memory, bytes, MADV_HUGEPAGE);
  largeBytes += bytes;
  owners.emplace_back(memory, [bytes](void *pages) { munmap(pages, bytes); });
  return memory;
}

static tessera_kind runtimeKind(const DataType &type) {
  switch (type.kind()) {
  case DataType::Kind::Vector:
    return TESSERA_KIND_VECTOR;
  case DataType::Kind::Struct:
    return TESSERA_KIND_STRUCT;
  case DataType::Kind::Dictionary:
    return TESSERA_KIND_DICTIONARY;
  case DataType::Kind::Scalar:
    break;
  }
  unsigned width = llvm::Log2_32(bitsOf(type.scalar()) / 8);
  switch (kindOf(type.scalar())) {
  case ScalarKind::Bool:
    return TESSERA_KIND_BOOL;
  case ScalarKind::Signed:
    return tessera_kind(TESSERA_KIND_I8 + width);
  case ScalarKind::Unsigned:
    return tessera_kind(TESSERA_KIND_U8 + width);
  case ScalarKind::Float:
    break;
  }
  return width == 3 ? TESSERA_KIND_F64 : TESSERA_KIND_F32; // Dictionaries contain no other types.
}

static void addRow(const DataType &type, std::vector<int32_t> &table) {
  size_t row = table.size();
  size_t numParts = type.fields().size();
  table.insert(table.end(), {runtimeKind(type), int32_t(type.size()), int32_t(type.alignment()),
                             type.holdsNoPointers(), int32_t(numParts)});
  table.resize(table.size() + 2 * numParts);
  for (size_t part = 0; part < numParts; ++part) {
    table[row + 5 + 2 * part] = type.isStruct() ? type.offset(part) : 0;
    table[row + 6 + 2 * part] = table.size() - row;
    addRow(type.fields()[part], table);
  }
}

std::vector<int32_t> data::tableOf(const DataType &type) {
  std::vector<int32_t> table;
  addRow(type, table);
  return table;
}

bool data::describes(const int32_t *table, const DataType &type) {
  runtime::Type row(table);
  if (row.kind() != runtimeKind(type) || size_t(row.size()) != type.size() ||
      size_t(row.numParts()) != type.fields().size())
    return false;
  for (int32_t part = 0; part < row.numParts(); ++part) {
    bool isHere = !type.isStruct() || size_t(row.offset(part)) == type.offset(part);
    if (!isHere || !describes(row.part(part).table(), type.fields()[part]))
      return false;
  }
  return true;
}

namespace {

/// The context of a body of tessera_rt_enter: the runtime traps if there is not enough memory.
struct TableTask {
  const int32_t *type;
  size_t entryBytes, valueOffset, count;
  const char *entries;
  tessera_region *&region;
  std::optional<size_t> &repeated;
  tessera_table *table = nullptr;
};

void fillTable(TableTask &task, std::vector<char> &entry) {
  runtime::Type key = runtime::Type(task.type).part(0);
  for (size_t index = 0; index < task.count && !task.repeated; ++index) {
    memcpy(entry.data(), task.entries + index * task.entryBytes, task.entryBytes);
    if (key.holdsNoPointers())
      runtime::canonicalize(key, entry.data());
    void *value = tessera_rt_table_insert(task.table, entry.data(), nullptr);
    if (size_t(task.table->size) == index)
      task.repeated = index;
    memcpy(value, entry.data() + task.valueOffset, task.entryBytes - task.valueOffset);
  }
}

} // namespace

tessera_table *Memory::makeTable(const DataType &dictionary, const char *entries, size_t count,
                                 std::optional<size_t> &repeated) {
  const DataType &entry = dictionary.entry();
  auto type = std::make_shared<std::vector<int32_t>>(tableOf(entry));
  keep(type);
  std::vector<char> scratch(entry.size() + 1);
  TableTask task{type->data(), entry.size(), entry.offset(1), count, entries, region, repeated};
  std::pair<TableTask &, std::vector<char> &> context(task, scratch);
  auto body = [](void *memory) {
    auto &[task, scratch] = *static_cast<std::pair<TableTask &, std::vector<char> &> *>(memory);
    if (!task.region)
      task.region = tessera_rt_region_create(nullptr);
    task.table = tessera_rt_table_create(task.type, task.region, task.count, nullptr);
    fillTable(task, scratch);
  };
  bool isMade = tessera_rt_enter(body, &context) == TESSERA_OK && !repeated;
  return isMade ? task.table : nullptr;
}
