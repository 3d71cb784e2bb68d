#include "lang/tinytc/ir/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::tinytc::ir;
namespace ir = tessera::tinytc::ir;

#include "lang/tinytc/ir/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lang/tinytc/ir/Attrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "lang/tinytc/ir/Types.cpp.inc"

void TinytcDialect::registerTypes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lang/tinytc/ir/Attrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "lang/tinytc/ir/Types.cpp.inc"
      >();
}

Type ir::loadedType(Type type) {
  if (auto memref = dyn_cast<MemrefType>(type))
    return memref.getElement();
  auto group = dyn_cast<GroupType>(type);
  return group ? Type(group.getMember()) : Type();
}

int64_t ir::product(int64_t left, int64_t right) {
  int64_t result;
  bool isKnown = left != dynamic && right != dynamic && !llvm::MulOverflow(left, right, result);
  return isKnown ? result : dynamic;
}

SmallVector<int64_t> ir::packedStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides;
  int64_t next = 1;
  for (int64_t size : shape) {
    strides.push_back(next);
    next = product(next, size);
  }
  return strides;
}

std::optional<int64_t> MemrefType::extent() const {
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip_equal(getShape(), getStrides())) {
    int64_t step;
    if (size == 0)
      return 0;
    if (size == dynamic || stride == dynamic || llvm::MulOverflow(size - 1, stride, step) ||
        llvm::AddOverflow(last, step, last))
      return std::nullopt;
  }
  return last + 1;
}

//===-- Which types there are ---------------------------------------------===//

using Emit = function_ref<InFlightDiagnostic()>;

static LogicalResult wantsScalar(Emit emit, Type type) {
  return isScalar(type) ? success() : emit() << type << " is not a scalar of tinytc";
}

static bool isSize(int64_t size) {
  return size == dynamic || size >= 0;
}

/// Whether a mode ends before the next one begins, as far as the numbers are known.
static bool areOrdered(int64_t size, int64_t stride, int64_t next) {
  int64_t end;
  return size == dynamic || stride == dynamic || next == dynamic ||
         (!llvm::MulOverflow(size, stride, end) && end <= next);
}

/// Whether the bytes from the first element to the end of the last one can be counted in 63 bits.
static bool isAddressable(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides, int64_t bytes) {
  if (llvm::is_contained(shape, 0))
    return true;
  int64_t total = bytes;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    if (size == dynamic || stride == dynamic)
      continue;
    int64_t extent = product(product(size - 1, stride), bytes);
    if (extent == dynamic || llvm::AddOverflow(total, extent, total))
      return false;
  }
  return true;
}

LogicalResult MemrefType::verify(Emit emit, ArrayRef<int64_t> shape, Type element,
                                 ArrayRef<int64_t> strides, AddressSpace) {
  if (failed(wantsScalar(emit, element)))
    return failure();
  if (shape.size() != strides.size())
    return emit() << "a memref has " << shape.size() << " modes and " << strides.size()
                  << " strides";
  if (!llvm::all_of(shape, isSize) || !llvm::all_of(strides, isSize))
    return emit() << "a memref has a negative size or stride";
  if (!strides.empty() && strides[0] == 0)
    return emit() << "the first stride of a memref is 0";
  for (size_t mode = 1; mode < shape.size(); ++mode)
    if (!areOrdered(shape[mode - 1], strides[mode - 1], strides[mode]))
      return emit() << "stride " << mode << " of a memref is too small";
  if (!isAddressable(shape, strides, bytesOf(element)))
    return emit() << "a memref is larger than the address space";
  return success();
}

LogicalResult GroupType::verify(Emit emit, MemrefType, int64_t size, int64_t offset) {
  return isSize(size) && isSize(offset) ? success()
                                        : emit() << "a group has a negative size or offset";
}

LogicalResult CoopMatrixType::verify(Emit emit, int64_t rows, int64_t columns, Type component,
                                     MatrixUse) {
  if (failed(wantsScalar(emit, component)))
    return failure();
  return rows > 0 && columns > 0 ? success() : emit() << "a coopmatrix is empty";
}

//===-- As text -----------------------------------------------------------===//

static void printSize(AsmPrinter &printer, int64_t size) {
  if (size == dynamic)
    printer << '?';
  else
    printer << size;
}

static ParseResult parseSize(AsmParser &parser, int64_t &size) {
  size = dynamic;
  return succeeded(parser.parseOptionalQuestion()) ? success() : parser.parseInteger(size);
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  for (int64_t size : shape) {
    printSize(printer, size);
    printer << 'x';
  }
  printer << element;
}

static ParseResult parseShape(AsmParser &parser, SmallVectorImpl<int64_t> &shape, Type &element) {
  return failure(parser.parseDimensionList(shape) || parser.parseType(element));
}

Type MemrefType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess() || parseShape(parser, shape, element))
    return Type();
  SmallVector<int64_t> strides = packedStrides(shape);
  AddressSpace space = AddressSpace::Global;
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("local"))) {
      space = AddressSpace::Local;
      continue;
    }
    strides.clear();
    auto parseStride = [&] { return parseSize(parser, strides.emplace_back()); };
    if (parser.parseKeyword("strided") ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseStride))
      return Type();
  }
  if (parser.parseGreater())
    return Type();
  return parser.getChecked<MemrefType>(parser.getContext(), shape, element, strides, space);
}

void MemrefType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElement());
  if (getStrides() != ArrayRef(packedStrides(getShape()))) {
    printer << ", strided<";
    llvm::interleaveComma(getStrides(), printer, [&](int64_t size) { printSize(printer, size); });
    printer << '>';
  }
  printer << (isLocal() ? ", local>" : ">");
}

Type GroupType::parse(AsmParser &parser) {
  MemrefType member;
  int64_t size, offset = 0;
  if (parser.parseLess() || parser.parseType(member) || parser.parseComma() ||
      parseSize(parser, size))
    return Type();
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("offset") || parseSize(parser, offset)))
    return Type();
  if (parser.parseGreater())
    return Type();
  return parser.getChecked<GroupType>(parser.getContext(), member, size, offset);
}

void GroupType::print(AsmPrinter &printer) const {
  printer << '<' << getMember() << ", ";
  printSize(printer, getSize());
  if (getOffset() != 0) {
    printer << ", offset ";
    printSize(printer, getOffset());
  }
  printer << '>';
}

Type CoopMatrixType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type component;
  StringRef use;
  if (parser.parseLess() || parseShape(parser, shape, component) || parser.parseComma() ||
      parser.parseKeyword(&use) || parser.parseGreater())
    return Type();
  std::optional<MatrixUse> known = symbolizeMatrixUse(use);
  if (shape.size() != 2 || !known)
    return parser.emitError(parser.getNameLoc(), "a coopmatrix has two sizes and a use"), Type();
  return parser.getChecked<CoopMatrixType>(parser.getContext(), shape[0], shape[1], component,
                                           *known);
}

void CoopMatrixType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, {getRows(), getColumns()}, getComponent());
  printer << ", " << stringifyMatrixUse(getUse()) << '>';
}
