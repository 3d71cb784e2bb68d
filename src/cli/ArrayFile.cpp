#include "cli/ArrayFile.h"
#include "cli/Elements.h"
#include "runtime/Npy.h"
#include "runtime/View.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

namespace {

/// Programs may rely on the alignment of the runtime's memory.
constexpr size_t alignment = 64;

/// Elements of a tensor are row-major, whatever the order in the file.
std::optional<Tensor> copyOf(const tessera_view &array, Scalar element) {
  std::optional<Tensor> tensor = Tensor::allocate(element, shapeOf(array));
  if (!tensor)
    return std::nullopt;
  tessera_view target = tensor->view();
  llvm::SmallVector<int64_t, 4> to = stridesOf(target), from = stridesOf(array);
  runtime::copyElements({target.data, to.data()}, {array.data, from.data()}, array.ndim,
                        array.shape, runtime::elementBytes(array.dtype));
  return tensor;
}

/// How a file's elements become a parameter's.
enum class Conversion { None, RawBits, Rounding, Double };

/// Files are not converted, because a silent change of type could change values. NumPy has no
/// bfloat16, so bfloat16 is stored as its bits, or as the float32 that it is rounded from.
std::optional<Conversion> conversionOf(tessera_dtype dtype, const WantedArray &wanted,
                                       std::string &problem) {
  Scalar element = wanted.element;
  bool isComplex = dtype.code == TESSERA_COMPLEX;
  if (isComplex)
    dtype = {TESSERA_FLOAT, uint8_t(dtype.bits / 2), 1};
  if (runtime::operator==(dtype, dtypeOf(element)) && isComplex == wanted.isComplex)
    return Conversion::None;
  if (element == Scalar::BF16 && runtime::operator==(dtype, dtypeOf(Scalar::U16)))
    return Conversion::RawBits;
  if (element == Scalar::BF16 && runtime::operator==(dtype, dtypeOf(Scalar::F32)))
    return Conversion::Rounding;
  if (wanted.orDouble && kindOf(element) == ScalarKind::Float &&
      runtime::operator==(dtype, dtypeOf(Scalar::F64)) && isComplex == wanted.isComplex)
    return Conversion::Double;
  if (isComplex)
    dtype = {TESSERA_COMPLEX, uint8_t(dtype.bits * 2), 1};
  problem = std::string("it holds ") + runtime::nameOf(dtype).text;
  return std::nullopt;
}

std::optional<Tensor> rounded(const Tensor &tensor) {
  std::optional<Tensor> result = Tensor::allocate(Scalar::BF16, tensor.shape());
  if (result)
    llvm::copy(tensor.elements<float>(), result->elements<runtime::BFloat16>().begin());
  return result;
}

/// Programs rely on a bool being 0 or 1.
bool areTruthValues(const Tensor &tensor, std::string &problem) {
  bool isGood = tensor.element() != Scalar::Bool ||
                llvm::all_of(tensor.elements<uint8_t>(), [](uint8_t byte) { return byte <= 1; });
  if (!isGood)
    problem = "it holds a bool that is neither 0 nor 1";
  return isGood;
}

/// The array as a tensor of this type: in place if it `isUsable`, otherwise copied.
std::optional<Tensor> tensorOf(const tessera_view &file, const WantedArray &wanted,
                               std::shared_ptr<void> owner, bool isUsable, std::string &problem) {
  std::optional<Conversion> conversion = conversionOf(file.dtype, wanted, problem);
  if (!conversion)
    return std::nullopt;
  Parts parts(file);
  tessera_view array = parts.view();
  Scalar stored = *conversion == Conversion::Rounding ? Scalar::F32
                  : *conversion == Conversion::Double ? Scalar::F64
                                                      : wanted.element;
  std::optional<Tensor> tensor = isUsable
                                     ? Tensor(stored, shapeOf(array), std::move(owner), array.data)
                                     : copyOf(array, stored);
  problem = "not enough memory for it";
  if (tensor && *conversion == Conversion::Rounding)
    tensor = rounded(*tensor);
  return tensor && areTruthValues(*tensor, problem) ? tensor : std::nullopt;
}

/// The runtime's messages begin with the path, which messages here already contain.
std::string withoutPath(const runtime::Message &message, StringRef path) {
  StringRef text = message.text;
  if (text.consume_front(path))
    text.consume_front(": ");
  return text.str();
}

std::shared_ptr<runtime::NpyArray> makeArray() {
  auto release = [](runtime::NpyArray *array) {
    runtime::releaseNpy(*array);
    delete array;
  };
  return {new runtime::NpyArray, release};
}

/// Gives the bytes of texts the requested signedness. Returns false if there are texts but none are
/// requested.
bool noteText(runtime::NpyArray &array, const WantedArray &wanted, std::string &problem) {
  if (wanted.isText)
    *wanted.isText = array.isText;
  if (!array.isText)
    return true;
  if (wanted.isText)
    array.dtype = dtypeOf(wanted.element);
  problem = llvm::formatv("it holds texts (`S{0}`)", array.shape[array.ndim - 1]);
  return wanted.isText;
}

std::optional<Tensor> readNpyFile(const std::string &path, const WantedArray &wanted,
                                  std::string &problem) {
  std::shared_ptr<runtime::NpyArray> array = makeArray();
  runtime::Message message;
  if (!runtime::readNpy(path.c_str(), *array, message)) {
    problem = withoutPath(message, path);
    return std::nullopt;
  }
  if (!noteText(*array, wanted, problem))
    return std::nullopt;
  bool isUsable = runtime::isRowMajor(array->ndim, array->shape, array->strides) &&
                  reinterpret_cast<uintptr_t>(array->data) % alignment == 0;
  return tensorOf(array->view(), wanted, array, isUsable, problem);
}

void fillStrides(runtime::NpyArray &array) {
  auto fill = array.fortranOrder ? runtime::fillColumnMajorStrides : runtime::fillRowMajorStrides;
  fill(array.ndim, array.shape, array.strides);
}

/// The bytes of a .npy file inside an archive.
std::optional<Tensor> readNpyBytes(StringRef bytes, const WantedArray &wanted,
                                   std::string &problem) {
  runtime::NpyArray array;
  runtime::Message message;
  if (!runtime::parseNpyHeader(bytes.data(), bytes.size(), array, message)) {
    problem = message.text;
    return std::nullopt;
  }
  problem = "its data is truncated";
  if (array.dataBytes > static_cast<int64_t>(bytes.size()) - array.headerBytes)
    return std::nullopt;
  array.data = const_cast<char *>(bytes.data()) + array.headerBytes;
  fillStrides(array);
  if (!noteText(array, wanted, problem))
    return std::nullopt;
  return tensorOf(array.view(), wanted, nullptr, /*isUsable=*/false, problem);
}

std::string arrayName(const ZipMember &member) {
  StringRef name = member.name;
  name.consume_back(".npy");
  return name.str();
}

std::string memberNames(llvm::ArrayRef<ZipMember> members) {
  auto names = llvm::map_to_vector(
      members, [](const ZipMember &member) { return "`" + arrayName(member) + "`"; });
  return names.empty() ? "nothing" : llvm::join(names, ", ");
}

const ZipMember *findMember(llvm::ArrayRef<ZipMember> members, StringRef name) {
  if (name.empty())
    return members.size() == 1 ? members.begin() : nullptr;
  auto *found = llvm::find_if(members, [&](const ZipMember &member) {
    return member.name == name || member.name == (name + ".npy").str();
  });
  return found == members.end() ? nullptr : found;
}

std::optional<Tensor> readNpz(StringRef archive, StringRef name, const WantedArray &wanted,
                              std::string &problem) {
  std::optional<std::vector<ZipMember>> members = zipMembers(archive);
  problem = "it is not a .npz file";
  if (!members)
    return std::nullopt;
  problem =
      (name.empty() ? "choose an array with `:NAME`" : "it has no array `" + name.str() + "`") +
      "; it holds " + memberNames(*members);
  const ZipMember *member = findMember(*members, name);
  if (!member)
    return std::nullopt;
  std::optional<std::string> contents = zipContents(archive, *member, problem, wanted.progress);
  return contents ? readNpyBytes(*contents, wanted, problem) : std::nullopt;
}

} // namespace

std::optional<std::vector<std::string>> cli::arrayNames(StringRef path, std::string &problem) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  auto members = buffer ? zipMembers((*buffer)->getBuffer()) : std::nullopt;
  problem = buffer ? "it is not a .npz file" : buffer.getError().message();
  if (!members)
    return std::nullopt;
  auto names = llvm::map_to_vector(*members, arrayName);
  return std::vector<std::string>(names.begin(), names.end());
}

static bool isColumnMajor(const tessera_view &view) {
  llvm::SmallVector<int64_t, 4> shape(llvm::reverse(shapeOf(view))),
      strides(llvm::reverse(stridesOf(view)));
  return runtime::isRowMajor(view.ndim, shape.data(), strides.data());
}

std::optional<Tensor> cli::readArrayFile(StringRef path, const WantedArray &wanted,
                                         std::string &problem) {
  size_t colon = path.rfind(".npz:");
  if (colon == StringRef::npos && path.ends_with(".npy"))
    return readNpyFile(path.str(), wanted, problem);
  StringRef file = colon == StringRef::npos ? path : path.take_front(colon + 4);
  StringRef name = path.drop_front(std::min(file.size() + 1, path.size()));
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    problem = buffer.getError().message();
    return std::nullopt;
  }
  return readNpz((*buffer)->getBuffer(), name, wanted, problem);
}

std::optional<MappedArray> cli::mapColumnMajor(StringRef path, tessera_dtype dtype) {
  std::shared_ptr<runtime::NpyArray> array = makeArray();
  runtime::Message message;
  if (!path.ends_with(".npy") || !runtime::readNpy(path.str().c_str(), *array, message))
    return std::nullopt;
  // NumPy has no bfloat16; its bits are stored.
  bool isSame = runtime::operator==(array->dtype, dtype) ||
                (dtype.code == TESSERA_BFLOAT &&
                 runtime::operator==(array->dtype, cli::dtypeOf(Scalar::U16)));
  if (!isSame || array->isText || !isColumnMajor(array->view()))
    return std::nullopt;
  return MappedArray{array, array->data, {array->shape, array->shape + array->ndim}};
}

/// Magic, version 1.0, length, a Python dictionary; elements begin at a multiple of 64.
static std::string npyHeader(tessera_dtype dtype, llvm::ArrayRef<int64_t> shape,
                             bool isFortranOrder) {
  std::string sizes;
  for (int64_t size : shape)
    sizes += std::to_string(size) + ",";
  std::string dictionary = llvm::formatv(
      "{{'descr': '{0}', 'fortran_order': {1}, 'shape': ({2}), }",
      StringRef(runtime::npyTypeOf(dtype).text), isFortranOrder ? "True" : "False", sizes);
  size_t length = llvm::alignTo(10 + dictionary.size() + 1, 64) - 10;
  dictionary.resize(length - 1, ' ');
  char bytes[2];
  llvm::support::endian::write16le(bytes, length);
  return std::string("\x93NUMPY\x01\x00", 8) + std::string(bytes, 2) + dictionary + "\n";
}

/// Consecutive columns in memory, with or without gaps.
static bool hasColumns(const tessera_view &view, llvm::ArrayRef<int64_t> strides) {
  return isColumnMajor(view) || (view.ndim > 1 && llvm::is_sorted(strides));
}

void cli::writeNpy(llvm::raw_ostream &out, const tessera_view &view) {
  llvm::SmallVector<int64_t, 4> strides = stridesOf(view);
  bool isRowMajor = runtime::isRowMajor(view.ndim, view.shape, strides.data());
  bool isFortranOrder = !isRowMajor && hasColumns(view, strides);
  out << npyHeader(view.dtype, shapeOf(view), isFortranOrder);
  if (isRowMajor || isColumnMajor(view)) {
    out.write(firstElement<char>(view),
              *countElements(shapeOf(view)) * runtime::elementBytes(view.dtype));
    return;
  }
  llvm::SmallVector<int64_t, 4> shape(shapeOf(view));
  if (isFortranOrder) {
    std::reverse(shape.begin(), shape.end());
    std::reverse(strides.begin(), strides.end());
  }
  tessera_view ordered = view;
  ordered.shape = shape.data();
  ordered.strides = strides.data();
  Parts parts(ordered);
  withElement(*scalarOf(parts.view().dtype), [&]<typename T>(T) {
    forEachElement<T>(parts.view(), [&](auto, const T &element) {
      out.write(reinterpret_cast<const char *>(&element), sizeof element);
    });
  });
}
