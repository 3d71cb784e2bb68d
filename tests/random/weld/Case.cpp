#include "Case.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;
using llvm::StringRef;

std::vector<Argument> random::argumentsOf(StringRef program) {
  std::vector<Argument> arguments;
  while (program.consume_front("# ")) {
    auto [line, rest] = program.split('\n');
    auto [name, text] = line.split(" = ");
    if (!text.empty())
      arguments.push_back({name.str(), text.str()});
    program = rest;
  }
  return arguments;
}

std::optional<std::vector<Value>> random::readArguments(const Program &program,
                                                        llvm::ArrayRef<Argument> arguments) {
  std::vector<Value> values;
  for (const Variable *parameter : program.parameters) {
    const Argument *argument =
        llvm::find_if(arguments, [&](const Argument &a) { return a.name == parameter->name.text; });
    if (argument == arguments.end())
      return std::nullopt;
    std::optional<Value> value = readValue(*parameter->type, argument->text);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::string random::evaluated(const std::string &program, llvm::ArrayRef<Argument> arguments,
                              Limits limits) {
  Parsed parsed(program);
  if (!parsed.isCorrect)
    return parsed.errors();
  std::optional<std::vector<Value>> values = readArguments(*parsed.program, arguments);
  return values ? evaluate(*parsed.program, *values, limits).text(*parsed.program)
                : "the arguments do not fit";
}
