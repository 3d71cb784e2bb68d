/// `tessera doctor`: what this machine has, what is missing, and which packages provide it.
#include "cli/Commands.h"
#include "cli/Link.h"
#include "cli/Machine.h"
#include "cli/TuneRecords.h"
#include "cli/Version.h"
#include "jit/Cache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Program.h"

using namespace tessera::cli;
using llvm::StringRef;
using llvm::json::Value;

namespace {

/// One line of the report: a value for programs, a text for people.
struct Fact {
  StringRef key;
  Value value;
  std::string text;
};

struct Section {
  StringRef key, title;
  std::vector<Fact> facts;
};

Fact fact(StringRef key, StringRef text) {
  return {key, text.str(), text.str()};
}
Fact count(StringRef key, unsigned number) {
  return {key, number, std::to_string(number)};
}
Fact bytes(StringRef key, uint64_t number) {
  return {key, number, byteText(number)};
}

Section versions() {
  return {"versions", "Versions", {fact("tessera", version), fact("llvm", llvmVersion)}};
}

std::string featureText(const Machine &machine, bool isPresent) {
  std::vector<StringRef> names;
  for (const Feature &feature : machine.features)
    if (feature.isPresent == isPresent)
      names.push_back(feature.name);
  return names.empty() ? "none" : llvm::join(names, " ");
}

Section processor(const Machine &machine) {
  llvm::json::Object features;
  for (const Feature &feature : machine.features)
    features[feature.name] = feature.isPresent;
  Section section{"cpu", "Processor", {}};
  section.facts = {fact("model", machine.model),
                   fact("level", machine.level),
                   count("cores", machine.numCores),
                   count("threads", machine.numThreads),
                   bytes("memory", machine.memoryBytes),
                   {"features", std::move(features), featureText(machine, true)},
                   {"lacking", nullptr, featureText(machine, false)},
                   {"amx", machine.amx.empty(), machine.amx.empty() ? "available" : machine.amx}};
  return section;
}

Section cpuCaches(const Machine &machine) {
  Section section{"cpuCaches", "Processor caches", {}};
  for (const CpuCache &cache : machine.caches)
    section.facts.push_back(bytes(cache.name, cache.bytes));
  return section;
}

Section devices(const Machine &machine) {
  Section section{"devices", "Devices", {}};
  for (const Device &device : describeDevices(machine))
    section.facts.push_back(
        {device.name, device.isAvailable,
         (device.isAvailable ? "available: " : "not available: ") + device.description});
  return section;
}

Section ownCache() {
  tessera::jit::Cache cache = tessera::jit::Cache::open();
  auto [entries, numBytes] = cache.usage();
  bool exists = llvm::sys::fs::is_directory(cache.directory());
  std::string why = cache.whyUnused();
  Section section{"cache", "Compilation cache", {}};
  section.facts = {fact("path", cache.directory()),
                   {"exists", exists, exists ? "yes" : "no"},
                   {"used", why.empty(), why.empty() ? "yes" : "no: " + why},
                   {"files", entries, std::to_string(entries)},
                   bytes("size", numBytes)};
  return section;
}

Section tuning() {
  TuningState state = tuningState();
  Section section{"tuning", "Tuning database", {}};
  section.facts = {fact("path", state.path), {"records", state.numRecords, recordsText(state)}};
  return section;
}

Section linking() {
  Section section{"tools", "Linkers (one is enough)", {}};
  for (const LinkTool &tool : linkTools()) {
    llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(tool.name);
    if (path)
      section.facts.push_back(fact(tool.name, *path));
    else
      section.facts.push_back(
          {tool.name, nullptr, "missing; install the package " + tool.package.str()});
  }
  return section;
}

void printText(llvm::raw_ostream &out, llvm::ArrayRef<Section> sections) {
  StringRef separator;
  for (const Section &section : sections) {
    out << separator << section.title << '\n';
    for (const Fact &fact : section.facts)
      out << llvm::formatv("  {0,-12}{1}\n", fact.key, fact.text);
    separator = "\n";
  }
}

/// Facts for people only, such as missing features, have no value.
void printJson(llvm::raw_ostream &out, llvm::ArrayRef<Section> sections) {
  llvm::json::OStream json(out);
  json.object([&] {
    for (const Section &section : sections)
      json.attributeObject(section.key, [&] {
        for (const Fact &fact : section.facts)
          if (fact.key != "lacking")
            json.attribute(fact.key, fact.value);
      });
  });
  out << '\n';
}

} // namespace

int tessera::cli::runDoctor(const Invocation &invocation, Terminal &terminal) {
  Machine machine = describeMachine();
  const Section sections[] = {versions(), processor(machine), cpuCaches(machine), devices(machine),
                              ownCache(), tuning(),           linking()};
  (invocation.has(Opt::Json) ? printJson : printText)(terminal.out, sections);
  return Success;
}
