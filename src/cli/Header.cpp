#include "cli/Header.h"
#include "cli/CNames.h"
#include "cli/CSizes.h"
#include "cli/DataHeader.h"
#include "cli/RuntimeHeader.inc" // runtimeHeader: include/tessera/runtime.h
#include "cli/Tensor.h"
#include "cli/kernels/Header.h"
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

/// The names of type codes, in the order of DLPack's codes.
StringRef codeName(Scalar scalar) {
  static constexpr StringRef names[] = {"TESSERA_INT",    "TESSERA_UINT",    "TESSERA_FLOAT", "",
                                        "TESSERA_BFLOAT", "TESSERA_COMPLEX", "TESSERA_BOOL"};
  return names[dtypeOf(scalar).code];
}

std::string guardName(StringRef path) {
  std::string name = "TESSERA_GENERATED_";
  for (char c : llvm::sys::path::filename(path))
    name += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return name;
}

/// No function or parameter has a name with this prefix.
std::string shapeName(unsigned position) {
  return formatv("tessera_shape{0}", position);
}

/// A parameter or result with a name that is valid and unique in C.
struct CParameter {
  const Parameter &parameter;
  std::string name;
  bool isResult;

  /// C has no arrays without elements, and C++ none with a size known only at run time.
  bool isArray() const {
    return llvm::all_of(parameter.shape, [](int64_t size) { return size > 0; });
  }
  std::string declaration() const {
    std::string text = (isResult || !parameter.isTensor ? "" : "const ") + cType(parameter.element);
    if (!parameter.isTensor)
      return text + (isResult ? " *" : " ") + name;
    if (!isArray())
      return text + " *" + name;
    text += " " + name;
    for (int64_t size : parameter.shape)
      text += formatv("[{0}]", size);
    return text;
  }
  /// The initializer of its tessera_view.
  std::string view(unsigned position) const {
    bool byValue = !isResult && !parameter.isTensor;
    std::string shape = parameter.isTensor ? shapeName(position) : "0";
    return formatv("{{(void *){0}{1}, {{1, 0}, {2}, {{{3}, {4}, 1}, {5}, 0, 0}", byValue ? "&" : "",
                   name, parameter.shape.size(), codeName(parameter.element),
                   bitsOf(parameter.element), shape);
  }
};

/// The parameters of a plain function. A result that is updated is both argument and result, with a
/// single C parameter.
struct PlainFunction {
  CSizes sizes;
  std::vector<std::string> sizeParameters;
  std::vector<CParameter> arguments, results; ///< Those of the function itself, in order.

  /// All parameters have a form in C; otherwise there is no plain function.
  bool hasKnownSizes() const {
    return llvm::all_of(llvm::concat<const CParameter>(arguments, results),
                        [&](const CParameter &p) { return sizes.areKnown(p.parameter); });
  }
  std::vector<std::string> declarations() const {
    std::vector<std::string> texts;
    for (const std::string &size : sizeParameters)
      texts.push_back("int64_t " + size);
    for (const CParameter &argument : arguments)
      if (!argument.parameter.isInitial)
        texts.push_back(argument.declaration());
    for (const CParameter &result : results)
      texts.push_back(result.declaration());
    return texts;
  }
};

class HeaderWriter {
public:
  HeaderWriter(llvm::ArrayRef<const Signature *> functions, llvm::ArrayRef<ForeignFunction> foreign,
               const Backend &backend)
      : functions(functions), foreign(foreign), backend(backend), out(text) {
    for (const Signature *function : functions)
      exported.insert(backend.exportedName(function->language, function->name));
  }

  std::string write(StringRef path) {
    std::string guard = guardName(path);
    out << "/* Made by `tessera build`. */\n#ifndef " << guard << "\n#define " << guard << "\n\n";
    if (usesBool())
      out << "#include <stdbool.h>\n\n";
    out << StringRef(reinterpret_cast<const char *>(runtimeHeader), sizeof runtimeHeader);
    out << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    if (llvm::any_of(functions, [](const Signature *function) { return hasFormulas(*function); }))
      out << CSizes::functions;
    for (const Signature *function : functions)
      writeFunction(*function);
    out << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
    return std::move(text);
  }

private:
  bool usesBool() const {
    auto takesBool = [](const ForeignFunction &call) {
      return llvm::any_of(call.types, holdsBool);
    };
    return llvm::any_of(foreign, takesBool) ||
           llvm::any_of(functions, [](const Signature *f) { return usesBool(*f); });
  }

  static bool usesBool(const Signature &function) {
    if (function.kernel)
      return kernels::usesBool(function);
    return llvm::any_of(
        llvm::concat<const Parameter>(function.parameters, function.results),
        [](const Parameter &p) { return p.data ? holdsBool(*p.data) : p.element == Scalar::Bool; });
  }

  static bool hasFormulas(const Signature &function) {
    return llvm::any_of(function.results,
                        [](const Parameter &result) { return CSizes::callsFunctions(result); });
  }

  void writeFunction(const Signature &function) {
    std::string name = backend.exportedName(function.language, function.name);
    out << "\n/* " << function.declaration << '\n';
    if (name != function.name)
      out << " * Called " << name << " because its own name is reserved or not valid in C.\n";
    if (function.kernel) {
      out << kernels::declarations(function, name, backend, exported);
      return;
    }
    if (function.isOnData()) {
      out << " */\n" << dataDeclarations(function, name, foreign, backend);
      return;
    }
    describeViews("args", function.parameters);
    describeViews("results", function.results);
    out << " * Returns TESSERA_OK, or a status that tessera_last_error() explains. */\n";
    out << "int " << name << "(const tessera_view *args, tessera_view *results);\n";
    writePlain(function, name);
  }

  void describeViews(StringRef array, llvm::ArrayRef<Parameter> parameters) {
    for (auto [index, parameter] : llvm::enumerate(parameters))
      out << formatv(" * {0}[{1}]: {2}, {3}\n", array, index,
                     parameter.isInitial ? "what " + parameter.name + " holds before the call"
                                         : parameter.name,
                     describe(parameter));
  }

  PlainFunction plainForm(const Signature &function) {
    CNames names(backend, function.language, exported);
    PlainFunction plain;
    // Sizes come first; but a parameter that decides sizes is passed as it is.
    for (const Parameter &parameter : function.parameters)
      if (parameter.decidesSizes)
        plain.sizes.add(parameter.name, "");
    for (const Parameter &p : llvm::concat<const Parameter>(function.parameters, function.results))
      for (size_t dimension = 0; dimension < p.shape.size(); ++dimension)
        if (StringRef name = plain.sizes.missing(p, dimension); !name.empty()) {
          plain.sizeParameters.push_back(names.make(name.str()));
          plain.sizes.add(name, plain.sizeParameters.back());
        }
    for (const Parameter &parameter : function.parameters) {
      plain.arguments.push_back(
          {parameter, parameter.isInitial ? "" : names.make(parameter.name), parameter.isInitial});
      if (parameter.decidesSizes) // C computes narrower types in `int`.
        plain.sizes.add(parameter.name, "(int64_t)" + plain.arguments.back().name);
    }
    for (const Parameter &parameter : function.results) {
      plain.results.push_back({parameter, names.make(parameter.name), true});
      for (CParameter &argument : plain.arguments)
        if (argument.parameter.isInitial && argument.parameter.name == parameter.name)
          argument.name = plain.results.back().name;
    }
    return plain;
  }

  void writePlain(const Signature &function, StringRef name) {
    std::string plainName = name.str() + "_plain";
    if (exported.contains(plainName))
      return; // A function of the program, whose name is its own.
    PlainFunction plain = plainForm(function);
    if (!plain.hasKnownSizes())
      return;
    std::vector<std::string> declarations = plain.declarations();
    out << "\n/* The same with C's own arrays and values. */\nstatic inline int " << plainName
        << "(" << (declarations.empty() ? "void" : llvm::join(declarations, ", ")) << ") {\n";
    std::string args = writeViews("tessera_args", plain.arguments, 0, plain.sizes);
    std::string results =
        writeViews("tessera_results", plain.results, plain.arguments.size(), plain.sizes);
    for (auto [index, result] : llvm::enumerate(plain.results))
      out << formatv("  if (tessera_check_result(&tessera_results[{0}], \"{1}\") != TESSERA_OK)\n"
                     "    return TESSERA_INVALID_ARGUMENT;\n",
                     index, result.parameter.name);
    out << "  return " << name << "(" << args << ", " << results << ");\n}\n";
  }

  /// Returns what to pass: the array, or null if it would be empty.
  std::string writeViews(StringRef array, llvm::ArrayRef<CParameter> parameters, size_t first,
                         const CSizes &sizes) {
    if (parameters.empty())
      return "0";
    std::vector<std::string> views;
    for (auto [index, p] : llvm::enumerate(parameters)) {
      std::vector<std::string> texts;
      for (size_t dimension = 0; dimension < p.parameter.shape.size(); ++dimension)
        texts.push_back(sizes.text(p.parameter, dimension));
      if (p.parameter.isTensor)
        out << formatv("  int64_t {0}[] = {{{1}};\n", shapeName(first + index),
                       llvm::join(texts, ", "));
      views.push_back(p.view(first + index));
    }
    out << "  tessera_view " << array << "[] = {" << llvm::join(views, ",\n      ") << "};\n";
    return array.str();
  }

  llvm::ArrayRef<const Signature *> functions;
  llvm::ArrayRef<ForeignFunction> foreign;
  const Backend &backend;
  std::set<std::string> exported;
  std::string text;
  llvm::raw_string_ostream out;
};

} // namespace

std::string tessera::cli::headerText(StringRef path, llvm::ArrayRef<const Signature *> functions,
                                     llvm::ArrayRef<ForeignFunction> foreign,
                                     const Backend &backend) {
  return HeaderWriter(functions, foreign, backend).write(path);
}
