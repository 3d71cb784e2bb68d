/// Tensors: their origin and their memory layout.
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

bool Tensor::isEmpty() const {
  return llvm::any_of(dims, [](const Dim &dim) { return dim.size == 0; });
}

//===-- Shapes and types --------------------------------------------------===//

/// One of a few sizes, so that tensors match.
Dim Writer::dim() {
  if (knownDims.size() >= 2 && random.chance(80))
    return random.pick(knownDims);
  static constexpr int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 20, 33};
  Dim dim{random.chance(2) ? 0 : random.pick(sizes)};
  if (random.chance(35))
    dim.name = parameter("n", "index", "= " + std::to_string(dim.size));
  knownDims.push_back(dim);
  return dim;
}

Dims Writer::dims(size_t order) {
  Dims all;
  while (all.size() < order)
    all.push_back(dim());
  if (order == 3)
    for (Dim &dim : all) // Small enough to be fast.
      if (dim.size > 9)
        dim = {random.between(1, 5)};
  return all;
}

static llvm::SmallVector<int64_t> shapeOf(const Dims &dims) {
  llvm::SmallVector<int64_t> shape;
  for (const Dim &dim : dims)
    shape.push_back(dim.isDynamic() ? dynamic : dim.size);
  return shape;
}

/// `isPlain`: numbers and types are spelled out.
std::string Writer::typeOf(ScalarType type, const Dims &dims, llvm::ArrayRef<int64_t> strides,
                           bool isLocal, bool isPlain) {
  auto extent = [&](int64_t value) {
    return value == dynamic ? "?" : isPlain ? std::to_string(value) : number(value);
  };
  std::string text = "memref<" + (isPlain ? spelling(type).str() : element(type));
  for (int64_t size : shapeOf(dims))
    text += "x" + extent(size);
  // After a `$name`, an `x` would become part of the name; `number` adds a blank there.
  if (llvm::ArrayRef<int64_t>(packedStrides(shapeOf(dims))) != strides || random.chance(3)) {
    llvm::SmallVector<std::string> numbers;
    for (int64_t stride : strides)
      numbers.push_back(extent(stride));
    text += ",strided<" + llvm::join(numbers, ",") + ">";
  }
  return text + (isLocal ? ",local>" : ">");
}

std::string Writer::typeOf(const Tensor &tensor) {
  return typeOf(tensor.element, tensor.dims, tensor.strides, tensor.isLocal);
}

Writer::Layout Writer::layout(const Dims &dims, bool isAlwaysPacked) {
  Layout layout;
  llvm::SmallVector<int64_t> shape;
  for (const Dim &dim : dims)
    shape.push_back(dim.size);
  llvm::SmallVector<int64_t> strides = packedStrides(shape);
  layout.strides = packedStrides(shapeOf(dims));
  if (!isAlwaysPacked && random.chance(35)) {
    int64_t reach = random.chance(25) ? 2 : 1;
    for (size_t mode = 0; mode < shape.size(); ++mode) {
      strides[mode] = reach + (mode > 0 && random.chance(50) ? random.between(0, 3) : 0);
      reach = std::max<int64_t>(strides[mode] * shape[mode], reach);
      layout.strides[mode] = random.chance(40) ? dynamic : strides[mode];
    }
  }
  auto list = [](llvm::ArrayRef<int64_t> numbers) {
    return numbers.empty()
               ? "-"
               : llvm::join(llvm::map_range(numbers,
                                            [](int64_t number) { return std::to_string(number); }),
                            "x");
  };
  layout.call = "shape " + list(shape) + " strides " + list(strides);
  return layout;
}

//===-- Choosing ----------------------------------------------------------===//

bool Writer::mayRead(const Tensor &tensor) const {
  return tensor.isReady && tensor.role != Role::Sum && !written.count(tensor.root) &&
         !added.count(tensor.root);
}

bool Writer::mayWrite(const Tensor &tensor) const {
  return tensor.role == Role::Own && !read.count(tensor.root) && !written.count(tensor.root) &&
         !added.count(tensor.root);
}

Tensor *Writer::findTensor(llvm::function_ref<bool(const Tensor &)> fits) {
  std::vector<Tensor *> found;
  llvm::copy_if(tensors, std::back_inserter(found), [&](Tensor *tensor) { return fits(*tensor); });
  return found.empty() ? nullptr : random.pick(found);
}

Tensor &Writer::readable(ScalarType element, const Dims &dims, llvm::ArrayRef<int64_t> except) {
  auto fits = [&](const Tensor &tensor) {
    return tensor.element == element && tensor.dims == dims && mayRead(tensor) &&
           !llvm::is_contained(except, tensor.root);
  };
  Tensor *found = random.chance(85) ? findTensor(fits) : nullptr;
  Tensor &tensor = found ? *found : create(element, dims, Role::Input);
  makeReady(tensor);
  if (place != Place::Collective)
    read.insert(tensor.root);
  return tensor;
}

Tensor &Writer::writable(ScalarType element, const Dims &dims) {
  auto fits = [&](const Tensor &tensor) {
    return tensor.element == element && tensor.dims == dims && mayWrite(tensor);
  };
  Tensor *found = random.chance(70) ? findTensor(fits) : nullptr;
  Tensor &tensor = found ? *found : create(element, dims, Role::Own);
  if (place != Place::Collective)
    written.insert(tensor.root);
  return tensor;
}

/// A tensor to which all may add: of all groups, or of one group.
Tensor &Writer::addable(ScalarType element, const Dims &dims) {
  auto fits = [&](const Tensor &tensor) {
    bool isOwn = tensor.role == Role::Own && tensor.isReady && !read.count(tensor.root) &&
                 !written.count(tensor.root);
    return tensor.element == element && tensor.dims == dims && (tensor.role == Role::Sum || isOwn);
  };
  Tensor *found = random.chance(70) ? findTensor(fits) : nullptr;
  Tensor &tensor = found ? *found : create(element, dims, Role::Sum);
  if (place != Place::Collective)
    added.insert(tensor.root);
  return tensor;
}

//===-- Making ------------------------------------------------------------===//

/// A slice of size 0 would remove the mode.
static bool hasKnownZero(const Dims &dims) {
  return llvm::any_of(dims, [](const Dim &dim) { return dim.size == 0 && !dim.isDynamic(); });
}

/// A size known only at run time may be invalid for a view [tinytc.checked.10].
static bool hasZero(const Dims &dims) {
  return llvm::any_of(dims, [](const Dim &dim) { return dim.size == 0; });
}

Tensor &Writer::create(ScalarType element, const Dims &dims, Role role) {
  std::optional<Tensor> view;
  if (role != Role::Sum && !hasKnownZero(dims) && random.chance(25))
    view = createView(element, dims, role);
  all.push_back(view ? *view : createBase(element, dims, role));
  tensors.push_back(&all.back());
  return all.back();
}

Tensor Writer::createBase(ScalarType element, const Dims &dims, Role role) {
  bool isStatic = llvm::none_of(dims, [](const Dim &dim) { return dim.isDynamic(); });
  if (role != Role::Sum && place == Place::Collective && isStatic && random.chance(35))
    return createLocal(element, dims);
  if (role == Role::Sum || (role == Role::Input && random.chance(60)))
    return createParameter(element, dims, role, false);
  if (role == Role::Own && groups == 1 && random.chance(30))
    return createParameter(element, dims, role, false);
  return hasZero(dims) || random.chance(50) ? createMember(element, dims, role)
                                            : createSlice(element, dims, role);
}

/// A group's own memory may hold anything before it is written.
std::string Writer::fillCall(Role role, bool &isReady) {
  isReady = role != Role::Own || random.chance(60);
  if (!isReady)
    return " fill nan";
  return random.chance(20) ? " fill rough" : "";
}

Tensor Writer::createParameter(ScalarType type, const Dims &dims, Role role, bool isAlwaysPacked) {
  Layout layout = this->layout(dims, isAlwaysPacked);
  Tensor tensor{"", type, dims, layout.strides, false, role, numRoots++};
  std::string fill = fillCall(role, tensor.isReady),
              text = typeOf(type, dims, layout.strides, false);
  if (random.chance(10))
    text += " {alignment=64}";
  tensor.name = parameter("A", text, layout.call + fill);
  return tensor;
}

std::string Writer::groupId() {
  if (groupName.empty()) {
    groupName = fresh("g");
    prologue += "  " + groupName + " = " +
                spell("builtin.group_id", random.chance(50) ? "group_id" : "group_id.x") +
                " : index\n";
  }
  return groupName;
}

/// The member of a group that the id of the work-group selects.
Tensor Writer::createMember(ScalarType type, const Dims &dims, Role role) {
  Layout layout = this->layout(dims);
  Tensor tensor{"", type, dims, layout.strides, false, role, numRoots++};
  std::string member = typeOf(type, dims, layout.strides, false, true);
  int64_t offset = random.chance(30) ? random.between(1, 5) : 0;
  bool saysOffset = random.chance(50);
  std::string text = "group<" + member + "x" + (random.chance(60) ? "?" : number(groups));
  if (offset || random.chance(10))
    text += std::string(", offset: ") + (saysOffset ? "?" : number(offset));
  std::string call;
  for (int64_t i = 0; i < groups; ++i)
    call += layout.call + " ";
  call += "offset " + std::to_string(offset) + fillCall(role, tensor.isReady);
  std::string group = parameter("G", text + ">", call), id = groupId();
  tensor.name = fresh("m");
  prologue += "  " + tensor.name + " = load " + group + "[" + id + "] : " + member + "\n";
  return tensor;
}

/// A size without a value means the whole mode.
std::string Writer::wholeSlice(const Dim &dim) {
  return dim.name == "?" ? ":" : "0:" + sizeOf(dim);
}

/// The slice of a batch whose last mode, or another, is the index of the work-group.
Tensor Writer::createSlice(ScalarType type, const Dims &dims, Role role) {
  Dims whole = dims;
  size_t place = random.chance(70) || groups == 0 ? dims.size()
                                                  : size_t(random.below(int64_t(dims.size()) + 1));
  Dim count{groups};
  if (random.chance(50))
    count.name = "?"; // Its value is not used.
  whole.insert(whole.begin() + ptrdiff_t(place), count);
  Tensor source = createParameter(type, whole, role, false);
  std::string id = groupId();
  llvm::SmallVector<std::string> slices;
  Tensor tensor = source;
  tensor.dims = dims;
  tensor.strides.erase(tensor.strides.begin() + ptrdiff_t(place));
  tensor.name = fresh("s");
  for (auto [mode, dim] : llvm::enumerate(whole))
    slices.push_back(mode == place ? id : wholeSlice(dim));
  prologue += "  " + tensor.name + " = subview " + source.name + "[" + llvm::join(slices, ",") +
              "] : " + typeOf(tensor) + "\n";
  return tensor;
}

Tensor Writer::createLocal(ScalarType type, const Dims &dims) {
  Tensor tensor{"", type, dims, {}, true, Role::Own, numRoots++, false, depth};
  do
    tensor.strides = layout(dims).strides;
  while (llvm::is_contained(tensor.strides, dynamic));
  tensor.name = define("l", std::string("alloca ") + (random.chance(15) ? "{alignment=64} " : "") +
                                ": " + typeOf(tensor));
  return tensor;
}

void Writer::makeReady(Tensor &tensor) {
  if (!tensor.isReady)
    copyInto(tensor);
}

//===-- Views -------------------------------------------------------------===//

/// Only the view uses the source, so there is no aliasing.
std::optional<Tensor> Writer::createView(ScalarType element, const Dims &dims, Role role) {
  if (dims.size() == 1 && random.chance(40))
    if (std::optional<Tensor> view = fused(element, dims, role))
      return view;
  if (dims.size() >= 2 && random.chance(30))
    return expanded(element, dims, role);
  if (hasZero(dims))
    return std::nullopt;
  Dims larger = dims;
  for (Dim &dim : larger)
    if (random.chance(60))
      dim = {dim.size + random.between(0, 3), dim.isDynamic() && random.chance(50) ? "?" : ""};
  if (random.chance(25))
    larger.push_back(knownDim(random.between(1, 3)));
  return subview(createBase(element, larger, role), dims);
}

/// Modes after those of `dims` are removed.
Tensor Writer::subview(const Tensor &source, const Dims &dims) {
  Tensor view = source;
  view.allocaDepth = -1;
  view.dims = dims;
  view.strides.resize(dims.size());
  llvm::SmallVector<std::string> slices;
  for (auto [mode, dim] : llvm::enumerate(source.dims)) {
    bool isKept = mode < dims.size();
    int64_t room = dim.size - (isKept ? dims[mode].size : 1);
    int64_t offset = random.between(0, std::max<int64_t>(room, 0));
    std::string first = random.chance(20) ? indexConstant(offset) : number(offset);
    slices.push_back(first + (isKept ? ":" + sizeOf(dims[mode]) : random.chance(30) ? ":0" : ""));
  }
  for (int64_t &stride : view.strides)
    if (random.chance(10))
      stride = dynamic;
  view.name =
      define("v", "subview " + source.name + "[" + llvm::join(slices, ",") + "] : " + typeOf(view));
  return view;
}

/// Splits one mode into two.
Tensor Writer::expanded(ScalarType element, const Dims &dims, Role role) {
  size_t mode = size_t(random.below(int64_t(dims.size()) - 1));
  const Dim &first = dims[mode], &second = dims[mode + 1];
  Dims joined = dims;
  bool isKnown = !first.isDynamic() && !second.isDynamic();
  joined[mode] = {first.size * second.size, isKnown ? "" : "?"};
  joined.erase(joined.begin() + ptrdiff_t(mode) + 1);
  Tensor view = createBase(element, joined, role);
  std::string source = view.name;
  int64_t stride = view.strides[mode];
  bool knowsStride = stride != dynamic && !first.isDynamic();
  view.allocaDepth = -1;
  view.dims = dims;
  view.strides.insert(view.strides.begin() + ptrdiff_t(mode) + 1,
                      knowsStride ? stride * first.size : dynamic);
  auto factor = [&](const Dim &dim) { return dim.isDynamic() ? dim.name : number(dim.size); };
  view.name = define("v", llvm::formatv("expand {0}[{1} -> {2} x {3}] : {4}", source, mode,
                                        factor(first), factor(second), typeOf(view)));
  return view;
}

/// Fuses two modes into one.
std::optional<Tensor> Writer::fused(ScalarType element, const Dims &dims, Role role) {
  for (int64_t rows : {4, 3, 2, 5}) {
    if (dims[0].isDynamic() || dims[0].size % rows != 0)
      continue;
    bool isLocal = role == Role::Own && place == Place::Collective && random.chance(40);
    Dims split = {knownDim(rows), knownDim(dims[0].size / rows)};
    Tensor view = isLocal ? Tensor{"",   element,   split,      packedStrides(shapeOf(split)),
                                   true, Role::Own, numRoots++, false}
                          : createParameter(element, split, Role::Input, true);
    if (isLocal)
      view.name = define("l", "alloca : " + typeOf(view));
    else if (role == Role::Own)
      return std::nullopt;
    std::string source = view.name;
    view.dims = dims;
    view.strides = {view.strides[0]};
    view.name = define("v", "fuse " + source + "[0,1] : " + typeOf(view));
    return view;
  }
  return std::nullopt;
}
