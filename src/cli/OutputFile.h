/// A file that is written completely or not at all.
#ifndef TESSERA_CLI_OUTPUTFILE_H
#define TESSERA_CLI_OUTPUTFILE_H

#include "cli/Interrupt.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>

namespace tessera::cli {

class Terminal;

/// Written next to its destination and moved there by `commit`; without it, nothing remains. A
/// destination that is not a regular file (/dev/null, a pipe) is written directly; `-` is standard
/// output.
class OutputFile {
public:
  enum Kind { Plain, Executable };

  /// Reports why the file cannot be written.
  static std::optional<OutputFile> open(llvm::StringRef path, Terminal &terminal,
                                        Kind kind = Plain);
  OutputFile(OutputFile &&) = default;
  ~OutputFile();

  llvm::raw_ostream &stream() { return *target; }
  /// False, with nothing written, after any error, which is reported.
  bool commit();

private:
  OutputFile(llvm::StringRef path, Terminal &terminal);
  bool openDirectly();
  bool openBeside(Kind kind);
  bool fail(std::error_code error);
  void discard();

  std::string shown, destination; ///< As given, and with symbolic links followed.
  std::string temporary;          ///< "" if written directly or done.
  std::unique_ptr<llvm::raw_fd_ostream> owned;
  std::optional<InterruptGuard> guard;
  llvm::raw_ostream *target = nullptr;
  Terminal *terminal;
};

bool isSameFile(llvm::StringRef left, llvm::StringRef right);

/// Whether writing `path` would overwrite `other`, which is then reported. `-` overwrites nothing.
bool overwrites(llvm::StringRef path, llvm::StringRef other, Terminal &terminal);

/// Both steps at once.
bool writeFile(llvm::StringRef path, llvm::StringRef contents, Terminal &terminal);

} // namespace tessera::cli

#endif
