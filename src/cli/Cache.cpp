#include "jit/Cache.h"
#include "cli/CacheDirectory.h"
#include "cli/Commands.h"
#include "llvm/Support/JSON.h"

using namespace tessera;
using namespace tessera::cli;

int tessera::cli::runCache(const Invocation &invocation, Terminal &terminal) {
  jit::Cache cache = jit::Cache::open();
  TuningState tuning = tuningState();
  if (invocation.has(Opt::Clear)) {
    uint64_t removed = cache.clear();
    terminal.out << llvm::formatv("removed {0} compiled programs from {1}\n", removed,
                                  cache.directory());
    if (tuning.numRecords)
      terminal.out << llvm::formatv("kept {0} in {1}\n", recordsText(tuning), tuning.path);
    return Success;
  }
  auto [entries, bytes] = cache.usage();
  if (invocation.has(Opt::Json)) {
    llvm::json::Object object;
    object["directory"] = cache.directory();
    object["enabled"] = cache.isEnabled();
    object["entries"] = int64_t(entries);
    object["bytes"] = int64_t(bytes);
    object["limit"] = int64_t(jit::Cache::maxBytes);
    object["tuning"] = llvm::json::Object{{"path", tuning.path}, {"records", tuning.numRecords}};
    terminal.out << llvm::json::Value(std::move(object)) << '\n';
    return Success;
  }
  terminal.out << llvm::formatv("{0}: {1} compiled programs, {2} KiB of at most {3} KiB{4}\n",
                                cache.directory(), entries, (bytes + 1023) / 1024,
                                jit::Cache::maxBytes / 1024,
                                cache.isEnabled() ? "" : " (switched off by TESSERA_CACHE)");
  terminal.out << llvm::formatv("{0}: {1}, which are no cache\n", tuning.path, recordsText(tuning));
  return Success;
}
