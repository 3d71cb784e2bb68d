/// What a Size points to. Private to the files Size*.cpp.
#ifndef TESSERA_LANG_TC_SIZENODE_H
#define TESSERA_LANG_TC_SIZENODE_H

#include "lang/tc/Size.h"
#include "llvm/ADT/FoldingSet.h"

namespace tessera::tc {

/// The values that an expression can have; nullopt for an end that is not bounded.
struct Interval {
  std::optional<int64_t> lower, upper;
};

class SizeNode : public llvm::FoldingSetNode {
public:
  Size::Kind kind = Size::Constant;
  int64_t value = 0; ///< A constant, a sum's offset, or a symbol's number.
  llvm::ArrayRef<Size::Term> terms;
  llvm::ArrayRef<Size> operands;
  // What follows is derived.
  unsigned id = 0; ///< In the order of creation, so that the order of terms is stable.
  unsigned depth = 1;
  llvm::StringRef name; ///< For a symbol.
  Interval interval;

  static SizeNode make(Size::Kind kind, int64_t value, llvm::ArrayRef<Size::Term> terms,
                       llvm::ArrayRef<Size> operands) {
    SizeNode node;
    node.kind = kind;
    node.value = value;
    node.terms = terms;
    node.operands = operands;
    return node;
  }
  void Profile(llvm::FoldingSetNodeID &key) const;
};

/// From the operands' intervals; not of constants and symbols.
Interval intervalOf(const SizeNode &node);

} // namespace tessera::tc

#endif
