#include "Invocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <unistd.h>

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

/// Anything slower counts as a hang.
static constexpr unsigned maxSeconds = 60;
static constexpr size_t guardBytes = 256, alignment = 128;
static constexpr char guard = 0x5a;

Invocation::Invocation(const Function &function, llvm::ArrayRef<Datum> arguments) {
  for (auto [parameter, argument] : llvm::zip_equal(function.parameters, arguments)) {
    const Type &type = *parameter->type;
    std::string name = parameter->name.text.str();
    if (auto *number = std::get_if<Quantity>(&argument))
      addScalar(type, *number);
    else if (auto *memref = std::get_if<Memref>(&argument))
      addMemref(name, type, *memref);
    else
      addGroup(name, type, *std::get<std::shared_ptr<const Group>>(argument));
  }
}

void Invocation::pack(const void *field, size_t size, size_t fieldAlignment) {
  size_t at = llvm::alignTo(packed.size(), fieldAlignment);
  packed.resize(at + size);
  memcpy(packed.data() + at, field, size);
}

void Invocation::addScalar(const Type &type, const Quantity &value) {
  if (type.kind == Type::Bool)
    return pack(value.integer != 0);
  char bytes[16];
  encode(value, type.scalar, bytes);
  pack(bytes, bytesOf(type.scalar), bytesOf(partOf(type.scalar)));
}

/// The dynamic numbers of a type, in order.
static llvm::SmallVector<int64_t> openNumbers(const Type &type, const Memref &memref) {
  llvm::SmallVector<int64_t> numbers;
  for (int64_t mode = 0; mode < type.order(); ++mode)
    if (type.shape[mode] == dynamic)
      numbers.push_back(memref.shape[mode]);
  for (int64_t mode = 0; mode < type.order(); ++mode)
    if (type.strides[mode] == dynamic)
      numbers.push_back(memref.strides[mode]);
  return numbers;
}

void Invocation::addMemref(const std::string &name, const Type &type, const Memref &memref) {
  pack(addBlock(name, memref));
  for (int64_t number : openNumbers(type, memref))
    pack(number);
}

void Invocation::addGroup(const std::string &name, const Type &type, const Group &group) {
  std::vector<void *> members;
  size_t numOpen =
      llvm::count(type.member->shape, dynamic) + llvm::count(type.member->strides, dynamic);
  std::vector<std::vector<int64_t>> open(numOpen);
  for (auto [index, member] : llvm::enumerate(group)) {
    members.push_back(addBlock(llvm::formatv("{0}[{1}]", name, index), member));
    for (auto [list, number] : llvm::zip_equal(open, openNumbers(*type.member, member)))
      list.push_back(number);
  }
  pointers.push_back(std::move(members));
  pack(pointers.back().data());
  for (std::vector<int64_t> &list : open) {
    numbers.push_back(std::move(list));
    pack(numbers.back().data());
  }
  if (type.size == dynamic)
    pack(int64_t(group.size()));
  if (type.offset == dynamic)
    pack(group.empty() ? int64_t(0) : group.front().base);
}

void *Invocation::addBlock(std::string name, const Memref &memref) {
  Block &block = blocks.emplace_back(Block{std::move(name), memref.memory, {}});
  block.bytes.assign(block.size() + 2 * guardBytes + alignment, guard);
  auto address = reinterpret_cast<uintptr_t>(block.bytes.data());
  block.begin = llvm::alignTo(address + guardBytes, alignment) - address;
  for (size_t cell = 0; cell < block.memory->size(); ++cell)
    encode((*block.memory)[cell], block.memory->element,
           block.data() + cell * bytesOf(block.memory->element));
  return block.data();
}

bool Invocation::Block::isIntact() const {
  auto isGuard = [](char byte) { return byte == guard; };
  llvm::ArrayRef<char> all = bytes;
  return llvm::all_of(all.take_front(begin), isGuard) &&
         llvm::all_of(all.drop_front(begin + size()), isGuard);
}

std::string Invocation::run(const tessera_kernel &kernel, int64_t groups, int64_t threads) {
  tessera_launch launch{groups, int32_t(threads), 0};
  packed.resize(packed.size() + 1); // Never null.
  alarm(maxSeconds);
  int status = tessera_rt_launch(&kernel, packed.data(), &launch);
  alarm(0);
  if (status != TESSERA_OK)
    return std::string("it failed: ") + tessera_last_error();
  for (const Block &block : blocks)
    if (!block.isIntact())
      return "it wrote outside of the memory of " + block.name;
  return "";
}

std::string Invocation::difference(llvm::ArrayRef<Datum> expected) const {
  llvm::SmallVector<const Memory *> memories;
  for (const Datum &datum : expected) {
    if (auto *memref = std::get_if<Memref>(&datum))
      memories.push_back(memref->memory.get());
    else if (auto *group = std::get_if<std::shared_ptr<const Group>>(&datum))
      for (const Memref &member : **group)
        memories.push_back(member.memory.get());
  }
  for (auto [block, memory] : llvm::zip_equal(blocks, memories))
    for (size_t cell = 0; cell < memory->size(); ++cell) {
      ScalarType type = memory->element;
      Quantity found = decode(block.data() + cell * bytesOf(type), type);
      if (!agrees((*memory)[cell], found, type))
        return llvm::formatv("{0} element {1}: {2} instead of {3}", block.name, cell,
                             text(found, type), text((*memory)[cell], type));
    }
  return "";
}

std::string Invocation::bytes() const {
  std::string all;
  for (const Block &block : blocks)
    all.append(block.data(), block.size());
  return all;
}
