/// Regions of work-items, and their instructions.
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

//===-- foreach -----------------------------------------------------------===//

/// Each point writes its own element.
void Writer::foreachLoop() {
  Dims shape = dims(size_t(random.between(1, 3)));
  ScalarType type = scalarType();
  Tensor &target = writable(type, shape);
  ScalarType loopType = random.chance(70) ? ScalarType::Index : integerType();
  bool isNarrow = loopType != ScalarType::Index;
  std::string spelled = spelling(loopType).str();
  bool isWhole = true;
  std::vector<std::string> names, from, to;
  std::vector<int64_t> shifts;
  for (const Dim &dim : shape) {
    int64_t shift = random.chance(30) ? random.between(-5, 5) : 0, end = dim.size;
    if (dim.size > 1 && random.chance(20))
      end = random.between(0, dim.size - 1);
    isWhole &= end == dim.size;
    names.push_back(fresh("i"));
    shifts.push_back(shift);
    bool isSize = shift == 0 && end == dim.size && !isNarrow;
    from.push_back(define("c", llvm::formatv("constant {0} : {1}", shift, spelled)));
    to.push_back(isSize ? asIndex(dim)
                        : define("c", llvm::formatv("constant {0} : {1}", shift + end, spelled)));
  }
  line("foreach (" + llvm::join(names, ", ") + ")" +
       (isNarrow || random.chance(30) ? ": " + element(loopType) : "") + " = (" +
       llvm::join(from, ", ") + "), (" + llvm::join(to, ", ") + ") {");
  place = Place::Foreach;
  read.clear(), written.clear(), added.clear();
  written.insert(target.root);
  std::string name = target.name;
  bool mayReadBack = target.isReady;
  region([&] {
    std::vector<std::string> at;
    for (size_t mode = 0; mode < shape.size(); ++mode) {
      std::string index = names[mode];
      remember(index, loopType);
      if (shifts[mode] != 0) {
        std::string shift = define("c", llvm::formatv("constant {0} : {1}", shifts[mode], spelled));
        index =
            define("i", spell("arith.sub", "sub") + " " + index + ", " + shift + " : " + spelled);
      }
      if (isNarrow)
        index = define("i", "cast " + index + " : index");
      indices.push_back({index, shape[mode].size});
      at.push_back(index);
    }
    if (mayReadBack && random.chance(40))
      remember(define("x", "load " + name + "[" + llvm::join(at, ",") + "] : " + element(type)),
               type);
    statements(random.between(0, 3));
    std::string stored = value(type, 3);
    std::string text = random.chance(15) ? spell("store.atomic", "atomic_store") : "store";
    line(text + " " + stored + ", " + name + "[" + llvm::join(at, ",") + "]");
  });
  line("}");
  place = Place::Collective;
  read.clear(), written.clear(), added.clear();
  target.isReady |= isWhole;
}

//===-- parallel ----------------------------------------------------------===//

void Writer::parallel() {
  scratch.clear();
  for (int64_t i = random.between(0, 2); i > 0; --i) {
    all.push_back(createLocal(scalarType(), {knownDim(workItems())}));
    scratch.push_back(&all.back());
  }
  line("parallel {");
  place = Place::Parallel;
  read.clear(), written.clear(), added.clear();
  region([&] {
    std::string subgroup =
        define("s", spell("builtin.subgroup_id", "subgroup_linear_id") + " : i32");
    std::string lane =
        define("l", spell("builtin.subgroup_local_id", "subgroup_local_id") + " : i32");
    std::string size = define("c", llvm::formatv("constant {0} : i32", subgroupSize));
    std::string base =
        define("x", spell("arith.mul", "mul") + " " + subgroup + ", " + size + " : i32");
    std::string id = define("x", spell("arith.add", "add") + " " + base + ", " + lane + " : i32");
    for (const std::string &each : {subgroup, lane, id})
      remember(each, ScalarType::I32);
    auto index = [&](const std::string &name, int64_t bound) {
      indices.push_back({define("i", "cast " + name + " : index"), bound});
    };
    index(id, workItems());
    item = indices.back().name;
    index(lane, subgroupSize);
    index(subgroup, numSubgroups);
    statements(random.between(2, 6));
  });
  line("}");
  place = Place::Collective;
  read.clear(), written.clear(), added.clear();
  scratch.clear();
}

/// Writes elements that no other work-item accesses.
void Writer::storeOwnSlot() {
  ScalarType type = scalarType();
  Dims shape = {knownDim(workItems())};
  if (random.chance(30))
    shape.insert(random.chance(50) ? shape.begin() : shape.end(), knownDim(random.between(1, 4)));
  Tensor &target = writable(type, shape);
  std::vector<std::string> places;
  for (const Dim &dim : shape)
    places.push_back(dim.size == workItems() ? item : indexConstant(random.below(dim.size)));
  std::string stored = value(type, 3);
  line("store " + stored + ", " + target.name + "[" + llvm::join(places, ",") + "]");
}

/// Adds anywhere, since additions need no order.
void Writer::addSomewhere() {
  ScalarType type = scalarType();
  Tensor &target = addable(type, dims(size_t(random.between(0, 2))));
  if (target.isEmpty())
    return newValue();
  std::string added = value(type, 2);
  std::vector<std::string> at = indicesInto(target);
  line(spell("store.atomic_add", "atomic_add") + " " + added + ", " + target.name + "[" +
       llvm::join(at, ",") + "]");
}

/// Passes values from one work-item to another through local memory.
void Writer::exchange() {
  if (scratch.empty() || isDivergent)
    return newValue();
  const Tensor &memory = *random.pick(scratch);
  std::string stored = value(memory.element, 2);
  std::string barrier = random.chance(50) ? "barrier.local" : "barrier.global.local";
  line("store " + stored + ", " + memory.name + "[" + item + "]");
  line(barrier);
  std::string shift = indexConstant(random.below(workItems())), size = indexConstant(workItems());
  std::string moved =
      define("i", spell("arith.add", "add") + " " + item + ", " + shift + " : index");
  std::string other =
      define("i", spell("arith.rem", "rem") + " " + moved + ", " + size + " : index");
  remember(define("x", "load " + memory.name + "[" + other + "] : " + element(memory.element)),
           memory.element);
  line(barrier);
}

//===-- Cooperative matrices ----------------------------------------------===//

static std::string matrixType(ScalarType type, int64_t rows, int64_t columns, MatrixUse use) {
  return llvm::formatv("coopmatrix<{0}x{1}x{2},{3}>", spelling(type), rows, columns, spelling(use));
}

/// Loads from a position that may be partly out of bounds; the load is then checked.
std::string Writer::loadMatrix(const std::string &type, ScalarType element, int64_t rows,
                               int64_t columns) {
  bool isTransposed = random.chance(40);
  int64_t wanted[] = {isTransposed ? columns : rows, isTransposed ? rows : columns};
  Dims shape;
  int64_t at[2];
  bool isOut[2] = {false, false};
  for (int mode = 0; mode < 2; ++mode) {
    bool mayBeOut = random.chance(30);
    int64_t size =
        mayBeOut ? random.between(1, wanted[mode] + 2) : wanted[mode] + random.between(0, 3);
    at[mode] = mayBeOut ? random.between(-2, 2) : random.between(0, size - wanted[mode]);
    isOut[mode] = at[mode] < 0 || at[mode] + wanted[mode] > size;
    shape.push_back(knownDim(size));
  }
  bool rowsOut = isOut[isTransposed ? 1 : 0], columnsOut = isOut[isTransposed ? 0 : 1];
  bool checksRows = rowsOut || random.chance(15), checksColumns = columnsOut || random.chance(15);
  std::string flag = checksRows && checksColumns ? ".both_checked"
                     : checksRows                ? ".rows_checked"
                     : checksColumns             ? ".cols_checked"
                                                 : "";
  Tensor &source = readable(element, shape);
  std::string row = indexConstant(at[0]), column = indexConstant(at[1]);
  return define("m",
                llvm::formatv("cooperative_matrix_load{0}{1} {2}[{3},{4}] : {5}",
                              isTransposed ? ".t" : ".n", flag, source.name, row, column, type));
}

std::string Writer::matrix(ScalarType type, int64_t rows, int64_t columns, MatrixUse use) {
  std::string spelled = matrixType(type, rows, columns, use);
  if (random.chance(20))
    return define("m", "constant " + literal(type) + " : " + spelled);
  std::string name = loadMatrix(spelled, type, rows, columns);
  if (random.chance(20)) {
    std::string factor = constant(type);
    name = define("m", "cooperative_matrix_scale " + factor + ", " + name + " : " + spelled);
  }
  if (random.chance(15))
    name = define("m", spell("arith.neg", "neg") + " " + name + " : " + spelled);
  return name;
}

/// Each subgroup has its own columns.
void Writer::storeMatrix(const std::string &name, ScalarType type, int64_t rows, int64_t columns) {
  bool isAdded = random.chance(25);
  bool isCut = rows > 1 && random.chance(20);
  Dims shape = {knownDim(isCut ? rows - 1 : rows + random.between(0, 2)),
                knownDim(columns * numSubgroups)};
  Tensor &target = isAdded ? addable(type, shape) : writable(type, shape);
  std::string subgroup = define("s", spell("builtin.subgroup_id", "subgroup_linear_id") + " : i32");
  std::string index = define("i", "cast " + subgroup + " : index"), width = indexConstant(columns);
  std::string column =
      define("i", spell("arith.mul", "mul") + " " + index + ", " + width + " : index");
  std::string row = indexConstant(0);
  std::string flag = isCut               ? (random.chance(50) ? ".rows_checked" : ".both_checked")
                     : random.chance(20) ? ".cols_checked"
                                         : "";
  line(llvm::formatv("cooperative_matrix_store{0}{1} {2}, {3}[{4},{5}]", flag,
                     isAdded ? ".atomic_add" : "", name, target.name, row, column));
}

/// A uniform number in the subgroup, which the compiler cannot see.
std::string Writer::agreed(const std::string &number) {
  std::string lane =
      define("l", spell("builtin.subgroup_local_id", "subgroup_local_id") + " : i32");
  std::string none = define("c", "constant 0 : i32");
  std::string zero = define("x", spell("arith.min", "min") + " " + lane + ", " + none + " : i32");
  std::string index = define("i", "cast " + zero + " : index");
  return define("i", spell("arith.add", "add") + " " + index + ", " + number + " : index");
}

/// Each subgroup takes one branch or the other as a whole.
std::string Writer::choose(const std::string &matrix, const std::string &type) {
  std::string subgroup = define("s", spell("builtin.subgroup_id", "subgroup_linear_id") + " : i32");
  std::string number = agreed(define("i", "cast " + subgroup + " : index"));
  std::string wanted = indexConstant(random.between(0, 1));
  std::string condition =
      define("b", spell("cmp.eq", "equal") + " " + number + ", " + wanted + " : bool");
  std::string result = fresh("m");
  line(result + " = if " + condition + " -> (" + type + ") {");
  region([&] {
    std::string other = define("m", spell("arith.neg", "neg") + " " + matrix + " : " + type);
    line("yield (" + other + ")");
  });
  line("} else {");
  region([&] { line("yield (" + matrix + ")"); });
  line("}");
  return result;
}

/// Adds in a loop that carries the sum, and sometimes a second one that alternates with it.
std::string Writer::addInLoop(const std::string &sum, const std::string &type,
                              llvm::function_ref<std::string(const std::string &)> add) {
  std::string from = indexConstant(0), to = indexConstant(random.between(0, 3));
  if (random.chance(30))
    to = agreed(to);
  std::string result = fresh("m"), carried = fresh("a");
  bool hasTwo = random.chance(30), isAfterBarrier = random.chance(20);
  std::string second = hasTwo ? fresh("m") : "", other = hasTwo ? fresh("a") : "";
  line(result + (hasTwo ? ", " + second : "") + " = for " + fresh("i") + ": index = " + from +
       ", " + to + " init(" + carried + "=" + sum + (hasTwo ? ", " + other + "=" + sum : "") +
       ") -> (" + type + (hasTwo ? ", " + type : "") + ") {");
  region([&] {
    std::string next = add(carried);
    if (isAfterBarrier)
      line("barrier");
    line("yield (" + (hasTwo ? other + ", " : "") + next + ")");
  });
  line("}");
  return hasTwo && random.chance(50) ? second : result;
}

void Writer::cooperate() {
  if (isDivergent)
    return newValue();
  static constexpr int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16};
  static constexpr std::pair<int64_t, int64_t> large[] = {{33, 17}, {65, 9}, {9, 65}, {130, 5}};
  int64_t rows = random.pick(sizes), columns = random.pick(sizes), inner = random.pick(sizes);
  if (random.chance(15)) // More than the registers hold.
    std::tie(rows, columns) = random.pick(large);
  ScalarType type = scalarType(), product = below(type), other = below(product);
  std::string acc = matrixType(type, rows, columns, MatrixUse::Acc);
  std::string sum = matrix(type, rows, columns, MatrixUse::Acc);
  auto add = [&](const std::string &to) {
    bool swaps = random.chance(50);
    std::string a = matrix(swaps ? other : product, rows, inner, MatrixUse::A);
    std::string b = matrix(swaps ? product : other, inner, columns, MatrixUse::B);
    return define("m", "cooperative_matrix_mul_add " + a + ", " + b + ", " + to + " : " + acc);
  };
  for (int64_t i = random.between(0, 2); i > 0; --i)
    sum = random.chance(70) ? add(sum) : addInLoop(sum, acc, add);
  if (random.chance(15))
    line("barrier");
  if (random.chance(25)) {
    std::string second = matrix(type, rows, columns, MatrixUse::Acc);
    static constexpr std::pair<const char *, const char *> ops[] = {
        {"arith.add", "add"}, {"arith.sub", "sub"}, {"arith.mul", "mul"}};
    auto [seed, later] = random.pick(ops);
    sum = define("m", spell(seed, later) + " " + sum + ", " + second + " : " + acc);
  }
  if (random.chance(25))
    sum = choose(sum, acc);
  if (kindOf(type) == NumberKind::Integer && random.chance(20)) {
    ScalarType to = integerType();
    sum = define("m", "cast " + sum + " : " + matrixType(to, rows, columns, MatrixUse::Acc));
    type = to;
  }
  storeMatrix(sum, type, rows, columns);
}
