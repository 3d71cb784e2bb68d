#include "transform/LoopModel.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

using Model = BufferizableOpInterface::Concept;

/// The model as scf has it: what it was when it was first asked for, before any change.
const Model &ownModel(const Model &model) {
  static const Model own = model;
  return own;
}

/// A nest deeper than this is taken to read what it carries, as all but odd programs do.
constexpr unsigned maxDepth = 6;

unsigned depthOf(Operation *op) {
  unsigned depth = 0;
  while ((op = op->getParentOfType<scf::ForOp>()))
    ++depth;
  return depth;
}

/// The model asks each loop of a nest twice about the loop inside it, so that a nest of n loops
/// would take 2^n questions. "It reads" is always a safe answer: it may cost a copy, never a
/// result.
bool readsCarried(const Model *model, Operation *loop, OpOperand &operand,
                  const AnalysisState &state) {
  return depthOf(loop) >= maxDepth ||
         ownModel(*model).bufferizesToMemoryRead(model, loop, operand, state);
}

/// What was answered on the way to one answer: the types of a loop's buffers follow from those of
/// the loops before, around and inside it, which the model would ask again and again.
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
  // An answer to what is being asked further up is preliminary.
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
