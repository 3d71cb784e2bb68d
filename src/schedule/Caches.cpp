#include "schedule/Caches.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera::schedule;
using llvm::StringRef;

/// Reads a file whose length the kernel does not report in advance; "" if it cannot be read.
static std::string readText(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  return buffer ? (*buffer)->getBuffer().trim().str() : "";
}

/// "48K"
static int64_t parseBytes(StringRef text) {
  int64_t count = 0;
  if (text.consumeInteger(10, count))
    return 0;
  return text == "K" ? count << 10 : text == "M" ? count << 20 : count;
}

/// Counts the CPUs in a list such as "0-3,8"; a malformed list counts as one CPU.
static unsigned countCpus(StringRef list) {
  unsigned count = 0;
  for (StringRef span : llvm::split(list, ',')) {
    unsigned first = 0, last = 0;
    if (span.consumeInteger(10, first))
      return 1;
    last = first;
    if (span.consume_front("-") && span.consumeInteger(10, last))
      return 1;
    count += last >= first ? last - first + 1 : 0;
  }
  return std::max(count, 1u);
}

std::vector<Cache> tessera::schedule::readCaches(StringRef folder) {
  std::vector<Cache> caches;
  while (true) {
    std::string files = llvm::formatv("{0}/index{1}/", folder, caches.size());
    Cache cache;
    if (StringRef(readText(files + "level")).getAsInteger(10, cache.level))
      return caches;
    cache.type = readText(files + "type");
    cache.bytes = parseBytes(readText(files + "size"));
    cache.numCpus = countCpus(readText(files + "shared_cpu_list"));
    caches.push_back(std::move(cache));
  }
}

void tessera::schedule::setCaches(Machine &machine, llvm::ArrayRef<Cache> caches) {
  int64_t *levels[] = {&machine.l1, &machine.l2, &machine.l3};
  for (const Cache &cache : caches)
    if (cache.type != "Instruction" && cache.bytes > 0 && cache.level >= 1 && cache.level <= 3)
      *levels[cache.level - 1] = std::min<int64_t>(cache.bytes, cache.numCpus * maxSharedBytes);
}
