/// The Fortran side of kernels: modules of `bind(c)` interfaces.
#include "cli/Tensor.h"
#include "cli/kernels/Fields.h"
#include "cli/kernels/Header.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace tessera;
using namespace tessera::cli;
using kernels::Field;
using llvm::formatv;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {

/// The names that a module takes from `iso_c_binding`, including compilers' extensions.
constexpr StringLiteral bindingNames[] = {
    // clang-format off
    "c_alert", "c_associated", "c_backspace", "c_bool", "c_carriage_return", "c_char", "c_double", "c_double_complex",
    "c_f_pointer", "c_f_procpointer", "c_f_strpointer", "c_float", "c_float128", "c_float128_complex",
    "c_float_complex", "c_form_feed", "c_funloc", "c_funptr", "c_horizontal_tab", "c_int", "c_int128_t", "c_int16_t",
    "c_int32_t", "c_int64_t", "c_int8_t", "c_int_fast128_t", "c_int_fast16_t", "c_int_fast32_t", "c_int_fast64_t",
    "c_int_fast8_t", "c_int_least128_t", "c_int_least16_t", "c_int_least32_t", "c_int_least64_t", "c_int_least8_t",
    "c_intmax_t", "c_intptr_t", "c_loc", "c_long", "c_long_double", "c_long_double_complex", "c_long_long",
    "c_new_line", "c_null_char", "c_null_funptr", "c_null_ptr", "c_ptr", "c_ptrdiff_t", "c_short", "c_signed_char",
    "c_size_t", "c_sizeof", "c_vertical_tab", "f_c_string"
    // clang-format on
};

/// Names in Fortran: at most 63 letters, digits and `_`, a letter first; case is ignored. Names of
/// the shared module are taken.
class FortranNames {
public:
  FortranNames() : taken(std::begin(bindingNames), std::end(bindingNames)) {
    taken.insert({"tessera_invalid_argument", "tessera_last_error", "tessera_launch", "tessera_ok",
                  "tessera_runtime", "tessera_runtime_error", "tessera_wrong_cpu"});
  }
  std::string make(StringRef name) {
    std::string text;
    for (char c : name)
      text += llvm::isAlnum(c) ? c : '_';
    if (text.empty() || !llvm::isAlpha(text.front()))
      text = "p" + text;
    text.resize(std::min<size_t>(text.size(), longest - 4)); // Room for a number.
    std::string unique = text;
    for (int number = 2; !taken.insert(StringRef(unique).lower()).second; ++number)
      unique = text + "_" + std::to_string(number);
    return unique;
  }

private:
  static constexpr size_t longest = 63;
  std::set<std::string> taken;
};

/// `f16` and `bf16` are passed as their bits.
std::string fortranType(const KernelType &type) {
  if (type.isComplex)
    return type.element == Scalar::F32 ? "complex(c_float_complex)" : "complex(c_double_complex)";
  switch (type.element) {
  case Scalar::Bool:
    return "logical(c_bool)";
  case Scalar::F32:
    return "real(c_float)";
  case Scalar::F64:
    return "real(c_double)";
  default:
    return formatv("integer(c_int{0}_t)", bitsOf(type.element));
  }
}

/// How a field is declared, without its name.
struct Declaration {
  std::string type, shape; ///< "real(c_float), intent(inout)", "(*)".
};
Declaration declarationOf(const KernelType &type, Field field) {
  bool isGroup = type.kind == KernelType::Kind::Group;
  switch (field.kind) {
  case Field::Kind::Value:
    return {fortranType(type) + ", value", ""};
  case Field::Kind::Data:
    return isGroup ? Declaration{"type(c_ptr), intent(in)", "(*)"}
                   : Declaration{fortranType(type) +
                                     (type.isWritten ? ", intent(inout)" : ", intent(in)"),
                                 "(*)"};
  case Field::Kind::Size:
  case Field::Kind::Stride:
    if (isGroup)
      return {"integer(c_int64_t), intent(in)", "(*)"};
    break;
  case Field::Kind::Count:
  case Field::Kind::Offset:
    break;
  }
  return {"integer(c_int64_t), value", ""};
}

/// Lines have at most 132 columns.
std::string literalOf(StringRef symbol) {
  constexpr size_t most = 96;
  std::string text = "\"";
  for (; symbol.size() > most; symbol = symbol.drop_front(most))
    text += (symbol.take_front(most) + "&\n        &").str();
  return text + symbol.str() + "\"";
}

std::string interfaceOf(const Signature &kernel, StringRef name, StringRef symbol) {
  FortranNames names;
  names.make(name);
  std::string status = names.make("status"), launch = names.make("launch");
  std::string list = launch, declarations;
  for (const Parameter &parameter : kernel.parameters) {
    declarations += formatv("      ! {0}: {1}\n", parameter.name, kernels::text(*parameter.kernel));
    for (Field field : kernels::fieldsOf(*parameter.kernel)) {
      Declaration form = declarationOf(*parameter.kernel, field);
      std::string own = names.make(parameter.name + field.suffix());
      list += ", &\n        " + own;
      declarations += formatv("      {0} :: {1}{2}\n", form.type, own, form.shape);
    }
  }
  return formatv("    function {0}({1}) &\n        result({2}) &\n"
                 "        bind(c, name={3})\n"
                 "      import\n"
                 "      type(tessera_launch), intent(in) :: {4}\n{5}"
                 "      integer(c_int) :: {2}\n"
                 "    end function {0}\n",
                 name, list, status, literalOf(symbol), launch, declarations);
}

/// Differs from all symbols, because modules and C names share one set of names.
std::string moduleName(StringRef path, llvm::ArrayRef<std::string> symbols) {
  FortranNames names;
  for (const std::string &symbol : symbols)
    names.make(symbol);
  return names.make((llvm::sys::path::stem(path) + "_kernels").str());
}

} // namespace

std::string kernels::fortranModule(StringRef path, llvm::ArrayRef<const Signature *> kernels,
                                   const Backend &backend) {
  auto symbols = llvm::map_to_vector(kernels, [&](const Signature *kernel) {
    return backend.exportedName(kernel->language, kernel->name);
  });
  std::string module = moduleName(path, symbols);
  FortranNames names;
  names.make(module);
  std::string interfaces;
  for (auto [kernel, symbol] : llvm::zip_equal(kernels, symbols))
    interfaces += interfaceOf(*kernel, names.make(symbol), symbol) + "\n";
  return formatv(
      "! Made by `tessera build`. Compile tessera_runtime.f90 first, once for all such modules.\n"
      "! Kernels return tessera_ok, or a status that tessera_last_error explains.\n"
      "module {0}\n"
      "  use, intrinsic :: iso_c_binding\n"
      "  use tessera_runtime\n"
      "  implicit none\n\n"
      "  interface\n"
      "{1}"
      "  end interface\n"
      "end module {0}\n",
      module, interfaces);
}

std::string kernels::fortranRuntime() {
  return R"(! Made by `tessera build`: what all modules of kernels share.
module tessera_runtime
  use, intrinsic :: iso_c_binding
  implicit none

  ! What kernels return.
  integer(c_int), parameter :: tessera_ok = 0
  integer(c_int), parameter :: tessera_invalid_argument = 2 ! Nothing was computed.
  integer(c_int), parameter :: tessera_runtime_error = 3
  integer(c_int), parameter :: tessera_wrong_cpu = 4 ! Compiled for instructions that this CPU lacks.

  type, bind(c) :: tessera_launch
    integer(c_int64_t) :: groups ! Work-groups: 0 or more.
    integer(c_int32_t) :: threads = 0 ! Threads of this call; 0: all.
    integer(c_int32_t) :: alone = 0 ! Not 0: nobody else adds to the same memory meanwhile.
  end type tessera_launch

  interface
    ! The text of this thread's last failure, a C string.
    function tessera_last_error() result(text) bind(c, name="tessera_last_error")
      import
      type(c_ptr) :: text
    end function tessera_last_error
  end interface
end module tessera_runtime
)";
}
