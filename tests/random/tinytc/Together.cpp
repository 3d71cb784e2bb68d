/// Instructions that the work-items of a subgroup execute together.
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

//===-- Subgroups ---------------------------------------------------------===//

void Machine::broadcast(const Broadcast &broadcast, const Inst &inst,
                        llvm::ArrayRef<Thread *> lanes) {
  int64_t wanted = shared(broadcast.lane, lanes);
  auto source = llvm::find_if(lanes, [&](const Thread *lane) { return lane->lane == wanted; });
  if (source == lanes.end())
    throw Undefined{"a broadcast from a work-item that is not there"};
  Quantity value = number(broadcast.value, **source);
  for (Thread *lane : lanes)
    finish(inst, *lane, value);
}

namespace {

/// Combines the values of some lanes.
class Combination {
public:
  Combination(SubgroupOp::Op op, ScalarType type)
      : op(op), type(type), sum(type), extreme(identityOf(op, type)) {}

  void add(const Quantity &value) {
    if (op == SubgroupOp::Add)
      sum.add(value);
    else if (std::exchange(isEmpty, false))
      extreme = value;
    else
      extreme = binary(op == SubgroupOp::Max ? BinaryOp::Max : BinaryOp::Min, extreme, value, type);
  }
  Quantity result() const { return op == SubgroupOp::Add ? sum.result() : extreme; }

private:
  SubgroupOp::Op op;
  ScalarType type;
  QuantitySum sum;
  Quantity extreme;
  bool isEmpty = true; ///< Lanes do not contain the identity, which would win over NaN.
};

} // namespace

/// Inactive lanes contribute nothing.
void Machine::combine(const SubgroupOp &op, const Inst &inst, llvm::ArrayRef<Thread *> lanes) {
  Combination all(op.op, op.operand.type->scalar);
  for (Thread *lane : lanes) {
    if (op.form == SubgroupOp::ExclusiveScan)
      finish(inst, *lane, all.result());
    all.add(number(op.operand, *lane));
    if (op.form == SubgroupOp::InclusiveScan)
      finish(inst, *lane, all.result());
  }
  if (op.form == SubgroupOp::Reduce)
    for (Thread *lane : lanes)
      finish(inst, *lane, all.result());
}

Machine::Result Machine::act(const Broadcast &, const Inst &, Thread &) {
  llvm_unreachable("lanes do this together");
}
Machine::Result Machine::act(const SubgroupOp &, const Inst &, Thread &) {
  llvm_unreachable("lanes do this together");
}

//===-- Matrices ----------------------------------------------------------===//

/// All lanes take part in matrix instructions, and agree on positions and factors.
void Machine::checkUniform(const Inst &inst, llvm::ArrayRef<Thread *> lanes) const {
  if (int64_t(lanes.size()) != function.subgroupSize)
    throw Undefined{"not all of a subgroup come to an instruction on matrices"};
  if (auto *load = inst.as<CoopLoad>()) {
    shared(load->row, lanes);
    shared(load->column, lanes);
  } else if (auto *store = inst.as<CoopStore>()) {
    shared(store->row, lanes);
    shared(store->column, lanes);
  }
}

namespace {

/// The positions of a matrix's components in memory.
struct Places {
  const Memref &memory;
  int64_t row, column;
  bool isTransposed;
  CheckedFlag checked;

  /// Whether component (i, j) is skipped. Rows and columns are those of the matrix.
  bool isSkipped(int64_t i, int64_t j) const {
    auto [first, second] = at(i, j);
    bool isFirstOut = first < 0 || first >= memory.shape[0];
    bool isSecondOut = second < 0 || second >= memory.shape[1];
    bool checksRows = checked == CheckedFlag::Rows || checked == CheckedFlag::Both;
    bool checksColumns = checked == CheckedFlag::Columns || checked == CheckedFlag::Both;
    bool isRowOut = isTransposed ? isSecondOut : isFirstOut;
    bool isColumnOut = isTransposed ? isFirstOut : isSecondOut;
    return (checksRows && isRowOut) || (checksColumns && isColumnOut);
  }
  int64_t cell(int64_t i, int64_t j) const {
    auto [first, second] = at(i, j);
    return memory.at({first, second});
  }

private:
  std::pair<int64_t, int64_t> at(int64_t i, int64_t j) const {
    return isTransposed ? std::pair(row + j, column + i) : std::pair(row + i, column + j);
  }
};

} // namespace

Machine::Result Machine::act(const CoopLoad &load, const Inst &, Thread &thread) {
  const Type &type = *load.type.type;
  Places places{memref(load.source, thread), integer(load.row, thread),
                integer(load.column, thread), load.isTransposed, load.checked};
  Matrix result(type.rows() * type.columns());
  forEachIndex(type.shape, [&](llvm::ArrayRef<int64_t> at) {
    if (!places.isSkipped(at[0], at[1]))
      result[at[0] + at[1] * type.rows()] =
          places.memory.memory->read(places.cell(at[0], at[1]), actor(thread));
  });
  return std::make_shared<const Matrix>(std::move(result));
}

Machine::Result Machine::act(const CoopStore &store, const Inst &, Thread &thread) {
  const Type &type = *store.matrix.type;
  const Matrix &values = matrix(store.matrix, thread);
  Places places{memref(store.target, thread), integer(store.row, thread),
                integer(store.column, thread), store.isTransposed, store.checked};
  Matrix before(values.size());
  forEachIndex(type.shape, [&](llvm::ArrayRef<int64_t> at) {
    if (places.isSkipped(at[0], at[1]))
      return;
    int64_t component = at[0] + at[1] * type.rows(), cell = places.cell(at[0], at[1]);
    Memory &memory = *places.memory.memory;
    if (store.flag == StoreFlag::AtomicAdd)
      before[component] = memory.add(cell, values[component], actor(thread));
    else
      memory.write(cell, values[component], actor(thread));
  });
  return std::make_shared<const Matrix>(std::move(before));
}

Machine::Result Machine::act(const CoopMulAdd &product, const Inst &, Thread &thread) {
  const Type &typeA = *product.a.type, &typeB = *product.b.type, &typeC = *product.c.type;
  const Matrix &a = matrix(product.a, thread), &b = matrix(product.b, thread),
               &c = matrix(product.c, thread);
  Matrix result(c.size());
  forEachIndex(typeC.shape, [&](llvm::ArrayRef<int64_t> at) {
    QuantitySum sum(typeC.scalar);
    int64_t place = at[0] + at[1] * typeC.rows();
    sum.add(c[place]);
    for (int64_t k = 0; k < typeA.columns(); ++k)
      sum.addProduct(convert(a[at[0] + k * typeA.rows()], typeA.scalar, typeC.scalar),
                     convert(b[k + at[1] * typeB.rows()], typeB.scalar, typeC.scalar));
    result[place] = convert(sum.result(), typeC.scalar, product.type.type->scalar);
  });
  return std::make_shared<const Matrix>(std::move(result));
}

Machine::Result Machine::act(const CoopScale &scale, const Inst &, Thread &thread) {
  Quantity factor = number(scale.scalar, thread);
  Matrix result;
  for (const Quantity &component : matrix(scale.matrix, thread))
    result.push_back(binary(BinaryOp::Mul, factor, component, scale.matrix.type->scalar));
  return std::make_shared<const Matrix>(std::move(result));
}
