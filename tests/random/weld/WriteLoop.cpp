/// Loops: what they iterate over, and the builders they fill.
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

Target Writer::targetOf(Type::Kind kind, llvm::ArrayRef<const Type *> parts, Combine combine) {
  const Type *type = types.get(kind, parts, combine);
  return {type, spelling(*type), "", {}};
}

/// A builder whose result has this type. Names that it needs are added to `bindings`, and stay in
/// scope.
Target Writer::targetFor(const Type *result, std::string &bindings, int depth) {
  if (result->kind == Type::Struct && !(isMerged(result) && random.chance(50))) {
    Target target{nullptr, "", "", {}};
    std::vector<const Type *> parts;
    std::vector<std::string> texts;
    for (const Type *field : result->parts) {
      target.parts.push_back(targetFor(field, bindings, depth));
      parts.push_back(target.parts.back().type);
      texts.push_back(target.parts.back().fresh);
    }
    target.type = structOf(parts);
    target.fresh = "{" + llvm::join(texts, ", ") + "}";
    return target;
  }
  if (result->kind == Type::Dict) {
    bool isGroup = !isMerged(result->parts[1]);
    const Type *value = isGroup ? result->parts[1]->parts[0] : result->parts[1];
    Target target = targetOf(isGroup ? Type::GroupBuilder : Type::DictMerger,
                             {result->parts[0], value}, combine());
    if (!isGroup && random.chance(20))
      target.fresh = (random.chance(50) ? "@(impl: local) " : "@(num_keys: 3) ") + target.fresh;
    return target;
  }
  if (result->kind == Type::Vec && isMerged(result->parts[0]) && depth > 0 && random.chance(25)) {
    std::string name = fresh("w");
    bindings += "let " + name + " = " + expr(result, depth - 1) + "; ";
    enter(name, result);
    Target target = targetOf(Type::VecMerger, {result->parts[0]}, combine());
    target.fresh += "(" + name + ")";
    target.vector = name;
    return target;
  }
  if (result->kind == Type::Vec) {
    Target target = targetOf(Type::Appender, {result->parts[0]}, Combine::Add);
    if (random.chance(10))
      target.fresh = "@(size: 5) " + target.fresh + "(3L)";
    return target;
  }
  Target target = targetOf(Type::Merger, {result}, combine());
  if (depth > 0 && random.chance(20))
    target.fresh += "(" + expr(result, depth - 1) + ")";
  return target;
}

std::string Writer::built(const Type *type, int depth) {
  if (depth > 1 && random.chance(8)) // An additional builder whose result is not used.
    return built(structOf({type, random.chance(50) ? mergedType() : vecOf(valueType(0))}), depth) +
           ".$0";
  size_t mark = scope.size();
  std::string bindings;
  Target target = targetFor(type, bindings, depth);
  std::string builder = loop(target, target.fresh, depth);
  if (random.chance(15))
    builder = loop(target, builder, depth - 1);
  leave(mark);
  std::string text = "result(" + builder + ")";
  return bindings.empty() ? text : "(" + bindings + text + ")";
}

/// Several results of one loop.
std::string Writer::composite(const Type *type, int depth) {
  auto isBuilt = [&](const Type *part) {
    return part->kind == Type::Vec || part->kind == Type::Dict || isMerged(part);
  };
  if (llvm::all_of(type->parts, isBuilt) && random.chance(40))
    return built(type, depth);
  std::vector<std::string> fields;
  for (const Type *field : type->parts)
    fields.push_back(expr(field, depth));
  return "{" + llvm::join(fields, ", ") + "}";
}

std::string Writer::loop(const Target &target, const std::string &begin, int depth) {
  size_t mark = scope.size();
  Source over = source(depth);
  std::string builder = fresh("b"), index = fresh("n"), element = fresh("e");
  std::string head = "|" + builder + ", " + index + ", " + element + "| ";
  if (random.chance(15))
    head = "|" + builder + ": " + spelling(*target.type) + ", " + index + ": i64, " + element +
           ": " + spelling(*over.element) + "| ";
  enter(index, i64());
  enter(element, over.element);
  // Fields are used more often than whole structs.
  if (over.element->kind == Type::Struct)
    for (auto [number, field] : llvm::enumerate(over.element->parts))
      enter(element + ".$" + std::to_string(number), field);
  std::string body = update(target, builder, depth);
  leave(mark);
  std::string note = random.chance(5) ? "@(vectorize: true) " : "";
  std::string text = note + "for(" + over.text + ", " + begin + ", " + head + body + ")";
  return over.bindings.empty() ? text : "(" + over.bindings + text + ")";
}

Source Writer::source(int depth) {
  if (random.chance(10)) {
    std::string start = intLiteral(Scalar::I64, random.between(-3, 3));
    std::string end = intLiteral(Scalar::I64, random.between(-2, 9));
    std::string stride = intLiteral(Scalar::I64, random.between(mayFail ? 0 : 1, 3));
    return {"rangeiter(" + start + ", " + end + ", " + stride + ")", "", i64()};
  }
  const Type *element = valueType(random.chance(70) ? 0 : 2);
  std::string data = random.chance(65) ? pipeline(element, depth) : expr(vecOf(element), depth - 1);
  if (random.chance(55))
    return {data, "", element};
  std::string name = fresh("v");
  Source over = random.chance(50) ? strided(name, element) : zipped(name, element, depth);
  over.bindings = "let " + name + " = " + data + "; ";
  return over;
}

/// An existing vector, transformed by a few loops, as a test of fusion. Sets `element` to the type
/// of its elements.
std::string Writer::pipeline(const Type *&element, int depth) {
  std::vector<const Local *> vectors;
  for (const Local &local : scope)
    if (local.type->kind == Type::Vec)
      vectors.push_back(&local);
  if (vectors.empty())
    return expr(vecOf(element), depth - 1);
  const Local &local = *random.pick(vectors);
  std::string data = local.name;
  element = local.type->parts[0];
  for (int64_t i = random.below(3); i > 0 && depth > 1; --i) {
    std::string name = fresh("x");
    size_t mark = enter(name, element);
    if (random.chance(40)) {
      data = "filter(" + data + ", |" + name + "| " + expr(boolean(), 2) + ")";
    } else if (random.chance(70)) {
      element = valueType(random.chance(80) ? 0 : 1);
      data = "map(" + data + ", |" + name + "| " + expr(element, 2) + ")";
    } else {
      enter("n" + name, i64());
      element = valueType(0);
      Target target = targetOf(Type::Appender, {element}, Combine::Add);
      data = "result(for(" + data + ", " + target.fresh + ", |b" + name + ", n" + name + ", " +
             name + "| " + update(target, "b" + name, 2) + "))";
    }
    leave(mark);
  }
  return data;
}

Source Writer::strided(const std::string &name, const Type *element) {
  static constexpr const char *safe[] = {
      "iter({0}, 0L, len({0}), 2L)",
      "iter({0}, 0L, len({0}), 1L)",
      "iter({0}, len({0}) / 2L, len({0}), 1L)",
      "iter({0}, min(1L, len({0})), len({0}), 3L)",
      "iter({0})",
      "nditer({0}, 0L, len({0}), 1L, [len({0}) / 2L, 2L], [2L, 1L])",
      "nditer({0}, 0L, len({0}), 1L, [2L, len({0}) / 2L], [1L, 2L])",
      "nditer({0}, 0L, 0L, 1L, [2L, len({0})], [0L, 1L])",
  };
  static constexpr const char *risky[] = {"iter({0}, 0L, 3L, 1L)", "iter({0}, 0L, len({0}), 0L)",
                                          "nditer({0}, 0L, len({0}), 1L, [2L, 2L], [1L, 2L])"};
  std::string text = mayFail && random.chance(25) ? random.pick(risky) : random.pick(safe);
  for (size_t at; (at = text.find("{0}")) != std::string::npos;)
    text.replace(at, 3, name);
  return {text, "", element};
}

/// A zip of vectors, mostly of equal lengths.
Source Writer::zipped(const std::string &name, const Type *element, int depth) {
  std::vector<std::string> parts = {name};
  std::vector<const Type *> fields = {element};
  for (int64_t i = random.between(1, 2); i > 0; --i) {
    int64_t kind = random.below(100);
    if (kind < 30) {
      parts.push_back(name);
      fields.push_back(element);
    } else if (kind < 60) {
      parts.push_back("rangeiter(0L, len(" + name + ") * 2L, 2L)");
      fields.push_back(i64());
    } else if (kind < 70) {
      parts.push_back("zip(iter(" + name + ", 0L, len(" + name + "), 1L), " + name + ")");
      fields.push_back(structOf({element, element}));
    } else if (kind < 90 || !mayFail) {
      const Type *other = valueType(0);
      std::string mapped = fresh("x");
      size_t mark = enter(mapped, element);
      parts.push_back("map(" + name + ", |" + mapped + "| " + expr(other, depth - 2) + ")");
      leave(mark);
      fields.push_back(other);
    } else {
      fields.push_back(valueType(0));
      parts.push_back(expr(vecOf(fields.back()), depth - 1));
    }
  }
  return {"zip(" + llvm::join(parts, ", ") + ")", "", structOf(fields)};
}

std::string Writer::update(const Target &target, const std::string &builder, int depth) {
  int64_t kind = random.below(100);
  if (depth <= 0 || --budget < 0)
    kind = 0;
  if (kind < 45)
    return merged(target, builder, depth);
  if (kind < 70) {
    std::string condition = expr(boolean(), depth - 1);
    std::string note = random.chance(25) ? "@(predicate: true) " : "";
    std::string yes = update(target, builder, depth - 1);
    std::string no = random.chance(60) ? builder : update(target, builder, depth - 1);
    return note + "if(" + condition + ", " + yes + ", " + no + ")";
  }
  if (kind < 82)
    return let(
        valueType(1), [&](const std::string &) { return update(target, builder, depth - 1); },
        depth - 1);
  if (kind < 95)
    return inner(target, builder, depth - 1);
  if (target.parts.empty())
    return merged(target, merged(target, builder, depth - 1), depth - 1);
  return builder;
}

std::string Writer::inner(const Target &target, const std::string &builder, int depth) {
  return loop(target, builder, depth);
}

std::string Writer::merged(const Target &target, const std::string &builder, int depth) {
  if (!target.parts.empty()) {
    std::vector<std::string> fields;
    for (auto [number, part] : llvm::enumerate(target.parts))
      fields.push_back(update(part, builder + ".$" + std::to_string(number), depth - 1));
    return "{" + llvm::join(fields, ", ") + "}";
  }
  if (target.type->kind != Type::VecMerger)
    return "merge(" + builder + ", " + expr(mergeType(*target.type, types), depth) + ")";
  std::string value = expr(target.type->parts[0], depth);
  if (mayFail && random.chance(20))
    return "merge(" + builder + ", {" + expr(i64(), depth - 1) + ", " + value + "})";
  // A builder that is not just a name must not be duplicated.
  bool isName =
      llvm::all_of(builder, [](char c) { return llvm::isAlnum(c) || c == '.' || c == '$'; });
  std::string place = index(target.vector, depth - 1);
  if (!isName) {
    std::string name = fresh("b");
    return "(let " + name + " = " + builder + "; if(len(" + target.vector + ") > 0L, merge(" +
           name + ", {" + place + ", " + value + "}), " + name + "))";
  }
  return "if(len(" + target.vector + ") > 0L, merge(" + builder + ", {" + place + ", " + value +
         "}), " + builder + ")";
}

/// The same formula for vectors of lanes and for the remainder.
std::pair<std::string, std::string> Writer::laneWise(Scalar type, int depth) {
  static constexpr const char *infix[] = {" + ", " - ", " * "};
  int64_t kind = depth <= 0 ? random.below(2) : random.below(8);
  if (kind == 0) {
    std::string constant = numberLiteral(type);
    return {"broadcast(" + constant + ")", constant};
  }
  if (kind < 3)
    return {"e", "e"};
  auto [oneLane, one] = laneWise(type, depth - 1);
  auto [otherLane, other] = laneWise(type, depth - 1);
  if (kind == 3) {
    std::string function = random.chance(50) ? "min(" : "max(";
    return {function + oneLane + ", " + otherLane + ")", function + one + ", " + other + ")"};
  }
  if (kind == 4)
    return {"select(" + oneLane + " > " + otherLane + ", " + oneLane + ", -" + otherLane + ")",
            "select(" + one + " > " + other + ", " + one + ", -" + other + ")"};
  std::string op = random.pick(infix);
  return {"(" + oneLane + op + otherLane + ")", "(" + one + op + other + ")"};
}

std::string Writer::simdSum(const Type *type, bool isAppender) {
  std::string data = expr(vecOf(type), 1);
  auto [lanes, one] = laneWise(type->scalar, 2);
  Target target = targetOf(isAppender ? Type::Appender : Type::Merger, {type}, combine());
  return "(let v = " + data + "; let s = for(simditer(v), " + target.fresh +
         ", |b, i, e| merge(b, " + lanes + ")); result(for(fringeiter(v), s, |b, i, e| merge(b, " +
         one + "))))";
}
