/// What callers see of a program.
#ifndef TESSERA_LANG_WELD_BOUNDARY_H
#define TESSERA_LANG_WELD_BOUNDARY_H

#include "lang/Language.h"
#include "lang/weld/Syntax.h"

namespace tessera::weld {

/// The type must not contain builders or simd values, which a program cannot take or return.
DataType dataTypeOf(const Type &type);

/// The parameters and the result of a checked program.
std::vector<Parameter> parametersOf(const Program &program);
std::vector<Parameter> resultsOf(const Program &program);
/// A program has the name of its file, as far as that is valid in C. If the program calls a C
/// function of that name, it gets the prefix `weld_`.
std::string entryNameOf(const Program &program);
std::vector<ForeignFunction> foreignFunctionsOf(const Program &program);

} // namespace tessera::weld

#endif
