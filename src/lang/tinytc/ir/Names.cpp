#include "lang/tinytc/ir/Names.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera::tinytc::ir;
namespace ir = tessera::tinytc::ir;

static bool isNumber(StringRef name) {
  return !name.empty() && llvm::all_of(name, llvm::isDigit);
}

static bool isName(StringRef name) {
  return isNumber(name) ||
         (!name.empty() && llvm::isAlpha(name.front()) &&
          llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }));
}

SmallVector<StringRef> ir::namesAt(Location loc, unsigned numValues) {
  SmallVector<StringRef> names;
  if (auto named = dyn_cast<NameLoc>(loc))
    named.getName().getValue().split(names, ',');
  if (names.size() != numValues || !llvm::all_of(names, isName))
    names.assign(numValues, "");
  return names;
}

Names::Names(Operation *function) {
  auto add = [&](ArrayRef<StringRef> names) {
    for (StringRef name : names)
      wishes.insert(name);
  };
  function->walk([&](Operation *op) { add(namesAt(op->getLoc(), op->getNumResults())); });
  function->walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      add(namesAt(argument.getLoc(), 1));
  });
  enter();
}

std::string Names::unused(StringRef wanted) {
  if (!wanted.empty() && !visible.contains(wanted))
    return wanted.str();
  bool isNamed = !wanted.empty() && !isNumber(wanted);
  std::string prefix = isNamed ? (wanted + "_").str() : "";
  for (unsigned number = isNamed ? 1 : 0;; ++number)
    if (std::string name = prefix + std::to_string(number);
        !visible.contains(name) && !wishes.contains(name))
      return name;
}

std::string Names::bind(StringRef wanted) {
  std::string name = unused(wanted);
  visible.insert(name);
  scopes.back().push_back(name);
  return name;
}

void Names::leave() {
  for (const std::string &name : scopes.pop_back_val())
    visible.erase(name);
}
