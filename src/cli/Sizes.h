/// The named sizes of a function, with their values from the command line.
#ifndef TESSERA_CLI_SIZES_H
#define TESSERA_CLI_SIZES_H

#include "cli/Tensor.h"

namespace tessera::cli {

class Terminal;
struct Invocation;

/// Values of sizes, and of parameters that sizes depend on, with where each was seen first. Every
/// mistake is reported; functions that report one return false.
class Sizes {
public:
  explicit Sizes(const Signature &signature);

  /// --size NAME=N,...
  bool readOptions(const Invocation &invocation, Terminal &terminal);
  /// Takes sizes from an argument: from its shape, or from its value if sizes depend on that.
  bool bind(const Parameter &parameter, const Tensor &value, Terminal &terminal);
  /// Whether --size gave all sizes.
  bool areKnown(Terminal &terminal);
  /// Whether all sizes of one parameter are known. Each unknown name is reported once.
  bool areKnown(const Parameter &parameter, Terminal &terminal);

  bool isEmpty() const { return names.empty(); }
  SizeBindings bindings() const;
  /// The parameter with the sizes that are known so far.
  Parameter known(Parameter parameter) const;

private:
  struct Known {
    int64_t value;
    std::string origin; ///< "in dimension 1 of parameter `A`".
  };
  /// A name, and what it belongs to, for messages.
  struct Name {
    std::string text;
    std::string owner;
    std::optional<Known> known = {};
    bool isReported = false;
  };

  Name *find(llvm::StringRef name);
  void add(llvm::StringRef name, const Parameter &parameter);
  bool readOption(llvm::StringRef text, Terminal &terminal);
  bool bind(llvm::StringRef name, Known found, Terminal &terminal);
  bool isKnown(Name &size, Terminal &terminal);
  bool bindValue(const Parameter &parameter, const Tensor &value, Terminal &terminal);

  std::string function;
  std::vector<Name> names;
};

} // namespace tessera::cli

#endif
