#include "lang/tinytc/Device.h"
#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

TypeRef Parser::parseType() {
  SourceRange begin = peek().range;
  const Type *type = parseTypeBody();
  return {isRecovering || !type ? program.types.invalid() : type, since(begin)};
}

/// Whether a type begins here, other than that of a variable.
bool Parser::isAtType() const {
  static constexpr StringRef others[] = {"bool", "coopmatrix", "group", "memref"};
  bool isOther = isAt(Tok::Word) && llvm::is_contained(others, text(peek()));
  return isOther || (isAt(Tok::Word) && scalarNamed(text(peek())));
}

/// type = "void" | "bool" | scalar | memref | group | coopmatrix | variable
const Type *Parser::parseTypeBody() {
  Nesting nesting(*this);
  if (isAt(Tok::Variable)) {
    SourceRange range = peek().range;
    const Definition *definition = expandVariable();
    if (!definition)
      return nullptr;
    if (auto *type = std::get_if<const Type *>(&definition->value))
      return *type;
    if (!isOpen(*definition))
      complain(range, diag::VariableKind, definition->name.text, "a type");
    return nullptr;
  }
  if (acceptWord("bool"))
    return program.types.boolean();
  if (acceptWord("void"))
    return program.types.simple(Type::Void);
  if (acceptWord("memref"))
    return parseMemref();
  if (acceptWord("group"))
    return parseGroup();
  if (acceptWord("coopmatrix"))
    return parseCoopmatrix();
  if (isAt(Tok::Word))
    if (std::optional<ScalarType> scalar = scalarNamed(text(peek()))) {
      take();
      return program.types.scalar(*scalar);
    }
  rejectType();
  return nullptr;
}

/// The type that another language calls so; "" if there is none.
static StringRef typeMeant(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("i1", "bool")
      .Case("int8", "i8")
      .Case("int16", "i16")
      .Case("int32", "i32")
      .Case("int64", "i64")
      .Cases("half", "float16", "f16")
      .Cases("bfloat", "bfloat16", "bf16")
      .Cases("float", "float32", "f32")
      .Cases("double", "float64", "f64")
      .Case("complex64", "c32")
      .Case("complex128", "c64")
      .Default("");
}

static bool isUnsigned(StringRef name) {
  if (name == "size_t" || name == "unsigned" || name == "uint")
    return true;
  bool isPrefixed =
      name.consume_front("uint") || name.consume_front("ui") || name.consume_front("u");
  name.consume_back("_t");
  return isPrefixed &&
         llvm::StringSwitch<bool>(name).Cases("8", "16", "32", "64", true).Default(false);
}

/// `float` of `floatx4x8`: the name of a type before sizes.
static StringRef beforeSizes(StringRef name) {
  for (size_t end = name.find('x'); end != StringRef::npos; end = name.find('x', end + 1)) {
    StringRef rest = name.drop_front(end + 1), before = name.take_front(end);
    bool isSize = rest.empty() || llvm::isDigit(rest[0]);
    if (isSize && (!typeMeant(before).empty() || isUnsigned(before) || before == "int"))
      return before;
  }
  return name;
}

/// Reports an unknown type, such as those of other versions and languages.
void Parser::rejectType() {
  bool isNextStatement = endsStatement() && isInstruction(text(peek()));
  if (!isAt(Tok::Word) || isNextStatement) {
    failExpected("a type");
    return;
  }
  StringRef name = text(peek());
  if (typeMeant(name).empty())
    name = beforeSizes(name);
  StringRef meant = typeMeant(name);
  bool isTensor = llvm::StringSwitch<bool>(name)
                      .Cases("array", "matrix", "tensor", "vector", true)
                      .Default(false);
  SourceRange range{peek().range.begin, uint32_t(peek().range.begin + name.size())};
  Report report = fail(range, diag::UnknownType, name);
  if (!meant.empty())
    report.fix(range, meant);
  else if (isUnsigned(name))
    report.hint("there are no unsigned integers; `i8`, `i16`, `i32`, `i64` and `index` are signed");
  else if (name == "int")
    report.hint("write `i32` or `i64`");
  else if (size_t end = name.find('x'); end != StringRef::npos && scalarNamed(name.take_front(end)))
    report.hint("`x` is followed by a number, `?` or a variable: `{0} x $n`", name.take_front(end));
  else if (isTensor)
    report.hint("a tensor is a `memref`, such as `memref<f32x4x?>`");
}

/// The scalar type of elements or components.
std::optional<ScalarType> Parser::parseElement(StringRef owner) {
  if (isAt(Tok::Integer) || isAt(Tok::Question)) {
    failExpected("a scalar type")
        .hint("the type of the elements precedes the sizes: `{0}<f32x4x8{1}>`", owner,
              owner == "memref" ? "" : ",matrix_a");
    return std::nullopt;
  }
  TypeRef element = parseType();
  if (element.type->isScalar())
    return element.type->scalar;
  if (!isRecovering && element.type->kind != Type::Invalid)
    complain(element.range, diag::ElementType, owner, spelling(*element.type));
  return std::nullopt;
}

Number Parser::parseExtent(const DiagnosticKind &negative) {
  SourceRange begin = peek().range;
  if (accept(Tok::Question))
    return {dynamic, begin};
  if (isAt(Tok::Local))
    failExpected("an integer or `?`").hint("write `?` for a size that is known only at run time");
  Number number = parseInteger();
  if (number.value >= 0 || number.value == dynamic)
    return number;
  complain(number.range, negative, number.value);
  return {dynamic, number.range}; // `?` matches anything.
}

/// shape = { "x" ( integer | "?" ) }
SmallVector<Number> Parser::parseShape() {
  SmallVector<Number> shape;
  while (accept(Tok::Times))
    shape.push_back(parseExtent(diag::NegativeMode));
  return shape;
}

/// memref = "memref" "<" scalar shape [ "," "strided" "<" [ strides ] ">" ] [ "," space ] ">"
const Type *Parser::parseMemref() {
  SourceRange begin = tokens[at - 1].range;
  expect(Tok::Less);
  std::optional<ScalarType> element = parseElement("memref");
  SmallVector<Number> shape = parseShape();
  std::optional<SmallVector<Number>> strides;
  AddressSpace space = AddressSpace::Global;
  bool hasSpace = false;
  while (accept(Tok::Comma)) {
    SourceRange place = peek().range;
    if (!hasSpace && (isWord("global") || isWord("local"))) {
      space = text(take()) == "local" ? AddressSpace::Local : AddressSpace::Global;
      hasSpace = true;
    } else if (!strides && acceptWord("strided")) {
      expect(Tok::Less);
      strides.emplace();
      parseList(Tok::Greater, [&] { strides->push_back(parseExtent(diag::NegativeStride)); });
      if (hasSpace)
        complain(place, diag::LayoutOrder);
    } else {
      failExpected(strides ? "`global` or `local`" : "`strided<...>`, `global` or `local`");
    }
  }
  if (!strides && !hasSpace && !isAt(Tok::Greater))
    failExpected("`x`, `,` or `>`");
  expect(Tok::Greater);
  if (isRecovering || !element)
    return nullptr;
  return makeMemref(since(begin), *element, shape, strides, space);
}

static SmallVector<int64_t> valuesOf(ArrayRef<Number> numbers) {
  SmallVector<int64_t> values;
  for (const Number &number : numbers)
    values.push_back(number.value);
  return values;
}

/// Whether 63 bits can count the bytes from the first element to the end of the last one.
static bool isAddressable(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides, unsigned bytes) {
  if (llvm::is_contained(shape, 0))
    return true;
  int64_t total = bytes;
  for (auto [mode, stride] : llvm::zip_equal(shape, strides)) {
    int64_t extent = 0;
    if (mode != dynamic && stride != dynamic &&
        (llvm::MulOverflow(mode - 1, stride, extent) ||
         llvm::MulOverflow(extent, int64_t(bytes), extent) ||
         llvm::AddOverflow(total, extent, total)))
      return false;
  }
  return true;
}

const Type *Parser::makeMemref(SourceRange range, ScalarType element, ArrayRef<Number> shape,
                               std::optional<SmallVector<Number>> strides, AddressSpace space) {
  SmallVector<int64_t> modes = valuesOf(shape);
  SmallVector<int64_t> steps = strides ? valuesOf(*strides) : packedStrides(modes);
  if (strides && !areStridesLegal(range, shape, *strides))
    return nullptr;
  bool isKnown = !llvm::is_contained(modes, dynamic);
  if (!isAddressable(modes, steps, bytesOf(element)) ||
      (!strides && isKnown && llvm::is_contained(steps, dynamic))) {
    complain(range, diag::MemrefTooLarge, program.excerpt(range));
    return nullptr;
  }
  return program.types.memref(element, modes, steps, space);
}

/// 1 <= S1, and S(i-1) * s(i-1) <= S(i), where these are known.
bool Parser::areStridesLegal(SourceRange range, ArrayRef<Number> shape, ArrayRef<Number> strides) {
  if (strides.size() != shape.size()) {
    complain(range, diag::StrideCount, counted(strides.size(), "stride", "strides"),
             counted(shape.size(), "mode", "modes"));
    return false;
  }
  if (!strides.empty() && strides[0].value != dynamic && strides[0].value < 1) {
    complain(strides[0].range, diag::FirstStride, strides[0].value);
    return false;
  }
  for (size_t i = 1; i < strides.size(); ++i) {
    int64_t mode = shape[i - 1].value, before = strides[i - 1].value, own = strides[i].value;
    int64_t extent = 0;
    if (mode == dynamic || before == dynamic || own == dynamic)
      continue;
    if (!llvm::MulOverflow(mode, before, extent) && extent <= own)
      continue;
    complain(strides[i].range, diag::StrideOverlap, own, i, before, mode);
    return false;
  }
  return true;
}

/// `group<memref<f32>>` of version 0.3 and `group<memref<f32>>x?`. No instruction results in a
/// group, so as the type of a result it is wrong with a size, too.
void Parser::rejectGroupSize() {
  SourceRange end = take().range;
  if (isResultType)
    return;
  Report report = complain(end, diag::GroupSize);
  if (!accept(Tok::Times)) {
    report.fix({end.begin, end.begin}, "x?").hint("version 0.3 had groups without a size");
    return;
  }
  parseExtent(diag::NegativeGroup);
  if (!isRecovering)
    report.fix(end, "").fix({previousEnd(), previousEnd()}, ">");
}

/// group = "group" "<" memref "x" size [ "," "offset" ":" size ] ">"
const Type *Parser::parseGroup() {
  expect(Tok::Less);
  TypeRef member = parseType();
  if (!isRecovering && member.type->kind != Type::Invalid && !member.type->isMemref())
    fail(member.range, diag::GroupMember, spelling(*member.type));
  if (isAt(Tok::Greater) && !isRecovering) {
    rejectGroupSize();
    return member.type->kind == Type::Invalid ? nullptr
                                              : program.types.group(member.type, dynamic, 0);
  }
  expect(Tok::Times);
  Number size = parseExtent(diag::NegativeGroup), offset;
  if (accept(Tok::Comma)) {
    expectWord("offset");
    expect(Tok::Colon);
    offset = parseExtent(diag::NegativeGroup);
  }
  expect(Tok::Greater);
  if (isRecovering || member.type->kind == Type::Invalid)
    return nullptr;
  return program.types.group(member.type, size.value, offset.value);
}

std::optional<MatrixUse> Parser::parseUse() {
  for (MatrixUse use : {MatrixUse::A, MatrixUse::B, MatrixUse::Acc})
    if (acceptWord(spelling(use)))
      return use;
  failExpected("`matrix_a`, `matrix_b` or `matrix_acc`");
  return std::nullopt;
}

static bool hasRoom(int64_t rows, int64_t columns, int64_t bytes) {
  int64_t most = device::matrixBytes / bytes;
  return rows <= most && columns <= most / rows;
}

/// coopmatrix = "coopmatrix" "<" scalar "x" integer "x" integer "," use ">"
const Type *Parser::parseCoopmatrix() {
  SourceRange begin = tokens[at - 1].range;
  expect(Tok::Less);
  std::optional<ScalarType> component = parseElement("coopmatrix");
  SmallVector<Number> shape = parseShape();
  if (shape.size() != 2 && !isRecovering)
    fail(since(begin), diag::CoopShape, shape.size());
  if (isAt(Tok::Greater))
    failExpected("`,matrix_a`, `,matrix_b` or `,matrix_acc`");
  expect(Tok::Comma);
  std::optional<MatrixUse> use = isRecovering ? std::nullopt : parseUse();
  expect(Tok::Greater);
  if (isRecovering || !component)
    return nullptr;
  for (const Number &mode : shape)
    if (mode.value < 1 && !scopes.areOpen) {
      complain(mode.range, diag::CoopSize,
               mode.value == dynamic ? "?" : std::to_string(mode.value));
      return nullptr;
    }
  int64_t rows = shape[0].value, columns = shape[1].value;
  if (!scopes.areOpen && !hasRoom(rows, columns, bytesOf(*component))) {
    complain(since(begin), diag::CoopMaximum, rows, columns, device::matrixBytes);
    return nullptr;
  }
  return program.types.coopmatrix(*component, rows, columns, *use);
}
