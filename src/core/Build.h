/// Builders shared by the front ends: the shapes of core IR that more than one language needs.
#ifndef TESSERA_CORE_BUILD_H
#define TESSERA_CORE_BUILD_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera::core {

/// Sizes of a tensor as attributes where static, as `tensor.dim` where not.
llvm::SmallVector<mlir::OpFoldResult> sizesOf(mlir::OpBuilder &b, mlir::Location loc,
                                              mlir::Value tensor);

/// A tensor without contents.
mlir::Value empty(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                  mlir::Type element);
/// A tensor with `value` everywhere.
mlir::Value filled(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                   mlir::Value value);

using Elements =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// One value per element of same-shaped tensors; the result takes its sizes from `sizes`.
mlir::Value elementwise(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange tensors,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element,
                        Elements body);

/// lhs x rhs. Each element is one chain in ascending k from zero; of fma for floats [core.7].
mlir::Value matmul(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);

mlir::Value zero(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element);
mlir::Value constantIndex(mlir::OpBuilder &b, mlir::Location loc, int64_t value);

/// Declares a function of the runtime, once.
void declareRuntime(mlir::ModuleOp module, llvm::StringRef name, mlir::FunctionType type);
void callRuntime(mlir::OpBuilder &b, mlir::ModuleOp module, mlir::Location loc,
                 llvm::StringRef name, mlir::ValueRange arguments);

/// A place that may fail at run time; `message` holds {0} to {3} for the values.
struct Site {
  mlir::Location loc;
  llvm::StringRef message, rule;
};

/// A row of the table below; without a place in a file its `file` is empty.
mlir::DictionaryAttr describe(const Site &site);

/// The table of such places; a module carries it as an attribute.
class Sites {
public:
  /// Goes on from the table that the module has.
  explicit Sites(mlir::ModuleOp module);
  /// The number of a new site; generated code passes it to the runtime.
  mlir::Value number(mlir::OpBuilder &b, const Site &site);
  int64_t add(const Site &site);
  /// Hands the table to the module, once it is complete.
  void attach();

  mlir::ModuleOp module; ///< Bodies under construction do not know it yet.

private:
  llvm::SmallVector<mlir::Attribute> rows;
};

/// Ends the program with the site's message where `condition` holds. At most four values, integers
/// or indices.
void trapIf(mlir::OpBuilder &b, Sites &sites, mlir::Value condition, const Site &site,
            mlir::ValueRange values);
/// The same with values that are computed only then.
using Values = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &)>;
void trapIfWith(mlir::OpBuilder &b, Sites &sites, mlir::Value condition, const Site &site,
                Values values);
/// The same for arguments that an entry cannot work with: the call fails, not the program.
void rejectIf(mlir::OpBuilder &b, Sites &sites, mlir::Value condition, const Site &site,
              mlir::ValueRange values);

} // namespace tessera::core

#endif
