#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::SmallVector;
using llvm::StringRef;

//===-- The form of instructions ------------------------------------------===//

/// instruction = [ local { "," local } "=" ] word { modifier } ...
Inst *Parser::parseInst() {
  SourceRange begin = peek().range;
  Head head;
  if (!parseResults(head))
    return nullptr;
  head.word = peek();
  Inst *inst = program.make(Inst{begin, peek().range, Broken()});
  inst->node = parseNode(head);
  if (isRecovering)
    inst->node = Broken();
  inst->range = since(begin);
  inst->nameRange =
      head.modifiers.empty() ? head.word.range : head.word.range.upTo(head.modifiers.back().range);
  inst->results = program.keep<Value *>(head.results);
  for (Value *result : head.results)
    result->inst = inst;
  checkResults(head, *inst);
  return inst;
}

bool Parser::parseResults(Head &head) {
  if (!isAt(Tok::Local))
    return true;
  do
    head.results.push_back(makeValue(expect(Tok::Local)));
  while (accept(Tok::Comma));
  expect(Tok::Assign);
  return !isRecovering || !head.results.empty();
}

Value *Parser::makeValue(const Token &token) {
  Value value;
  value.name = nameOf(token);
  value.type = program.types.invalid();
  return program.make(value);
}

/// How many results an instruction has; `if` and `for` may drop theirs.
static std::optional<size_t> numResults(const Inst &inst) {
  if (auto *loop = inst.as<For>())
    return inst.results.empty() ? 0 : loop->types.size();
  if (auto *branch = inst.as<If>())
    return inst.results.empty() ? 0 : branch->types.size();
  if (auto *store = inst.as<Store>())
    return store->type.has_value();
  if (auto *store = inst.as<CoopStore>())
    return store->type.has_value();
  if (inst.as<Broken>())
    return std::nullopt;
  bool hasNone = inst.as<Blas>() || inst.as<Foreach>() || inst.as<Parallel>() ||
                 inst.as<LifetimeStop>() || inst.as<Barrier>() || inst.as<Yield>();
  return hasNone ? 0 : 1;
}

void Parser::checkResults(const Head &head, const Inst &inst) {
  std::optional<size_t> expected = numResults(inst);
  size_t given = head.results.size();
  if (!expected || *expected == given)
    return;
  SourceRange place = given ? head.results.front()->name.range.upTo(head.results.back()->name.range)
                            : inst.nameRange;
  StringRef word = text(head.word);
  if (*expected == 0)
    complain(place, diag::NoResults, word);
  else if (given == 0)
    complain(place, diag::UnnamedResult, word).hint("write `%name = {0} ...`", word);
  else
    complain(place, diag::ResultCount, word, *expected, *expected == 1 ? "" : "s", given);
}

Parser::Node Parser::parseNode(Head &head) {
  if (isRecovering)
    return Broken();
  if (!isAt(Tok::Word)) {
    failExpected("an instruction");
    return Broken();
  }
  take();
  while (isAt(Tok::Modifier))
    head.modifiers.push_back(take());
  std::optional<Node> node = parseOperation(head, text(head.word));
  if (!node)
    return rejectInst(head);
  return std::move(*node);
}

Parser::Node Parser::rejectInst(const Head &head) {
  SourceRange range = head.word.range;
  if (!head.modifiers.empty() && isInstruction(text(head.word)))
    range = range.upTo(head.modifiers.front().range);
  StringRef name = file.text(range);
  bool wasRecovering = isRecovering;
  Report report = fail(range, diag::UnknownInstruction, escaped(name));
  if (StringRef near = nearestInstruction(name); !near.empty() && !wasRecovering)
    report.hint("did you mean `{0}`?", near).fix(range, near);
  return Broken();
}

bool Parser::acceptModifier(Head &head, StringRef text) {
  bool isThere = head.next < head.modifiers.size() && this->text(head.modifiers[head.next]) == text;
  head.next += isThere;
  return isThere;
}

/// What nothing has taken does not belong here.
void Parser::finishModifiers(Head &head) {
  if (head.next >= head.modifiers.size())
    return;
  const Token &extra = head.modifiers[head.next];
  complain(extra.range, diag::UnknownModifier,
           file.text(head.word.range.upTo(extra.range)).drop_back(text(extra).size()), text(extra));
}

/// The instruction of this name; nothing where there is none.
std::optional<Parser::Node> Parser::parseOperation(Head &head, StringRef name) {
  for (StringRef prefix : {"arith", "cmp", "math", "builtin"})
    if (name == prefix)
      return head.modifiers.empty() ? std::nullopt : parsePrefixed(head, name);
  if (auto op = blasNamed(name))
    return parseBlas(head, *op);
  if (std::optional<Node> node = parseLater(head, name))
    return node;
  return parsePlain(head, name);
}

/// `arith.add`, `cmp.lt`, `math.exp`, `builtin.group_id`: the seed's names of two words.
std::optional<Parser::Node> Parser::parsePrefixed(Head &head, StringRef name) {
  StringRef member = text(head.modifiers[head.next++]);
  std::string full = (name + member).str();
  if (name == "builtin")
    return parseBuiltin(head, member.drop_front(), /*isSeed=*/true);
  auto binary = name == "arith" ? binaryNamed(member.drop_front()) : std::nullopt;
  auto unary = unaryNamed(full);
  auto compare = compareNamed(full);
  if (!binary && !unary && !compare)
    return std::nullopt;
  finishModifiers(head);
  return binary ? parseBinary(*binary) : unary ? parseUnary(*unary) : parseCompare(*compare);
}

/// The names that version 0.4 has for these.
std::optional<Parser::Node> Parser::parseLater(Head &head, StringRef name) {
  auto binary = binaryNamed(name);
  auto unary = laterUnaryNamed(name);
  auto compare = laterCompareNamed(name);
  if (!binary && !unary && !compare && !builtinNamed(name))
    return std::nullopt;
  reporter.later(head.word.range, "the name `" + name + "`");
  if (builtinNamed(name))
    return parseBuiltin(head, name, /*isSeed=*/false);
  finishModifiers(head);
  return binary ? parseBinary(*binary) : unary ? parseUnary(*unary) : parseCompare(*compare);
}

/// Those without modifiers.
std::optional<Parser::Node> Parser::parsePlain(Head &head, StringRef name) {
  struct Row {
    StringRef name;
    Node (Parser::*parse)();
  };
  static constexpr Row rows[] = {
      {"alloca", &Parser::parseAlloca},
      {"cast", &Parser::parseCast},
      {"constant", &Parser::parseConstantInst},
      {"cooperative_matrix_mul_add", &Parser::parseCoopMulAdd},
      {"cooperative_matrix_scale", &Parser::parseCoopScale},
      {"expand", &Parser::parseExpand},
      {"for", &Parser::parseFor},
      {"foreach", &Parser::parseForeach},
      {"fuse", &Parser::parseFuse},
      {"if", &Parser::parseIf},
      {"lifetime_stop", &Parser::parseLifetimeStop},
      {"load", &Parser::parseLoad},
      {"parallel", &Parser::parseParallel},
      {"size", &Parser::parseSize},
      {"subgroup_broadcast", &Parser::parseBroadcast},
      {"subview", &Parser::parseSubview},
      {"yield", &Parser::parseYield},
  };
  for (const Row &row : rows)
    if (row.name == name) {
      finishModifiers(head); // Before the operands, so that what follows is read in step.
      return (this->*row.parse)();
    }
  return parseFlagged(head, name);
}

/// Those that have modifiers of their own.
std::optional<Parser::Node> Parser::parseFlagged(Head &head, StringRef name) {
  if (name == "barrier")
    return parseBarrier(head);
  if (name == "store")
    return parseStore(head, std::nullopt);
  if (name == "cooperative_matrix_load")
    return parseCoopLoad(head);
  if (name == "cooperative_matrix_store")
    return parseCoopStore(head, std::nullopt);
  for (auto [word, op] : {std::pair("subgroup_add", SubgroupOp::Add),
                          {"subgroup_max", SubgroupOp::Max},
                          {"subgroup_min", SubgroupOp::Min}})
    if (name == word)
      return parseSubgroup(head, op);
  for (auto [suffix, flag] :
       {std::pair("atomic_store", StoreFlag::Atomic), {"atomic_add", StoreFlag::AtomicAdd}}) {
    if (name == suffix)
      return parseStore(head, flag);
    if (name == ("cooperative_matrix_" + llvm::Twine(suffix)).str())
      return parseCoopStore(head, flag);
  }
  return parseLaterSubgroup(head, name);
}

//===-- Operands ----------------------------------------------------------===//

Operand Parser::literalOperand(SourceRange range, Literal literal) {
  Operand operand{range};
  operand.literal = program.make(literal);
  return operand;
}

/// A value; old programs write numbers here [tinytc.std.3].
Operand Parser::parseOperand() {
  Token token = peek();
  if (accept(Tok::Local))
    return {token.range, text(token)};
  if (isAt(Tok::Variable) && !isRecovering) {
    fail(token.range, diag::VariableOperand, text(token))
        .hint("`%name = constant {0} : type` makes a value of it", text(token));
    return {token.range};
  }
  bool isNumber = isAt(Tok::Integer) || isAt(Tok::Float) || isWord("true") || isWord("false");
  if (!isNumber || isRecovering) {
    failExpected(describe(Tok::Local));
    return {token.range};
  }
  const Literal *literal = parseConstant();
  if (!literal || isRecovering)
    return {token.range};
  reporter.fossil(token.range, "a number as an operand");
  return literalOperand(token.range, *literal);
}

/// [ operand { "," operand } ] close; the opening bracket has been taken.
llvm::MutableArrayRef<Operand> Parser::parseOperands(Tok close) {
  SmallVector<Operand> operands;
  parseList(close, [&] { operands.push_back(parseOperand()); });
  return program.keep<Operand>(operands);
}

Operand Parser::parseIntegerOperand() {
  Token token = peek();
  if (accept(Tok::Local))
    return {token.range, text(token)};
  Number number = parseInteger();
  return literalOperand(number.range, {Literal::Integer, number.value});
}

TypeRef Parser::parseResultType() {
  if (isAt(Tok::Arrow) && !isRecovering) {
    reporter.fossil(peek().range, "`->` in front of a type");
    take();
  } else if (!accept(Tok::Colon)) {
    bool isOnNextLine = file.text({previousEnd(), peek().range.begin}).contains('\n');
    SourceRange end = {previousEnd(), previousEnd()};
    fail(isOnNextLine ? end : peek().range, diag::MissingType, found(peek()));
  }
  return parseType();
}

//===-- Simple instructions -----------------------------------------------===//

Parser::Node Parser::parseBinary(BinaryOp op) {
  Binary binary{op};
  binary.lhs = parseOperand();
  expect(Tok::Comma);
  binary.rhs = parseOperand();
  binary.type = parseResultType();
  return binary;
}

Parser::Node Parser::parseUnary(UnaryOp op) {
  Unary unary{op};
  unary.operand = parseOperand();
  unary.type = parseResultType();
  return unary;
}

Parser::Node Parser::parseCompare(CompareOp op) {
  Compare compare{op};
  compare.lhs = parseOperand();
  expect(Tok::Comma);
  compare.rhs = parseOperand();
  compare.type = parseResultType();
  return compare;
}

Parser::Node Parser::parseCast() {
  Cast cast;
  cast.operand = parseOperand();
  cast.type = parseResultType();
  return cast;
}

Parser::Node Parser::parseConstantInst() {
  Constant constant;
  SourceRange begin = peek().range;
  constant.literal = parseConstant();
  constant.literalRange = since(begin);
  constant.type = parseResultType();
  return constant;
}

/// The seed wants `.global` first.
Parser::Node Parser::parseBarrier(Head &head) {
  Barrier barrier;
  barrier.isGlobal = acceptModifier(head, ".global");
  barrier.isLocal = acceptModifier(head, ".local");
  if (barrier.isLocal && !barrier.isGlobal && acceptModifier(head, ".global")) {
    barrier.isGlobal = true;
    reporter.later(head.word.range.upTo(head.modifiers.back().range), "`.local` before `.global`");
  }
  finishModifiers(head);
  return barrier;
}

/// Along an axis where 0.4 has one.
std::optional<Parser::Node> Parser::parseBuiltin(Head &head, StringRef name, bool isSeed) {
  std::optional<Builtin::Kind> kind = builtinNamed(name);
  if (!kind || (isSeed && (name == "num_groups" || name == "subgroup_linear_id")))
    return std::nullopt;
  Builtin builtin{*kind};
  bool hasAxes = *kind != Builtin::SubgroupSize && *kind != Builtin::SubgroupLocalId &&
                 name != "subgroup_linear_id" && name != "group_size";
  for (auto [text, axis] : {std::pair(".x", Builtin::X), {".y", Builtin::Y}, {".z", Builtin::Z}})
    if (!isSeed && hasAxes && builtin.axis == Builtin::Linear && acceptModifier(head, text))
      builtin.axis = axis;
  finishModifiers(head);
  builtin.type = parseResultType();
  return Node(builtin);
}
