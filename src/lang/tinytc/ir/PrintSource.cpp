#include "lang/tinytc/ir/PrintSource.h"
#include "lang/tinytc/PrintTree.h"
#include "lang/tinytc/ir/Raise.h"

using namespace tessera;

/// Raises the dialect to a tree, because only trees are printed as source text.
void tinytc::ir::printSource(mlir::ModuleOp module, llvm::raw_ostream &out) {
  SourceFile file("", "");
  Program program;
  program.file = &file;
  Raising(program).run(module);
  printTree(program, out);
}
