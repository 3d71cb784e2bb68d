#include "lang/ttl/Syntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

StringRef tessera::ttl::spelling(BinaryOp op) {
  static constexpr const char *ofToken[] = {
#define TTL_TOKEN(name, text) "",
#define TTL_KEYWORD(name, text) text,
#define TTL_PUNCTUATION(name, text) text,
#include "lang/ttl/Tokens.def"
  };
  static constexpr Tok tokens[] = {
#define TTL_BINARY(name, token, level, class) Tok::token,
#include "lang/ttl/Operators.def"
  };
  return ofToken[static_cast<int>(tokens[static_cast<int>(op)])];
}

OpClass tessera::ttl::classOf(BinaryOp op) {
  static constexpr OpClass classes[] = {
#define TTL_BINARY(name, token, level, class) OpClass::class,
#include "lang/ttl/Operators.def"
  };
  return classes[static_cast<int>(op)];
}

int64_t Type::numElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

std::string Type::str() const {
  static constexpr const char *names[] = {"<error>", "void", "int", "float", "range"};
  if (!isMatrix())
    return names[kind];
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "matrix<" << names[element] << ">[";
  llvm::interleaveComma(sizes, out, [&](int64_t size) {
    if (size == dynamic)
      out << '?';
    else
      out << size;
  });
  out << ']';
  return text;
}

const Binary *tessera::ttl::rangeOf(const Expr &expr) {
  auto *binary = expr.bare().as<Binary>();
  return binary && binary->op == BinaryOp::Range ? binary : nullptr;
}

std::string Program::excerpt(SourceRange range) const {
  static constexpr size_t maxLength = 80;
  llvm::SmallVector<StringRef> words;
  for (StringRef line : llvm::split(file->text(range), '\n'))
    llvm::SplitString(line.substr(0, line.find("//")), words);
  std::string text = llvm::join(words, " ");
  return text.size() <= maxLength ? text : text.substr(0, maxLength) + "...";
}
