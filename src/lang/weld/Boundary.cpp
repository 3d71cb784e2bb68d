#include "lang/weld/Boundary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace tessera;
using namespace tessera::weld;

DataType weld::dataTypeOf(const Type &type) {
  std::vector<DataType> parts;
  for (const Type *part : type.parts)
    parts.push_back(dataTypeOf(*part));
  switch (type.kind) {
  case Type::Vec:
    return DataType::vector(std::move(parts[0]));
  case Type::Dict:
    return DataType::dictionary(std::move(parts[0]), std::move(parts[1]));
  case Type::Struct:
    return DataType::structOf(std::move(parts));
  default:
    return DataType::scalar(type.scalar);
  }
}

static Parameter parameterOf(llvm::StringRef name, const Type &type) {
  Parameter parameter;
  parameter.name = name.str();
  parameter.data = dataTypeOf(type);
  return parameter;
}

std::vector<Parameter> weld::parametersOf(const Program &program) {
  std::vector<Parameter> parameters;
  for (const Variable *variable : program.parameters)
    parameters.push_back(parameterOf(variable->name.text, *variable->type));
  return parameters;
}

std::vector<Parameter> weld::resultsOf(const Program &program) {
  return {parameterOf("", *program.value->type)};
}

std::vector<ForeignFunction> weld::foreignFunctionsOf(const Program &program) {
  std::vector<ForeignFunction> functions;
  for (const Expr *expr : program.foreign) {
    const Cudf &call = *expr->as<Cudf>();
    std::vector<DataType> types;
    for (const Expr *argument : call.arguments)
      types.push_back(dataTypeOf(*argument->type));
    types.push_back(dataTypeOf(*expr->type));
    functions.push_back({call.name.text.str(), call.name.range, std::move(types)});
  }
  return functions;
}

std::string weld::entryNameOf(const Program &program) {
  llvm::StringRef stem = llvm::sys::path::stem(program.file->name());
  std::string name;
  for (char c : stem)
    name += llvm::isAlnum(c) ? c : '_';
  if (stem.empty() || !llvm::isAlnum(stem.front())) // Such as standard input.
    name = "main";
  auto isCalled = [&](const Expr *call) { return call->as<Cudf>()->name.text == name; };
  while (llvm::any_of(program.foreign, isCalled))
    name = "weld_" + name;
  return name;
}
