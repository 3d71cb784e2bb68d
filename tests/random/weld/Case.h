/// A program with its arguments, which stand as comments in front of it: "# v = [1, 2]". A file
/// says all there is to say.
#ifndef TESSERA_TESTS_RANDOM_WELD_CASE_H
#define TESSERA_TESTS_RANDOM_WELD_CASE_H

#include "Evaluator.h"

namespace tessera::weld::random {

struct Argument {
  std::string name, text;
};
/// The lines "# name = value" before the program.
std::vector<Argument> argumentsOf(llvm::StringRef program);

/// By the program's parameters. Nothing where one is missing or does not fit.
std::optional<std::vector<Value>> readArguments(const Program &program,
                                                llvm::ArrayRef<Argument> arguments);

/// What a program with these arguments gives; what is wrong with it where it is not correct.
std::string evaluated(const std::string &program, llvm::ArrayRef<Argument> arguments,
                      Limits limits = {});

} // namespace tessera::weld::random

#endif
