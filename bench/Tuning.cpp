#include "Tuning.h"
#include "Inputs.h"
#include "Process.h"
#include "schedule/Records.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <filesystem>

using namespace tessera;
using namespace tessera::bench;

std::string bench::tune(const TuningTask &task, const std::string &folder) {
  const FamilyFacts &facts = factsOf(task.kernel.family);
  std::string file = folder + "/" + std::string(facts.file);
  std::error_code ignored;
  std::filesystem::copy(BENCH_FOLDER "/" + std::string(facts.file), file, ignored);
  std::vector<std::string> words = {BENCH_PROGRAMS "/tessera",
                                    "tune",
                                    file,
                                    "--call",
                                    std::string(facts.function),
                                    "--threads=" + std::to_string(task.threads),
                                    "--budget=" + std::to_string(task.budget)};
  size_t numInputs = shapeOf(task.kernel).inputs.size();
  for (size_t i = 0; i < numInputs; ++i)
    words.push_back("@" + folder + "/" + std::to_string(i) + ".npy");
  setenv("XDG_DATA_HOME", folder.c_str(), 1);
  runProcess(words);
  unsetenv("XDG_DATA_HOME");
  return file + ".tune";
}

std::string bench::searchFile() {
  return BENCH_FOLDER "/search.tune";
}

static std::vector<schedule::Record> recordsOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return {};
  SourceFile source(path, (*buffer)->getBuffer().str());
  std::vector<schedule::Mistake> mistakes;
  return schedule::parseRecords(source, mistakes);
}

bool bench::search(const TuningTask &task) {
  ScratchFolder scratch(/*isInMemory=*/true);
  if (!writeInputs(shapeOf(task.kernel), scratch.path()))
    return false;
  std::vector<schedule::Record> found = recordsOf(tune(task, scratch.path()));
  if (found.empty())
    return false;
  std::vector<schedule::Record> kept = recordsOf(searchFile());
  for (const schedule::Record &record : found) {
    llvm::erase_if(kept, [&](const schedule::Record &each) { return each.isAbout(record); });
    kept.push_back(record);
    llvm::outs() << task.kernel.name << ", " << task.threads << " thread(s): " << record.untuned
                 << " s by the model, " << record.seconds << " s found\n";
  }
  std::error_code error;
  llvm::raw_fd_ostream out(searchFile(), error);
  out << schedule::printRecords(kept);
  return !error;
}
