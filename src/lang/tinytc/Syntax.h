/// tinytc's tokens and syntax tree: plain structs in the program's arena. The parser builds the
/// tree and expands variables of the preprocessor; the checker resolves names and finds the kind of
/// each region.
#ifndef TESSERA_LANG_TINYTC_SYNTAX_H
#define TESSERA_LANG_TINYTC_SYNTAX_H

#include "lang/Language.h"
#include "lang/tinytc/Types.h"
#include <variant>

namespace tessera::tinytc {

enum class Tok : uint8_t {
#define TINYTC_TOKEN(name, text) name,
#include "lang/tinytc/Tokens.def"
};

struct Token {
  Tok kind = Tok::End;
  SourceRange range = {};
};

enum class BinaryOp : uint8_t {
#define TINYTC_BINARY(name, text, types) name,
#include "lang/tinytc/Operators.def"
};
enum class UnaryOp : uint8_t {
#define TINYTC_UNARY(name, seed, later, types) name,
#include "lang/tinytc/Operators.def"
};
enum class CompareOp : uint8_t {
#define TINYTC_COMPARE(name, seed, later, types) name,
#include "lang/tinytc/Operators.def"
};
enum class BlasOp : uint8_t {
#define TINYTC_BLAS(name, text, transposes, inputs) name,
#include "lang/tinytc/Operators.def"
};
/// Sets of types, for the tables.
enum TypeClass : uint8_t { Bool = 1, Integer = 2, Float = 4, Complex = 8, Coop = 16 };

llvm::StringRef spelling(BinaryOp);  // "arith.add"
llvm::StringRef spelling(UnaryOp);   // "math.exp"
llvm::StringRef spelling(CompareOp); // "cmp.lt"
llvm::StringRef spelling(BlasOp);    // "gemm"
uint8_t typesOf(BinaryOp);
uint8_t typesOf(UnaryOp);
uint8_t typesOf(CompareOp);
unsigned numTransposes(BlasOp);
unsigned numInputs(BlasOp);

struct Inst;

struct Name {
  llvm::StringRef text; ///< Including `%`, `@` or `$`.
  SourceRange range = {};
};

/// A constant as written.
struct Literal {
  enum Kind : uint8_t { Bool, Integer, Float, Complex };
  Kind kind = Integer;
  int64_t integer = 0;       ///< For an integer; 0 or 1 for a bool.
  double real = 0, imag = 0; ///< From C's strtod; not rounded to a type yet.
  bool isTrue() const { return integer != 0; }
};
/// "an integer", "a floating-point number"
llvm::StringRef describe(Literal::Kind kind);
/// As a program writes it; reads back as the same value.
std::string spelling(const Literal &);

struct NamedAttr;
/// An attribute as written.
struct Attr {
  enum Kind : uint8_t { Bool, Integer, String, Array, Dictionary };
  Kind kind = Dictionary;
  SourceRange range = {};
  int64_t integer = 0;       ///< For an integer; 0 or 1 for a bool.
  llvm::StringRef text = {}; ///< For a string, without quotes.
  llvm::ArrayRef<Attr> elements = {};
  llvm::ArrayRef<NamedAttr> entries = {};

  /// The entry of a dictionary; null if there is none.
  const Attr *find(llvm::StringRef name) const;
};
struct NamedAttr {
  Name name; ///< Without quotes.
  bool isQuoted;
  Attr value;
};
/// Whether a name needs no quotes.
bool isAttributeName(llvm::StringRef name);
llvm::StringRef describe(Attr::Kind kind);
std::string spelling(const Attr &);

/// A value of the program. Uses refer to the object, because other regions may reuse its name.
struct Value {
  Name name;
  const Type *type = nullptr;
  /// The instruction that defines the value, or whose loop variable it is; null for a parameter.
  const Inst *inst = nullptr;
  /// The value, if known: `constant` for constants and their casts, `folded` also for what is
  /// computed from them.
  const Literal *constant = nullptr, *folded = nullptr;
  const Attr *attributes =
      nullptr;         ///< For a parameter or a member loaded from a group; may be null.
  unsigned number = 0; ///< Unique in its function.
  /// For the result of an `alloca`: the last use of it or of a view of it, or 0. Set by the
  /// checker.
  uint32_t lastUse = 0;
};

/// The operand of an instruction: a name or, in version 0.3 and where the grammar allows it, a
/// number.
struct Operand {
  SourceRange range = {};
  llvm::StringRef name = {};        ///< "" for a number.
  const Literal *literal = nullptr; ///< For a number.
  Value *value = nullptr;           ///< For a name; set by the checker.
  const Type *type = nullptr;       ///< Set by the checker.
};

/// An integer that must be known.
struct Number {
  int64_t value = 0;
  SourceRange range = {};
};
/// A type as written.
struct TypeRef {
  const Type *type = nullptr;
  SourceRange range = {};
};

/// Whether a region runs once for the work-group, or once for each work-item. `for` and `if` take
/// the kind of the region around them [tinytc.region.5].
enum class RegionKind : uint8_t { Collective, Spmd };

struct Region {
  SourceRange range = {};
  llvm::ArrayRef<Inst *> body = {};
  RegionKind kind = RegionKind::Collective; ///< Set by the checker.
};

enum class CheckedFlag : uint8_t { None, Rows, Columns, Both };
enum class StoreFlag : uint8_t { None, Atomic, AtomicAdd };

// Collective instructions.
struct Alloca {
  const Attr *attributes = nullptr; ///< May be null.
  TypeRef type = {};
};
/// `gemm.n.t.atomic %alpha, %A, %B, %beta, %C` and the others of Operators.def.
struct Blas {
  BlasOp op;
  bool isTransposed[2] = {false, false};
  bool isAtomic = false;
  Operand alpha = {};
  llvm::MutableArrayRef<Operand> inputs = {}; ///< As many as the table says.
  Number mode = {};                           ///< Of `cumsum`.
  Operand beta = {}, output = {};
};
struct Foreach {
  llvm::ArrayRef<Value *> variables = {};
  TypeRef type = {}; ///< Its type is null if it is not written.
  llvm::MutableArrayRef<Operand> from = {}, to = {};
  Region *body;
};
struct Parallel {
  Region *body;
};
struct LifetimeStop {
  Operand operand = {};
  bool isEarly = false; ///< The tensor is used after it, so it has no effect. Set by the checker.
};

// Mixed instructions.
struct Binary {
  BinaryOp op;
  Operand lhs = {}, rhs = {};
  TypeRef type = {};
};
/// `arith.neg`, `math.exp`...
struct Unary {
  UnaryOp op;
  Operand operand = {};
  TypeRef type = {};
};
struct Cast {
  Operand operand = {};
  TypeRef type = {};
};
struct Compare {
  CompareOp op;
  Operand lhs = {}, rhs = {};
  TypeRef type = {}; ///< In version 0.3, the type of the operands.
};
struct Constant {
  const Literal *literal;
  SourceRange literalRange = {};
  TypeRef type = {};
};
struct Barrier {
  bool isGlobal = false, isLocal = false;
};
/// With an axis in version 0.4; linear in the seed description.
struct Builtin {
  enum Kind : uint8_t {
    GroupId,
    NumGroups,
    NumSubgroups,
    SubgroupSize,
    SubgroupId,
    SubgroupLocalId
  };
  enum Axis : uint8_t { X, Y, Z, Linear };
  Kind kind;
  Axis axis = Linear;
  TypeRef type = {};
};
struct Expand {
  Operand operand = {};
  Number mode = {};
  llvm::MutableArrayRef<Operand> factors = {}; ///< Names or numbers.
  TypeRef type = {};
};
struct Fuse {
  Operand operand = {};
  Number from = {}, to = {};
  TypeRef type = {};
};
struct Carried {
  Value *value; ///< In the body.
  Operand initial = {};
};
struct For {
  Value *variable;
  TypeRef type = {}; ///< Its type is null if it is not written.
  Operand from = {}, to = {};
  std::optional<Operand> step;
  llvm::MutableArrayRef<Carried> carried = {};
  llvm::ArrayRef<TypeRef> types = {}; ///< One for each carried value.
  Region *body;
  const Attr *attributes = nullptr; ///< May be null.
};
struct If {
  Operand condition = {};
  llvm::ArrayRef<TypeRef> types = {};
  Region *thenRegion;
  Region *elseRegion = nullptr; ///< May be null.
};
struct Load {
  Operand operand = {};
  llvm::MutableArrayRef<Operand> indices = {};
  TypeRef type = {};
};
struct Size {
  Operand operand = {};
  Number mode = {};
  TypeRef type = {};
};
struct Slice {
  SourceRange range = {};
  bool isWhole = false; ///< `:`, as in version 0.3.
  Operand offset = {};
  std::optional<Operand> size; ///< Nothing or the number 0: the mode is removed.
};
struct Subview {
  Operand operand = {};
  llvm::MutableArrayRef<Slice> slices = {};
  TypeRef type = {};
};
struct Store {
  StoreFlag flag = StoreFlag::None;
  Operand value = {}, target = {};
  llvm::MutableArrayRef<Operand> indices = {};
  std::optional<TypeRef> type; ///< The result of version 0.4's `atomic_add`: the old value.
};
struct Yield {
  llvm::MutableArrayRef<Operand> values = {};
};

// SPMD instructions.
struct CoopLoad {
  bool isTransposed = false;
  CheckedFlag checked = CheckedFlag::None;
  Operand source = {}, row = {}, column = {};
  TypeRef type = {};
};
struct CoopMulAdd {
  Operand a = {}, b = {}, c = {};
  TypeRef type = {};
};
struct CoopScale {
  Operand scalar = {}, matrix = {};
  TypeRef type = {};
};
struct CoopStore {
  bool isTransposed = false;
  CheckedFlag checked = CheckedFlag::None;
  StoreFlag flag = StoreFlag::None;
  Operand matrix = {}, target = {}, row = {}, column = {};
  std::optional<TypeRef> type; ///< As of a store.
};
struct Broadcast {
  Operand value = {}, lane = {};
  TypeRef type = {};
};
struct SubgroupOp {
  enum Op : uint8_t { Add, Max, Min };
  enum Form : uint8_t { ExclusiveScan, InclusiveScan, Reduce };
  Op op;
  Form form;
  Operand operand = {};
  TypeRef type = {};
};

/// An instruction that could not be read; its results have the invalid type.
struct Broken {};

struct Inst {
  SourceRange range = {};     ///< With results, regions and attributes.
  SourceRange nameRange = {}; ///< With modifiers.
  std::variant<Alloca, Blas, Foreach, Parallel, LifetimeStop, Binary, Unary, Cast, Compare,
               Constant, Barrier, Builtin, Expand, Fuse, For, If, Load, Size, Subview, Store, Yield,
               CoopLoad, CoopMulAdd, CoopScale, CoopStore, Broadcast, SubgroupOp, Broken>
      node;
  /// As many as are written; their types are set by the checker. Results of `if` and `for` may all
  /// be left out.
  llvm::ArrayRef<Value *> results = {};

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
};
/// The name of the instruction with its modifiers, in the spelling of the seed description.
std::string spelling(const Inst &);

/// The kinds of regions in which an instruction is allowed.
enum class InstClass : uint8_t { Collective, Mixed, Spmd };
InstClass classOf(const Inst &);

struct Function {
  SourceRange range = {};
  Name name;
  llvm::ArrayRef<Value *> parameters = {};     ///< Types and attributes included.
  llvm::ArrayRef<SourceRange> typeRanges = {}; ///< One for each parameter.
  const Attr *attributes = nullptr;            ///< May be null.
  Region *body;
  llvm::ArrayRef<SourceRange> skipped = {}; ///< The statements that could not be read.
  // Set by the checker.
  int64_t subgroupSize = 0;
  int64_t workGroupSize[2] = {0, 0};

  int64_t numSubgroups() const { return workGroupSize[0] * workGroupSize[1] / subgroupSize; }
};

/// `$name = ...`, in the file or on the command line.
struct Definition {
  Name name;
  const SourceFile *file;
  SourceRange range = {};                                          ///< All of it.
  std::variant<std::monostate, Literal, Attr, const Type *> value; ///< monostate if it is in error.
};
/// A use of a variable.
struct Expansion {
  SourceRange range = {};
  const Definition *definition;
};

/// A file, and the arena for everything in it.
struct Program {
  const SourceFile *file = nullptr;
  llvm::BumpPtrAllocator arena;
  TypeTable types;
  std::vector<Function *> functions;
  std::vector<Definition *> definitions;
  std::vector<Expansion> expansions;                    ///< By position.
  std::vector<std::unique_ptr<SourceFile>> commandLine; ///< One for each `-D`.
  /// Where lines begin in the formatted text: functions, instructions and definitions, by position.
  std::vector<uint32_t> lineStarts;
  /// The braces of regions: each opening one, and, once it is known, its partner.
  std::vector<uint32_t> regionBraces;
  bool hasSyntaxErrors = false;

  /// A part of the text for a message: on one line, without comments, and cut if it is too long.
  std::string excerpt(SourceRange range) const;

  template <typename T> T *make(T value) { return new (arena.Allocate<T>()) T(std::move(value)); }
  template <typename T> llvm::MutableArrayRef<T> keep(llvm::ArrayRef<T> values) {
    return values.copy(arena);
  }
};

/// "func @f(%a: f32, %b: memref<f32x4>)": as `check` prints it.
std::string declaration(const Function &);

} // namespace tessera::tinytc

#endif
