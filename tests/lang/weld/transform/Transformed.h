/// A Weld program after passes, as source, for tests.
#ifndef TESSERA_TESTS_LANG_WELD_TRANSFORM_TRANSFORMED_H
#define TESSERA_TESTS_LANG_WELD_TRANSFORM_TRANSFORMED_H

#include "../Checked.h"
#include "lang/weld/Lower.h"
#include "lang/weld/ir/PrintSource.h"
#include "lang/weld/transform/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gmock/gmock.h"

namespace tessera::weld {

class TransformTest : public testing::Test {
protected:
  using AddPasses = void (*)(mlir::OpPassManager &);

  /// Canonicalizes first: structs that are taken apart again hide what passes look for.
  static void canonicalize(mlir::OpPassManager &pm) {
    pm.addPass(mlir::createCanonicalizerPass());
    pm.addPass(mlir::createCSEPass());
  }

  /// The transformed program, which the checker accepts with the same type.
  std::string transformed(llvm::StringRef text, AddPasses addPasses) {
    CheckedProgram checked(text);
    EXPECT_TRUE(checked.isCorrect) << checked.messages();
    module = lowerToDialect(*checked.program, context);
    mlir::PassManager pm(&context);
    mlir::OpPassManager &function = pm.nest<mlir::func::FuncOp>();
    canonicalize(function);
    addPasses(function);
    canonicalize(function);
    EXPECT_TRUE(succeeded(pm.run(*module)));
    std::string source;
    llvm::raw_string_ostream out(source);
    ir::printSource(*module, out);
    EXPECT_EQ(typeOf(source), checked.type()) << source;
    return source;
  }

  bool changes(llvm::StringRef text, AddPasses addPasses) {
    std::string before = transformed(text, [](mlir::OpPassManager &) {});
    return transformed(text, addPasses) != before;
  }

  /// How often a word occurs in the program after the passes.
  size_t count(llvm::StringRef word, llvm::StringRef text, AddPasses addPasses) {
    return llvm::StringRef(transformed(text, addPasses)).count(word);
  }

  std::string asText() {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tessera::weld

#endif
