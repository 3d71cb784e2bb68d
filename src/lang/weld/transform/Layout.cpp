#include "lang/weld/transform/Layout.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

namespace {

/// The same as the runtime's tessera_kind.
enum Kind : int32_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F32,
  F64,
  Struct,
  Vector,
  Dictionary
};

constexpr int32_t rowWords = 5;

Type pointer(Type like) {
  return LLVM::LLVMPointerType::get(like.getContext());
}
Type i64(Type like) {
  return IntegerType::get(like.getContext(), 64);
}

/// The type without signedness.
Type signless(Type scalar) {
  auto integer = dyn_cast<IntegerType>(scalar);
  return integer ? IntegerType::get(scalar.getContext(), integer.getWidth()) : scalar;
}

Layout words(ArrayRef<Type> types) {
  Layout layout;
  for (Type type : types)
    layout.leaves.push_back({type, int64_t(8 * layout.leaves.size())});
  layout.size = 8 * types.size();
  layout.alignment = 8;
  return layout;
}

Layout scalarLayout(Type type) {
  Layout layout;
  layout.leaves.push_back({signless(type), 0});
  layout.size = layout.alignment = bytesOf(layout.leaves.front().type);
  return layout;
}

Layout simdLayout(ir::SimdType type) {
  Layout layout;
  layout.leaves.push_back({VectorType::get({numLanes}, signless(type.getElement())), 0});
  layout.size = bytesOf(layout.leaves.front().type);
  layout.alignment = layout.size;
  return layout;
}

/// A table, and what loops keep of it in registers: see Layout.h.
Layout tableLayout(ir::DictMergerType type) {
  Type address = pointer(type), count = i64(type);
  if (holdsPointers(type.getKey()))
    return words({address});
  return words({address, address, count, address, count});
}

int32_t kindOf(Type scalar) {
  if (scalar.isF32())
    return F32;
  if (scalar.isF64())
    return F64;
  auto integer = cast<IntegerType>(scalar);
  if (integer.getWidth() == 1)
    return Bool;
  return (integer.isUnsigned() ? U8 : I8) + llvm::Log2_32(integer.getWidth() / 8);
}

/// A row followed by these parts.
SmallVector<int32_t> row(ArrayRef<int32_t> head,
                         ArrayRef<std::pair<int64_t, SmallVector<int32_t>>> parts) {
  SmallVector<int32_t> words(head);
  words.push_back(parts.size());
  int32_t at = rowWords + 2 * parts.size();
  for (auto &[offset, part] : parts) {
    words.append({int32_t(offset), at});
    at += part.size();
  }
  for (auto &[offset, part] : parts)
    llvm::append_range(words, part);
  return words;
}

} // namespace

Layout weld::layoutOf(TypeRange fields) {
  Layout layout;
  for (Type field : fields) {
    Layout inner = layoutOf(field);
    int64_t offset = llvm::alignTo(layout.size, inner.alignment);
    for (Leaf leaf : inner.leaves)
      layout.leaves.push_back({leaf.type, offset + leaf.offset});
    layout.size = offset + inner.size;
    layout.alignment = std::max(layout.alignment, inner.alignment);
  }
  layout.size = llvm::alignTo(layout.size, layout.alignment);
  return layout;
}

Layout weld::layoutOf(Type type) {
  return llvm::TypeSwitch<Type, Layout>(type)
      .Case([](ir::StructType type) { return layoutOf(TypeRange(type.getFields())); })
      .Case([](ir::SimdType type) { return simdLayout(type); })
      .Case<ir::VecType, ir::VecMergerType>(
          [](Type type) { return words({pointer(type), i64(type)}); })
      .Case([](ir::AppenderType type) {
        return words({pointer(type), i64(type), i64(type), pointer(type)});
      })
      .Case([](ir::MergerType type) { return layoutOf(type.getValue()); })
      .Case([](ir::DictMergerType type) { return tableLayout(type); })
      .Case<ir::DictType, ir::GroupBuilderType>([](Type type) { return words({pointer(type)}); })
      .Default([](Type type) { return scalarLayout(type); });
}

SmallVector<Type> weld::leafTypes(Type type) {
  SmallVector<Type> types;
  for (const Leaf &leaf : layoutOf(type).leaves)
    types.push_back(leaf.type);
  return types;
}

SmallVector<Type> weld::leafTypes(TypeRange range) {
  SmallVector<Type> types;
  for (Type type : range)
    llvm::append_range(types, leafTypes(type));
  return types;
}

Type weld::storedType(Type leaf) {
  Type byte = IntegerType::get(leaf.getContext(), 8);
  if (leaf.isInteger(1))
    return byte;
  auto lanes = dyn_cast<VectorType>(leaf);
  return lanes && lanes.getElementType().isInteger(1) ? lanes.clone(byte) : leaf;
}

int64_t weld::bytesOf(Type leaf) {
  Type stored = storedType(leaf);
  if (auto lanes = dyn_cast<VectorType>(stored))
    return lanes.getNumElements() * bytesOf(lanes.getElementType());
  return isa<LLVM::LLVMPointerType>(stored) ? 8 : stored.getIntOrFloatBitWidth() / 8;
}

bool weld::holdsPointers(Type type) {
  if (auto fields = dyn_cast<ir::StructType>(type))
    return llvm::any_of(fields.getFields(), holdsPointers);
  return isa<ir::VecType, ir::DictType>(type);
}

SmallVector<int32_t> weld::describe(TypeRange fields) {
  Layout layout = layoutOf(fields);
  SmallVector<std::pair<int64_t, SmallVector<int32_t>>> parts;
  int64_t at = 0;
  for (Type field : fields) {
    Layout inner = layoutOf(field);
    at = llvm::alignTo(at, inner.alignment);
    parts.push_back({at, describe(field)});
    at += inner.size;
  }
  bool isPlain = llvm::none_of(fields, holdsPointers);
  return row({Struct, int32_t(layout.size), int32_t(layout.alignment), isPlain}, parts);
}

SmallVector<int32_t> weld::describe(Type type) {
  if (auto fields = dyn_cast<ir::StructType>(type))
    return describe(TypeRange(fields.getFields()));
  if (auto vec = dyn_cast<ir::VecType>(type))
    return row({Vector, 16, 8, 0}, {{0, describe(vec.getElement())}});
  if (auto dict = dyn_cast<ir::DictType>(type))
    return row({Dictionary, 8, 8, 0}, {{0, describe(TypeRange({dict.getKey(), dict.getValue()}))}});
  int32_t bytes = bytesOf(signless(type));
  return row({kindOf(type), bytes, bytes, 1}, {});
}
