#include "cli/DataHeader.h"
#include "cli/CNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace tessera;
using namespace tessera::cli;
using llvm::formatv;
using llvm::StringRef;

namespace {

std::string pointerToConst(StringRef type) {
  return type.ends_with("*") ? (type + "const *").str() : ("const " + type + " *").str();
}

/// Declares each type once, after those that it is made of.
class TypeWriter {
public:
  TypeWriter(StringRef program, llvm::raw_ostream &out) : program(program), out(out) {}

  /// The name of a type in C, which is then declared.
  std::string declare(const DataType &type) {
    switch (type.kind()) {
    case DataType::Kind::Scalar:
      return cType(type.scalar());
    case DataType::Kind::Dictionary:
      declare(type.entry());
      return "tessera_dict *";
    case DataType::Kind::Vector:
      return declareVector(type);
    case DataType::Kind::Struct:
      return declareStruct(type);
    }
    return "";
  }

  /// The declarations of all types so far.
  std::set<std::string> names() const {
    std::set<std::string> all = declared;
    for (const auto &[text, word] : structs)
      all.insert((program + "_" + word).str());
    return all;
  }

private:
  /// A part of a name: "vec_f64". Structs have numbers.
  std::string word(const DataType &type) {
    if (type.isVector())
      return "vec_" + word(type.element());
    if (type.isStruct())
      return structs.at(type.text());
    return type.isDictionary() ? "dict" : type.text();
  }

  static bool hasStruct(const DataType &type) {
    return type.isStruct() || (type.isVector() && hasStruct(type.element()));
  }

  /// Vectors without structs have the same type in all headers. Their elements are only read: a
  /// program does not change its arguments, and owns its results.
  std::string declareVector(const DataType &type) {
    std::string element = declare(type.element());
    bool isOwn = hasStruct(type);
    std::string name = (isOwn ? program.str() + "_" : "tessera_") + word(type);
    if (!declared.insert(name).second)
      return name;
    if (!isOwn)
      out << formatv("#ifndef {0}\n#define {0}\n", StringRef(name).upper());
    out << formatv("typedef struct {0} {{\n  {1}data;\n  int64_t length;\n} {0};\n", name,
                   pointerToConst(element));
    if (!isOwn)
      out << "#endif\n";
    return name;
  }

  std::string declareStruct(const DataType &type) {
    std::vector<std::string> fields;
    for (const DataType &field : type.fields())
      fields.push_back(declare(field));
    auto [found, isNew] =
        structs.try_emplace(type.text(), "struct" + std::to_string(structs.size() + 1));
    std::string name = (program + "_" + found->second).str();
    if (!isNew)
      return name;
    out << formatv("typedef struct {0} {{ /* {1} */\n", name, type.text());
    for (auto [index, field] : llvm::enumerate(fields))
      out << "  " << field << (StringRef(field).ends_with("*") ? "" : " ") << 'f' << index << ";\n";
    out << "} " << name << ";\n";
    return name;
  }

  StringRef program;
  llvm::raw_ostream &out;
  std::map<std::string, std::string> structs; ///< By their text in Weld.
  std::set<std::string> declared;
};

struct CArgument {
  std::string type, name;
  std::string declaration() const {
    return type + (StringRef(type).ends_with("*") ? "" : " ") + name;
  }
};

class ProgramWriter {
public:
  ProgramWriter(const Signature &function, StringRef name, const Backend &backend)
      : function(function), backend(backend), name(name.str()), out(text), types(this->name, out) {}

  std::string write(llvm::ArrayRef<ForeignFunction> foreign) {
    for (const Parameter &parameter : function.parameters)
      arguments.push_back({types.declare(*parameter.data), parameter.name});
    std::string result = types.declare(*function.results.front().data);
    CNames names(backend, function.language, ownNames());
    for (CArgument &argument : arguments)
      argument.name = names.make(argument.name);
    writeArguments();
    out << formatv("typedef {0}; /* {1} */\n\n"
                   "/* If `status` is TESSERA_OK, `result` has the type {2}_result *. */\n"
                   "tessera_output *{2}(const tessera_input *input);\n",
                   CArgument{result, name + "_result"}.declaration(),
                   function.results.front().data->text(), name);
    writePlain(names.make("result"), names.make("run"));
    writeForeign(foreign);
    return std::move(text);
  }

private:
  /// The names that the header declares for the program, which nothing else may have.
  std::set<std::string> ownNames() const {
    std::set<std::string> all = types.names();
    for (const char *suffix : {"", "_args", "_result", "_plain"})
      all.insert(name + suffix);
    return all;
  }

  void writeArguments() {
    if (arguments.empty())
      return;
    out << "typedef struct " << name << "_args {\n";
    for (const CArgument &argument : arguments)
      out << "  " << argument.declaration() << ";\n";
    out << "} " << name << "_args;\n";
  }

  /// No parameter has a name that begins with `tessera_`.
  void writePlain(const std::string &result, const std::string &run) {
    std::vector<std::string> parameters, values;
    for (const CArgument &argument : arguments) {
      parameters.push_back(argument.declaration());
      values.push_back(argument.name);
    }
    parameters.push_back(name + "_result *" + result);
    parameters.push_back("tessera_run **" + run);
    out << formatv("\n/* The same with values. What the result points to lives until\n"
                   " * tessera_run_free(*{0}). */\nstatic inline int {1}_plain({2}) {{\n",
                   run, name, llvm::join(parameters, ", "));
    if (!values.empty())
      out << formatv("  {0}_args tessera_args = {{{1}};\n", name, llvm::join(values, ", "));
    out << formatv("  tessera_input tessera_in = {{{0}, 0, 0, 0};\n"
                   "  tessera_output *tessera_out = {1}(&tessera_in);\n"
                   "  *{2} = tessera_out->run;\n"
                   "  if (tessera_out->status == TESSERA_OK)\n"
                   "    *{3} = *({1}_result *)tessera_out->result;\n"
                   "  return (int)tessera_out->status;\n}\n",
                   values.empty() ? "0" : "&tessera_args", name, run, result);
  }

  /// The functions that can be declared: of one type, with a name that C does not define already.
  void writeForeign(llvm::ArrayRef<ForeignFunction> calls) {
    std::map<StringRef, std::vector<const ForeignFunction *>> callsOf;
    for (const ForeignFunction &call : calls)
      callsOf[call.name].push_back(&call);
    for (const auto &[callee, all] : callsOf) {
      bool isOne =
          !all.front()->types.empty() && llvm::all_of(all, [&](const ForeignFunction *call) {
            return call->types == all.front()->types;
          });
      bool isFree = backend.exportedName(function.language, callee) == callee &&
                    !ownNames().contains(callee.str());
      if (isOne && isFree)
        writePrototype(*all.front());
    }
  }

  void writePrototype(const ForeignFunction &callee) {
    std::vector<std::string> parameters;
    for (const DataType &type : llvm::ArrayRef(callee.types).drop_back())
      parameters.push_back(pointerToConst(types.declare(type)));
    std::string result = types.declare(callee.types.back());
    parameters.push_back(CArgument{result, "*result"}.declaration());
    // Another program may call it with different types.
    out << formatv("\n#ifndef TESSERA_DECLARES_{0}\n#define TESSERA_DECLARES_{0}\n"
                   "/* Called by the program; not defined here. */\nvoid {0}({1});\n#endif\n",
                   callee.name, llvm::join(parameters, ", "));
  }

  const Signature &function;
  const Backend &backend;
  std::string name, text;
  std::vector<CArgument> arguments;
  llvm::raw_string_ostream out;
  TypeWriter types;
};

} // namespace

bool tessera::cli::holdsBool(const DataType &type) {
  return type.isScalar() ? type.scalar() == Scalar::Bool : llvm::any_of(type.fields(), holdsBool);
}

std::string tessera::cli::dataDeclarations(const Signature &function, StringRef name,
                                           llvm::ArrayRef<ForeignFunction> foreign,
                                           const Backend &backend) {
  return ProgramWriter(function, name, backend).write(foreign);
}
