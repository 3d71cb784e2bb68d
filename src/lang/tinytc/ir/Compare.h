/// The result of comparing two known numbers.
#ifndef TESSERA_LANG_TINYTC_IR_COMPARE_H
#define TESSERA_LANG_TINYTC_IR_COMPARE_H

#include "lang/tinytc/ir/Dialect.h"

namespace tessera::tinytc::ir {

template <typename T> bool compareAs(Compare function, const T &left, const T &right) {
  switch (function) {
  case Compare::Equal:
    return left == right;
  case Compare::NotEqual:
    return left != right;
  case Compare::Greater:
    return left > right;
  case Compare::GreaterEqual:
    return left >= right;
  case Compare::Less:
    return left < right;
  case Compare::LessEqual:
    return left <= right;
  }
  llvm_unreachable("no such function");
}

} // namespace tessera::tinytc::ir

#endif
