#include "lang/tinytc/Check.h"
#include "lang/tinytc/Device.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::StringRef;

bool Checker::isInteger(const Attr &attr, StringRef name) {
  if (attr.kind == Attr::Integer)
    return true;
  report(attr.range, diag::AttributeKind, name, "an integer", describe(attr.kind));
  return false;
}

bool Checker::isIntegerArray(const Attr &attr, StringRef name) {
  bool areIntegers = attr.kind == Attr::Array && llvm::all_of(attr.elements, [](const Attr &e) {
                       return e.kind == Attr::Integer;
                     });
  if (areIntegers)
    return true;
  report(attr.range, diag::AttributeKind, name, "an array of integers",
         attr.kind == Attr::Array ? "an array of other values" : describe(attr.kind));
  return false;
}

/// A name without quotes is one of the language, but may belong elsewhere; a quoted name may be
/// anything.
void Checker::checkKnown(const Attr &attributes, ArrayRef<StringRef> names, StringRef owner) {
  for (const NamedAttr &entry : attributes.entries)
    if (!llvm::is_contained(names, entry.name.text) &&
        (entry.isQuoted || isAttributeName(entry.name.text))) // Unknown names have been reported.
      report(entry.name.range, diag::UnknownAttribute, entry.name.text, owner);
}

//===-- Functions ---------------------------------------------------------===//

void Checker::checkFunctionAttributes(Function &function) {
  function.subgroupSize = device::defaultSubgroupSize;
  if (function.attributes)
    checkKnown(*function.attributes, {"subgroup_size", "work_group_size"}, "a function");
  checkSubgroupSize(function);
  function.workGroupSize[0] = function.subgroupSize;
  function.workGroupSize[1] = 1;
  checkWorkGroupSize(function);
}

void Checker::checkSubgroupSize(Function &function) {
  const Attr *size = function.attributes ? function.attributes->find("subgroup_size") : nullptr;
  if (!size || !isInteger(*size, "subgroup_size"))
    return;
  if (llvm::is_contained(device::subgroupSizes, size->integer))
    function.subgroupSize = size->integer;
  else
    report(size->range, diag::SubgroupSize, size->integer);
}

/// Rows of work-items are a multiple of the subgroup size, and the device limits their number.
void Checker::checkWorkGroupSize(Function &function) {
  const Attr *size = function.attributes ? function.attributes->find("work_group_size") : nullptr;
  if (size && size->kind == Attr::Integer) {
    report(size->range, diag::AttributeKind, "work_group_size", "an array of integers",
           describe(size->kind))
        .hint("write `[{0}, 1]`", size->integer);
    return;
  }
  if (!size || !isIntegerArray(*size, "work_group_size"))
    return;
  if (size->elements.size() != 2) {
    report(size->range, diag::WorkGroupForm, size->elements.size());
    return;
  }
  int64_t rows = size->elements[0].integer, columns = size->elements[1].integer;
  if (rows < 1 || columns < 1) {
    report(size->range, diag::WorkGroupPositive, std::min(rows, columns));
    return;
  }
  bool isChosen = function.attributes->find("subgroup_size");
  if (!isChosen && rows % function.subgroupSize != 0)
    function.subgroupSize = device::subgroupSizes[0];
  if (rows % function.subgroupSize != 0) {
    report(size->elements[0].range, diag::WorkGroupRows, rows, function.subgroupSize);
    return;
  }
  if (rows > device::maxWorkGroupSize || columns > device::maxWorkGroupSize / rows) {
    report(size->range, diag::WorkGroupMaximum, rows, columns, device::maxWorkGroupSize);
    return;
  }
  function.workGroupSize[0] = rows;
  function.workGroupSize[1] = columns;
}

//===-- Memory ------------------------------------------------------------===//

/// Whether it is a positive multiple of the size of an element.
bool Checker::isAlignment(const Attr &alignment, const Type &type) {
  if (!isInteger(alignment, "alignment"))
    return false;
  unsigned bytes = bytesOf(type.scalar);
  bool isPositive = alignment.integer > 0, isMultiple = alignment.integer % bytes == 0;
  if (!isPositive)
    report(alignment.range, diag::AlignmentPositive, alignment.integer);
  else if (!isMultiple)
    report(alignment.range, diag::Alignment, alignment.integer, bytes, spelling(type.scalar));
  return isPositive && isMultiple;
}

void Checker::checkMemoryAttributes(const Attr &attributes, const Type &type) {
  checkKnown(attributes, {"alignment", "shape_gcd", "stride_gcd"}, "a parameter");
  if (const Attr *alignment = attributes.find("alignment"))
    isAlignment(*alignment, type);
  if (const Attr *divisors = attributes.find("shape_gcd"))
    checkDivisors(*divisors, type.shape, "shape_gcd");
  if (const Attr *divisors = attributes.find("stride_gcd"))
    checkDivisors(*divisors, type.strides, "stride_gcd");
}

/// Checks that there is at most one divisor for each mode, and that the type does not contradict
/// them.
void Checker::checkDivisors(const Attr &divisors, ArrayRef<int64_t> extents, StringRef what) {
  if (!isIntegerArray(divisors, what))
    return;
  if (divisors.elements.size() > extents.size()) {
    report(divisors.range, diag::DivisorCount, what, divisors.elements.size(), extents.size());
    return;
  }
  for (auto [divisor, extent] : llvm::zip(divisors.elements, extents)) {
    if (divisor.integer < 1)
      report(divisor.range, diag::DivisorPositive, what, divisor.integer);
    else if (extent != dynamic && extent % divisor.integer != 0)
      report(divisor.range, diag::FalsePromise, what, divisor.integer, extent);
  }
}
