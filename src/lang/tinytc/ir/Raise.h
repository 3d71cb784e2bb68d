/// From the dialect back to the tree that Lower.h lowers.
#ifndef TESSERA_LANG_TINYTC_IR_RAISE_H
#define TESSERA_LANG_TINYTC_IR_RAISE_H

#include "lang/tinytc/Syntax.h"
#include "lang/tinytc/ir/Dialect.h"
#include "lang/tinytc/ir/Names.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera::tinytc::ir {

/// Functions, types and attributes in Raise.cpp, operations in RaiseOps.cpp.
class Raising {
public:
  explicit Raising(Program &program) : program(program) {}

  void run(mlir::ModuleOp module);

private:
  using Node = decltype(Inst::node);

  Function *raise(mlir::func::FuncOp function);
  const Type *raise(mlir::Type type);
  TypeRef typeRef(mlir::Type type) { return {raise(type)}; }
  llvm::ArrayRef<TypeRef> typeRefs(mlir::TypeRange types);
  Attr raise(mlir::Attribute attr);
  const Attr *dictionary(llvm::ArrayRef<mlir::NamedAttribute> entries);
  const Literal *literal(mlir::Attribute attr);
  llvm::StringRef keep(const llvm::Twine &text);

  Value *define(mlir::Value value, llvm::StringRef wanted);
  llvm::ArrayRef<Value *> define(mlir::ValueRange values, mlir::Location loc);
  llvm::ArrayRef<Value *> defineArguments(mlir::Block &block);
  Operand use(mlir::Value value);
  Operand useMixed(mlir::OpFoldResult value);
  llvm::MutableArrayRef<Operand> uses(mlir::ValueRange values);

  /// The arguments of its block are already defined, in the scope of the caller.
  Region *body(mlir::Region &region);
  Region *scopedBody(mlir::Region &region);
  Inst *raiseInst(mlir::Operation &op);
  Node raiseNode(mlir::Operation &op);

  Node node(AllocaOp op);
  Node node(LifetimeStopOp op);
  Node node(BlasOp op);
  Node node(ParallelOp op);
  Node node(ForeachOp op);
  Node node(ForOp op);
  Node node(IfOp op);
  Node node(YieldOp op);
  Node node(BarrierOp op);
  Node node(ConstantOp op);
  Node node(BinaryOp op);
  Node node(UnaryOp op);
  Node node(CompareOp op);
  Node node(CastOp op);
  Node node(BuiltinOp op);
  Node node(SubviewOp op);
  Node node(ExpandOp op);
  Node node(FuseOp op);
  Node node(SizeOp op);
  Node node(LoadOp op);
  Node node(StoreOp op);
  Node node(CoopLoadOp op);
  Node node(CoopStoreOp op);
  Node node(CoopMulAddOp op);
  Node node(CoopScaleOp op);
  Node node(BroadcastOp op);
  Node node(SubgroupOp op);

  Program &program;
  llvm::DenseMap<mlir::Value, Value *> values;
  std::optional<Names> names; ///< The names of the current function.
};

} // namespace tessera::tinytc::ir

#endif
