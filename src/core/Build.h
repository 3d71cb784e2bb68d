/// Builders shared by the front ends for core IR that more than one language needs.
#ifndef TESSERA_CORE_BUILD_H
#define TESSERA_CORE_BUILD_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera::core {

/// The sizes of a tensor: attributes where static, `tensor.dim` where dynamic.
llvm::SmallVector<mlir::OpFoldResult> sizesOf(mlir::OpBuilder &b, mlir::Location loc,
                                              mlir::Value tensor);

/// An uninitialized tensor.
mlir::Value empty(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                  mlir::Type element);
/// A tensor filled with `value`.
mlir::Value filled(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                   mlir::Value value);

using Elements =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// One value per element of same-shaped tensors; the result takes its sizes from `sizes`.
mlir::Value elementwise(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange tensors,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element,
                        Elements body);

/// lhs x rhs. Each element is one chain in ascending k, starting from zero; floats use fma
/// [core.7].
mlir::Value matmul(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);

mlir::Value zero(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element);
mlir::Value constantIndex(mlir::OpBuilder &b, mlir::Location loc, int64_t value);

/// Declares a runtime function unless it is already declared.
void declareRuntime(mlir::ModuleOp module, llvm::StringRef name, mlir::FunctionType type);
void callRuntime(mlir::OpBuilder &b, mlir::ModuleOp module, mlir::Location loc,
                 llvm::StringRef name, mlir::ValueRange arguments);

/// A run-time error site. The placeholders {0} to {3} in `message` stand for the values.
struct Site {
  mlir::Location loc;
  llvm::StringRef message, rule;
};

/// Describes a site as a row of the table below; `file` is empty if the location has no file
/// position.
mlir::DictionaryAttr describe(const Site &site);

/// The table of sites, which the module carries as an attribute.
class Sites {
public:
  /// Continues the table that the module already has.
  explicit Sites(mlir::ModuleOp module);
  /// Adds a site and returns its number, which generated code passes to the runtime.
  mlir::Value number(mlir::OpBuilder &b, const Site &site);
  int64_t add(const Site &site);
  /// Attaches the complete table to the module.
  void attach();

  mlir::ModuleOp module; ///< Bodies under construction are not linked to it yet.

private:
  llvm::SmallVector<mlir::Attribute> rows;
};

/// Traps with the site's message if `condition` holds. Takes at most four values, integers or
/// indices.
void trapIf(mlir::OpBuilder &b, Sites &sites, mlir::Value condition, const Site &site,
            mlir::ValueRange values);
/// The same; the values are computed only if `condition` holds.
using Values = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &)>;
void trapIfWith(mlir::OpBuilder &b, Sites &sites, mlir::Value condition, const Site &site,
                Values values);
/// The same for invalid entry arguments: the call fails, but the program continues.
void rejectIf(mlir::OpBuilder &b, Sites &sites, mlir::Value condition, const Site &site,
              mlir::ValueRange values);

} // namespace tessera::core

#endif
