/// What the rest of the compiler knows about a language: one struct, one row in Languages.def.
#ifndef TESSERA_LANG_LANGUAGE_H
#define TESSERA_LANG_LANGUAGE_H

#include "core/PassMaker.h"
#include "lang/DataType.h"
#include "lang/KernelType.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace mlir {
class DialectRegistry;
class MLIRContext;
class ModuleOp;
class OpPassManager;
template <typename OpTy> class OwningOpRef;
} // namespace mlir

namespace tessera {

struct LanguageOptions {
  bool strict = false;      ///< Extensions are rejected.
  bool pedantic = false;    ///< TTL: types must match exactly.
  bool checked = false;     ///< Undefined cases become run-time errors.
  std::string standard;     ///< "" selects the language's default.
  bool zeroBased = false;   ///< TC: results whose range does not begin at 0 are errors.
  bool sizesFollow = false; ///< `specialize` will check what depends on sizes.
  std::string entry;        ///< The function to call; "" selects the language's default.
  unsigned optLevel = 2;    ///< 0: the language's own passes do nothing.
  /// tinytc: "NAME=VALUE", compile-time constants as if defined before the file.
  std::vector<std::string> definitions = {};
};

/// Values, by name, of size variables and of parameters that determine sizes.
using SizeBindings = std::vector<std::pair<std::string, int64_t>>;

constexpr int64_t dynamicSize = -1;

/// A step of a formula in postfix order: operands come first.
struct SizeStep {
  enum Kind { Constant, Name, Add, Subtract, Multiply, FloorDivide, Modulo, Min, Max };
  Kind kind;
  int64_t value = 0;     ///< For constants.
  std::string name = {}; ///< The name of a size, or of a parameter that determines sizes.
};
/// A size computed from others; empty without a formula. A quotient by 0 is 0.
using SizeFormula = std::vector<SizeStep>;

/// A parameter or result of a function as a caller sees it.
struct Parameter {
  std::string name;
  Scalar element = Scalar::I32;
  bool isTensor = false;
  llvm::SmallVector<int64_t, 4> shape; ///< dynamicSize where `?`.
  /// Names of dimensions, "" if unnamed. Dimensions with the same name have the same size.
  llvm::SmallVector<std::string, 4> sizeNames = {};
  /// For unnamed dimensions whose size a caller can compute.
  llvm::SmallVector<SizeFormula, 4> sizeFormulas = {};
  /// Receives what a result of the same name holds before the call; not an argument.
  bool isInitial = false;
  /// An integer that determines sizes: `specialize` needs its value under its name.
  bool decidesSizes = false;
  /// Set if values go beyond tensors; `element`, `isTensor` and `shape` are then unused.
  std::optional<DataType> data = std::nullopt;
  /// Set for parameters of kernels; only this and `name` are then used.
  std::optional<KernelType> kernel = std::nullopt;
};

struct Signature {
  std::string name;
  std::string symbol; ///< Its name in the lowered module.
  std::vector<Parameter> parameters, results;
  std::string declaration = {}; ///< In the language's own syntax.
  std::string language = {};    ///< The name of the source language.
  /// Set for kernels, which are launched in groups: they have no results, and all their parameters
  /// are kernel parameters.
  std::optional<KernelShape> kernel = std::nullopt;

  /// Whether parameters and results have data types; either all of them do or none.
  bool isOnData() const { return !results.empty() && results.front().data.has_value(); }
};

/// A call of a function from another library.
struct ForeignFunction {
  std::string name;
  SourceRange range;
  /// Types of the arguments, then the result; empty if they are unknown.
  std::vector<DataType> types;
};

/// A checked program. `program` is the language's own typed tree, opaque to the rest of the
/// compiler.
struct Checked {
  bool isCorrect = false;
  std::shared_ptr<const void> program;
  std::vector<Signature> functions; ///< Those that `--call` and `build` may name.
  std::vector<ForeignFunction> foreign = {};

  const Signature *find(llvm::StringRef function) const {
    for (const Signature &signature : functions)
      if (signature.name == function)
        return &signature;
    return nullptr;
  }
};

/// A language's MLIR dialect, from which programs are lowered to core.
struct LanguageDialect {
  /// The language's own optimizations; if `optLevel` is 0, only what the lowering to core needs.
  void (*addPasses)(mlir::OpPassManager &, const LanguageOptions &);
  /// The lowering to core. Null if the language cannot be compiled yet.
  void (*addLowering)(mlir::OpPassManager &);
  /// All of these passes, for `tessera opt`.
  llvm::ArrayRef<PassMaker> (*passes)();
  /// Prints the module as source text; possible between any two of its passes.
  void (*print)(mlir::ModuleOp, llvm::raw_ostream &);
};

struct Language {
  llvm::StringRef name, extension;
  llvm::ArrayRef<llvm::StringRef> otherExtensions = {}; ///< Further file extensions.
  llvm::StringRef summary;
  llvm::ArrayRef<llvm::StringRef> standards; ///< For --std; the first is the default.
  llvm::ArrayRef<DiagnosticKind> diagnostics;
  llvm::StringRef rules; ///< docs/languages/NAME.md, for `explain`.
  void (*registerDialects)(mlir::DialectRegistry &);
  Checked (*check)(const SourceFile &, const LanguageOptions &, DiagnosticEngine &);
  /// Lowers to the language's dialect, or to core if it has none. Null if this build can only check
  /// programs.
  mlir::OwningOpRef<mlir::ModuleOp> (*lower)(const Checked &, const LanguageOptions &,
                                             mlir::MLIRContext &);
  void (*printTree)(const Checked &, llvm::raw_ostream &);
  /// Specializes the program for one function and its sizes, so that every shape in that function's
  /// signature is known. Reports sizes that contradict each other. Null if programs do not depend
  /// on sizes.
  Checked (*specialize)(const Checked &, llvm::StringRef function, const SizeBindings &,
                        const LanguageOptions &, DiagnosticEngine &) = nullptr;
  /// For `check --ranges`: as text, or as JSON, one object per function. Null if the language
  /// infers no ranges.
  void (*printRanges)(const Checked &, bool asJson, llvm::raw_ostream &) = nullptr;
  /// Returns nullopt if the text has syntax errors, which are reported.
  std::optional<std::string> (*format)(const SourceFile &, DiagnosticEngine &);
  /// The function that `run` calls without --call; its result is the exit status. "" if there is
  /// none.
  llvm::StringRef mainFunction = "";
  bool hasDefinitions = false; ///< Whether it supports `-D`.
  const LanguageDialect *dialect = nullptr;
};

llvm::ArrayRef<const Language *> languages();
/// By name ("ttl") or by file name ("f.ttl"); null if unknown.
const Language *languageNamed(llvm::StringRef name);
const Language *languageOf(llvm::StringRef fileName);

} // namespace tessera

#endif
