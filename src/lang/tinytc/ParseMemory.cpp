#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// "[" [ operands ] "]"
llvm::MutableArrayRef<Operand> Parser::parseIndices() {
  expect(Tok::LBracket);
  return isRecovering ? llvm::MutableArrayRef<Operand>() : parseOperands(Tok::RBracket);
}

/// load = "load" operand indices ":" type
Parser::Node Parser::parseLoad() {
  Load load;
  load.operand = parseNextOperand(0, 1, "tensor");
  load.indices = parseIndices();
  load.type = parseResultType();
  return load;
}

/// Atomics of version 0.4 may name a scope and an order; here they are relaxed and apply to all
/// work-groups.
void Parser::skipMemoryOrder(Head &head) {
  acceptOneOf(head, {".cross_device", ".device", ".work_group", ".subgroup"});
  acceptOneOf(head,
              {".relaxed", ".acquire", ".release", ".acquire_release", ".sequentially_consistent"});
}

StoreFlag Parser::parseStoreFlag(Head &head) {
  std::optional<size_t> flag = acceptOneOf(head, {".atomic_add", ".atomic"});
  if (!flag)
    return StoreFlag::None;
  bool isAdd = head.next < head.modifiers.size() && text(head.modifiers[head.next]) == ".add";
  if (*flag == 0 || !isAdd)
    return *flag == 0 ? StoreFlag::AtomicAdd : StoreFlag::Atomic;
  const Token &add = head.modifiers[head.next++];
  complain(add.range, diag::UnknownModifier, text(head.word) + ".atomic", text(add))
      .fix(head.modifiers[head.next - 2].range.upTo(add.range), ".atomic_add");
  return StoreFlag::AtomicAdd;
}

/// store = ( "store" [ flag ] | "atomic_store" | "atomic_add" ) operand "," operand indices [ ":"
/// type ]
Parser::Node Parser::parseStore(Head &head, std::optional<StoreFlag> later) {
  Store store;
  if (later) {
    reporter.later(head.word.range, "the name `" + text(head.word) + "`");
    skipMemoryOrder(head);
  }
  store.flag = later ? *later : parseStoreFlag(head);
  finishModifiers(head);
  store.value = parseNextOperand(0, 2, "value, tensor");
  if (isAt(Tok::LBracket))
    failExpected(describe(Tok::Comma)).hint("write `store %value, %tensor[...]`");
  store.target = parseNextOperand(1, 2, "value, tensor");
  store.indices = parseIndices();
  if (later == StoreFlag::AtomicAdd && !head.results.empty())
    store.type = parseResultType();
  return store;
}

/// size = "size" operand "[" integer "]" ":" type
Parser::Node Parser::parseSize() {
  Size size;
  size.operand = parseNextOperand(0, 1, "tensor");
  expect(Tok::LBracket);
  size.mode = parseInteger();
  expect(Tok::RBracket);
  size.type = parseResultType();
  return size;
}

/// slice = index [ ":" index ]; version 0.3 has ":" for the whole mode.
Slice Parser::parseSlice() {
  Slice slice;
  slice.range = peek().range;
  if (isAt(Tok::Colon) && !isRecovering) {
    reporter.fossil(take().range, "`:` for a whole mode");
    slice.isWhole = true;
    return slice;
  }
  slice.offset = parseIntegerOperand();
  if (accept(Tok::Colon))
    slice.size = parseIntegerOperand();
  slice.range = since(slice.range);
  return slice;
}

/// subview = "subview" operand "[" [ slice { "," slice } ] "]" ":" type
Parser::Node Parser::parseSubview() {
  Subview view;
  view.operand = parseOperand();
  expect(Tok::LBracket);
  SmallVector<Slice> slices;
  if (!isRecovering)
    parseList(Tok::RBracket, [&] { slices.push_back(parseSlice()); });
  view.slices = program.keep<Slice>(slices);
  view.type = parseResultType();
  return view;
}

/// expand = "expand" operand "[" integer "->" index { "x" index } "]" ":" type
Parser::Node Parser::parseExpand() {
  Expand expand;
  expand.operand = parseOperand();
  expect(Tok::LBracket);
  expand.mode = parseInteger();
  expect(Tok::Arrow);
  SmallVector<Operand> factors;
  do
    factors.push_back(parseIntegerOperand());
  while (accept(Tok::Times));
  expand.factors = program.keep<Operand>(factors);
  expect(Tok::RBracket);
  expand.type = parseResultType();
  return expand;
}

/// fuse = "fuse" operand "[" integer "," integer "]" ":" type
Parser::Node Parser::parseFuse() {
  Fuse fuse;
  fuse.operand = parseOperand();
  expect(Tok::LBracket);
  fuse.from = parseInteger();
  expect(Tok::Comma);
  fuse.to = parseInteger();
  expect(Tok::RBracket);
  fuse.type = parseResultType();
  return fuse;
}

Parser::Node Parser::parseLifetimeStop() {
  return LifetimeStop{parseNextOperand(0, 1)};
}
