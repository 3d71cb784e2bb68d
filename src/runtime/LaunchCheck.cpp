/// Compares the arguments of a kernel with their types and with what callers promise. Every message
/// names the parameter and both values.
#include "runtime/Invoke.h"
#include "runtime/View.h"
#include <cstring>

using namespace tessera::runtime;

namespace {

/// Reads the struct of arguments, field by field.
class Cursor {
public:
  explicit Cursor(const void *arguments) : at(static_cast<const char *>(arguments)) {}

  const char *take(int64_t size, int64_t alignment) {
    offset = (offset + alignment - 1) / alignment * alignment;
    const char *field = at + offset;
    offset += size;
    return field;
  }
  int64_t takeNumber() {
    int64_t number;
    memcpy(&number, take(8, 8), 8);
    return number;
  }
  template <typename T> const T *takePointer() {
    const T *pointer;
    memcpy(&pointer, take(8, 8), 8);
    return pointer;
  }

private:
  const char *at;
  int64_t offset = 0;
};

/// The size of an element; for complex elements, of their parts: this is how C aligns them.
int64_t naturalAlignment(const tessera_kernel_parameter &parameter) {
  int64_t size = elementBytes(parameter.dtype);
  return parameter.dtype.code == TESSERA_COMPLEX ? size / 2 : size;
}

int32_t countDynamic(const tessera_kernel_parameter &parameter, const int64_t *numbers) {
  int32_t count = 0;
  for (int64_t mode = 0; mode < parameter.order; ++mode)
    count += numbers[mode] < 0;
  return count;
}

/// The sizes and strides that a call supplies: numbers, or arrays of them with one per member.
struct DynamicNumbers {
  const char *fields;
  int64_t member; ///< -1: not a group.

  int64_t operator[](int32_t index) const {
    int64_t number;
    if (member < 0) {
      memcpy(&number, fields + 8 * index, 8);
      return number;
    }
    const int64_t *numbers;
    memcpy(&numbers, fields + 8 * index, 8);
    return numbers[member];
  }
};

/// A memref, which may be a member of a group.
class MemrefCheck {
public:
  MemrefCheck(const tessera_kernel_parameter &parameter, const char *fields, int64_t member,
              Text &error)
      : parameter(parameter), numbers{fields, member}, error(error),
        firstStride(countDynamic(parameter, parameter.shape)) {}

  /// The first element is `offset` elements after `data`.
  bool check(const void *data, int64_t offset) {
    return checkModes() && (isEmpty() || checkData(data, offset));
  }

private:
  void complain() {
    error.add("argument `%s`: ", parameter.name);
    if (numbers.member >= 0)
      error.add("member %lld: ", (long long)numbers.member);
  }

  struct Mode {
    int64_t index, size, stride;
  };

  /// Calls visit(mode) for each, until a call returns false.
  template <typename Visitor> bool forEachMode(Visitor visit) const {
    int32_t size = 0, stride = firstStride;
    for (int64_t mode = 0; mode < parameter.order; ++mode) {
      bool knowsSize = parameter.shape[mode] >= 0, knowsStride = parameter.strides[mode] >= 0;
      Mode found{mode, knowsSize ? parameter.shape[mode] : numbers[size],
                 knowsStride ? parameter.strides[mode] : numbers[stride]};
      size += !knowsSize;
      stride += !knowsStride;
      if (!visit(found))
        return false;
    }
    return true;
  }

  bool isEmpty() const {
    return !forEachMode([](Mode mode) { return mode.size != 0; });
  }

  bool checkModes() {
    // Without elements, none can overlap.
    bool mayOverlap = !isEmpty();
    int64_t reach = 1; // The end of the modes before.
    return forEachMode([&](Mode mode) {
      return checkNumber("size", mode.index, mode.size, parameter.shape_divisors[mode.index]) &&
             checkNumber("stride", mode.index, mode.stride,
                         parameter.stride_divisors[mode.index]) &&
             (!mayOverlap || checkReach(mode, reach));
    });
  }

  bool checkNumber(const char *what, int64_t mode, int64_t found, int64_t divisor) {
    if (found >= 0 && (divisor <= 1 || found % divisor == 0))
      return true;
    complain();
    error.add("%s %lld in mode %lld, expected ", what, (long long)found, (long long)mode);
    if (found < 0)
      error.add("0 or more");
    else
      error.add("a multiple of %lld", (long long)divisor);
    return false;
  }

  /// Elements of a mode come after those of all modes before it; only the last one may have stride
  /// 0, as in batches that share a matrix.
  bool checkReach(Mode mode, int64_t &reach) {
    bool isShared = mode.stride == 0 && mode.index > 0 && mode.index + 1 == parameter.order;
    bool isBehind = mode.stride >= reach || mode.size <= 1 || isShared;
    int64_t end;
    if (isBehind && !__builtin_mul_overflow(mode.stride, mode.size, &end)) {
      reach = end > reach ? end : reach;
      return true;
    }
    complain();
    if (isBehind)
      error.add("more elements than memory can hold");
    else
      error.add("stride %lld in mode %lld, expected at least %lld", (long long)mode.stride,
                (long long)mode.index, (long long)reach);
    return false;
  }

  bool checkData(const void *data, int64_t offset) {
    if (!data) {
      complain();
      error.add("no data (null)");
      return false;
    }
    return checkAlignment(data, 0, naturalAlignment(parameter)) &&
           checkAlignment(data, uint64_t(offset) * elementBytes(parameter.dtype),
                          parameter.alignment);
  }

  bool checkAlignment(const void *data, uint64_t bytes, int64_t alignment) {
    auto address = reinterpret_cast<uintptr_t>(data) + bytes;
    if (address % alignment == 0)
      return true;
    complain();
    error.add("its first element is at address 0x%llx, expected a multiple of %lld",
              (unsigned long long)address, (long long)alignment);
    return false;
  }

  const tessera_kernel_parameter &parameter;
  DynamicNumbers numbers;
  Text &error;
  int32_t firstStride;
};

/// A group: pointers to its members, and for each the numbers that its type leaves open.
class GroupCheck {
public:
  GroupCheck(const tessera_kernel_parameter &parameter, Cursor &cursor, Text &error)
      : parameter(parameter), error(error), numDynamic(countDynamic(parameter, parameter.shape) +
                                                       countDynamic(parameter, parameter.strides)) {
    members = cursor.takePointer<const void *>();
    arrays = cursor.take(8 * numDynamic, 8);
    count = parameter.count < 0 ? cursor.takeNumber() : parameter.count;
    offset = parameter.offset < 0 ? cursor.takeNumber() : parameter.offset;
  }

  bool check() {
    if (!checkNumber("count", count) || !checkNumber("offset", offset) || !checkArrays())
      return false;
    if (numDynamic == 0 && areSound())
      return true;
    for (int64_t member = 0; member < count; ++member)
      if (!MemrefCheck(parameter, arrays, member, error).check(members[member], offset))
        return false;
    return true;
  }

private:
  bool checkNumber(const char *what, int64_t found) {
    if (found < 0)
      error.add("argument `%s`: %s %lld, expected 0 or more", parameter.name, what,
                (long long)found);
    return found >= 0;
  }

  bool checkArrays() {
    bool areThere = members;
    for (int32_t index = 0; index < numDynamic; ++index) {
      const void *array;
      memcpy(&array, arrays + 8 * index, 8);
      areThere &= array != nullptr;
    }
    if (count == 0 || areThere)
      return true;
    error.add("argument `%s`: no %s (null), expected %lld", parameter.name,
              members ? "sizes or strides" : "members", (long long)count);
    return false;
  }

  /// All members at once, if they differ only in their addresses: kernels may be so short that
  /// checking each in turn would take as long as computing.
  bool areSound() const {
    int64_t natural = naturalAlignment(parameter), promised = parameter.alignment;
    bool isPower = (promised & (promised - 1)) == 0;
    uintptr_t seen = 0, shift = uint64_t(offset) * elementBytes(parameter.dtype);
    bool hasNull = false;
    for (int64_t member = 0; member < count; ++member) {
      auto address = reinterpret_cast<uintptr_t>(members[member]);
      seen |= address + shift;
      hasNull |= address == 0;
    }
    uintptr_t mask = (promised > natural ? promised : natural) - 1;
    return isPower && !hasNull && (seen & mask) == 0;
  }

  const tessera_kernel_parameter &parameter;
  Text &error;
  int32_t numDynamic;
  const void *const *members;
  const char *arrays;
  int64_t count, offset;
};

bool checkMemref(const tessera_kernel_parameter &parameter, Cursor &cursor, Text &error) {
  int32_t numDynamic =
      countDynamic(parameter, parameter.shape) + countDynamic(parameter, parameter.strides);
  auto *data = cursor.takePointer<void>();
  const char *numbers = cursor.take(8 * numDynamic, 8);
  return MemrefCheck(parameter, numbers, /*member=*/-1, error).check(data, 0);
}

bool checkParameter(const tessera_kernel_parameter &parameter, Cursor &cursor, Text &error) {
  if (parameter.kind == TESSERA_KERNEL_MEMREF)
    return checkMemref(parameter, cursor, error);
  if (parameter.kind == TESSERA_KERNEL_GROUP)
    return GroupCheck(parameter, cursor, error).check();
  cursor.take(elementBytes(parameter.dtype), naturalAlignment(parameter));
  return true;
}

} // namespace

bool tessera::runtime::checkKernelArguments(const tessera_kernel &kernel, const void *arguments,
                                            Text &error) {
  if (kernel.num_parameters && !arguments) {
    error.add("no arguments (null), expected %lld", (long long)kernel.num_parameters);
    return false;
  }
  Cursor cursor(arguments);
  for (int64_t index = 0; index < kernel.num_parameters; ++index)
    if (!checkParameter(kernel.parameters[index], cursor, error))
      return false;
  return true;
}
