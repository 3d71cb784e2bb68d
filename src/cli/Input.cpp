#include "cli/Input.h"
#include "cli/Terminal.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::cli;

std::optional<SourceFile> cli::readSource(llvm::StringRef path, Terminal &terminal) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                                   /*RequiresNullTerminator=*/false);
  std::error_code error = buffer.getError();
  // Positions are 32 bits wide.
  if (!error && (*buffer)->getBufferSize() >= UINT32_MAX)
    error = std::make_error_code(std::errc::file_too_large);
  if (error) {
    terminal.report(diag::CannotRead, pathInBackticks(path), error.message());
    return std::nullopt;
  }
  return SourceFile(path == "-" ? standardInputName.str() : path.str(),
                    (*buffer)->getBuffer().str());
}
