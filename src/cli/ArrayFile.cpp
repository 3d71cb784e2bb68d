#include "cli/ArrayFile.h"
#include "cli/Elements.h"
#include "cli/Zip.h"
#include "runtime/Npy.h"
#include "runtime/View.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

namespace {

/// Programs may rely on the alignment that memory of ours has.
constexpr size_t alignment = 64;

/// Whatever the order in the file, in a tensor elements are row-major.
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

/// Files are not converted: a silent change of type would be a silent change of values.
bool hasType(tessera_dtype dtype, Scalar element, std::string &problem) {
  if (runtime::operator==(dtype, elementType(element).dtype))
    return true;
  problem = std::string("it holds ") + runtime::nameOf(dtype).text;
  return false;
}

/// The runtime's messages begin with the path, which ours name already.
std::string withoutPath(const runtime::Message &message, StringRef path) {
  StringRef text = message.text;
  if (text.consume_front(path))
    text.consume_front(": ");
  return text.str();
}

std::optional<Tensor> readNpyFile(const std::string &path, Scalar element, std::string &problem) {
  auto release = [](runtime::NpyArray *array) {
    runtime::releaseNpy(*array);
    delete array;
  };
  std::shared_ptr<runtime::NpyArray> array(new runtime::NpyArray, release);
  runtime::Message message;
  if (!runtime::readNpy(path.c_str(), *array, message)) {
    problem = withoutPath(message, path);
    return std::nullopt;
  }
  if (!hasType(array->dtype, element, problem))
    return std::nullopt;
  problem = "there is no memory for it";
  bool isUsable = runtime::isRowMajor(array->ndim, array->shape, array->strides) &&
                  reinterpret_cast<uintptr_t>(array->data) % alignment == 0;
  tessera_view view = array->view();
  return isUsable ? Tensor(element, shapeOf(view), array, view.data) : copyOf(view, element);
}

void fillStrides(runtime::NpyArray &array) {
  if (!array.fortranOrder)
    return runtime::fillRowMajorStrides(array.ndim, array.shape, array.strides);
  int64_t stride = 1;
  for (int32_t dim = 0; dim < array.ndim; ++dim) {
    array.strides[dim] = stride;
    stride *= array.shape[dim];
  }
}

/// The bytes of a .npy file inside an archive.
std::optional<Tensor> readNpyBytes(StringRef bytes, Scalar element, std::string &problem) {
  runtime::NpyArray array;
  runtime::Message message;
  if (!runtime::parseNpyHeader(bytes.data(), bytes.size(), array, message)) {
    problem = message.text;
    return std::nullopt;
  }
  if (!hasType(array.dtype, element, problem))
    return std::nullopt;
  problem = "its elements are cut off";
  if (array.dataBytes > static_cast<int64_t>(bytes.size()) - array.headerBytes)
    return std::nullopt;
  problem = "there is no memory for it";
  array.data = const_cast<char *>(bytes.data()) + array.headerBytes;
  fillStrides(array);
  return copyOf(array.view(), element);
}

std::string memberNames(llvm::ArrayRef<ZipMember> members) {
  std::vector<std::string> names;
  for (const ZipMember &member : members) {
    StringRef name = member.name;
    name.consume_back(".npy");
    names.push_back("`" + name.str() + "`");
  }
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

std::optional<Tensor> readNpz(StringRef archive, StringRef name, Scalar element,
                              std::string &problem) {
  std::optional<std::vector<ZipMember>> members = zipMembers(archive);
  problem = "it is no .npz file";
  if (!members)
    return std::nullopt;
  problem = (name.empty() ? "it needs `:NAME`" : "it has no array `" + name.str() + "`") +
            "; it holds " + memberNames(*members);
  const ZipMember *member = findMember(*members, name);
  if (!member)
    return std::nullopt;
  std::optional<std::string> contents = zipContents(archive, *member, problem);
  return contents ? readNpyBytes(*contents, element, problem) : std::nullopt;
}

} // namespace

std::optional<Tensor> cli::readArrayFile(StringRef path, Scalar element, std::string &problem) {
  size_t colon = path.rfind(".npz:");
  if (colon == StringRef::npos && path.ends_with(".npy"))
    return readNpyFile(path.str(), element, problem);
  StringRef file = colon == StringRef::npos ? path : path.take_front(colon + 4);
  StringRef name = path.drop_front(std::min(file.size() + 1, path.size()));
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    problem = buffer.getError().message();
    return std::nullopt;
  }
  return readNpz((*buffer)->getBuffer(), name, element, problem);
}

/// Magic, version 1.0, length, a Python dictionary; elements begin at a multiple of 64.
static std::string npyHeader(const ElementType &type, llvm::ArrayRef<int64_t> shape) {
  std::string sizes;
  for (int64_t size : shape)
    sizes += std::to_string(size) + ",";
  std::string dictionary =
      llvm::formatv("{{'descr': '<{0}{1}', 'fortran_order': False, 'shape': ({2}), }", type.name[0],
                    type.dtype.bits / 8, sizes);
  size_t length = llvm::alignTo(10 + dictionary.size() + 1, 64) - 10;
  dictionary.resize(length - 1, ' ');
  char bytes[2];
  llvm::support::endian::write16le(bytes, length);
  return std::string("\x93NUMPY\x01\x00", 8) + std::string(bytes, 2) + dictionary + "\n";
}

void cli::writeNpy(llvm::raw_ostream &out, const tessera_view &view) {
  out << npyHeader(*elementType(view.dtype), shapeOf(view));
  llvm::SmallVector<int64_t, 4> strides = stridesOf(view);
  if (runtime::isRowMajor(view.ndim, view.shape, strides.data())) {
    out.write(firstElement<char>(view), *countElements(shapeOf(view)) * sizeof(int32_t));
    return;
  }
  forEachElement<int32_t>(view, [&](auto, const int32_t &element) {
    out.write(reinterpret_cast<const char *>(&element), sizeof element);
  });
}
