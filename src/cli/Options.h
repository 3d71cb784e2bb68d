/// The tables of options and commands as data: Options.def and Commands.def.
#ifndef TESSERA_CLI_OPTIONS_H
#define TESSERA_CLI_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tessera::cli {

class Terminal;
struct Invocation;

enum class CommandId {
#define COMMAND(id, ...) id,
#include "cli/Commands.def"
};

/// Sets of commands, for the table of options.
namespace in {
#define COMMAND(id, ...) constexpr unsigned id = 1u << static_cast<int>(CommandId::id);
#include "cli/Commands.def"
constexpr unsigned Call = Run | Bench | Tune;
constexpr unsigned Compile = Call | Build | Emit;
constexpr unsigned Sources = Compile | Check | Fmt;
constexpr unsigned Any = ~0u;
} // namespace in

struct Command {
  CommandId id;
  llvm::StringRef name, operands;
  unsigned minOperands, maxOperands;
  llvm::StringRef files; ///< What completions offer for the first operand: "*.mlir" or "bash|zsh".
  llvm::StringRef summary, help, examples;
  int (*run)(const Invocation &, Terminal &);

  unsigned mask() const { return 1u << static_cast<int>(id); }
  /// Whether words that begin with two dashes and are not options of `opt` name passes.
  bool takesPasses() const { return id == CommandId::Opt; }
};

/// From the table of languages, in the format of choices and files: "ttl|tc", "*.ttl|*.tc".
llvm::StringRef languageNames();
llvm::StringRef sourcePatterns();

llvm::ArrayRef<Command> commands();
const Command *commandNamed(llvm::StringRef name);

enum class Opt {
#define OPTION(id, ...) id,
#include "cli/Options.def"
};

enum class Group {
#define GROUP(id, heading) id,
#include "cli/Options.def"
};
llvm::ArrayRef<llvm::StringRef> groupHeadings();

/// The value of an option. All but flags take one value; Repeated options collect theirs.
enum class ValueKind {
  Flag,
  Text,
  File,
  Choice,
  Count,   ///< An integer of at least 1.
  Threads, ///< An integer from 1 to the most that the runtime can use.
  Natural, ///< An integer of at least 0.
  Real,    ///< A finite number of at least 0.
  Size,    ///< Bytes: a count with K, M, G or T.
  Repeated
};

struct Option {
  Opt id;
  llvm::StringRef longName;
  char shortName;
  ValueKind kind;
  llvm::StringRef metavar, choices;
  unsigned commands;
  Group group;
  llvm::StringRef help;

  bool takesValue() const { return kind != ValueKind::Flag; }
  bool isIn(const Command &command) const { return commands & command.mask(); }
  /// As in messages: `--call`, `-o`.
  std::string spelling() const;
  /// As in help: `-h, --help`, `--call=NAME`, `-O0, -O2`.
  std::string synopsis() const;
  llvm::SmallVector<llvm::StringRef> choiceList() const;
};

llvm::ArrayRef<Option> options();

} // namespace tessera::cli

#endif
