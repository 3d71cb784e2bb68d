/// Cooperative matrices that do not fit the registers: their columns are contiguous on the stack,
/// real parts apart from imaginary ones, and operations on them are loops. LLVM would move
/// registers of so many columns to the stack and back, and take seconds to compile that.
///
/// Each operation writes to memory of its own, which others reuse after the last read. Results of
/// branches and loops are copied to memory of their own, their *home*.
#include "lang/tinytc/transform/CoreLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

/// Casts leave a matrix where it is, so this does not depend on the component type: components
/// count as the widest ones.
bool CoreLowering::isInMemory(Type type) {
  constexpr int64_t numRegisters = 32, rowsOfRegister = 8;
  auto matrix = dyn_cast<ir::CoopMatrixType>(type);
  return matrix &&
         int64_t(llvm::divideCeil(matrix.getRows(), rowsOfRegister)) * matrix.getColumns() >
             numRegisters;
}

//===-- Pieces ------------------------------------------------------------===//

/// Runs the body for some rows of each column at a time.
void CoreLowering::forPiecesInMemory(ir::CoopMatrixType type,
                                     llvm::function_ref<void(const Piece &)> body) {
  constexpr int64_t mostRows = 64;
  int64_t rest = type.getRows() % mostRows, whole = type.getRows() - rest;
  forEach(number(0), number(type.getColumns()), number(1), [&](Value column) {
    if (whole)
      forEach(number(0), number(whole), number(mostRows),
              [&](Value row) { body({-1, column, row, mostRows}); });
    if (rest)
      body({-1, column, number(whole), rest});
  });
}

void CoreLowering::forPieces(ir::CoopMatrixType type,
                             llvm::function_ref<void(const Piece &)> body) {
  if (isInMemory(type))
    return forPiecesInMemory(type, body);
  for (int64_t column = 0; column < type.getColumns(); ++column)
    body({column, number(column), number(0), type.getRows()});
}

/// The leaves of a matrix that consists of these pieces; for other types, those of one value.
Leaves CoreLowering::fromPieces(Type type, llvm::function_ref<Number(const Piece &)> body) {
  auto matrix = dyn_cast<ir::CoopMatrixType>(type);
  if (!matrix)
    return flat(body({}), type);
  if (isInMemory(type)) {
    Leaves parts = matrixMemory(matrix);
    forPieces(matrix, [&](const Piece &piece) { storePiece(parts, matrix, piece, body(piece)); });
    return parts;
  }
  SmallVector<Number> columns;
  forPieces(matrix, [&](const Piece &piece) { columns.push_back(body(piece)); });
  return flat(columns, matrix.getComponent());
}

/// A piece of a matrix, or the scalar itself.
Number CoreLowering::pieceOf(Value value, const Piece &piece) {
  auto matrix = dyn_cast<ir::CoopMatrixType>(value.getType());
  if (!matrix)
    return numbers(value)[0];
  return isInMemory(matrix) ? loadPiece(leaves(value), matrix, piece)
                            : numbers(value)[piece.number];
}

Value CoreLowering::pieceAt(Value part, ir::CoopMatrixType type, const Piece &piece) {
  Value first = folded<arith::MulIOp>(piece.column, number(type.getRows()));
  return pointerAt(leafTypes(type.getComponent())[0], part,
                   folded<arith::AddIOp>(first, piece.row));
}

Number CoreLowering::loadPiece(ArrayRef<Value> parts, ir::CoopMatrixType type, const Piece &piece) {
  auto vector = VectorType::get(piece.rows, leafTypes(type.getComponent())[0]);
  auto load = [&](Value part) { return loadDense(vector, pieceAt(part, type, piece), {}); };
  return {load(parts[0]), parts.size() > 1 ? load(parts[1]) : Value()};
}

void CoreLowering::storePiece(ArrayRef<Value> parts, ir::CoopMatrixType type, const Piece &piece,
                              Number value) {
  for (auto [part, numbers] : llvm::zip(parts, flat(value, type.getComponent())))
    storeDense(numbers, pieceAt(part, type, piece), {});
}

//===-- Memory ------------------------------------------------------------===//

static int64_t bytesOfPart(ir::CoopMatrixType type) {
  int64_t bytes = ir::bytesOf(type.getComponent()) * type.getRows() * type.getColumns();
  return ir::isComplex(type.getComponent()) ? bytes / 2 : bytes;
}

/// Memory that another matrix no longer needs, or new memory.
Leaves CoreLowering::matrixMemory(ir::CoopMatrixType type) {
  int64_t bytes = bytesOfPart(type);
  Leaves parts;
  for (size_t count = leafTypes(type.getComponent()).size(); count > 0; --count) {
    auto left = llvm::find_if(unused, [&](const Memory &memory) { return memory.bytes == bytes; });
    if (left == unused.end()) {
      parts.push_back(groupSlot(b.getI8Type(), bytes));
      continue;
    }
    parts.push_back(left->pointer);
    unused.erase(left);
  }
  return parts;
}

void CoreLowering::leave(ArrayRef<Value> parts, ir::CoopMatrixType type) {
  for (Value part : parts)
    unused.push_back({part, bytesOfPart(type)});
}

bool CoreLowering::isOwned(const Leaves &parts) {
  return llvm::any_of(owners, [&](const auto &owner) { return owner.second == parts; });
}

/// Records that the matrix owns its memory. Results of branches and loops do already, and so do
/// sums that were updated in place.
void CoreLowering::own(Value matrix) {
  if (Leaves parts = leaves(matrix); !isOwned(parts))
    owners.push_back({matrix, parts});
}

/// Whether nothing after `op` reads a matrix that is defined beside or inside it.
static bool isDeadAfter(Value matrix, Operation &op) {
  Block *block = op.getBlock(), *own = matrix.getParentBlock();
  if (own != block)
    return op.isAncestor(own->getParentOp());
  return llvm::all_of(matrix.getUsers(), [&](Operation *user) {
    return !op.isBeforeInBlock(block->findAncestorOpInBlock(*user));
  });
}

void CoreLowering::leaveDead(Operation &op) {
  llvm::erase_if(owners, [&](const auto &owner) {
    if (!isDeadAfter(owner.first, op))
      return false;
    leave(owner.second, cast<ir::CoopMatrixType>(owner.first.getType()));
    homes.erase(owner.first);
    return true;
  });
}

void CoreLowering::copyMatrix(ArrayRef<Value> from, ArrayRef<Value> to, ir::CoopMatrixType type) {
  if (from == to || isCounted) // Counted kernels compute no values.
    return;
  forPiecesInMemory(
      type, [&](const Piece &piece) { storePiece(to, type, piece, loadPiece(from, type, piece)); });
}

static ir::CoopMatrixType withComponent(ir::CoopMatrixType type, Type component) {
  return ir::CoopMatrixType::get(type.getRows(), type.getColumns(), component, type.getUse());
}

/// A copy with components of another type.
StoredMatrix CoreLowering::copiedToMemory(Value matrix, Type component) {
  auto type = cast<ir::CoopMatrixType>(matrix.getType());
  StoredMatrix copy{withComponent(type, component), {}, /*isTemporary=*/true};
  copy.parts = matrixMemory(copy.type);
  forPieces(type, [&](const Piece &piece) {
    storePiece(copy.parts, copy.type, piece,
               convert(pieceOf(matrix, piece), type.getComponent(), component));
  });
  return copy;
}

/// The matrix in memory, for reading.
StoredMatrix CoreLowering::inMemory(Value matrix, Type component) {
  auto type = cast<ir::CoopMatrixType>(matrix.getType());
  if (isInMemory(type) && type.getComponent() == component)
    return {type, leaves(matrix), /*isTemporary=*/false};
  return copiedToMemory(matrix, component);
}

/// Memory that `user` may write: that of the matrix itself, if nothing else uses it.
StoredMatrix CoreLowering::movedToMemory(Value matrix, Operation &user, Type component) {
  bool isLast = matrix.hasOneUse() && matrix.getParentBlock() == user.getBlock();
  if (!isLast || slots.contains(matrix))
    return copiedToMemory(matrix, component);
  StoredMatrix moved = inMemory(matrix, component);
  if (moved.isTemporary)
    return moved;
  llvm::erase_if(owners, [&](const auto &owner) { return owner.first == matrix; });
  homes.erase(
      matrix); // A branch that is lowered again (for the rest of a `foreach`) needs another.
  return moved;
}

/// The one part of a matrix of real numbers.
Tensor CoreLowering::tensorOf(const StoredMatrix &matrix) {
  int64_t rows = matrix.type.getRows(), columns = matrix.type.getColumns();
  return {ir::MemrefType::get({rows, columns}, matrix.type.getComponent(), {1, rows}),
          matrix.parts[0],
          {number(rows), number(columns)},
          {number(1), number(rows)}};
}

/// The leaves of a result that has been computed in memory, where large matrices stay.
Leaves CoreLowering::fromMemory(const StoredMatrix &matrix, ir::CoopMatrixType type) {
  Type from = matrix.type.getComponent(), to = type.getComponent();
  if (isInMemory(type) && from == to)
    return matrix.parts;
  Leaves result = fromPieces(type, [&](const Piece &piece) {
    return convert(loadPiece(matrix.parts, matrix.type, piece), from, to);
  });
  if (!isOwned(matrix.parts))
    leave(matrix.parts, matrix.type);
  return result;
}

//===-- Control -----------------------------------------------------------===//

/// The loop's result whose home a loop variable shares; `goal` itself for others.
static Value resultOf(Value goal) {
  auto variable = dyn_cast<BlockArgument>(goal);
  if (!variable)
    return goal;
  auto loop = cast<ir::ForOp>(variable.getOwner()->getParentOp());
  return loop.getResult(llvm::find(loop.getCarried(), variable) - loop.getCarried().begin());
}

Leaves CoreLowering::homeOf(Value goal) {
  Value result = resultOf(goal);
  Leaves &home = homes[result];
  if (home.empty()) {
    home = matrixMemory(cast<ir::CoopMatrixType>(goal.getType()));
    owners.push_back({result, home});
  }
  return home;
}

std::optional<Leaves> CoreLowering::knownHome(Value goal) {
  auto known = homes.find(resultOf(goal));
  return known == homes.end() ? std::nullopt : std::optional(known->second);
}

/// Copies matrices to their homes. A matrix in the home of another is moved away first.
void CoreLowering::bringHome(ValueRange from, ValueRange to) {
  SmallVector<std::pair<Value, Leaves>> sources;
  for (auto [source, goal] : llvm::zip_equal(from, to))
    if (isInMemory(goal.getType()))
      sources.push_back({goal, leaves(source)});
  auto isInTheWay = [&](Value goal, const Leaves &memory) {
    return llvm::any_of(sources, [&](const auto &other) {
      return other.first != goal && homeOf(other.first) == memory;
    });
  };
  SmallVector<StoredMatrix> temporaries;
  for (auto &[goal, memory] : sources) {
    auto type = cast<ir::CoopMatrixType>(goal.getType());
    if (!isInTheWay(goal, memory))
      continue;
    temporaries.push_back({type, matrixMemory(type), true});
    copyMatrix(memory, temporaries.back().parts, type);
    memory = temporaries.back().parts;
  }
  for (auto &[goal, memory] : sources)
    copyMatrix(memory, homeOf(goal), cast<ir::CoopMatrixType>(goal.getType()));
  for (const StoredMatrix &matrix : temporaries)
    leave(matrix.parts, matrix.type);
}
