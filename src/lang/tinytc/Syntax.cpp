#include "lang/tinytc/Syntax.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

StringRef tessera::tinytc::spelling(BinaryOp op) {
  static constexpr const char *texts[] = {
#define TINYTC_BINARY(name, text, types) "arith." text,
#include "lang/tinytc/Operators.def"
  };
  return texts[static_cast<int>(op)];
}

StringRef tessera::tinytc::spelling(UnaryOp op) {
  static constexpr const char *texts[] = {
#define TINYTC_UNARY(name, seed, later, types) seed,
#include "lang/tinytc/Operators.def"
  };
  return texts[static_cast<int>(op)];
}

StringRef tessera::tinytc::spelling(CompareOp op) {
  static constexpr const char *texts[] = {
#define TINYTC_COMPARE(name, seed, later, types) seed,
#include "lang/tinytc/Operators.def"
  };
  return texts[static_cast<int>(op)];
}

StringRef tessera::tinytc::spelling(BlasOp op) {
  static constexpr const char *texts[] = {
#define TINYTC_BLAS(name, text, transposes, inputs) text,
#include "lang/tinytc/Operators.def"
  };
  return texts[static_cast<int>(op)];
}

uint8_t tessera::tinytc::typesOf(BinaryOp op) {
  static constexpr uint8_t types[] = {
#define TINYTC_BINARY(name, text, types) types,
#include "lang/tinytc/Operators.def"
  };
  return types[static_cast<int>(op)];
}

uint8_t tessera::tinytc::typesOf(UnaryOp op) {
  static constexpr uint8_t types[] = {
#define TINYTC_UNARY(name, seed, later, types) types,
#include "lang/tinytc/Operators.def"
  };
  return types[static_cast<int>(op)];
}

uint8_t tessera::tinytc::typesOf(CompareOp op) {
  static constexpr uint8_t types[] = {
#define TINYTC_COMPARE(name, seed, later, types) types,
#include "lang/tinytc/Operators.def"
  };
  return types[static_cast<int>(op)];
}

unsigned tessera::tinytc::numTransposes(BlasOp op) {
  static constexpr unsigned numbers[] = {
#define TINYTC_BLAS(name, text, transposes, inputs) transposes,
#include "lang/tinytc/Operators.def"
  };
  return numbers[static_cast<int>(op)];
}

unsigned tessera::tinytc::numInputs(BlasOp op) {
  static constexpr unsigned numbers[] = {
#define TINYTC_BLAS(name, text, transposes, inputs) inputs,
#include "lang/tinytc/Operators.def"
  };
  return numbers[static_cast<int>(op)];
}

StringRef tessera::tinytc::describe(Literal::Kind kind) {
  static constexpr const char *texts[] = {"a boolean", "an integer", "a floating-point number",
                                          "a complex number"};
  return texts[kind];
}

StringRef tessera::tinytc::describe(Attr::Kind kind) {
  static constexpr const char *texts[] = {"a boolean", "an integer", "a string", "an array",
                                          "a dictionary"};
  return texts[kind];
}

/// As many digits as are needed, with a point or an exponent, so that it is not an integer.
static std::string spellFloat(double value) {
  llvm::SmallString<32> text;
  llvm::APFloat(value).toString(text, /*FormatPrecision=*/17, /*FormatMaxPadding=*/3);
  for (unsigned digits = 1; digits < 17; ++digits) {
    llvm::SmallString<32> shorter;
    llvm::APFloat(value).toString(shorter, digits, 3);
    if (llvm::APFloat(llvm::APFloat::IEEEdouble(), shorter).convertToDouble() == value) {
      text = shorter;
      break;
    }
  }
  bool isFloat = StringRef(text).find_first_of(".eE") != StringRef::npos;
  return (text + (isFloat ? "" : ".0")).str();
}

std::string tessera::tinytc::spelling(const Literal &literal) {
  switch (literal.kind) {
  case Literal::Bool:
    return literal.isTrue() ? "true" : "false";
  case Literal::Integer:
    return std::to_string(literal.integer);
  case Literal::Float:
    return spellFloat(literal.real);
  case Literal::Complex:
    return "[" + spellFloat(literal.real) + "," + spellFloat(literal.imag) + "]";
  }
  llvm_unreachable("no such constant");
}

const Attr *Attr::find(StringRef name) const {
  for (const NamedAttr &entry : entries)
    if (entry.name.text == name)
      return &entry.value;
  return nullptr;
}

std::string tessera::tinytc::spelling(const Attr &attr) {
  switch (attr.kind) {
  case Attr::Bool:
    return attr.integer ? "true" : "false";
  case Attr::Integer:
    return std::to_string(attr.integer);
  case Attr::String:
    return ("\"" + attr.text + "\"").str();
  case Attr::Array:
    return "[" +
           llvm::join(llvm::map_range(attr.elements, [](auto &e) { return spelling(e); }), ",") +
           "]";
  case Attr::Dictionary:
    break;
  }
  auto spell = [](const NamedAttr &entry) {
    StringRef quote = entry.isQuoted ? "\"" : "";
    return (quote + entry.name.text + quote + "=" + spelling(entry.value)).str();
  };
  return "{" + llvm::join(llvm::map_range(attr.entries, spell), ",") + "}";
}

//===-- Instructions ------------------------------------------------------===//

namespace {

StringRef spelling(CheckedFlag flag) {
  static constexpr const char *texts[] = {"", ".rows_checked", ".cols_checked", ".both_checked"};
  return texts[static_cast<int>(flag)];
}

StringRef spelling(StoreFlag flag) {
  static constexpr const char *texts[] = {"", ".atomic", ".atomic_add"};
  return texts[static_cast<int>(flag)];
}

StringRef transpose(bool isTransposed) {
  return isTransposed ? ".t" : ".n";
}

struct InstNames {
  std::string operator()(const Alloca &) { return "alloca"; }
  std::string operator()(const Blas &blas) {
    std::string text = tessera::tinytc::spelling(blas.op).str();
    for (unsigned i = 0; i < numTransposes(blas.op); ++i)
      text += transpose(blas.isTransposed[i]);
    return text + (blas.isAtomic ? ".atomic" : "");
  }
  std::string operator()(const Foreach &) { return "foreach"; }
  std::string operator()(const Parallel &) { return "parallel"; }
  std::string operator()(const LifetimeStop &) { return "lifetime_stop"; }
  std::string operator()(const Binary &binary) {
    return tessera::tinytc::spelling(binary.op).str();
  }
  std::string operator()(const Unary &unary) { return tessera::tinytc::spelling(unary.op).str(); }
  std::string operator()(const Cast &) { return "cast"; }
  std::string operator()(const Compare &compare) {
    return tessera::tinytc::spelling(compare.op).str();
  }
  std::string operator()(const Constant &) { return "constant"; }
  std::string operator()(const Barrier &barrier) {
    return std::string("barrier") + (barrier.isGlobal ? ".global" : "") +
           (barrier.isLocal ? ".local" : "");
  }
  /// The seed description has no axes.
  std::string operator()(const Builtin &builtin) {
    static constexpr const char *names[] = {"group_id",      "group_size",  "num_subgroups",
                                            "subgroup_size", "subgroup_id", "subgroup_local_id"};
    static constexpr const char *axes[] = {".x", ".y", ".z", ""};
    bool isAxis = builtin.axis != Builtin::Linear;
    StringRef name =
        isAxis && builtin.kind == Builtin::NumGroups ? "num_groups" : names[builtin.kind];
    return ((isAxis ? "" : "builtin.") + name + axes[builtin.axis]).str();
  }
  std::string operator()(const Expand &) { return "expand"; }
  std::string operator()(const Fuse &) { return "fuse"; }
  std::string operator()(const For &) { return "for"; }
  std::string operator()(const If &) { return "if"; }
  std::string operator()(const Load &) { return "load"; }
  std::string operator()(const Size &) { return "size"; }
  std::string operator()(const Subview &) { return "subview"; }
  std::string operator()(const Store &store) {
    return store.type ? "atomic_add" : ("store" + ::spelling(store.flag)).str();
  }
  std::string operator()(const Yield &) { return "yield"; }
  std::string operator()(const CoopLoad &load) {
    return ("cooperative_matrix_load" + transpose(load.isTransposed) + ::spelling(load.checked))
        .str();
  }
  std::string operator()(const CoopMulAdd &) { return "cooperative_matrix_mul_add"; }
  std::string operator()(const CoopScale &) { return "cooperative_matrix_scale"; }
  std::string operator()(const CoopStore &store) {
    StringRef name = store.type ? "cooperative_matrix_atomic_add" : "cooperative_matrix_store";
    StringRef flag = store.type ? "" : ::spelling(store.flag);
    return (name + (store.isTransposed ? ".t" : "") + ::spelling(store.checked) + flag).str();
  }
  std::string operator()(const Broadcast &) { return "subgroup_broadcast"; }
  std::string operator()(const SubgroupOp &op) {
    static constexpr const char *ops[] = {"add", "max", "min"};
    static constexpr const char *forms[] = {".exclusive_scan", ".inclusive_scan", ".reduce"};
    return std::string("subgroup_") + ops[op.op] + forms[op.form];
  }
  std::string operator()(const Broken &) { return ""; }
};

struct InstClasses {
  template <typename T> InstClass operator()(const T &) { return InstClass::Mixed; }
  InstClass operator()(const Alloca &) { return InstClass::Collective; }
  InstClass operator()(const Blas &) { return InstClass::Collective; }
  InstClass operator()(const Foreach &) { return InstClass::Collective; }
  InstClass operator()(const Parallel &) { return InstClass::Collective; }
  InstClass operator()(const LifetimeStop &) { return InstClass::Collective; }
  InstClass operator()(const Builtin &builtin) {
    bool isSpmd = builtin.kind >= Builtin::SubgroupId;
    return isSpmd ? InstClass::Spmd : InstClass::Mixed;
  }
  InstClass operator()(const CoopLoad &) { return InstClass::Spmd; }
  InstClass operator()(const CoopMulAdd &) { return InstClass::Spmd; }
  InstClass operator()(const CoopScale &) { return InstClass::Spmd; }
  InstClass operator()(const CoopStore &) { return InstClass::Spmd; }
  InstClass operator()(const Broadcast &) { return InstClass::Spmd; }
  InstClass operator()(const SubgroupOp &) { return InstClass::Spmd; }
};

} // namespace

std::string tessera::tinytc::spelling(const Inst &inst) {
  return std::visit(InstNames(), inst.node);
}

InstClass tessera::tinytc::classOf(const Inst &inst) {
  return std::visit(InstClasses(), inst.node);
}

//===-- Programs ----------------------------------------------------------===//

std::string tessera::tinytc::declaration(const Function &function) {
  auto spell = [](const Value *parameter) {
    std::string text = (parameter->name.text + ": " + spelling(*parameter->type)).str();
    return parameter->attributes ? text + " " + spelling(*parameter->attributes) : text;
  };
  std::string attributes =
      function.attributes ? " attributes " + spelling(*function.attributes) : "";
  return ("func " + function.name.text + "(").str() +
         llvm::join(llvm::map_range(function.parameters, spell), ", ") + ")" + attributes;
}

std::string Program::excerpt(SourceRange range) const {
  static constexpr size_t maxLength = 60;
  llvm::SmallVector<StringRef> words;
  for (StringRef line : llvm::split(file->text(range), '\n'))
    llvm::SplitString(line.split(';').first, words);
  std::string joined = escaped(llvm::join(words, " "));
  return joined.size() <= maxLength ? joined : joined.substr(0, maxLength) + "...";
}
