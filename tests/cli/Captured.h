/// A terminal whose streams are strings, and a folder for files.
#ifndef TESSERA_TEST_CLI_CAPTURED_H
#define TESSERA_TEST_CLI_CAPTURED_H

#include "cli/Arguments.h"
#include "cli/Tensor.h"
#include "cli/Terminal.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <fstream>
#include <sstream>

namespace tessera::cli {

struct Captured {
  std::string outText, errText;
  llvm::raw_string_ostream out{outText}, err{errText};
  Terminal terminal{out, err};

  std::string errors() {
    terminal.flush();
    return errText;
  }
};

/// Deleted with all its files at the end of the test.
class Folder {
public:
  Folder() { llvm::sys::fs::createUniqueDirectory("tessera-test", path); }
  ~Folder() { llvm::sys::fs::remove_directories(path); }

  std::string operator/(const std::string &name) const { return path.str().str() + "/" + name; }
  std::string write(const std::string &name, const std::string &contents) const {
    std::ofstream(*this / name, std::ios::binary) << contents;
    return *this / name;
  }
  std::string read(const std::string &name) const {
    std::stringstream contents;
    contents << std::ifstream(*this / name, std::ios::binary).rdbuf();
    return contents.str();
  }
  size_t numFiles() const {
    std::error_code error;
    size_t count = 0;
    for (llvm::sys::fs::directory_iterator at(path, error), end; at != end; at.increment(error))
      ++count;
    return count;
  }

private:
  llvm::SmallString<64> path;
};

inline Parameter scalar(std::string name, Scalar element) {
  return {name, element, false, {}};
}
inline Parameter tensor(std::string name, Scalar element, llvm::ArrayRef<int64_t> shape) {
  return {name, element, true, {shape.begin(), shape.end()}};
}

} // namespace tessera::cli

#endif
