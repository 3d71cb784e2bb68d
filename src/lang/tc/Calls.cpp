#include "lang/tc/Inference.h"

using namespace tessera;
using namespace tessera::tc;

/// Calls are expanded, also those inside callees, so their number may be exponential.
static constexpr size_t maxFrames = 1000;

void FrameInference::infer(const CallStmt &call, const Stmt &self) {
  auto leaveOutResults = [&] {
    for (const Tensor *tensor : call.resultTensors)
      leaveOut(*tensor);
  };
  if (!llvm::all_of(call.argumentTensors, [&](const Tensor *tensor) { return shapeOf(*tensor); }))
    return leaveOutResults();
  if (shared.inferred.frames.size() == maxFrames) {
    const Def &entry = *shared.inferred.entry().def;
    if (std::exchange(shared.inferred.isCorrect, false))
      shared.diagnostics.report(shared.program.file, entry.name.range, diag::TooManyCalls,
                                entry.name.text, maxFrames);
    return leaveOutResults();
  }
  Frame &callee = shared.addFrame(*call.def);
  callee.call = &call;
  callee.callRange = self.range;
  callee.parent = &frame;
  frame.calls[&call] = &callee;
  if (!bindSizes(callee, call))
    return leaveOutResults();
  bindScalars(callee, call);
  FrameInference(shared, callee).run();
  bindResults(callee, call);
}

/// Sets the callee's size variables to the sizes of the arguments [tc.call.6]. The range of an
/// argument may begin anywhere in the caller; in the callee it begins at 0.
bool FrameInference::bindSizes(Frame &callee, const CallStmt &call) {
  callee.sizes.resize(call.def->sizes.size());
  bool isCorrect = true;
  for (auto [number, tensor] : llvm::enumerate(call.argumentTensors)) {
    const tc::Parameter &parameter = call.def->parameters[number];
    const Shape &passed = *shapeOf(*tensor);
    Shape shape;
    for (unsigned dimension = 0; dimension < passed.size(); ++dimension) {
      Size size = sizes.sub(passed[dimension].upper, passed[dimension].lower);
      isCorrect &= bindDimension(callee, {call, unsigned(number), dimension, size});
      shape.push_back({sizes.constant(0), size});
    }
    callee.tensors[parameter.tensor] = shape;
  }
  return isCorrect;
}

/// The argument that determined a size variable of the callee.
static llvm::StringRef firstWithSize(const CallStmt &call, unsigned variable) {
  for (auto [parameter, argument] : llvm::zip(call.def->parameters, call.arguments))
    for (const Dimension &dimension : parameter.type.dimensions)
      if (!dimension.name.empty() && dimension.variable == variable)
        return argument.text;
  return "";
}

bool FrameInference::bindDimension(Frame &callee, const Passed &passed) {
  const tc::Parameter &parameter = passed.call.def->parameters[passed.number];
  const Dimension &dimension = parameter.type.dimensions[passed.dimension];
  bool isLiteral = dimension.name.empty();
  Size expected = isLiteral ? sizes.constant(dimension.size) : callee.sizes[dimension.variable];
  if (!expected) {
    callee.sizes[dimension.variable] = passed.size;
    return true;
  }
  const Name &argument = passed.call.arguments[passed.number];
  llvm::StringRef def = callee.def->name.text;
  Verdict verdict = requireEqual(expected, passed.size, argument.range);
  if (verdict == Verdict::Unknown && warns())
    warn(argument.range, requirement, llvm::formatv("`{0}` is passed to `{1}`", argument.text, def))
        .note(dimension.range, "this is the size it must have");
  if (verdict != Verdict::False)
    return true;
  if (!fails())
    return false;
  Report report =
      isLiteral
          ? fail(argument.range, diag::CallLiteralSize, passed.dimension, parameter.name.text, def,
                 expected.str(), argument.text, passed.size.str())
          : fail(argument.range, diag::CallSizes, dimension.name, def, expected.str(),
                 firstWithSize(passed.call, dimension.variable), passed.size.str(), argument.text);
  report.note(dimension.range, "it is declared here");
  return false;
}

void FrameInference::bindScalars(Frame &callee, const CallStmt &call) {
  for (auto [parameter, tensor] : llvm::zip(call.def->parameters, call.argumentTensors))
    if (auto scalar = frame.scalars.find(tensor); scalar != frame.scalars.end())
      callee.scalars[parameter.tensor] = scalar->second;
}

void FrameInference::bindResults(Frame &callee, const CallStmt &call) {
  for (auto [number, tensor] : llvm::enumerate(call.resultTensors)) {
    auto shape = callee.tensors.find(call.def->returns[number].tensor);
    if (shape == callee.tensors.end())
      leaveOut(*tensor);
    else
      define(*tensor, Shape(shape->second), call.results[number], /*isCall=*/true);
  }
}
