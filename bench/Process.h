/// Runs other programs to completion, or queries them line by line.
#ifndef TESSERA_BENCH_PROCESS_H
#define TESSERA_BENCH_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdio>
#include <string>
#include <sys/types.h>

namespace tessera::bench {

struct Finished {
  int status;
  double cpuSeconds; ///< With that of its children.
};

/// Runs a program to completion; its standard output goes to `output`.
Finished runProcess(llvm::ArrayRef<std::string> command, const std::string &output = "/dev/null");

/// A process that answers each line with a line. It is stopped in between, since threads that wait
/// for work in a busy loop would take time from the others.
class Server {
public:
  explicit Server(llvm::ArrayRef<std::string> command);
  ~Server();
  Server(const Server &) = delete;

  /// "" if the process has ended.
  std::string ask(llvm::StringRef line);
  /// The next line that it prints.
  std::string listen();

private:
  void wake();

  pid_t child = 0;
  FILE *requests = nullptr, *answers = nullptr;
};

/// A folder that is deleted with its contents.
class ScratchFolder {
public:
  /// In memory, if wanted and possible.
  explicit ScratchFolder(bool isInMemory = false);
  ~ScratchFolder();
  const std::string &path() const { return folder; }

private:
  std::string folder;
};

} // namespace tessera::bench

#endif
