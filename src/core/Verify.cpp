/// The contract: which operations are legal in a module at each stage.
#include "core/Attributes.h"
#include "core/Entry.h"
#include "core/Kernel.h"
#include "core/Stage.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace tessera::core;

namespace {

/// Dialects that are legal at the stages whose values are tensors [core.2].
constexpr llvm::StringLiteral tensorDialects[] = {"builtin", "func",   "arith", "math",
                                                  "scf",     "tensor", "linalg"};
/// From `scheduled` on, destinations are explicit and contractions may be in buffer form [core.5].
constexpr llvm::StringLiteral scheduledDialects[] = {"builtin", "func",         "arith",  "math",
                                                     "scf",     "tensor",       "linalg", "memref",
                                                     "vector",  "bufferization"};
/// Only memory, loops, vectors and tiles [core.6].
constexpr llvm::StringLiteral loopDialects[] = {"builtin", "func",   "arith",  "math",   "scf",
                                                "cf",      "memref", "vector", "affine", "amx"};
constexpr llvm::StringLiteral llvmDialects[] = {"builtin", "llvm"};
/// Legal in functions in buffer form until they are lowered to the LLVM dialect [core.9].
constexpr llvm::StringLiteral bufferDialects[] = {"builtin", "func",   "arith",  "math",   "scf",
                                                  "cf",      "memref", "vector", "linalg", "llvm"};

llvm::ArrayRef<llvm::StringLiteral> legalDialects(Stage stage) {
  switch (stage) {
  case Stage::Core:
  case Stage::Optimized:
    return tensorDialects;
  case Stage::Scheduled:
    return scheduledDialects;
  case Stage::Loops:
    return loopDialects;
  default:
    return llvmDialects;
  }
}

/// Whether the operation is in a function in buffer form, or is a constant that such functions use.
bool isInBufferForm(Operation *op) {
  if (op->getName().getStringRef() == "llvm.mlir.global")
    return true;
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(buffersAttr);
}

LogicalResult verifyOp(Operation *op, Stage stage) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (stage < Stage::Llvm && isInBufferForm(op))
    return llvm::is_contained(bufferDialects, dialect)
               ? success()
               : op->emitOpError() << "is not legal in buffer form [core.9]";
  if (!llvm::is_contained(legalDialects(stage), dialect))
    return op->emitOpError() << "is not legal at stage `" << name(stage) << "`";
  if (stage != Stage::Core && stage != Stage::Optimized)
    return success();
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  bool takesBuffer = llvm::any_of(op->getRegions(), [&](Region &region) {
    return !region.empty() && llvm::any_of(region.front().getArgumentTypes(), isBuffer);
  });
  if (takesBuffer || llvm::any_of(op->getResultTypes(), isBuffer))
    return op->emitOpError() << "makes a buffer in a function in tensor form [core.3]";
  return success();
}

/// Checks that a parameter's or result's attributes fit its type.
LogicalResult verifyValue(func::FuncOp function, const EntryValue &value, DictionaryAttr written) {
  if (!written)
    return success();
  if (written.contains(typeAttr) && (!value.element || !fits(value.type, *value.element)))
    return function.emitOpError() << "declares " << value.type << " as " << written.get(typeAttr)
                                  << ", which does not fit it [core.4]";
  auto shaped = dyn_cast<ShapedType>(value.type);
  size_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
  if (written.contains(sizesAttr) && value.sizes.size() != rank)
    return function.emitOpError() << "names the sizes of " << value.type << " "
                                  << written.get(sizesAttr)
                                  << "; expected one name per dimension [core.4]";
  return success();
}

/// Whether the function has a result with this name and element type; either side may know more of
/// the sizes.
bool hasResult(func::FuncOp function, const EntryValue &initial) {
  for (unsigned index = 0; index < function.getNumResults(); ++index) {
    EntryValue result = entryResult(function, index);
    auto own = dyn_cast<ShapedType>(result.type), other = dyn_cast<ShapedType>(initial.type);
    bool sameRank = own && other ? own.getRank() == other.getRank() : !own && !other;
    if (result.name == initial.name && sameRank && result.element && initial.element &&
        name(*result.element) == name(*initial.element))
      return true;
  }
  return false;
}

LogicalResult verifyParameter(func::FuncOp function, unsigned index) {
  if (!function.getArgAttrOfType<StringAttr>(index, nameAttr))
    return function.emitOpError() << "has a parameter without `tessera.name` [core.4]";
  EntryValue parameter = entryParameter(function, index);
  if (parameter.isInitial && !hasResult(function, parameter))
    return function.emitOpError() << "has an initial value for " << parameter.name
                                  << ", but no result of that name and "
                                  << "of type " << parameter.type << " [core.4]";
  return verifyValue(function, parameter, function.getArgAttrDict(index));
}

LogicalResult verifyResult(func::FuncOp function, unsigned index) {
  if (function.getNumResults() > 1 && !function.getResultAttrOfType<StringAttr>(index, nameAttr))
    return function.emitOpError() << "has several results, but one has no `tessera.name` [core.4]";
  return verifyValue(function, entryResult(function, index), function.getResultAttrDict(index));
}

/// A kernel takes two pointers, to its arguments and to its launch [core.9].
LogicalResult verifyKernel(func::FuncOp function) {
  auto isPointer = [](Type type) { return isa<LLVM::LLVMPointerType>(type); };
  bool takesTwo = function.getNumArguments() == 2 && function.getNumResults() == 0 &&
                  llvm::all_of(function.getArgumentTypes(), isPointer);
  if (!takesTwo)
    return function.emitOpError()
           << "must take pointers to its arguments and to its launch [core.9]";
  if (!kernelParameters(function))
    return function.emitOpError()
           << "has an invalid `tessera.kernel`: it does not describe parameters [core.9]";
  return success();
}

/// Other entries take two pointers, to their arguments and to their result; attributes describe
/// both [core.9].
LogicalResult verifyBufferEntry(func::FuncOp function) {
  auto types = function->getAttrOfType<ArrayAttr>(typesAttr);
  auto names = function->getAttrOfType<ArrayAttr>(namesAttr);
  auto isSymbol = [](Attribute type) { return isa<FlatSymbolRefAttr>(type); };
  auto isText = [](Attribute name) { return isa<StringAttr>(name); };
  if (!function->hasAttr(entryAttr))
    return success();
  if (names && !llvm::all_of(names, isText))
    return function.emitOpError() << "has `tessera.names` that are not strings [core.9]";
  if (function->hasAttr(kernelAttr))
    return verifyKernel(function);
  if (function.getNumArguments() == 2 && function.getNumResults() == 0 && types &&
      types.size() == 2 && llvm::all_of(types, isSymbol))
    return success();
  return function.emitOpError()
         << "must take pointers to its arguments and to its result, with `tessera.types` [core.9]";
}

/// Entries carry what the ABI needs: names, and what the types leave open [core.4].
LogicalResult verifyEntry(func::FuncOp function) {
  bool isEntry = function->hasAttrOfType<StringAttr>(entryAttr);
  if (function.isExternal())
    return success();
  if (isEntry != function.isPublic())
    return function.emitOpError()
           << "must be public if and only if it has `tessera.entry` [core.4]";
  if (function->hasAttr(buffersAttr))
    return verifyBufferEntry(function);
  bool isGood = true;
  for (unsigned index = 0; isEntry && isGood && index < function.getNumArguments(); ++index)
    isGood = succeeded(verifyParameter(function, index));
  for (unsigned index = 0; isEntry && isGood && index < function.getNumResults(); ++index)
    isGood = succeeded(verifyResult(function, index));
  return success(isGood);
}

} // namespace

LogicalResult tessera::core::verify(ModuleOp module, Stage stage) {
  if (stage < Stage::Core) // The language defines its own rules.
    return success();
  WalkResult result = module.walk([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op); function && failed(verifyEntry(function)))
      return WalkResult::interrupt();
    return failed(verifyOp(op, stage)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
