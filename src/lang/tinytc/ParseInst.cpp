#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

Parser::Node Parser::parseNode(Head &head) {
  if (isRecovering)
    return Broken();
  if (!isAt(Tok::Word))
    return rejectExpression();
  take();
  while (isAt(Tok::Modifier))
    head.modifiers.push_back(take());
  instruction = file.text(
      head.modifiers.empty() ? head.word.range : head.word.range.upTo(head.modifiers.back().range));
  std::optional<Node> node = parseOperation(head, text(head.word));
  if (!node)
    return rejectInst(head);
  rejectOperandTypes(head);
  return std::move(*node);
}

/// The instruction for an operator of other languages; "" if there is none.
static StringRef instructionFor(Tok op) {
  switch (op) {
  case Tok::Plus:
    return "arith.add";
  case Tok::Minus:
    return "arith.sub";
  case Tok::Star:
    return "arith.mul";
  case Tok::Slash:
    return "arith.div";
  case Tok::Less:
    return "cmp.lt";
  case Tok::Greater:
    return "cmp.gt";
  default:
    return "";
  }
}

/// What other languages write after `%name =`.
Parser::Node Parser::rejectExpression() {
  Report report = failExpected("an instruction");
  bool isNumber = isAt(Tok::Integer) || isAt(Tok::Float);
  StringRef name = instructionFor(peek(1).kind);
  if (isNumber && peek(1).kind == Tok::Colon)
    report.fix({peek().range.begin, peek().range.begin}, "constant ");
  else if (isAt(Tok::Local) && !name.empty())
    report.hint("write `{0} {1}, ... : type`", name, text(peek()));
  else if (isAt(Tok::Local))
    report.hint("a value has one name: use `{0}` itself", text(peek()));
  return Broken();
}

/// `math.exp` for `arith.exp`; "" if no prefix fits.
static std::string withOtherPrefix(StringRef name) {
  StringRef member = name.split('.').second;
  for (StringRef prefix : {"arith.", "cmp.", "math."})
    if (!member.empty() && llvm::is_contained(instructionWords(), (prefix + member).str()))
      return (prefix + member).str();
  return "";
}

Parser::Node Parser::rejectInst(const Head &head) {
  SourceRange range = head.word.range;
  bool hasPrefix = isInstruction(text(head.word)) || isDialect(text(head.word));
  if (!head.modifiers.empty() && hasPrefix)
    range = range.upTo(head.modifiers.front().range);
  StringRef name = file.text(range);
  if (const UnreadInstruction *unread = unreadInstruction(name)) {
    fail(range, diag::UnreadInstruction, name, unread->version).hint("{0}", unread->advice);
    return Broken();
  }
  Report report = fail(range, diag::UnknownInstruction, escaped(name));
  constexpr size_t shortest = 4; // Shorter words are similar to too many others.
  if (std::string other = withOtherPrefix(name); !other.empty())
    report.fix(range, other);
  else if (StringRef advice = adviceFor(name); !advice.empty())
    report.hint("{0}", advice);
  else if (name.size() >= shortest)
    suggestName(report, range, name, instructionWords(reporter.standard == Standard::Seed));
  return Broken();
}

std::optional<size_t> Parser::acceptOneOf(Head &head, llvm::ArrayRef<StringRef> texts) {
  const StringRef *found = texts.end();
  if (head.next < head.modifiers.size())
    found = llvm::find(texts, text(head.modifiers[head.next]));
  if (found == texts.end()) {
    for (StringRef each : texts)
      if (!llvm::is_contained(head.offered, each))
        head.offered.push_back(each);
    return std::nullopt;
  }
  ++head.next;
  head.passed.append(head.offered);
  head.offered.clear();
  return found - texts.begin();
}

/// `atomic_min` for `store.atomic_min` and `store.atomic.min`; null if there is none.
const UnreadInstruction *Parser::unreadUpdate(const Head &head) const {
  StringRef prefix = text(head.word), update = text(head.modifiers[head.next]).drop_front();
  if (!prefix.consume_back("store"))
    return nullptr;
  bool follows = head.next && text(head.modifiers[head.next - 1]) == ".atomic";
  return unreadInstruction((prefix + (follows ? "atomic_" : "") + update).str());
}

/// Reports a modifier that the instruction does not have.
void Parser::finishModifiers(Head &head) {
  if (head.next >= head.modifiers.size())
    return;
  const Token &extra = head.modifiers[head.next];
  StringRef before = file.text(head.word.range.upTo(extra.range)).drop_back(text(extra).size());
  Report report = complain(extra.range, diag::UnknownModifier, before, text(extra));
  if (const UnreadInstruction *unread = unreadUpdate(head))
    report.hint("{0}", unread->advice);
  else if (llvm::is_contained(head.passed, text(extra)))
    report.hint("`{0}` precedes `{1}`", text(extra), text(head.modifiers[head.next - 1]));
  else if (head.offered.empty())
    report.hint("`{0}` takes no{1} modifiers", before,
                head.next && before.contains('.') ? " further" : "");
  else
    report.hint("possible here: `{0}`", llvm::join(head.offered, "`, `"));
}

/// The instruction of this name; nullopt if there is none.
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

/// The seed description's names of two words: `arith.add`, `cmp.lt`, `math.exp`,
/// `builtin.group_id`.
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

/// The same in the spelling of version 0.4.
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

/// Instructions without modifiers.
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
      finishModifiers(head); // Before the operands, so that reports are in source order.
      return (this->*row.parse)();
    }
  return parseFlagged(head, name);
}

/// Instructions with modifiers of their own.
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

void Parser::expectNextOperand(unsigned given, unsigned count, StringRef names) {
  if (accept(Tok::Comma))
    return;
  Failure failure = failurePlace();
  bool isForgotten = failure.range.begin == peek().range.begin && isAt(Tok::Local);
  if (malformedName())
    failExpected(describe(Tok::Comma));
  else if (isForgotten)
    complain(failure.range, diag::Expected, describe(Tok::Comma), failure.found)
        .fix({previousEnd(), previousEnd()}, ",");
  else
    rejectOperandCount(given, count, names);
}

void Parser::rejectOperandCount(unsigned given, unsigned count, StringRef names) {
  std::string wanted = counted(count, "operand", "operands");
  if (!names.empty())
    wanted += " (" + names.str() + ")";
  fail(failurePlace().range, diag::OperandCount, instruction, wanted, given);
}

/// The operand after `given` of `count`.
Operand Parser::parseNextOperand(unsigned given, unsigned count, StringRef names) {
  if (given)
    expectNextOperand(given, count, names);
  if (endsStatement() || isAt(Tok::Colon) || isAt(Tok::LBrace))
    rejectOperandCount(given, count, names);
  return parseOperand();
}

/// Version 0.3 wrote the types of the operands after instructions without results.
void Parser::rejectOperandTypes(const Head &head) {
  if (head.results.empty() && isAt(Tok::Colon))
    fail(peek().range, diag::UnreadForm, "`:` after `" + text(head.word).str() + "`")
        .hint("`{0}` is not followed by types", text(head.word));
}

/// A value; version 0.3 has numbers here [tinytc.std.2].
Operand Parser::parseOperand() {
  Token token = peek();
  if (!endsStatement() && accept(Tok::Local))
    return {token.range, text(token)};
  if (isRecovering || rejectUnreadLiteral())
    return {token.range};
  if (isAt(Tok::Variable)) {
    fail(token.range, diag::VariableOperand, text(token))
        .hint("`%name = constant {0} : type` makes a value of it", text(token));
    return {token.range};
  }
  bool isNumber = isAt(Tok::Integer) || isAt(Tok::Float) || isWord("true") || isWord("false");
  if (!isNumber) {
    Report report = failExpected(describe(Tok::Local));
    if (isAt(Tok::LParen))
      report.hint("operands have no parentheses around them");
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
    reporter.fossil(peek().range, "`->` before a type");
    take();
  } else if (!accept(Tok::Colon)) {
    Failure failure = failurePlace();
    if (malformedName())
      failExpected(describe(Tok::Colon));
    else if (isAtType() && failure.range.end == peek().range.end)
      complain(failure.range, diag::MissingType, failure.found)
          .fix({failure.range.begin, failure.range.begin}, ": ");
    else
      fail(failure.range, diag::MissingType, failure.found);
  }
  isResultType = true;
  TypeRef type = parseType();
  isResultType = false;
  if (isAt(Tok::Arrow) && peek(1).kind == Tok::Local) {
    failExpected("the end of the instruction")
        .hint("the result comes first: `{0} = {1} ...`", text(peek(1)), instruction);
  } else if (isAt(Tok::Arrow) && !isRecovering) {
    SourceRange old = {type.range.begin, peek(1).range.begin};
    complain(type.range.upTo(peek().range), diag::UnreadForm, "the operand's type before `->`")
        .fix(old, "");
    take();
    type = parseType();
  }
  return type;
}

//===-- Simple instructions -----------------------------------------------===//

Parser::Node Parser::parseBinary(BinaryOp op) {
  Binary binary{op};
  binary.lhs = parseNextOperand(0, 2);
  binary.rhs = parseNextOperand(1, 2);
  binary.type = parseResultType();
  return binary;
}

Parser::Node Parser::parseUnary(UnaryOp op) {
  Unary unary{op};
  unary.operand = parseNextOperand(0, 1);
  unary.type = parseResultType();
  return unary;
}

Parser::Node Parser::parseCompare(CompareOp op) {
  Compare compare{op};
  compare.lhs = parseNextOperand(0, 2);
  compare.rhs = parseNextOperand(1, 2);
  compare.type = parseResultType();
  return compare;
}

Parser::Node Parser::parseCast() {
  Cast cast;
  cast.operand = parseNextOperand(0, 1);
  cast.type = parseResultType();
  if (isWord("to") && !isFirstOnLine(at) && !isRecovering) { // MLIR's `cast %a : f32 to f64`.
    SourceRange both = cast.type.range.upTo(peek().range);
    complain(both, diag::Expected, "the type of the result alone",
             "`" + program.excerpt(both) + "`")
        .fix({both.begin, peek(1).range.begin}, "");
    take();
    cast.type = parseType();
  }
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

/// The seed description has `.global` first.
Parser::Node Parser::parseBarrier(Head &head) {
  Barrier barrier;
  barrier.isGlobal = acceptModifier(head, ".global");
  barrier.isLocal = acceptModifier(head, ".local");
  if (barrier.isLocal && !barrier.isGlobal && acceptModifier(head, ".global")) {
    barrier.isGlobal = true;
    reporter.later(head.word.range.upTo(head.modifiers.back().range), "`.local` before `.global`");
  }
  finishModifiers(head);
  if (!isFirstOnLine(at) && !isRecovering)
    rejectBarrierArguments(barrier);
  return barrier;
}

/// `barrier local`, `barrier local global`, `barrier(CLK_LOCAL_MEM_FENCE)` and `barrier {}`.
void Parser::rejectBarrierArguments(Barrier &barrier) {
  auto isSpace = [&](size_t ahead) { return isWord("local", ahead) || isWord("global", ahead); };
  bool isPlain = !barrier.isLocal && !barrier.isGlobal,
       isPair = isSpace(1) && !isFirstOnLine(at + 1);
  if (isPlain && isSpace(0)) {
    SourceRange range = peek().range.upTo(peek(isPair ? 1 : 0).range);
    barrier.isLocal = isPair || isWord("local");
    barrier.isGlobal = isPair || isWord("global");
    StringRef modifiers = isPair ? ".global.local" : isWord("local") ? ".local" : ".global";
    complain(range, diag::Expected, "a modifier such as `.local`",
             "`" + file.text(range).str() + "`")
        .fix({previousEnd(), range.end}, modifiers);
    at += isPair ? 2 : 1;
  } else if (isAt(Tok::LParen) || isAt(Tok::LBrace)) {
    fail(peek().range, diag::Expected, "the end of the instruction", found(peek()))
        .hint("write `barrier.local`, `barrier.global` or `barrier.global.local`");
  }
}

/// Parses an axis, too, where version 0.4 has one.
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
  builtin.type = parseBuiltinType(*kind, name, isSeed);
  return Node(builtin);
}

/// There is only one possible type, so that version 0.3 did not write it.
TypeRef Parser::parseBuiltinType(Builtin::Kind kind, StringRef name, bool isSeed) {
  bool isThere = isAt(Tok::Colon) || isAt(Tok::Arrow) || isAtType();
  if (isThere || isRecovering || malformedName())
    return parseResultType();
  Failure failure = failurePlace();
  const Type *type = program.types.scalar(typeOf(kind));
  Report report = isSeed ? complain(failure.range, diag::MissingType, failure.found)
                         : complain(failure.range, diag::UnreadForm,
                                    "`" + name.str() + "` without the type of its result");
  report.fix({previousEnd(), previousEnd()}, " : " + spelling(*type));
  return {type, failure.range};
}
