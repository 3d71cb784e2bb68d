/// Checked tree to the `tinytc` dialect.
#ifndef TESSERA_LANG_TINYTC_LOWER_H
#define TESSERA_LANG_TINYTC_LOWER_H

#include "lang/tinytc/Syntax.h"
#include "lang/tinytc/ir/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::tinytc {

/// A module with a function for each kernel, as Tinytc.td describes it, or only for `entry`:
/// kernels do not call others.
mlir::OwningOpRef<mlir::ModuleOp> lowerToDialect(const Program &program, mlir::MLIRContext &context,
                                                 llvm::StringRef entry = "*");

/// Functions, types and locations in Lower.cpp, control in LowerControl.cpp, values in
/// LowerValues.cpp, memory in LowerMemory.cpp.
class Lowering {
public:
  Lowering(const Program &program, mlir::MLIRContext &context)
      : program(program), builder(&context) {}

  mlir::OwningOpRef<mlir::ModuleOp> run(llvm::StringRef entry);

private:
  // Lower.cpp
  void lower(const Function &function);
  void setAttributes(mlir::Operation *op, const Function &function);
  mlir::Type typeOf(const Type &type);
  mlir::Attribute attributeOf(const Attr &attr);
  mlir::Location locationOf(SourceRange range);
  /// A location with the names of these values.
  mlir::Location locationOf(SourceRange range, llvm::ArrayRef<Value *> values);
  mlir::Location locationOf(const Inst &inst) { return locationOf(inst.range, inst.results); }
  mlir::Attribute constantOf(const Literal &literal, mlir::Type type);
  mlir::Value constant(const Literal &literal, const Type &type, mlir::Location loc);
  mlir::Value valueOf(const Operand &operand);
  llvm::SmallVector<mlir::Value> valuesOf(llvm::ArrayRef<Operand> operands);
  /// A number, or a value.
  mlir::OpFoldResult mixedOf(const Operand &operand);

  // LowerControl.cpp
  void lower(const Inst &inst);
  void lowerBody(const Region &region, mlir::Region &into);
  void bind(const Inst &inst, mlir::ValueRange results);
  void bind(llvm::ArrayRef<Value *> variables, mlir::ValueRange arguments);
  void lower(const Foreach &loop, const Inst &inst);
  void lower(const Parallel &parallel, const Inst &inst);
  void lower(const For &loop, const Inst &inst);
  void lower(const If &branch, const Inst &inst);
  void lower(const Yield &yield, const Inst &inst);
  void lower(const Barrier &barrier, const Inst &inst);
  void lower(const Broken &broken, const Inst &inst);

  // LowerValues.cpp
  void lower(const Binary &binary, const Inst &inst);
  void lower(const Unary &unary, const Inst &inst);
  void lower(const Cast &cast, const Inst &inst);
  void lower(const Compare &compare, const Inst &inst);
  void lower(const Constant &constant, const Inst &inst);
  void lower(const Builtin &builtin, const Inst &inst);
  void lower(const CoopLoad &load, const Inst &inst);
  void lower(const CoopMulAdd &product, const Inst &inst);
  void lower(const CoopScale &scale, const Inst &inst);
  void lower(const CoopStore &store, const Inst &inst);
  void lower(const Broadcast &broadcast, const Inst &inst);
  void lower(const SubgroupOp &op, const Inst &inst);

  // LowerMemory.cpp
  void lower(const Alloca &alloca, const Inst &inst);
  void lower(const LifetimeStop &stop, const Inst &inst);
  void lower(const Blas &blas, const Inst &inst);
  void lower(const Expand &expand, const Inst &inst);
  void lower(const Fuse &fuse, const Inst &inst);
  void lower(const Load &load, const Inst &inst);
  void lower(const Size &size, const Inst &inst);
  void lower(const Subview &view, const Inst &inst);
  void lower(const Store &store, const Inst &inst);

  const Program &program;
  mlir::OpBuilder builder;
  llvm::DenseMap<const Value *, mlir::Value> values;
};

} // namespace tessera::tinytc

#endif
