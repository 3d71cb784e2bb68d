/// Constant tables and exported C functions: shared by all forms of entries.
#ifndef TESSERA_BACKEND_CPU_ENTRYDATA_H
#define TESSERA_BACKEND_CPU_ENTRYDATA_H

#include "core/Entry.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace tessera::cpu {

/// Builds constant structs in C layout.
class EntryData {
public:
  explicit EntryData(llvm::Module &code);

  llvm::Constant *number32(int64_t value) { return llvm::ConstantInt::getSigned(i32, value); }
  llvm::Constant *number64(int64_t value) { return llvm::ConstantInt::getSigned(i64, value); }
  llvm::Constant *numbers64(llvm::ArrayRef<int64_t> values);
  llvm::Constant *null() { return llvm::ConstantPointerNull::get(pointer); }
  llvm::Constant *text(llvm::StringRef value);
  llvm::Constant *record(llvm::ArrayRef<llvm::Constant *> fields);
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> rows);
  llvm::GlobalVariable *
  keep(llvm::Constant *value, const llvm::Twine &name,
       llvm::GlobalValue::LinkageTypes linkage = llvm::GlobalValue::PrivateLinkage);

  /// struct tessera_site
  llvm::Constant *site(mlir::DictionaryAttr row);
  /// The source position of an entry's function; null if unknown.
  llvm::Constant *place(mlir::DictionaryAttr entry);
  /// struct tessera_dtype as 32 bits: DLPack's code, the number of bits, one lane.
  llvm::Constant *dtype(core::ElementType element, bool isComplex = false);
  llvm::Constant *dtype(llvm::StringRef element);

  llvm::Module &code;
  llvm::PointerType *pointer;
  llvm::IntegerType *i64, *i32;
};

llvm::StringRef textOf(mlir::DictionaryAttr row, llvm::StringRef key);
/// 0 if the key is missing.
int64_t numberOf(mlir::DictionaryAttr row, llvm::StringRef key);

/// Callers call these before the processor is checked, so they must run on any.
void compileForAnyCpu(llvm::Function *function);
/// Declares a function that C code can call by this name.
llvm::Function *addCFunction(EntryData &data, llvm::StringRef name, llvm::FunctionType *type);

} // namespace tessera::cpu

#endif
