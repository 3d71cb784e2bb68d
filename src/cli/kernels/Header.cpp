#include "cli/kernels/Header.h"
#include "cli/CNames.h"
#include "cli/Tensor.h"
#include "cli/kernels/Fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::cli;
using kernels::Field;
using llvm::StringRef;

namespace {

std::string elementType(const KernelType &type) {
  return type.isComplex ? (type.element == Scalar::F32 ? "tessera_c32" : "tessera_c64")
                        : cType(type.element);
}

/// The type of a field in C: "float *", with a space if a name follows directly.
std::string fieldType(const KernelType &type, Field field) {
  bool isGroup = type.kind == KernelType::Kind::Group;
  switch (field.kind) {
  case Field::Kind::Value:
    return elementType(type) + " ";
  case Field::Kind::Data:
    return (type.isWritten ? "" : "const ") + elementType(type) + (isGroup ? " *const *" : " *");
  case Field::Kind::Size:
  case Field::Kind::Stride:
    return isGroup ? "const int64_t *" : "int64_t ";
  case Field::Kind::Count:
  case Field::Kind::Offset:
    break;
  }
  return "int64_t ";
}

/// A kernel may already have the name of the launcher.
std::string launcherName(StringRef kernel, std::set<std::string> &taken) {
  std::string name = (kernel + "_launch").str();
  while (!taken.insert(name).second)
    name += '_';
  return name;
}

} // namespace

bool kernels::usesBool(const Signature &kernel) {
  return llvm::any_of(kernel.parameters, [](const Parameter &parameter) {
    return parameter.kernel->element == Scalar::Bool;
  });
}

std::string kernels::declarations(const Signature &kernel, StringRef name, const Backend &backend,
                                  std::set<std::string> &taken) {
  CNames names(backend, kernel.language, {name.str()});
  std::string launch = names.make("launch"), groups = names.make("groups"),
              threads = names.make("threads");
  std::string parameters, passed, text;
  for (const Parameter &parameter : kernel.parameters) {
    std::string own = names.make(parameter.name);
    text += llvm::formatv(" * {0}: {1}\n", own, kernels::text(*parameter.kernel));
    for (Field field : fieldsOf(*parameter.kernel)) {
      std::string fieldName =
          field.suffix().empty() ? own : names.make(parameter.name + field.suffix());
      parameters += ", " + fieldType(*parameter.kernel, field) + fieldName;
      passed += ", " + fieldName;
    }
  }
  text += llvm::formatv(
      " * Returns TESSERA_OK, or a status that tessera_last_error() explains. */\n"
      "int {0}(const tessera_launch *{1}{2});\n\n"
      "/* The same, with numbers of work-groups and of threads (0: tessera_num_threads()). */\n"
      "static inline int {6}(int64_t {3}, int32_t {4}{2}) {{\n"
      "  tessera_launch tessera_size = {{{3}, {4}, 0};\n"
      "  return {0}(&tessera_size{5});\n}\n",
      name, launch, parameters, groups, threads, passed, launcherName(name, taken));
  return text;
}
