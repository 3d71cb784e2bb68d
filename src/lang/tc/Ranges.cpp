#include "lang/tc/Ranges.h"
#include "lang/tc/Inference.h"

using namespace tessera;
using namespace tessera::tc;

Frame &Inference::addFrame(const Def &def) {
  inferred.frames.push_back(std::make_unique<Frame>());
  inferred.frames.back()->def = &def;
  return *inferred.frames.back();
}

bool Inference::isCorrectAlone(const Def &def) {
  auto [known, isNew] = correctAlone.try_emplace(&def, false);
  if (!isNew)
    return known->second;
  DiagnosticEngine ignored;
  Bindings none;
  Inferred trial;
  Inference{program, none, trial, ignored, /*isTrial=*/true}.run(def);
  return known->second = trial.isCorrect;
}

/// A symbol, unless its value is known.
static Size symbolOrValue(llvm::StringRef name, bool isNonNegative, Inference &shared) {
  auto value = shared.bindings.find(name);
  return value == shared.bindings.end() ? shared.sizes().symbol({name.str(), isNonNegative})
                                        : shared.sizes().constant(value->second);
}

/// The range of a type that has few values; the ends of other types are irrelevant.
static void assumeType(Size scalar, Scalar type, Inference &shared) {
  SizeContext &sizes = shared.sizes();
  if (scalar.constant() || bitsOf(type) > 16)
    return;
  bool isSigned = kindOf(type) == ScalarKind::Signed;
  Size limit = sizes.constant(int64_t(1) << (bitsOf(type) - isSigned));
  shared.assumptions.push_back(sizes.sub(sizes.sub(limit, sizes.constant(1)), scalar));
  if (isSigned)
    shared.assumptions.push_back(sizes.add(limit, scalar));
}

static void bindEntry(Frame &frame, Inference &shared) {
  SizeContext &sizes = shared.sizes();
  for (const Name &size : frame.def->sizes)
    frame.sizes.push_back(symbolOrValue(size.text, /*isNonNegative=*/true, shared));
  for (const tc::Parameter &parameter : frame.def->parameters) {
    Shape shape;
    for (const Dimension &dimension : parameter.type.dimensions)
      shape.push_back({sizes.constant(0), dimension.name.empty()
                                              ? sizes.constant(dimension.size)
                                              : frame.sizes[dimension.variable]});
    frame.tensors[parameter.tensor] = shape;
    Scalar type = parameter.type.element;
    if (!shape.empty() || !isIntegral(type))
      continue;
    Size &scalar = frame.scalars[parameter.tensor];
    scalar = symbolOrValue(parameter.name.text, kindOf(type) == ScalarKind::Unsigned, shared);
    assumeType(scalar, type, shared);
  }
}

/// Whether any range or precondition depends on the symbol.
static bool dependsOn(const Frame &frame, Size symbol) {
  auto occursIn = [&](Size size) {
    return mentions(size, [&](Size other) { return other == symbol; });
  };
  auto inShape = [&](const auto &entry) {
    return llvm::any_of(entry.second, [&](const Range &range) {
      return occursIn(range.lower) || occursIn(range.upper);
    });
  };
  auto inCondition = [&](const Precondition &condition) {
    return occursIn(condition.smaller) || occursIn(condition.larger);
  };
  return llvm::any_of(frame.tensors, inShape) || llvm::any_of(frame.variables, inShape) ||
         llvm::any_of(frame.preconditions, inCondition);
}

static void collectScalars(Inferred &inferred) {
  const Frame &entry = inferred.entry();
  for (const tc::Parameter &parameter : entry.def->parameters) {
    auto scalar = entry.scalars.find(parameter.tensor);
    if (scalar == entry.scalars.end() || scalar->second.kind() != Size::Symbol)
      continue;
    auto isNeeded = [&](const auto &frame) { return dependsOn(*frame, scalar->second); };
    if (llvm::any_of(inferred.frames, isNeeded))
      inferred.scalars[parameter.tensor] = scalar->second;
  }
}

void Inference::run(const Def &entry) {
  Frame &frame = addFrame(entry);
  bindEntry(frame, *this);
  FrameInference(*this, frame).run();
  collectScalars(inferred);
}

std::unique_ptr<Inferred> tc::inferRanges(const Program &program, const Def &entry,
                                          const Bindings &bindings, DiagnosticEngine &diagnostics,
                                          bool isChecked) {
  auto inferred = std::make_unique<Inferred>();
  Inference{program, bindings, *inferred, diagnostics, /*isTrial=*/false, isChecked}.run(entry);
  return inferred;
}
