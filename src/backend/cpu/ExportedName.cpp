#include "backend/cpu/Entries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <dlfcn.h>

using namespace tessera;
using llvm::StringRef;

/// Keywords of C and C++ that are names in our languages, lower-case types and macros of the
/// standard headers, and names that compilers predefine.
static constexpr llvm::StringLiteral reserved[] = {
    // clang-format off
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
    "char", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval",
    "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else",
    "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int",
    "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq",
    "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return", "short",
    "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union",
    "unsigned", "using", "virtual", "void", "volatile", "while", "xor", "xor_eq", "complex", "imaginary",
    "noreturn", "assert", "errno", "fpclassify", "isfinite", "isinf", "isnan", "isnormal", "signbit", "isgreater",
    "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered", "offsetof", "setjmp", "va_arg",
    "va_copy", "va_end", "va_start", "alloca", "iscanonical", "iseqsig", "issignaling", "issubnormal", "iszero",
    "pthread_cleanup_pop", "pthread_cleanup_push", "sigsetjmp", "strdupa", "strndupa", "fd_set", "jmp_buf",
    "sigjmp_buf", "va_list", "u_char", "u_int", "u_long", "u_short", "uint", "ulong", "ushort", "linux", "unix",
    "std", "main",
    // Defined in the part of the C library that is linked statically into every program.
    "at_quick_exit", "atexit", "fstat", "fstat64", "fstatat", "fstatat64", "lstat", "lstat64", "mknod", "mknodat",
    "pthread_atfork", "stat", "stat64"
    // clang-format on
};

/// Whether the C library or the math library on this machine exports the name.
static bool isLibraryName(const std::string &name) {
  static void *const libraries[] = {dlopen("libc.so.6", RTLD_LAZY), dlopen("libm.so.6", RTLD_LAZY)};
  return llvm::any_of(libraries,
                      [&](void *library) { return library && dlsym(library, name.c_str()); });
}

/// `NULL`, `M_PI`, `I`: upper-case names may be macros in some header.
static bool isInCapitals(StringRef name) {
  return llvm::none_of(name, llvm::isLower);
}

/// `time_t`: POSIX reserves these names for types, and each system defines its own.
static bool isTypeName(StringRef name) {
  return name.ends_with("_t");
}

/// Valid in TC, but not in C.
static bool beginsWithDigit(StringRef name) {
  return !name.empty() && llvm::isDigit(name.front());
}

/// With the prefix `ttl_`, `ttl_div` is taken too if `div` is: two functions must not get the same
/// name.
static bool isTaken(StringRef prefix, StringRef name) {
  if (llvm::is_contained(reserved, name) || name.starts_with("tessera_") || isInCapitals(name) ||
      isTypeName(name) || beginsWithDigit(name) || isLibraryName(name.str()))
    return true;
  return name.consume_front(prefix) && isTaken(prefix, name);
}

std::string cpu::exportedName(StringRef language, StringRef name) {
  std::string prefix = (language + "_").str();
  return isTaken(prefix, name) ? (prefix + name).str() : name.str();
}
