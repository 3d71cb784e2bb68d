/// A temporary file for another program.
#ifndef TESSERA_CLI_TEMPORARYFILE_H
#define TESSERA_CLI_TEMPORARYFILE_H

#include "cli/Interrupt.h"
#include <memory>
#include <optional>
#include <string>

namespace tessera::cli {

class Terminal;

/// Removed by the destructor, or on interruption. Other programs may replace its contents.
class TemporaryFile {
public:
  /// Reports why it cannot be created.
  static std::optional<TemporaryFile> create(llvm::StringRef extension, Terminal &terminal);
  TemporaryFile(TemporaryFile &&other) = default;
  ~TemporaryFile();

  llvm::StringRef path() const { return name ? llvm::StringRef(*name) : ""; }
  /// Reports why the file cannot be written.
  bool write(llvm::StringRef contents, Terminal &terminal);

private:
  explicit TemporaryFile(llvm::StringRef path);

  std::unique_ptr<std::string> name; ///< Null: moved from.
  InterruptGuard guard;
};

} // namespace tessera::cli

#endif
