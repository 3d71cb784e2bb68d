/// A program with its arguments, which are comments before it: "# v = [1, 2]". So a file is
/// complete.
#ifndef TESSERA_TESTS_RANDOM_WELD_CASE_H
#define TESSERA_TESTS_RANDOM_WELD_CASE_H

#include "Evaluator.h"

namespace tessera::weld::random {

struct Argument {
  std::string name, text;
};
/// The lines "# name = value" before the program.
std::vector<Argument> argumentsOf(llvm::StringRef program);

/// In the order of the program's parameters. Returns nullopt if one is missing or does not fit.
std::optional<std::vector<Value>> readArguments(const Program &program,
                                                llvm::ArrayRef<Argument> arguments);

/// The result of a program with these arguments, or its errors if it is not correct.
std::string evaluated(const std::string &program, llvm::ArrayRef<Argument> arguments,
                      Limits limits = {});

} // namespace tessera::weld::random

#endif
