#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

CheckedFlag Parser::parseChecked(Head &head) {
  static constexpr CheckedFlag flags[] = {CheckedFlag::Rows, CheckedFlag::Columns,
                                          CheckedFlag::Both};
  std::optional<size_t> flag =
      acceptOneOf(head, {".rows_checked", ".cols_checked", ".both_checked"});
  return flag ? flags[*flag] : CheckedFlag::None;
}

/// "[" row "," column "]"
void Parser::parsePosition(Operand &row, Operand &column) {
  expect(Tok::LBracket);
  row = parseOperand();
  expect(Tok::Comma);
  column = parseOperand();
  expect(Tok::RBracket);
}

/// "cooperative_matrix_load" transpose [ checked ] operand position ":" type
Parser::Node Parser::parseCoopLoad(Head &head) {
  CoopLoad load;
  std::optional<size_t> letter = acceptOneOf(head, {".t", ".n"});
  load.isTransposed = letter == size_t(0);
  if (!letter)
    reporter.later(head.word.range, "`cooperative_matrix_load` without its transpose");
  load.checked = parseChecked(head);
  finishModifiers(head);
  load.source = parseOperand();
  parsePosition(load.row, load.column);
  load.type = parseResultType();
  return load;
}

/// "cooperative_matrix_store" [ transpose ] [ checked ] [ flag ] operand "," operand position
Parser::Node Parser::parseCoopStore(Head &head, std::optional<StoreFlag> later) {
  CoopStore store;
  if (later)
    reporter.later(head.word.range, "the name `" + text(head.word) + "`");
  std::optional<size_t> letter = acceptOneOf(head, {".t", ".n"});
  store.isTransposed = letter == size_t(0);
  if (letter)
    reporter.later(head.modifiers.front().range, "the transpose of a store");
  store.checked = parseChecked(head);
  if (later)
    skipMemoryOrder(head);
  store.flag = later ? *later : parseStoreFlag(head);
  finishModifiers(head);
  store.matrix = parseOperand();
  expect(Tok::Comma);
  store.target = parseOperand();
  parsePosition(store.row, store.column);
  if (later == StoreFlag::AtomicAdd && !head.results.empty())
    store.type = parseResultType();
  return store;
}

Parser::Node Parser::parseCoopMulAdd() {
  CoopMulAdd product;
  product.a = parseNextOperand(0, 3, "A, B, C");
  product.b = parseNextOperand(1, 3, "A, B, C");
  product.c = parseNextOperand(2, 3, "A, B, C");
  product.type = parseResultType();
  return product;
}

Parser::Node Parser::parseCoopScale() {
  CoopScale scale;
  scale.scalar = parseNextOperand(0, 2, "scalar, matrix");
  scale.matrix = parseNextOperand(1, 2, "scalar, matrix");
  scale.type = parseResultType();
  return scale;
}

Parser::Node Parser::parseBroadcast() {
  Broadcast broadcast;
  broadcast.value = parseNextOperand(0, 2, "value, lane");
  broadcast.lane = parseNextOperand(1, 2, "value, lane");
  broadcast.type = parseResultType();
  return broadcast;
}

/// "subgroup_add" ( ".exclusive_scan" | ".inclusive_scan" | ".reduce" ) operand ":" type
Parser::Node Parser::parseSubgroup(Head &head, SubgroupOp::Op op) {
  std::optional<size_t> form =
      acceptOneOf(head, {".exclusive_scan", ".inclusive_scan", ".reduce"}); // As in SubgroupOp.
  if (!form && head.modifiers.empty()) {
    fail(head.word.range, diag::SubgroupForm, text(head.word));
    return Broken();
  }
  finishModifiers(head);
  SubgroupOp node{op, form ? SubgroupOp::Form(*form) : SubgroupOp::Reduce};
  node.operand = parseOperand();
  node.type = parseResultType();
  return node;
}

/// `subgroup_reduce_add` and eight others: the names of version 0.4.
std::optional<Parser::Node> Parser::parseLaterSubgroup(Head &head, StringRef name) {
  for (auto [prefix, form] : {std::pair("exclusive_scan", SubgroupOp::ExclusiveScan),
                              {"inclusive_scan", SubgroupOp::InclusiveScan},
                              {"reduce", SubgroupOp::Reduce}})
    for (auto [suffix, op] :
         {std::pair("add", SubgroupOp::Add), {"max", SubgroupOp::Max}, {"min", SubgroupOp::Min}}) {
      if (name != ("subgroup_" + llvm::Twine(prefix) + "_" + suffix).str())
        continue;
      reporter.later(head.word.range, "the name `" + name + "`");
      finishModifiers(head);
      SubgroupOp node{op, form};
      node.operand = parseOperand();
      node.type = parseResultType();
      return Node(node);
    }
  return std::nullopt;
}
