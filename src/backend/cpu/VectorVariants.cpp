#include "backend/cpu/VectorVariants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

constexpr StringLiteral prefix = "tessera_rt_far_", mark = "tessera-vector-variant";

SmallVector<Function *> marked(Module &module) {
  SmallVector<Function *> found;
  for (Function &function : module)
    if (function.hasFnAttribute(mark))
      found.push_back(&function);
  return found;
}

/// One vector variant of a function T f(T x, T y, T low, T high).
class Variant {
public:
  Variant(Function &scalar, unsigned lanes)
      : scalar(scalar), lanes(lanes), element(scalar.getReturnType()),
        vector(FixedVectorType::get(element, lanes)) {}

  /// Tests whether any element is far, which is unlikely.
  Function *make() {
    Function *slow = makeSlow(), *function = declare("");
    IRBuilder<> b(BasicBlock::Create(context(), "", function));
    BasicBlock *far = BasicBlock::Create(context(), "far", function);
    BasicBlock *done = BasicBlock::Create(context(), "done", function);
    Argument *x = function->getArg(0), *y = function->getArg(1);
    Argument *low = function->getArg(2), *high = function->getArg(3);
    Value *isFar = b.CreateOr(b.CreateFCmpULT(x, b.CreateVectorSplat(lanes, low)),
                              b.CreateFCmpUGT(x, b.CreateVectorSplat(lanes, high)));
    Value *any = b.CreateICmpNE(b.CreateBitCast(isFar, b.getIntNTy(lanes)), b.getIntN(lanes, 0));
    b.CreateCondBr(any, far, done, MDBuilder(context()).createUnlikelyBranchWeights());
    BasicBlock *entry = b.GetInsertBlock();
    b.SetInsertPoint(far);
    Value *patched = b.CreateCall(slow, {x, y, low, high});
    b.CreateBr(done);
    b.SetInsertPoint(done);
    PHINode *result = b.CreatePHI(vector, 2);
    result->addIncoming(y, entry);
    result->addIncoming(patched, far);
    b.CreateRet(result);
    function->addFnAttr(mark);
    return function;
  }

private:
  LLVMContext &context() { return scalar.getContext(); }

  Function *declare(StringRef suffix) {
    auto *type = FunctionType::get(vector, {vector, vector, element, element}, false);
    std::string name = formatv("{0}.{1}{2}", scalar.getName(), lanes, suffix);
    Function *function =
        Function::Create(type, GlobalValue::InternalLinkage, name, scalar.getParent());
    function->copyAttributesFrom(&scalar);
    function->setLinkage(GlobalValue::InternalLinkage);
    return function;
  }

  /// Calls the function for each element, out of line.
  Function *makeSlow() {
    Function *function = declare(".each");
    IRBuilder<> b(BasicBlock::Create(context(), "", function));
    Value *result = function->getArg(1);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Value *x = b.CreateExtractElement(function->getArg(0), lane);
      Value *y = b.CreateExtractElement(function->getArg(1), lane);
      Value *one = b.CreateCall(&scalar, {x, y, function->getArg(2), function->getArg(3)});
      result = b.CreateInsertElement(result, one, lane);
    }
    b.CreateRet(result);
    function->addFnAttr(Attribute::NoInline);
    function->addFnAttr(Attribute::Cold);
    return function;
  }

  Function &scalar;
  unsigned lanes;
  Type *element;
  FixedVectorType *vector;
};

} // namespace

void tessera::cpu::addVectorVariants(Module &module, unsigned maxBits) {
  SmallVector<Function *> scalars;
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(prefix))
      scalars.push_back(&function);
  for (Function *scalar : scalars) {
    SmallVector<std::string> mappings;
    for (unsigned lanes = 2; lanes <= maxBits / scalar->getReturnType()->getPrimitiveSizeInBits();
         lanes *= 2) {
      Function *variant = Variant(*scalar, lanes).make();
      appendToCompilerUsed(module, variant); // It has no callers until a loop is vectorized.
      // The name that encodes the variant for vectorizers: lanes, two vectors, two uniform
      // operands.
      mappings.push_back(
          formatv("_ZGV_LLVM_N{0}vvuu_{1}({2})", lanes, scalar->getName(), variant->getName()));
    }
    scalar->addFnAttr("vector-function-abi-variant", join(mappings, ","));
  }
}

void tessera::cpu::inlineVectorVariants(Module &module) {
  SmallVector<Function *> variants = marked(module);
  removeFromUsedLists(
      module, [&](Constant *used) { return is_contained(variants, used->stripPointerCasts()); });
  for (Function *variant : variants) {
    variant->removeDeadConstantUsers(); // The constants that listed it.
    for (User *user : make_early_inc_range(variant->users())) {
      InlineFunctionInfo info;
      InlineFunction(*cast<CallBase>(user), info);
    }
    variant->eraseFromParent();
  }
  for (Function &function : make_early_inc_range(module))
    if (function.getName().ends_with(".each") && function.use_empty())
      function.eraseFromParent();
}
