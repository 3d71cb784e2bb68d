#include "cli/Header.h"
#include "cli/RuntimeHeader.inc" // runtimeHeader: include/tessera/runtime.h
#include "cli/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace tessera;
using namespace tessera::cli;
using llvm::formatv;
using llvm::StringRef;

namespace {

struct CType {
  StringRef name, code; ///< Of the element in C, and in a tessera_dtype.
};
CType cType(Scalar scalar) {
  switch (scalar) {
  case Scalar::I32:
    return {"int32_t", "TESSERA_INT"};
  case Scalar::F32:
    return {"float", "TESSERA_FLOAT"};
  }
  __builtin_unreachable();
}

std::string guardName(StringRef path) {
  std::string name = "TESSERA_GENERATED_";
  for (char c : llvm::sys::path::filename(path))
    name += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return name;
}

std::string shapeName(unsigned position) {
  return formatv("shape{0}_", position);
}

/// A parameter or result with a name that can stand in C, beside the others.
struct CParameter {
  const Parameter &parameter;
  std::string name;
  bool isResult;

  std::string declaration() const {
    std::string text = (isResult             ? ""
                        : parameter.isTensor ? "const "
                                             : "") +
                       (cType(parameter.element).name + " ").str();
    text += isResult && !parameter.isTensor ? "*" + name : name;
    for (int64_t size : parameter.shape)
      text += formatv("[{0}]", size);
    return text;
  }
  /// The initializer of its tessera_view.
  std::string view(unsigned position) const {
    bool byValue = !isResult && !parameter.isTensor;
    std::string shape = parameter.isTensor ? shapeName(position) : "0";
    return formatv("{{(void *){0}{1}, {{1, 0}, {2}, {{{3}, 32, 1}, {4}, 0, 0}", byValue ? "&" : "",
                   name, parameter.shape.size(), cType(parameter.element).code, shape);
  }
};

class HeaderWriter {
public:
  HeaderWriter(llvm::ArrayRef<const Signature *> functions, const Backend &backend)
      : functions(functions), backend(backend), out(text) {
    for (const Signature *function : functions)
      exported.insert(backend.exportedName(function->language, function->name));
  }

  std::string write(StringRef path) {
    std::string guard = guardName(path);
    out << "/* Made by `tessera build`. */\n#ifndef " << guard << "\n#define " << guard << "\n\n";
    out << StringRef(reinterpret_cast<const char *>(runtimeHeader), sizeof runtimeHeader);
    out << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for (const Signature *function : functions)
      writeFunction(*function);
    out << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
    return std::move(text);
  }

private:
  void writeFunction(const Signature &function) {
    std::string name = backend.exportedName(function.language, function.name);
    out << "\n/* " << function.declaration << '\n';
    if (name != function.name)
      out << " * Called " << name << " because its own name is taken in C.\n";
    describeViews("args", function.parameters);
    describeViews("results", function.results);
    out << " * Returns TESSERA_OK, or a status that tessera_last_error() explains. */\n";
    out << "int " << name << "(const tessera_view *args, tessera_view *results);\n";
    if (isStatic(function.parameters) && isStatic(function.results))
      writePlain(function, name);
  }

  void describeViews(StringRef array, llvm::ArrayRef<Parameter> parameters) {
    for (auto [index, parameter] : llvm::enumerate(parameters))
      out << formatv(" * {0}[{1}]: {2}, {3}\n", array, index, parameter.name, describe(parameter));
  }

  static bool isStatic(llvm::ArrayRef<Parameter> parameters) {
    return llvm::none_of(parameters, [](const Parameter &parameter) {
      return llvm::is_contained(parameter.shape, dynamicSize);
    });
  }

  /// Names that C cannot have, or that stand for something else in the function, get underscores.
  std::vector<CParameter> nameParameters(const Signature &function) {
    std::set<std::string> taken = exported;
    taken.insert({"args_", "results_"});
    for (size_t i = 0; i < function.parameters.size() + function.results.size(); ++i)
      taken.insert(shapeName(i));
    std::vector<CParameter> named;
    auto add = [&](const Parameter &parameter, bool isResult) {
      std::string name = parameter.name;
      if (backend.exportedName(function.language, name) != name)
        name += '_';
      while (!taken.insert(name).second)
        name += '_';
      named.push_back({parameter, name, isResult});
    };
    for (const Parameter &parameter : function.parameters)
      add(parameter, false);
    for (const Parameter &parameter : function.results)
      add(parameter, true);
    return named;
  }

  void writePlain(const Signature &function, StringRef name) {
    std::string plain = name.str() + "_plain";
    if (exported.contains(plain))
      return; // A function of the program; the name is its own.
    std::vector<CParameter> parameters = nameParameters(function);
    out << "\n/* The same with C's own arrays and values. */\nstatic inline int " << plain << "(";
    llvm::interleaveComma(parameters, out, [&](const CParameter &p) { out << p.declaration(); });
    out << (parameters.empty() ? "void) {\n" : ") {\n");
    for (auto [index, p] : llvm::enumerate(parameters))
      if (p.parameter.isTensor)
        out << formatv("  int64_t {0}[] = {{{1:$[, ]}};\n", shapeName(index),
                       llvm::make_range(p.parameter.shape.begin(), p.parameter.shape.end()));
    size_t numArguments = function.parameters.size();
    std::string args = writeViews("args_", parameters, 0, numArguments);
    std::string results = writeViews("results_", parameters, numArguments, parameters.size());
    out << "  return " << name << "(" << args << ", " << results << ");\n}\n";
  }

  /// Returns what to pass: the array, or null where it would be empty.
  std::string writeViews(StringRef array, llvm::ArrayRef<CParameter> parameters, size_t begin,
                         size_t end) {
    if (begin == end)
      return "0";
    out << "  tessera_view " << array << "[] = {";
    for (size_t index = begin; index < end; ++index)
      out << (index == begin ? "" : ",\n      ") << parameters[index].view(index);
    out << "};\n";
    return array.str();
  }

  llvm::ArrayRef<const Signature *> functions;
  const Backend &backend;
  std::set<std::string> exported;
  std::string text;
  llvm::raw_string_ostream out;
};

} // namespace

std::string tessera::cli::headerText(StringRef path, llvm::ArrayRef<const Signature *> functions,
                                     const Backend &backend) {
  return HeaderWriter(functions, backend).write(path);
}
