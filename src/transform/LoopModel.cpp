#include "transform/LoopModel.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

using Model = BufferizableOpInterface::Concept;

/// The model as scf registered it, saved on the first call, before any change.
const Model &ownModel(const Model &model) {
  static const Model own = model;
  return own;
}

/// Deeper nests are assumed to read what they carry, as nearly all programs do.
constexpr unsigned maxDepth = 6;

unsigned depthOf(Operation *op) {
  unsigned depth = 0;
  while ((op = op->getParentOfType<scf::ForOp>()))
    ++depth;
  return depth;
}

/// The model asks each loop of a nest twice about the loop inside it, so that a nest of n loops
/// takes 2^n queries. "It reads" is always a safe answer: it may cost a copy, never a result.
bool readsCarried(const Model *model, Operation *loop, OpOperand &operand,
                  const AnalysisState &state) {
  return depthOf(loop) >= maxDepth ||
         ownModel(*model).bufferizesToMemoryRead(model, loop, operand, state);
}

/// Caches the answers found during one query: the types of a loop's buffers depend on the loops
/// before, around and inside it, which the model would query again and again.
struct TypeQuestion {
  llvm::DenseMap<Value, FailureOr<BufferLikeType>> answers;
  unsigned depth = 0;
};

FailureOr<BufferLikeType> typeOfCarried(const Model *model, Operation *loop, Value value,
                                        const BufferizationOptions &options,
                                        const BufferizationState &state,
                                        SmallVector<Value> &asked) {
  static thread_local TypeQuestion question;
  if (question.depth == 0)
    question.answers.clear();
  if (auto known = question.answers.find(value); known != question.answers.end())
    return known->second;
  ++question.depth;
  auto type = ownModel(*model).getBufferType(model, loop, value, options, state, asked);
  --question.depth;
  // While an outer query for the same value is pending, its answer is preliminary.
  if (llvm::count(asked, value) == 1)
    question.answers.insert({value, type});
  return type;
}

void boundQuestions(MLIRContext *context, scf::SCFDialect *) {
  auto name = RegisteredOperationName::lookup(scf::ForOp::getOperationName(), context);
  Model *model = name->getInterface<BufferizableOpInterface>();
  ownModel(*model);
  model->bufferizesToMemoryRead = readsCarried;
  model->getBufferType = typeOfCarried;
}

} // namespace

void tessera::transform::registerLoopModel(DialectRegistry &registry) {
  registry.addExtension(boundQuestions);
}
