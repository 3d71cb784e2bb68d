/// Scalars: constants, loads, arithmetic.
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

static constexpr ScalarType allTypes[] = {
#define TINYTC_SCALAR(name, text, kind, bytes, promotes) ScalarType::name,
#include "lang/tinytc/Types.def"
};

ScalarType Writer::scalarType() {
  static constexpr ScalarType usual[] = {ScalarType::F32, ScalarType::F64, ScalarType::I32};
  return random.chance(45) ? random.pick(usual) : random.pick(allTypes);
}

ScalarType Writer::integerType() {
  static constexpr ScalarType types[] = {ScalarType::I8, ScalarType::I16, ScalarType::I32,
                                         ScalarType::I64, ScalarType::Index};
  return random.pick(types);
}

ScalarType Writer::below(ScalarType type) {
  if (random.chance(50))
    return type;
  std::vector<ScalarType> fitting;
  for (ScalarType each : allTypes)
    if (promotes(each, type))
      fitting.push_back(each);
  return random.pick(fitting);
}

void Writer::remember(const std::string &name, std::optional<ScalarType> type) {
  variables.push_back({name, type});
}

//===-- Constants ---------------------------------------------------------===//

std::string Writer::literal(std::optional<ScalarType> type) {
  if (!type)
    return random.chance(50) ? "true" : "false";
  if (kindOf(*type) == NumberKind::Integer) {
    int64_t most = (int64_t(1) << (8 * bytesOf(*type) - 2)) - 1;
    return std::to_string(random.chance(10) ? random.between(-most, most) : random.between(-4, 9));
  }
  auto real = [&]() -> std::string {
    static constexpr const char *others[] = {"0x1.8p1", "-0x.4p2", "1e0", ".5", "-2.", "1.25E-1"};
    if (random.chance(10))
      return random.pick(others);
    return llvm::formatv("{0:f2}", double(random.between(-8, 8)) / 4);
  };
  return kindOf(*type) == NumberKind::Float ? real() : "[" + real() + "," + real() + "]";
}

std::string Writer::constant(std::optional<ScalarType> type) {
  std::string text = literal(type);
  bool isPlain = !type || kindOf(*type) == NumberKind::Complex || !random.chance(4);
  if (!isPlain) {
    std::string variable = "$c" + std::to_string(definitions.count++);
    definitions.text += variable + " = " + text + "\n";
    text = variable;
  }
  return define("c", "constant " + text + " : " + (type ? element(*type) : "bool"));
}

std::string Writer::indexConstant(int64_t value) {
  return define("c", "constant " + std::to_string(value) + " : index");
}

std::string Writer::asIndex(const Dim &dim) {
  return dim.isDynamic() ? dim.name : indexConstant(dim.size);
}

std::string Writer::scalarParameter(std::optional<ScalarType> type) {
  std::string known = literal(type);
  llvm::StringRef text = known; // Numbers in comments are never hexadecimal.
  std::string value = text.contains("0x")
                          ? (type && kindOf(*type) == NumberKind::Complex ? "[1.0,2.0]" : "1.5")
                          : known;
  std::string result = parameter("p", type ? spelling(*type).str() : "bool", "= " + value);
  return result;
}

//===-- Values ------------------------------------------------------------===//

/// An existing value, a constant or a parameter.
std::string Writer::simple(std::optional<ScalarType> type) {
  std::vector<std::string> known;
  for (const Variable &variable : variables)
    if (variable.type == type)
      known.push_back(variable.name);
  if (!known.empty() && random.chance(70))
    return random.pick(known);
  return random.chance(75) ? constant(type) : scalarParameter(type);
}

std::string Writer::value(std::optional<ScalarType> type, int depth) {
  if (depth <= 0 || --budget < 0)
    return type && random.chance(40) ? load(*type) : simple(type);
  if (!type)
    return boolean(depth);
  switch (random.below(12)) {
  case 0:
  case 1:
    return simple(type);
  case 2:
  case 3:
    return load(*type);
  case 4:
    return unary(*type, depth - 1);
  case 5:
    return cast(*type, depth - 1);
  case 6:
    return choice(type, depth - 1);
  case 7:
    return place == Place::Parallel ? subgroupValue(*type, depth - 1) : builtin(*type);
  default:
    return binary(*type, depth - 1);
  }
}

/// Compares floats only if no rounding can decide.
std::string Writer::boolean(int depth) {
  static constexpr std::pair<const char *, const char *> comparisons[] = {
      {"cmp.eq", "equal"},        {"cmp.ne", "not_equal"},
      {"cmp.gt", "greater_than"}, {"cmp.ge", "greater_than_equal"},
      {"cmp.lt", "less_than"},    {"cmp.le", "less_than_equal"}};
  static constexpr std::pair<const char *, const char *> logic[] = {
      {"arith.and", "and"}, {"arith.or", "or"}, {"arith.xor", "xor"}};
  if (random.chance(15))
    return define("b", spell("arith.not", "not") + " " + value({}, depth - 1) + " : bool");
  if (random.chance(20)) {
    auto [seed, later] = random.pick(logic);
    std::string left = value({}, depth - 1), right = value({}, depth - 1);
    return define("b", spell(seed, later) + " " + left + ", " + right + " : bool");
  }
  bool isInteger = random.chance(70);
  ScalarType type = isInteger ? integerType() : scalarType();
  size_t count = kindOf(type) == NumberKind::Complex ? 2 : 6;
  auto [seed, later] = comparisons[random.below(int64_t(count))];
  bool isExact = kindOf(type) == NumberKind::Integer;
  std::string left = isExact ? value(type, depth - 1) : constant(type);
  std::string right = isExact ? value(type, depth - 1) : scalarParameter(type);
  return define("b", spell(seed, later) + " " + left + ", " + right + " : bool");
}

std::string Writer::binary(ScalarType type, int depth) {
  static constexpr std::pair<const char *, uint8_t> table[] = {
#define TINYTC_BINARY(name, text, types) {text, types},
#include "lang/tinytc/Operators.def"
  };
  uint8_t kind = kindOf(type) == NumberKind::Integer ? Integer
                 : kindOf(type) == NumberKind::Float ? Float
                                                     : Complex;
  auto [name, types] = random.pick(table);
  bool isInteger = kind == Integer;
  bool isPlain = (types & kind) && (llvm::StringRef(name) != "rem" || isInteger);
  llvm::StringRef op = isPlain ? name : "add";
  std::string text = isLater ? op.str() : "arith." + op.str();
  std::string left = value(type, depth), right = value(type, depth);
  std::string spelled = element(type);
  auto combine = [&](const char *function, const std::string &x, int64_t y) {
    std::string limit = define("c", llvm::formatv("constant {0} : {1}", y, spelling(type)));
    return define("x", (isLater ? "" : "arith.") + std::string(function) + " " + x + ", " + limit +
                           " : " + spelling(type).str());
  };
  bool divides = op == "div" || op == "rem", shifts = op == "shl" || op == "shr";
  if (isInteger && divides) // From 1 to 7.
    right = combine("or", combine("and", right, 7), 1);
  if (shifts)
    right = combine("and", right, 8 * bytesOf(type) - 1);
  return define("x", text + " " + left + ", " + right + " : " + spelled);
}

std::string Writer::unary(ScalarType type, int depth) {
  struct Row {
    const char *seed, *later;
    NumberKind kind;
  };
  static constexpr Row table[] = {{"arith.abs", "abs", NumberKind::Integer},
                                  {"arith.neg", "neg", NumberKind::Integer},
                                  {"arith.not", "not", NumberKind::Integer},
                                  {"arith.abs", "abs", NumberKind::Float},
                                  {"arith.neg", "neg", NumberKind::Float},
                                  {"math.exp", "exp", NumberKind::Float},
                                  {"math.native_exp", "native_exp", NumberKind::Float},
                                  {"arith.neg", "neg", NumberKind::Complex},
                                  {"arith.conj", "conj", NumberKind::Complex},
                                  {"math.exp", "exp", NumberKind::Complex}};
  std::vector<Row> fitting;
  llvm::copy_if(table, std::back_inserter(fitting),
                [&](const Row &row) { return row.kind == kindOf(type); });
  if ((type == ScalarType::F32 || type == ScalarType::F64) && random.chance(30)) {
    static constexpr std::pair<const char *, const char *> parts[] = {
        {"arith.abs", "abs"}, {"arith.im", "im"}, {"arith.re", "re"}};
    auto [seed, later] = random.pick(parts);
    ScalarType whole = type == ScalarType::F32 ? ScalarType::C32 : ScalarType::C64;
    std::string operand = value(whole, depth);
    return define("x", spell(seed, later) + " " + operand + " : " + element(type));
  }
  const Row &row = random.pick(fitting);
  bool isExp = llvm::StringRef(row.later).ends_with("exp");
  // The exponential of a large value is infinite.
  std::string operand = isExp ? load(type) : value(type, depth);
  return define("x", spell(row.seed, row.later) + " " + operand + " : " + element(type));
}

std::string Writer::cast(ScalarType type, int depth) {
  ScalarType from = scalarType();
  while (kindOf(from) == NumberKind::Complex && kindOf(type) != NumberKind::Complex)
    from = scalarType();
  // Avoids conversions that rounding might decide.
  bool isRisky = kindOf(type) == NumberKind::Integer && kindOf(from) != NumberKind::Integer;
  std::string operand = isRisky ? simple(integerType()) : value(from, depth);
  if (isRisky) {
    operand = constant(from);
    if (Tensor *tensor = findTensor([&](const Tensor &each) {
          return each.element == from && each.role == Role::Input && !each.isEmpty() &&
                 mayRead(each);
        }))
      operand = loadFrom(*tensor);
  }
  return define("x", "cast " + operand + " : " + element(type));
}

/// A value computed with branches or a loop.
std::string Writer::choice(std::optional<ScalarType> type, int depth) {
  std::string condition = boolean(1), spelled = type ? element(*type) : "bool";
  std::string result = fresh("y");
  line(result + " = if " + condition + " -> (" + spelled + ") {");
  auto arm = [&] {
    std::string yielded = value(type, depth);
    line("yield (" + yielded + ")");
  };
  bool wasDivergent = std::exchange(isDivergent, isDivergent || place != Place::Collective);
  region(arm);
  line("} else {");
  region(arm);
  line("}");
  isDivergent = wasDivergent;
  return result;
}

std::string Writer::builtin(ScalarType type) {
  if (type == ScalarType::Index) {
    if (random.chance(50))
      return define("x", spell("builtin.group_size", "num_groups") + " : index");
    if (Tensor *tensor =
            findTensor([](const Tensor &each) { return !each.dims.empty() && !each.isEmpty(); }))
      return define("x", llvm::formatv("size {0}[{1}] : index", tensor->name,
                                       random.below(int64_t(tensor->dims.size()))));
  }
  if (type != ScalarType::I32)
    return simple(type);
  static constexpr std::pair<const char *, const char *> names[] = {
      {"builtin.num_subgroups", "num_subgroups"}, {"builtin.subgroup_size", "subgroup_size"}};
  auto [seed, later] = random.pick(names);
  return define("x", spell(seed, later) + " : i32");
}

/// A value that a subgroup computes together; inactive work-items take no part.
std::string Writer::subgroupValue(ScalarType type, int depth) {
  std::string operand = value(type, depth);
  if (!isDivergent && random.chance(25)) {
    std::string lane = define("c", llvm::formatv("constant {0} : i32", random.below(subgroupSize)));
    return define("x", "subgroup_broadcast " + operand + ", " + lane + " : " + element(type));
  }
  static constexpr const char *ops[] = {"add", "max", "min"};
  static constexpr const char *forms[] = {"exclusive_scan", "inclusive_scan", "reduce"};
  std::string op = kindOf(type) == NumberKind::Complex ? "add" : random.pick(ops);
  std::string form = random.pick(forms);
  std::string text = spell("subgroup_" + op + "." + form, "subgroup_" + form + "_" + op);
  return define("x", text + " " + operand + " : " + element(type));
}

//===-- Loads -------------------------------------------------------------===//

std::string Writer::indexBelow(const Dim &dim) {
  std::vector<std::string> fitting;
  for (const IndexVariable &index : indices)
    if (index.bound <= dim.size)
      fitting.push_back(index.name);
  if (!fitting.empty() && random.chance(60))
    return random.pick(fitting);
  if (random.chance(60))
    return indexConstant(random.below(dim.size));
  ScalarType type = integerType();
  std::string any = simple(type);
  if (type != ScalarType::Index)
    any = define("i", "cast " + any + " : index");
  std::string mask = indexConstant(1023), size = asIndex(dim);
  std::string positive =
      define("i", spell("arith.and", "and") + " " + any + ", " + mask + " : index");
  return define("i", spell("arith.rem", "rem") + " " + positive + ", " + size + " : index");
}

std::vector<std::string> Writer::indicesInto(const Tensor &tensor) {
  std::vector<std::string> all;
  for (const Dim &dim : tensor.dims)
    all.push_back(indexBelow(dim));
  return all;
}

std::string Writer::loadFrom(const Tensor &tensor) {
  if (place != Place::Collective)
    read.insert(tensor.root);
  std::vector<std::string> at = indicesInto(tensor);
  std::string source = tensor.name, type = element(tensor.element);
  if (at.size() == 2 && random.chance(20)) { // Through a view that each work-item has.
    Tensor row = tensor;
    bool keepsFirst = random.chance(50);
    row.dims = {tensor.dims[keepsFirst ? 0 : 1]};
    row.strides = {tensor.strides[keepsFirst ? 0 : 1]};
    std::string whole = "0:" + sizeOf(row.dims[0]);
    std::string slices = keepsFirst ? whole + "," + at[1] : at[0] + "," + whole;
    source = define("v", "subview " + source + "[" + slices + "] : " + typeOf(row));
    at = {at[keepsFirst ? 0 : 1]};
  }
  return define("x", "load " + source + "[" + llvm::join(at, ",") + "] : " + type);
}

std::string Writer::load(ScalarType type) {
  auto fits = [&](const Tensor &tensor) {
    return tensor.element == type && !tensor.isEmpty() && mayRead(tensor);
  };
  Tensor *found = findTensor(fits);
  if (!found || random.chance(15)) {
    if (!random.chance(30))
      return simple(type);
    Tensor &created = create(type, dims(size_t(random.between(0, 2))), Role::Input);
    makeReady(created);
    found = &created;
  }
  return found->isEmpty() ? simple(type) : loadFrom(*found);
}
