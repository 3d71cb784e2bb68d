/// Checks the meaning of a program: names, types, kinds of regions, and every restriction.
#ifndef TESSERA_LANG_TINYTC_CHECK_H
#define TESSERA_LANG_TINYTC_CHECK_H

#include "lang/tinytc/Reporter.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tessera::tinytc {

/// Returns whether the program is correct; if so, everything that Syntax.h leaves to the checker is
/// set.
bool check(Program &program, const LanguageOptions &options, DiagnosticEngine &diagnostics);

/// Warns of work-items of a correct program that diverge where they must not.
void warnOfDivergence(Program &program, const LanguageOptions &options,
                      DiagnosticEngine &diagnostics);

/// Functions and regions in Check.cpp, attributes in CheckAttr.cpp, the others by construct.
class Checker {
public:
  Checker(Program &program, const LanguageOptions &options, DiagnosticEngine &diagnostics)
      : program(program), types(program.types), reporter(program, options, diagnostics) {}

  bool run();

private:
  /// A restriction on the type of an operand.
  struct Role {
    Inst &inst;
    llvm::StringRef name; ///< "the index", "alpha"
  };

  // Check.cpp
  void checkFunction(Function &function);
  void checkParameter(Value &parameter, SourceRange typeRange);
  /// `types` are those of the values of its `yield`, if it may have one.
  void checkRegion(Region *region, RegionKind kind,
                   std::optional<llvm::ArrayRef<TypeRef>> types = std::nullopt);
  void checkLocalMemory(const Function &function);
  void checkInst(Inst &inst);
  void checkPlace(const Inst &inst);
  void bind(Value *value);
  void bindResults(Inst &inst);
  void setResult(Inst &inst, const TypeRef &type);
  /// Sets a type in error, so that uses of the result report nothing.
  void hideResult(Inst &inst);
  using Suits = llvm::function_ref<bool(const Type &)>;
  /// Finds the value; a literal takes the type `wanted`, unless that is null. If there is no such
  /// value, a similar name is suggested if its type suits.
  const Type *resolve(Operand &operand, const Type *wanted, Suits suits);
  const Type *resolve(Operand &operand) {
    return resolve(operand, nullptr, [](const Type &) { return true; });
  }
  void reportUndefined(const Operand &operand, Suits suits);
  /// Whether a statement that could not be read has the name, so that it may define it.
  bool isInSkipped(llvm::StringRef name) const;
  void noteUse(const Operand &operand);
  void collectDefinitions(const Region *region);
  /// Null if no scope has the name.
  Value *lookUp(llvm::StringRef name) const;
  bool fits(const Literal &literal, SourceRange range, const Type &type);
  const Literal *constantOf(const Operand &operand) const;
  const Literal *foldedOf(const Operand &operand) const;

  // Shared restrictions. Types in error satisfy all of them.
  bool wantsMemref(Operand &operand, Role role);
  bool wantsCoop(Operand &operand, Role role);
  bool wantsScalar(Operand &operand, Role role, const Type *wanted = nullptr);
  bool wantsType(Operand &operand, Role role, const Type *wanted);
  void suggestCast(Report report, const Operand &operand, const Type &wanted, const Inst &inst);
  bool wantsIndices(llvm::MutableArrayRef<Operand> indices, Inst &inst);
  /// `isOnly`: the instruction can have no other type.
  bool wantsResult(const TypeRef &type, const Type *wanted, Inst &inst, bool isOnly = false);
  /// Reports the type of version 0.3 where the result's belongs.
  void rejectOperandType(const TypeRef &type, const Type *wanted, const Operand &operand,
                         Inst &inst);
  /// Suggests the text, as a fix only if it does not depend on a variable of the preprocessor,
  /// whose value may be another one next time. `source` is the value whose type decides; may be
  /// null.
  void suggestText(Report report, SourceRange range, llvm::StringRef text,
                   const Value *source = nullptr);
  bool hasVariables(SourceRange range) const;
  bool isTypedByVariable(const Value *value) const;
  /// Whether a variable of the preprocessor stands for a type anywhere.
  bool hasTypeVariables() const;
  /// Checks that a result type is a memref.
  bool isMemref(const TypeRef &type, Inst &inst);

  // CheckAttr.cpp
  void checkFunctionAttributes(Function &function);
  void checkSubgroupSize(Function &function);
  void checkWorkGroupSize(Function &function);
  void checkMemoryAttributes(const Attr &attributes, const Type &type);
  bool isAlignment(const Attr &alignment, const Type &type);
  void checkDivisors(const Attr &divisors, llvm::ArrayRef<int64_t> extents, llvm::StringRef what);
  void checkKnown(const Attr &attributes, llvm::ArrayRef<llvm::StringRef> names,
                  llvm::StringRef owner);
  bool isInteger(const Attr &attr, llvm::StringRef name);
  bool isIntegerArray(const Attr &attr, llvm::StringRef name);

  // CheckBlas.cpp
  void check(Alloca &alloca, Inst &inst);
  void fixSpace(Report report, SourceRange type);
  void check(LifetimeStop &stop, Inst &inst);
  void check(Blas &blas, Inst &inst);
  bool checkOrders(const Blas &blas, Inst &inst);
  void checkShapes(const Blas &blas, Inst &inst);
  void checkElementTypes(Blas &blas, Inst &inst);
  void checkAtomic(const Blas &blas, Inst &inst);
  void wantsPromotable(const Operand &operand, llvm::StringRef name, ScalarType to,
                       llvm::StringRef toName, Inst &inst);
  /// Warns of the one promotion in the table that loses precision [tinytc.promote.3].
  void warnIfInexact(SourceRange range, llvm::StringRef name, ScalarType from, ScalarType to);

  // CheckArith.cpp
  void check(Binary &binary, Inst &inst);
  void check(Unary &unary, Inst &inst);
  void check(Cast &cast, Inst &inst);
  void check(Compare &compare, Inst &inst);
  void check(Constant &constant, Inst &inst);
  bool takes(uint8_t types, const Type &type, const Operand &operand, Inst &inst);
  void reportDifferent(const Operand &lhs, const Operand &rhs, const Type &written,
                       const Inst &inst);
  void checkDivisor(const Binary &binary, Inst &inst);
  void fold(Inst &inst, const std::optional<Literal> &value);
  bool isCastable(ScalarType from, ScalarType to) const;

  // CheckControl.cpp
  void check(Foreach &loop, Inst &inst);
  void check(Parallel &parallel, Inst &inst);
  void check(For &loop, Inst &inst);
  void check(If &branch, Inst &inst);
  void check(Yield &yield, Inst &inst);
  void check(Barrier &barrier, Inst &inst);
  void check(Builtin &builtin, Inst &inst);
  const Type *loopType(const TypeRef &written, llvm::ArrayRef<Operand *> bounds, Inst &inst);
  void wantsBound(Operand &bound, const Type *type, const Operand *first, Inst &inst);
  void checkCarried(For &loop, Inst &inst);
  void checkUnroll(const For &loop);
  void wantsYield(const Region *region, llvm::ArrayRef<TypeRef> types, Inst &inst);
  void checkCarriedTypes(llvm::ArrayRef<TypeRef> types, Inst &inst);
  void checkSpmd(Region *region, const Inst &inst);

  // CheckMemory.cpp
  void check(Load &load, Inst &inst);
  void check(Store &store, Inst &inst);
  void check(Size &size, Inst &inst);

  // CheckView.cpp
  void check(Subview &view, Inst &inst);
  void check(Expand &expand, Inst &inst);
  void check(Fuse &fuse, Inst &inst);
  /// Compares the type with that of a view of the source with these sizes and strides.
  void wantsView(const Operand &operand, const TypeRef &result, llvm::ArrayRef<int64_t> shape,
                 llvm::ArrayRef<int64_t> strides, Inst &inst);
  std::optional<Report> reportView(const Type &source, const TypeRef &result,
                                   llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides,
                                   Inst &inst);
  /// The size of the mode that a slice leaves; nullopt if it removes the mode.
  std::optional<int64_t> checkSlice(Slice &slice, int64_t mode, Inst &inst);
  /// An integer that is not negative, or a value of type index.
  void wantsExtent(Operand &operand, llvm::StringRef name, Inst &inst);
  bool checkFactors(Expand &expand, int64_t mode, Inst &inst);
  bool isFusable(const Fuse &fuse, const Type &source);

  // CheckCoop.cpp
  void check(CoopLoad &load, Inst &inst);
  void check(CoopMulAdd &product, Inst &inst);
  void checkComponents(const CoopMulAdd &product, Inst &inst);
  void check(CoopScale &scale, Inst &inst);
  void check(CoopStore &store, Inst &inst);
  void check(Broadcast &broadcast, Inst &inst);
  void check(SubgroupOp &op, Inst &inst);
  void check(Broken &, Inst &) {}
  void checkMatrixMemory(Operand &memory, Operand &row, Operand &column, Inst &inst);
  void rejectCoopResult(const TypeRef &type, Inst &inst);
  void wantsComponent(const Operand &memory, const Type &matrix, SourceRange range, Inst &inst);

  template <typename... Ts>
  Report report(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    return reporter.report(range, kind, std::forward<Ts>(values)...);
  }

  Program &program;
  TypeTable &types;
  Reporter reporter;
  /// Visible values, innermost region last.
  std::vector<llvm::StringMap<Value *>> scopes;
  llvm::DenseMap<const Value *, LifetimeStop *>
      stops; ///< By the tensors whose lifetimes they stop.
  /// A definition in the function, whether it is visible or not.
  struct Place {
    SourceRange name;
    uint32_t from; ///< Where uses may begin.
  };
  llvm::StringMap<llvm::SmallVector<Place, 1>> places; ///< By name, in source order.
  llvm::StringSet<> suggested;                         ///< Names of suggested values.
  llvm::ArrayRef<SourceRange> skipped; ///< The function's statements that could not be read.
  RegionKind kind = RegionKind::Collective;
  SourceRange spmdStart; ///< The instruction that opened the SPMD region.
  std::optional<llvm::ArrayRef<TypeRef>>
      yieldTypes; ///< The types of the region's `yield`; nullopt if it has none.
  llvm::DenseMap<const Value *, SourceRange> parameterTypes; ///< As written.
  const Inst *current = nullptr;                             ///< The instruction being checked.
  unsigned numValues = 0, loopDepth = 0;
};

} // namespace tessera::tinytc

#endif
