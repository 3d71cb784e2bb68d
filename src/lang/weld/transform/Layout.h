/// The layout of Weld's values in memory, and the scalars that represent them in registers.
#ifndef TESSERA_LANG_WELD_TRANSFORM_LAYOUT_H
#define TESSERA_LANG_WELD_TRANSFORM_LAYOUT_H

#include "lang/weld/ir/Dialect.h"

namespace tessera::weld {

/// The number of lanes of every simd type: zips of several element types advance together.
constexpr int64_t numLanes = 8;

/// A scalar, pointer or vector of lanes; in memory a bool is a byte.
struct Leaf {
  mlir::Type type;
  int64_t offset;
};

/// Structs are laid out as in C; a vector is {pointer, count}, a dictionary a pointer to the
/// runtime's table. An appender is {pointer, count, capacity, region}, a merger its value, a
/// vecmerger its vector, a dictmerger its table and what `TableLeaf` lists, and a groupbuilder a
/// pointer to an object of the runtime.
struct Layout {
  int64_t size = 0, alignment = 1;
  llvm::SmallVector<Leaf, 4> leaves;
};
Layout layoutOf(mlir::Type type);

/// The leaves of a dictmerger whose keys hold no pointers (other dictmergers have only the first),
/// numbered by their positions in the runtime's table: loops keep them in registers, except those
/// after NumDirect.
enum TableLeaf { Table, Tags, Mask, Places, NumDirect, Entries, Numbers, IsDivided, Room, Order };
/// What else generated code knows of these tables; a test compares it with runtime/Table.h. A hash
/// combines the halves of a product, a place is marked with bits of it, and free direct places have
/// a special byte.
constexpr uint64_t hashFactor = 0xa0761d6478bd642f;
constexpr int tagShift = 32, takenBit = 0x80, freeByte = 0xa5;

/// The layout of a C struct with these fields.
Layout layoutOf(mlir::TypeRange fields);

/// Only the leaves.
llvm::SmallVector<mlir::Type> leafTypes(mlir::Type type);
llvm::SmallVector<mlir::Type> leafTypes(mlir::TypeRange types);
/// The type of a leaf in memory.
mlir::Type storedType(mlir::Type leaf);
int64_t bytesOf(mlir::Type leaf);

bool holdsPointers(mlir::Type type);

/// The table of runtime/Generated.h.
llvm::SmallVector<int32_t> describe(mlir::Type type);
llvm::SmallVector<int32_t> describe(mlir::TypeRange fields);

} // namespace tessera::weld

#endif
