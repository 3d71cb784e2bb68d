/// Progress while a large file is read.
#ifndef TESSERA_CLI_DATA_PROGRESS_H
#define TESSERA_CLI_DATA_PROGRESS_H

#include "cli/Terminal.h"
#include <chrono>
#include <mutex>

namespace tessera::cli::data {

/// Shows progress in one line of a terminal, after half a second, and removes the line at the end.
/// Any thread may call `show`.
class Progress {
public:
  Progress(Terminal &terminal, llvm::StringRef path) : terminal(terminal), path(path) {}
  ~Progress() {
    if (isDrawn)
      terminal.err << "\r\x1b[K";
  }

  void show(size_t done, size_t total) {
    if (!terminal.isInteractive || terminal.style.json)
      return;
    std::lock_guard guard(mutex);
    Clock::time_point now = Clock::now();
    if (now < next)
      return;
    next = now + std::chrono::milliseconds(100);
    isDrawn = true;
    terminal.err << "\r\x1b[Kreading " << path << ": " << 100 * done / total << "%";
    terminal.err.flush();
  }

private:
  using Clock = std::chrono::steady_clock;

  Terminal &terminal;
  llvm::StringRef path;
  std::mutex mutex;
  Clock::time_point next = Clock::now() + std::chrono::milliseconds(500);
  bool isDrawn = false;
};

} // namespace tessera::cli::data

#endif
