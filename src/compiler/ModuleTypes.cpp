#include "compiler/ModuleTypes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "runtime/Generated.h"

using namespace tessera;

namespace {

/// Reads a table row by row. The text may have been edited, so nothing in it is taken for granted.
class TableReader {
public:
  explicit TableReader(llvm::ArrayRef<int32_t> table) : table(table) {}

  std::optional<DataType> read() {
    std::optional<DataType> type = row(0, 0);
    return type && numRows <= maxRows ? type : std::nullopt;
  }

private:
  static constexpr size_t maxDepth = 256, maxRows = 10'000, headSize = 5;

  std::optional<DataType> row(size_t at, size_t depth) {
    if (at + headSize > table.size() || depth > maxDepth || ++numRows > maxRows)
      return std::nullopt;
    std::vector<DataType> parts;
    size_t count = uint32_t(table[at + headSize - 1]);
    if (count > (table.size() - at - headSize) / 2)
      return std::nullopt;
    for (size_t part = 0; part < count; ++part) {
      int32_t step = table[at + headSize + 2 * part + 1];
      std::optional<DataType> type = step > 0 ? row(at + step, depth + 1) : std::nullopt;
      if (!type)
        return std::nullopt;
      parts.push_back(std::move(*type));
    }
    return make(table[at], std::move(parts));
  }

  static std::optional<DataType> make(int32_t kind, std::vector<DataType> parts) {
    static constexpr Scalar scalars[] = {Scalar::Bool, Scalar::I8,  Scalar::I16, Scalar::I32,
                                         Scalar::I64,  Scalar::U8,  Scalar::U16, Scalar::U32,
                                         Scalar::U64,  Scalar::F32, Scalar::F64};
    static_assert(std::size(scalars) == TESSERA_KIND_STRUCT);
    if (kind >= 0 && kind < TESSERA_KIND_STRUCT && parts.empty())
      return DataType::scalar(scalars[kind]);
    if (kind == TESSERA_KIND_STRUCT)
      return DataType::structOf(std::move(parts));
    if (kind == TESSERA_KIND_VECTOR && parts.size() == 1)
      return DataType::vector(std::move(parts[0]));
    bool isEntry = parts.size() == 1 && parts[0].isStruct() && parts[0].fields().size() == 2;
    if (kind == TESSERA_KIND_DICTIONARY && isEntry)
      return DataType::dictionary(parts[0].fields()[0], parts[0].fields()[1]);
    return std::nullopt;
  }

  llvm::ArrayRef<int32_t> table;
  size_t numRows = 0;
};

} // namespace

std::optional<DataType> tessera::dataTypeOf(mlir::ModuleOp module, mlir::FlatSymbolRefAttr table) {
  auto global = module.lookupSymbol<mlir::LLVM::GlobalOp>(table.getValue());
  auto values = global ? mlir::dyn_cast_or_null<mlir::DenseIntElementsAttr>(global.getValueAttr())
                       : mlir::DenseIntElementsAttr();
  if (!values || !values.getElementType().isInteger(32))
    return std::nullopt;
  return TableReader(llvm::to_vector(values.getValues<int32_t>())).read();
}
