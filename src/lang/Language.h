/// Everything the rest of the system knows about a language: one struct, one row in Languages.def.
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
  std::string standard;     ///< "" is the language's first.
  bool zeroBased = false;   ///< TC: results whose range does not begin at 0 are errors.
  bool sizesFollow = false; ///< `specialize` will judge what depends on them.
  std::string entry;        ///< Needed in any case; "" is the language's own choice.
  unsigned optLevel = 2;    ///< 0: the language's own passes do nothing.
  /// tinytc: "NAME=VALUE", compile-time constants as if they stood in front of the file.
  std::vector<std::string> definitions = {};
};

/// Values of size variables and of parameters that decide about sizes, by name.
using SizeBindings = std::vector<std::pair<std::string, int64_t>>;

constexpr int64_t dynamicSize = -1;

/// A step of a formula, behind those that it takes its operands from.
struct SizeStep {
  enum Kind { Constant, Name, Add, Subtract, Multiply, FloorDivide, Modulo, Min, Max };
  Kind kind;
  int64_t value = 0;     ///< Of a constant.
  std::string name = {}; ///< Of a size, or of a parameter that decides about sizes.
};
/// A size that others decide about; empty where there is none. A quotient by 0 is 0.
using SizeFormula = std::vector<SizeStep>;

/// A parameter or result of a function as a caller sees it.
struct Parameter {
  std::string name;
  Scalar element = Scalar::I32;
  bool isTensor = false;
  llvm::SmallVector<int64_t, 4> shape; ///< dynamicSize where `?`.
  /// Where dimensions have names: "" for those without. Dimensions with one name have one size.
  llvm::SmallVector<std::string, 4> sizeNames = {};
  /// Of dimensions without a name, where a caller can know them.
  llvm::SmallVector<SizeFormula, 4> sizeFormulas = {};
  /// Not an argument, but what a result of the same name holds before the call.
  bool isInitial = false;
  /// An integer that sizes depend on: `specialize` wants its value under its name.
  bool decidesSizes = false;
  /// Set where values are more than tensors; `element`, `isTensor` and `shape` say nothing then.
  std::optional<DataType> data = std::nullopt;
  /// Set for parameters of kernels; only `name` says something besides.
  std::optional<KernelType> kernel = std::nullopt;
};

struct Signature {
  std::string name;
  std::string symbol; ///< Its name in the lowered module.
  std::vector<Parameter> parameters, results;
  std::string declaration = {}; ///< In the language's own words.
  std::string language = {};    ///< The name of the language that it was written in.
  /// Set where it is launched in groups: it has no results, and all its parameters are of kernels.
  std::optional<KernelShape> kernel = std::nullopt;

  /// Whether it takes and gives such values: all of them, or none.
  bool isOnData() const { return !results.empty() && results.front().data.has_value(); }
};

/// A call of a function of another library.
struct ForeignFunction {
  std::string name;
  SourceRange range;
  std::vector<DataType> types; ///< Of the arguments, and then of the result.
};

/// A program that has been checked. `program` is the language's own typed tree; nobody else looks
/// into it.
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

/// A dialect of MLIR in which a program is before it is core.
struct LanguageDialect {
  /// What the language knows about its programs; no more than the way to core needs where
  /// `optLevel` is 0.
  void (*addPasses)(mlir::OpPassManager &, const LanguageOptions &);
  /// The way to core. Null where a language cannot be compiled yet.
  void (*addLowering)(mlir::OpPassManager &);
  /// Each of these, for `tessera opt`.
  llvm::ArrayRef<PassMaker> (*passes)();
  /// As source text again, between any two of its passes.
  void (*print)(mlir::ModuleOp, llvm::raw_ostream &);
};

struct Language {
  llvm::StringRef name, extension;
  llvm::ArrayRef<llvm::StringRef> otherExtensions = {}; ///< That files may have, too.
  llvm::StringRef summary;
  llvm::ArrayRef<llvm::StringRef> standards; ///< For --std; the first is the default.
  llvm::ArrayRef<DiagnosticKind> diagnostics;
  llvm::StringRef rules; ///< docs/languages/NAME.md, for `explain`.
  void (*registerDialects)(mlir::DialectRegistry &);
  Checked (*check)(const SourceFile &, const LanguageOptions &, DiagnosticEngine &);
  /// To its dialect, or to core where it has none. Null where this build can only check programs.
  mlir::OwningOpRef<mlir::ModuleOp> (*lower)(const Checked &, const LanguageOptions &,
                                             mlir::MLIRContext &);
  void (*printTree)(const Checked &, llvm::raw_ostream &);
  /// The program for one function and its sizes: every shape in that function's signature is then
  /// known. Reports what these sizes contradict. Null where a language does not depend on sizes.
  Checked (*specialize)(const Checked &, llvm::StringRef function, const SizeBindings &,
                        const LanguageOptions &, DiagnosticEngine &) = nullptr;
  /// For `check --ranges`: as text, or as JSON, one object a function. Null where a language infers
  /// none.
  void (*printRanges)(const Checked &, bool asJson, llvm::raw_ostream &) = nullptr;
  /// Nothing where the text has syntax errors (they are reported).
  std::optional<std::string> (*format)(const SourceFile &, DiagnosticEngine &);
  /// The function that is a program of its own: `run` calls it where --call names none, and its
  /// result is the exit status. "": there is none.
  llvm::StringRef mainFunction = "";
  bool hasDefinitions = false; ///< Whether `-D` means something to it.
  const LanguageDialect *dialect = nullptr;
};

llvm::ArrayRef<const Language *> languages();
/// By name ("ttl") or by file name ("f.ttl"); null when there is none.
const Language *languageNamed(llvm::StringRef name);
const Language *languageOf(llvm::StringRef fileName);

} // namespace tessera

#endif
