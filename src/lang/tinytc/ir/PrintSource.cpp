#include "lang/tinytc/ir/PrintSource.h"
#include "lang/tinytc/PrintTree.h"
#include "lang/tinytc/ir/Raise.h"

using namespace tessera;

/// There is one way to write a tree down, so the dialect becomes one.
void tinytc::ir::printSource(mlir::ModuleOp module, llvm::raw_ostream &out) {
  SourceFile file("", "");
  Program program;
  program.file = &file;
  Raising(program).run(module);
  printTree(program, out);
}
