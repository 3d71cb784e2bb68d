/// The sizes of a function that have names: what the command line says that they are.
#ifndef TESSERA_CLI_SIZES_H
#define TESSERA_CLI_SIZES_H

#include "cli/Tensor.h"

namespace tessera::cli {

class Terminal;
struct Invocation;

/// Values of sizes, and of parameters that sizes depend on, with where each was seen first. Every
/// mistake is reported; those who report return false then.
class Sizes {
public:
  explicit Sizes(const Signature &signature);

  /// --size NAME=N,...
  bool readOptions(const Invocation &invocation, Terminal &terminal);
  /// From an argument: its shape, or its value where sizes depend on that.
  bool bind(const Parameter &parameter, const Tensor &value, Terminal &terminal);
  /// Whether --size gave all.
  bool areKnown(Terminal &terminal);
  /// Whether all of one parameter are known. A name is reported once.
  bool areKnown(const Parameter &parameter, Terminal &terminal);

  bool isEmpty() const { return names.empty(); }
  SizeBindings bindings() const;
  /// The parameter with the sizes that are known by now.
  Parameter known(Parameter parameter) const;

private:
  struct Known {
    int64_t value;
    std::string origin; ///< "in dimension 1 of parameter `A`".
  };
  /// A name, and whose it is, for messages.
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
