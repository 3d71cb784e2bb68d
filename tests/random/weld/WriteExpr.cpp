#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

static bool isFloating(const Type *type) {
  return kindOf(type->scalar) == ScalarKind::Float;
}

const Local *Writer::localOf(const Type *type) {
  std::vector<const Local *> fitting;
  for (const Local &local : scope)
    if (local.type == type)
      fitting.push_back(&local);
  return fitting.empty() ? nullptr : random.pick(fitting);
}

std::string Writer::let(const Type *bound,
                        llvm::function_ref<std::string(const std::string &)> body, int depth) {
  std::string name = fresh("x"), value = expr(bound, depth);
  size_t mark = enter(name, bound);
  std::string text = body(name);
  leave(mark);
  std::string ascription = random.chance(15) ? ": " + spelling(*bound) : "";
  return "(let " + name + ascription + " = " + value + "; " + text + ")";
}

std::string Writer::leaf(const Type *type) {
  const Local *local = localOf(type);
  if (local && random.chance(70))
    return local->name;
  std::vector<std::string> parts;
  switch (type->kind) {
  case Type::Scalar:
    return literal(type);
  case Type::Struct:
    for (const Type *field : type->parts)
      parts.push_back(leaf(field));
    return "{" + llvm::join(parts, ", ") + "}";
  case Type::Dict: {
    std::string unused, pair = "{" + leaf(type->parts[0]) + ", ";
    Target target = targetFor(type, unused, 0);
    return "result(merge(" + target.fresh + ", " + pair + leaf(target.type->parts[1]) + "}))";
  }
  default:
    for (int64_t i = random.below(4); i > 0; --i)
      parts.push_back(leaf(type->parts[0]));
    if (parts.empty())
      return "([]: " + spelling(*type) + ")";
    return "[" + llvm::join(parts, ", ") + "]";
  }
}

std::string Writer::expr(const Type *type, int depth) {
  if (--budget < 0 || depth <= 0)
    return leaf(type);
  if (random.chance(20))
    return leaf(type);
  if (random.chance(type->kind == Type::Scalar ? 30 : 20))
    return anywhere(type, depth - 1);
  switch (type->kind) {
  case Type::Scalar:
    return type->scalar == Scalar::Bool ? condition(depth - 1) : number(type, depth - 1);
  case Type::Vec:
    return vector(type, depth - 1);
  case Type::Dict:
    return built(type, depth - 1);
  default:
    return composite(type, depth - 1);
  }
}

std::string Writer::anywhere(const Type *type, int depth) {
  switch (random.below(14)) {
  case 0:
    return applied(type, depth);
  case 1:
  case 13:
    return let(valueType(2), [&](const std::string &) { return expr(type, depth); }, depth);
  case 2:
  case 3: {
    std::string condition = expr(boolean(), depth), yes = expr(type, depth);
    return "if(" + condition + ", " + yes + ", " + expr(type, depth) + ")";
  }
  case 4: {
    std::string condition = expr(boolean(), depth), yes = expr(type, depth);
    return "select(" + condition + ", " + yes + ", " + expr(type, depth) + ")";
  }
  case 5:
  case 6:
    return guardedLookup(type, depth);
  case 7:
    return isMerged(type) || type->kind == Type::Vec ? dictLookup(type, depth)
                                                     : guardedLookup(type, depth);
  case 8:
    return fieldOf(type, depth);
  case 9:
    return iterated(type, depth);
  case 10: {
    std::string bytes = "serialize(" + expr(type, depth) + ")";
    return "deserialize[" + spelling(*type) + "](" + bytes + ")";
  }
  case 11: {
    const Type *parameter = valueType(1);
    std::string name = fresh("p"), value = expr(parameter, depth);
    size_t mark = enter(name, parameter);
    std::string body = expr(type, depth);
    leave(mark);
    return "(|" + name + ": " + spelling(*parameter) + "| " + body + ")(" + value + ")";
  }
  default:
    return "(" + expr(type, depth) + ": " + spelling(*type) + ")";
  }
}

/// Applies a macro of the program: with functions as arguments, arguments used twice, and names
/// bound inside.
std::string Writer::applied(const Type *type, int depth) {
  std::string name = fresh("y"), begin = expr(type, depth);
  size_t mark = enter(name, type);
  std::string function = "|" + name + "| " + expr(type, depth);
  leave(mark);
  callsMacro = true;
  return "twice(" + function + ", " + begin + ")";
}

/// An index that is in range if the vector is not empty.
std::string Writer::index(const std::string &vector, int depth) {
  return "(" + expr(i64(), depth) + " & 9223372036854775807L) % len(" + vector + ")";
}

std::string Writer::guardedLookup(const Type *type, int depth) {
  return let(
      vecOf(type),
      [&](const std::string &name) {
        if (mayFail && random.chance(25))
          return "lookup(" + name + ", " + expr(i64(), depth - 1) + ")";
        std::string found = "lookup(" + name + ", " + index(name, depth - 1) + ")";
        return "if(len(" + name + ") > 0L, " + found + ", " + leaf(type) + ")";
      },
      depth);
}

std::string Writer::dictLookup(const Type *type, int depth) {
  const Type *key = keyType(1);
  return let(
      types.get(Type::Dict, {key, type}),
      [&](const std::string &dict) {
        std::string wanted = expr(key, depth - 1);
        if (random.chance(40))
          return "optlookup(" + dict + ", " + wanted + ").$1";
        if (mayFail && random.chance(40))
          return "lookup(" + dict + ", " + wanted + ")";
        std::string name = fresh("k");
        return "(let " + name + " = " + wanted + "; if(keyexists(" + dict + ", " + name +
               "), lookup(" + dict + ", " + name + "), " + leaf(type) + "))";
      },
      depth);
}

std::string Writer::fieldOf(const Type *type, int depth) {
  std::vector<const Type *> fields = {valueType(1), type, valueType(1)};
  auto field = size_t(random.below(2));
  if (random.chance(50))
    fields.erase(fields.begin()), field = 0;
  else
    field = 1;
  return expr(structOf(fields), depth) + ".$" + std::to_string(field);
}

/// A few iterations, ended by a counter.
std::string Writer::iterated(const Type *type, int depth) {
  std::string state = fresh("s"), begin = expr(type, depth);
  std::string rounds = intLiteral(Scalar::I64, random.below(4));
  size_t mark = enter(state + ".$0", type);
  enter(state + ".$1", i64());
  std::string next = expr(type, depth);
  leave(mark);
  return "iterate({" + begin + ", 0L}, |" + state + "| {{" + next + ", " + state + ".$1 + 1L}, " +
         state + ".$1 < " + rounds + "}).$0";
}

std::string Writer::number(const Type *type, int depth) {
  int64_t kind = random.below(100);
  if (kind < 45)
    return arithmetic(type, depth);
  if (kind < 55) {
    const Type *from = scalar(random.chance(15) ? Scalar::Bool : numberScalar());
    return (spelling(type->scalar) + "(" + expr(from, depth) + ")").str();
  }
  if (kind < 62)
    return "(-" + expr(type, depth) + ")";
  if (kind < 90)
    return random.chance(12) ? simdSum(type, false) : built(type, depth);
  if (isFloating(type))
    return ofFloats(type, depth);
  if (type == i64())
    return "len(" + expr(random.chance(80) ? vecOf(valueType(1)) : dictType(1), depth) + ")";
  return divided(type, depth);
}

std::string Writer::arithmetic(const Type *type, int depth) {
  static constexpr const char *common[] = {"+", "-", "*", "+", "*"};
  static constexpr const char *bitwise[] = {"&", "|", "^"};
  std::string lhs = expr(type, depth), rhs = expr(type, depth);
  int64_t kind = random.below(100);
  if (kind < 15)
    return (random.chance(50) ? "min(" : "max(") + lhs + ", " + rhs + ")";
  if (kind < 30 && !isFloating(type))
    return "(" + lhs + " " + random.pick(bitwise) + " " + rhs + ")";
  if (kind < 40)
    return divided(type, depth);
  return "(" + lhs + " " + random.pick(common) + " " + rhs + ")";
}

/// A division, mostly by a nonzero value.
std::string Writer::divided(const Type *type, int depth) {
  std::string lhs = expr(type, depth), rhs = expr(type, depth);
  std::string op = random.chance(60) ? " / " : " % ";
  if (isFloating(type))
    return "(" + lhs + op + rhs + ")";
  if (random.chance(15))
    return "pow(" + lhs + ", " + rhs + " & " + intLiteral(type->scalar, 7) + ")";
  bool isGuarded = !mayFail || random.chance(70);
  return "(" + lhs + op +
         (isGuarded ? "(" + rhs + " | " + intLiteral(type->scalar, 1) + ")" : rhs) + ")";
}

std::string Writer::ofFloats(const Type *type, int depth) {
  static constexpr const char *functions[] = {"exp",  "log",  "sqrt", "sin",  "cos",
                                              "tan",  "asin", "acos", "atan", "sinh",
                                              "cosh", "tanh", "erf",  "sqrt"};
  std::string operand = expr(type, depth);
  if (random.chance(10))
    return "pow(" + operand + ", " + leaf(type) + ")";
  return random.pick(functions) + std::string("(") + operand + ")";
}

std::string Writer::condition(int depth) {
  static constexpr const char *comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
  static constexpr const char *connectives[] = {"&&", "||", "&", "|", "^"};
  int64_t kind = random.below(100);
  if (kind < 65) {
    const Type *type = valueType(random.chance(75) ? 0 : 2);
    if (!isComparable(type))
      type = vecOf(scalar(numberScalar()));
    std::string lhs = expr(type, depth), rhs = expr(type, depth);
    return "(" + lhs + " " + random.pick(comparisons) + " " + rhs + ")";
  }
  if (kind < 82) {
    std::string lhs = expr(boolean(), depth), rhs = expr(boolean(), depth);
    return "(" + lhs + " " + random.pick(connectives) + " " + rhs + ")";
  }
  if (kind < 88)
    return "(!" + expr(boolean(), depth) + ")";
  if (kind < 94) {
    const Type *dict = dictType(1);
    std::string where = expr(dict, depth);
    return "keyexists(" + where + ", " + expr(dict->parts[0], depth) + ")";
  }
  if (mayFail && kind < 97)
    return "assert(" + expr(boolean(), depth) + ")";
  return "bool(" + expr(scalar(numberScalar()), depth) + ")";
}

std::string Writer::vector(const Type *type, int depth) {
  const Type *element = type->parts[0];
  switch (random.below(10)) {
  case 0:
    return let(
        type,
        [&](const std::string &name) {
          std::string start = mayFail && random.chance(30)
                                  ? expr(i64(), depth - 1)
                                  : "(" + expr(i64(), depth - 1) +
                                        " & 9223372036854775807L) % (len(" + name + ") + 1L)";
          return "slice(" + name + ", " + start + ", " +
                 std::to_string(random.chance(90) ? random.below(9) : INT64_MAX) + "L)";
        },
        depth);
  case 1:
    return isComparable(element) ? sorted(type, depth) : built(type, depth);
  case 2:
    return "flatten(" + expr(vecOf(type), depth) + ")";
  case 3: {
    std::string name = fresh("x"), data = expr(type, depth);
    size_t mark = enter(name, element);
    std::string condition = expr(boolean(), depth);
    leave(mark);
    return "filter(" + data + ", |" + name + "| " + condition + ")";
  }
  case 4:
  case 5: {
    const Type *from = valueType(1);
    std::string name = fresh("x"), data = expr(vecOf(from), depth);
    size_t mark = enter(name, from);
    std::string value = expr(element, depth);
    leave(mark);
    return "map(" + data + ", |" + name + "| " + value + ")";
  }
  case 6:
    if (element->kind == Type::Struct && element->parts.size() == 2 &&
        isMerged(element->parts[1]) && isComparable(element->parts[0]))
      return "tovec(" + expr(types.get(Type::Dict, element->parts), depth) + ")";
    if (element == scalar(Scalar::I8))
      return random.chance(50) ? "\"" + std::string(size_t(random.below(4)), 'a') + "z\""
                               : "serialize(" + expr(valueType(1), depth) + ")";
    return built(type, depth);
  case 7:
    if (element->kind == Type::Scalar && element->scalar != Scalar::Bool)
      return simdSum(element, true);
    return built(type, depth);
  default:
    return built(type, depth);
  }
}

std::string Writer::sorted(const Type *type, int depth) {
  std::string data = expr(type, depth);
  return "sort(" + data + ", " + comparator(type->parts[0], depth) + ")";
}

/// Compares elements, or a key of them: the same function of both sides.
std::string Writer::comparator(const Type *element, int depth) {
  std::string left = fresh("l"), right = fresh("r");
  std::string head = "|" + left + ", " + right + "| ";
  if (random.chance(30))
    std::swap(left, right);
  if (random.chance(60))
    return head + "compare(" + left + ", " + right + ")";
  const Type *key = keyType(1);
  std::string mark = "zz";
  size_t outer = scope.size();
  enter(mark, element);
  std::string text = expr(key, std::min(depth, 2));
  leave(outer);
  auto of = [&](const std::string &name) { return "(let zz = " + name + "; " + text + ")"; };
  std::string one = of(left), other = of(right);
  return head + "compare(" + one + ", " + other + ")";
}
