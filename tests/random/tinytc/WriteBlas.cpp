/// Instructions of collective regions.
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

namespace {

/// The sizes of the tensors of an instruction, before they are transposed.
struct Shapes {
  Dims a, b, output;
};

Shapes shapesOf(BlasOp op, const Dim &m, const Dim &n, const Dim &k, const Dims &any) {
  switch (op) {
  case BlasOp::Axpby:
  case BlasOp::Cumsum:
    return {any, {}, any};
  case BlasOp::Gemm:
    return {{m, k}, {k, n}, {m, n}};
  case BlasOp::Gemv:
    return {{m, k}, {k}, {m}};
  case BlasOp::Ger:
    return {{m}, {n}, {m, n}};
  case BlasOp::Hadamard:
    return {any, any, any};
  case BlasOp::Sum:
    return any.size() == 1 ? Shapes{any, {}, {}} : Shapes{{m, k}, {}, {m}};
  }
  llvm_unreachable("no such instruction");
}

void transpose(Dims &dims) {
  if (dims.size() == 2)
    std::swap(dims[0], dims[1]);
}

} // namespace

/// A factor of a type that promotes to this one.
std::string Writer::factor(ScalarType type) {
  ScalarType own = below(type);
  if (random.chance(40)) {
    bool isInteger = kindOf(own) == NumberKind::Integer,
         isComplex = kindOf(own) == NumberKind::Complex;
    return define("c", std::string("constant ") +
                           (isInteger   ? "1"
                            : isComplex ? "[1.0,0.0]"
                                        : "1.0") +
                           " : " + spelling(own).str());
  }
  return simple(own);
}

/// 0 if the output is unwritten, and sometimes otherwise.
std::string Writer::beta(ScalarType type, const Tensor &output, bool isAtomic) {
  ScalarType own = below(type);
  bool isZero = !output.isReady || random.chance(25);
  if (output.role == Role::Sum)
    isZero = false;
  if (!isZero && !isAtomic)
    return random.chance(40) ? simple(own) : factor(type);
  bool isInteger = kindOf(own) == NumberKind::Integer,
       isComplex = kindOf(own) == NumberKind::Complex;
  std::string digit = isZero ? "0" : "1";
  std::string text = isInteger ? digit : isComplex ? "[" + digit + ".0,0.0]" : digit + ".0";
  if (!isAtomic && random.chance(30)) // Known only to the call.
    return parameter("p", spelling(own).str(), "= " + text);
  return define("c", "constant " + text + " : " + spelling(own).str());
}

void Writer::blas() {
  static constexpr std::pair<BlasOp, int> table[] = {
      {BlasOp::Gemm, 0},   {BlasOp::Gemm, 0},  {BlasOp::Gemm, 0},  {BlasOp::Gemv, 0},
      {BlasOp::Ger, 0},    {BlasOp::Axpby, 2}, {BlasOp::Axpby, 2}, {BlasOp::Hadamard, 2},
      {BlasOp::Cumsum, 3}, {BlasOp::Sum, 2}};
  auto [op, mostOrder] = random.pick(table);
  bool hasOrderZero = op == BlasOp::Axpby;
  Dims any = mostOrder ? dims(size_t(random.between(hasOrderZero ? 0 : 1, mostOrder))) : Dims();
  Dim m = dim(), n = dim(), k = dim();
  Shapes shapes = shapesOf(op, m, n, k, any);
  bool isTransposed[2] = {numTransposes(op) > 0 && random.chance(50),
                          numTransposes(op) > 1 && random.chance(50)};
  if (isTransposed[0])
    transpose(shapes.a);
  if (isTransposed[1])
    transpose(shapes.b);

  // Types are promoted from alpha to the product, and from the product and beta to the output.
  ScalarType type = scalarType(), product = below(type), other = below(product);
  bool isPair = numInputs(op) == 2, swaps = random.chance(50);
  bool isAtomic = random.chance(20);
  Tensor &output =
      isAtomic && random.chance(70) ? addable(type, shapes.output) : writable(type, shapes.output);
  std::string text = spelling(op).str();
  Tensor &a = readable(isPair && swaps ? other : product, shapes.a, output.root);
  std::string inputs = a.name;
  if (isPair)
    inputs += ", " + readable(swaps ? product : other, shapes.b, output.root).name;
  if (op == BlasOp::Cumsum)
    inputs += ", " + number(random.below(int64_t(any.size())));
  isAtomic |= output.role == Role::Sum;

  std::string transposes;
  for (unsigned i = 0; i < numTransposes(op); ++i)
    transposes += isTransposed[i] ? ".t" : ".n";
  bool isPlain = isLater && !isTransposed[0] && !isTransposed[1] && random.chance(50);
  std::string atomic = isAtomic ? ".atomic" : "";
  text += isLater ? atomic + (isPlain ? "" : transposes) : transposes + atomic;
  if (isLater && op == BlasOp::Hadamard)
    text = "hadamard" + atomic;
  std::string alpha = factor(product), beta = this->beta(type, output, isAtomic);
  line(text + " " + alpha + ", " + inputs + ", " + beta + ", " + output.name);
  output.isReady = true;
}

/// Overwrites all of a tensor that may hold anything.
void Writer::copyInto(Tensor &tensor) {
  if (tensor.dims.size() <= 2 && random.chance(50)) {
    auto fits = [&](const Tensor &other) {
      return other.element == tensor.element && other.dims == tensor.dims && mayRead(other) &&
             other.root != tensor.root;
    };
    Tensor *source = findTensor(fits);
    Tensor made;
    if (!source) {
      made = createParameter(tensor.element, tensor.dims, Role::Input, false);
      source = &made;
    }
    bool isInteger = kindOf(tensor.element) == NumberKind::Integer;
    bool isComplex = kindOf(tensor.element) == NumberKind::Complex;
    auto constantOf = [&](const char *integer, const char *real, const char *complex) {
      return define("c", std::string("constant ") +
                             (isInteger   ? integer
                              : isComplex ? complex
                                          : real) +
                             " : " + spelling(tensor.element).str());
    };
    std::string one = constantOf("1", "1.0", "[1.0,0.0]"),
                zero = constantOf("0", "0.0", "[0.0,0.0]");
    line("axpby.n " + one + ", " + source->name + ", " + zero + ", " + tensor.name);
    tensor.isReady = true;
    return;
  }
  std::vector<std::string> names, from, to;
  std::string zero = indexConstant(0), filling = simple(tensor.element);
  for (const Dim &dim : tensor.dims) {
    names.push_back(fresh("i"));
    from.push_back(zero);
    to.push_back(asIndex(dim));
  }
  if (names.empty()) { // `foreach` needs at least one variable.
    line("store " + filling + ", " + tensor.name + "[]");
  } else {
    line("foreach (" + llvm::join(names, ", ") + ") = (" + llvm::join(from, ", ") + "), (" +
         llvm::join(to, ", ") + ") {");
    line("  store " + filling + ", " + tensor.name + "[" + llvm::join(names, ",") + "]");
    line("}");
  }
  tensor.isReady = true;
}

void Writer::collectiveStore() {
  Tensor *target = findTensor(
      [&](const Tensor &tensor) { return tensor.role == Role::Own && !tensor.isEmpty(); });
  if (!target)
    return newValue();
  std::string stored = value(target->element, 2);
  std::vector<std::string> at = indicesInto(*target);
  bool isAdded = target->isReady && random.chance(20);
  std::string text = isAdded ? spell("store.atomic_add", "atomic_add") : "store";
  line(text + " " + stored + ", " + target->name + "[" + llvm::join(at, ",") + "]");
  target->isReady |= target->dims.empty();
}

void Writer::barrier() {
  static constexpr const char *texts[] = {"barrier", "barrier.global", "barrier.local",
                                          "barrier.global.local"};
  line(random.pick(texts));
}

void Writer::stopLifetime() {
  Tensor *tensor = findTensor([&](const Tensor &each) { return each.allocaDepth == depth; });
  if (!tensor)
    return newValue();
  line("lifetime_stop " + tensor->name);
  int64_t root = tensor->root;
  llvm::erase_if(tensors, [&](const Tensor *each) { return each->root == root; });
}

void Writer::newValue() {
  std::optional<ScalarType> type;
  if (random.chance(85))
    type = scalarType();
  remember(value(type, int(random.between(1, 3))), type);
}
