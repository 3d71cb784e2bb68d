/// What callers of a program see of it.
#ifndef TESSERA_LANG_WELD_BOUNDARY_H
#define TESSERA_LANG_WELD_BOUNDARY_H

#include "lang/Language.h"
#include "lang/weld/Syntax.h"

namespace tessera::weld {

/// Of a type without builders and simd values: programs take and give no others.
DataType dataTypeOf(const Type &type);

/// The parameters and the result of a checked program.
std::vector<Parameter> parametersOf(const Program &program);
std::vector<Parameter> resultsOf(const Program &program);
/// A program is called as its file is, as far as that is a name; where a function in C has the name
/// that the program calls, `weld_` stands in front.
std::string entryNameOf(const Program &program);
std::vector<ForeignFunction> foreignFunctionsOf(const Program &program);

} // namespace tessera::weld

#endif
