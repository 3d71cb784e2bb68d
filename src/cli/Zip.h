/// Members of zip archives, for .npz files.
#ifndef TESSERA_CLI_ZIP_H
#define TESSERA_CLI_ZIP_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tessera::cli {

struct ZipMember {
  std::string name;
  uint16_t method = 0; ///< 0: stored, 8: deflated.
  uint32_t checksum = 0;
  uint64_t packedSize = 0, size = 0, headerOffset = 0;
};

/// The central directory; nullopt if these are not the bytes of a zip archive.
std::optional<std::vector<ZipMember>> zipMembers(llvm::StringRef archive);

/// Called from time to time with the number of bytes read so far.
using ReadProgress = llvm::function_ref<void(size_t done, size_t total)>;

/// A member's contents. Returns nullopt and sets `problem` if they cannot be read.
std::optional<std::string> zipContents(llvm::StringRef archive, const ZipMember &member,
                                       std::string &problem, ReadProgress progress = nullptr);

} // namespace tessera::cli

#endif
