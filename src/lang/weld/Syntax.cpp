#include "lang/weld/Syntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::ArrayRef;
using llvm::StringRef;

StringRef tessera::weld::spelling(BinaryOp op) {
  static constexpr const char *ofToken[] = {
#define WELD_TOKEN(name, text) "",
#define WELD_KEYWORD(name, text) text,
#define WELD_PUNCTUATION(name, text) text,
#include "lang/weld/Tokens.def"
  };
  static constexpr Tok tokens[] = {
#define WELD_BINARY(name, token, level, class) Tok::token,
#include "lang/weld/Operators.def"
  };
  return ofToken[static_cast<int>(tokens[static_cast<int>(op)])];
}

OpClass tessera::weld::classOf(BinaryOp op) {
  static constexpr OpClass classes[] = {
#define WELD_BINARY(name, token, level, class) OpClass::class,
#include "lang/weld/Operators.def"
  };
  return classes[static_cast<int>(op)];
}

StringRef tessera::weld::spelling(Combine combine) {
  static constexpr const char *texts[] = {"+", "*", "min", "max"};
  return texts[static_cast<int>(combine)];
}

namespace {
struct BuiltinRow {
  const char *name;
  unsigned arity;
};
constexpr BuiltinRow builtins[] = {
#define WELD_BUILTIN(name, text, arity) {text, arity},
#include "lang/weld/Builtins.def"
};
} // namespace

StringRef tessera::weld::spelling(Builtin builtin) {
  return builtins[static_cast<int>(builtin)].name;
}

unsigned tessera::weld::arityOf(Builtin builtin) {
  return builtins[static_cast<int>(builtin)].arity;
}

StringRef tessera::weld::spelling(Scalar scalar) {
#define WELD_SCALAR(text, type, suffix)                                                            \
  if (scalar == Scalar::type)                                                                      \
    return text;
#include "lang/weld/Types.def"
  llvm_unreachable("every scalar of Weld has a row in Types.def");
}

StringRef tessera::weld::spelling(Iterator::Kind kind) {
  static constexpr const char *texts[] = {"",          "iter",   "simditer", "fringeiter",
                                          "rangeiter", "nditer", "zip"};
  return texts[kind];
}

StringRef tessera::weld::spelling(Type::Kind kind) {
  static constexpr const char *texts[] = {
      "?",      "",           "simd",         "vec",       "dict", "", "appender",
      "merger", "dictmerger", "groupbuilder", "vecmerger", "",     "?"};
  return texts[kind];
}

bool tessera::weld::hasCombine(Type::Kind kind) {
  return kind == Type::Merger || kind == Type::DictMerger || kind == Type::VecMerger;
}

static void write(llvm::raw_ostream &out, const Type &type);

static void writeParts(llvm::raw_ostream &out, ArrayRef<const Type *> parts) {
  llvm::interleave(parts, out, [&](const Type *part) { write(out, *part); }, ",");
}

static void write(llvm::raw_ostream &out, const Type &type) {
  switch (type.kind) {
  case Type::Unknown:
  case Type::Invalid:
    out << '?';
    return;
  case Type::Scalar:
    out << spelling(type.scalar);
    return;
  case Type::Struct:
    writeParts(out << '{', type.parts);
    out << '}';
    return;
  case Type::Function:
    writeParts(out << '(', type.parts.drop_back());
    write(out << ") => ", *type.parts.back());
    return;
  default:
    writeParts(out << spelling(type.kind) << '[', type.parts);
    if (hasCombine(type.kind))
      out << ',' << spelling(type.combine);
    out << ']';
  }
}

std::string tessera::weld::spelling(const Type &type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out, type);
  return text;
}

bool tessera::weld::isBuilderLike(const Type &type) {
  if (type.kind != Type::Struct)
    return type.isBuilder();
  return !type.parts.empty() &&
         llvm::all_of(type.parts, [](const Type *part) { return isBuilderLike(*part); });
}

bool tessera::weld::holdsBuilder(const Type &type) {
  return type.isBuilder() ||
         llvm::any_of(type.parts, [](const Type *part) { return holdsBuilder(*part); });
}

const Type *tessera::weld::mergeType(const Type &builder, TypeTable &types) {
  switch (builder.kind) {
  case Type::Appender:
  case Type::Merger:
    return builder.parts[0];
  case Type::VecMerger:
    return types.get(Type::Struct, {types.scalar(Scalar::I64), builder.parts[0]});
  default:
    return types.get(Type::Struct, builder.parts);
  }
}

const Type *tessera::weld::resultType(const Type &builder, TypeTable &types) {
  switch (builder.kind) {
  case Type::Appender:
  case Type::VecMerger:
    return types.get(Type::Vec, builder.parts);
  case Type::Merger:
    return builder.parts[0];
  case Type::DictMerger:
    return types.get(Type::Dict, builder.parts);
  case Type::GroupBuilder:
    return types.get(Type::Dict, {builder.parts[0], types.get(Type::Vec, builder.parts[1])});
  default: {
    llvm::SmallVector<const Type *> fields;
    for (const Type *field : builder.parts)
      fields.push_back(resultType(*field, types));
    return types.get(Type::Struct, fields);
  }
  }
}

const Type *TypeTable::scalar(Scalar scalar) {
  return intern({Type::Scalar, scalar, Combine::Add, {}});
}

const Type *TypeTable::get(Type::Kind kind, ArrayRef<const Type *> parts, Combine combine) {
  return intern({kind, Scalar::I32, hasCombine(kind) ? combine : Combine::Add, parts});
}

unsigned TypeTable::Contents::getHashValue(const Type *type) {
  return llvm::hash_combine(type->kind, type->scalar, type->combine,
                            llvm::hash_combine_range(type->parts));
}

bool TypeTable::Contents::isEqual(const Type *left, const Type *right) {
  auto isMark = [](const Type *type) { return type == getEmptyKey() || type == getTombstoneKey(); };
  if (left == right || isMark(left) || isMark(right))
    return left == right;
  return left->kind == right->kind && left->scalar == right->scalar &&
         left->combine == right->combine && left->parts == right->parts;
}

const Type *TypeTable::intern(const Type &type) {
  if (auto known = all.find(&type); known != all.end())
    return *known;
  Type kept = type;
  kept.parts = kept.parts.copy(arena);
  return *all.insert(new (arena.Allocate<Type>()) Type(kept)).first;
}

static std::string excerptOf(StringRef text) {
  static constexpr size_t maxLength = 60;
  llvm::SmallVector<StringRef> words;
  for (StringRef line : llvm::split(text, '\n'))
    llvm::SplitString(line.split('#').first, words);
  std::string joined = llvm::join(words, " ");
  return joined.size() <= maxLength ? joined : joined.substr(0, maxLength) + "...";
}

std::string Program::excerpt(SourceRange range) const {
  return excerptOf(file->text(range));
}

std::string Program::excerpt(const Expr &expr) const {
  return excerptOf((expr.expansion ? expr.expansion->file : file)->text(expr.range));
}

std::string tessera::weld::describe(const Program &program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(program.parameters, out << '(', [&](const Variable *parameter) {
    out << parameter->name.text << ": " << spelling(*parameter->type);
  });
  out << ") => " << spelling(*program.value->type);
  return text;
}
