#include "jit/Cache.h"
#include "cli/Commands.h"
#include "cli/TuneRecords.h"
#include "llvm/Support/JSON.h"

using namespace tessera;
using namespace tessera::cli;

static std::string programsText(uint64_t count) {
  return llvm::formatv("{0} compiled {1}", count, count == 1 ? "program" : "programs");
}

int tessera::cli::runCache(const Invocation &invocation, Terminal &terminal) {
  jit::Cache cache = jit::Cache::open();
  TuningState tuning = tuningState();
  if (invocation.has(Opt::Clear)) {
    uint64_t removed = cache.clear();
    if (invocation.has(Opt::Json)) {
      terminal.out << llvm::json::Value(llvm::json::Object{{"directory", cache.directory()},
                                                           {"removed", int64_t(removed)}})
                   << '\n';
      return Success;
    }
    terminal.out << llvm::formatv("removed {0} from {1}\n", programsText(removed),
                                  cache.directory());
    if (tuning.numRecords)
      terminal.out << llvm::formatv("kept {0} in {1}\n", recordsText(tuning), tuning.path);
    return Success;
  }
  auto [entries, bytes] = cache.usage();
  std::string why = cache.whyUnused();
  if (invocation.has(Opt::Json)) {
    llvm::json::Object object;
    object["directory"] = cache.directory();
    object["enabled"] = cache.isEnabled();
    object["used"] = why.empty();
    object["whyUnused"] = why;
    object["entries"] = int64_t(entries);
    object["bytes"] = int64_t(bytes);
    object["limit"] = int64_t(jit::Cache::maxBytes);
    object["tuning"] = llvm::json::Object{{"path", tuning.path}, {"records", tuning.numRecords}};
    terminal.out << llvm::json::Value(std::move(object)) << '\n';
    return Success;
  }
  terminal.out << llvm::formatv("{0}: {1}, {2} KiB of at most {3} KiB\n", cache.directory(),
                                programsText(entries), (bytes + 1023) / 1024,
                                jit::Cache::maxBytes / 1024);
  if (!why.empty())
    terminal.out << "not used: " << why << '\n';
  terminal.out << llvm::formatv("{0}: {1}{2}\n", tuning.path, recordsText(tuning),
                                tuning.error.empty() ? " (kept by `--clear`)" : "");
  return Success;
}
