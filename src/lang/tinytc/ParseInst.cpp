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

/// Reads `y = ...` and `"y" = ...` as `%y = ...`. Without an instruction after it, the fix might be
/// wrong.
bool Parser::parseBareResult(Head &head) {
  size_t length = isAt(Tok::String) ? 1 : lengthOfBareName();
  if (!length || peek(length).kind != Tok::Assign || isRecovering)
    return false;
  SourceRange range = peek().range.upTo(peek(length - 1).range);
  StringRef name = file.text(range).trim('"');
  bool isQuoted = isAt(Tok::String);
  Report report =
      complain(range, diag::Expected, describe(Tok::Local), "`" + escaped(file.text(range)) + "`");
  at += length + 1;
  Value *value = makeValue(peek());
  value->name = {StringRef(("%" + name).str()).copy(program.arena), range};
  head.results.push_back(value);
  bool isInst = isAt(Tok::Word) && isInstruction(text(peek()));
  if (isInst && !isQuoted)
    report.fix({range.begin, range.begin}, "%");
  else if (isInst)
    report.hint("names have no quotes: `%{0}`", name);
  else if (isAt(Tok::Integer) || isAt(Tok::Float))
    report.hint("write `%{0} = constant {1} : type` for a value, or `${0} = {1}` for a variable of "
                "the preprocessor",
                name, text(peek()));
  isRecovering = !isInst;
  return true;
}

bool Parser::parseResults(Head &head) {
  if (parseBareResult(head) || !isAt(Tok::Local))
    return true;
  do
    head.results.push_back(makeValue(expect(Tok::Local)));
  while (accept(Tok::Comma));
  if (isAt(Tok::Colon))
    failExpected(describe(Tok::Assign))
        .hint("the type follows the operands: `%name = instruction ... : type`");
  expect(Tok::Assign);
  return !isRecovering || !head.results.empty();
}

Value *Parser::makeValue(const Token &token) {
  Value value;
  value.name = nameOf(token);
  value.type = program.types.invalid();
  return program.make(value);
}

/// The number of results of an instruction; those of `if` and `for` may be left out.
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
  StringRef word = file.text(inst.nameRange);
  if (*expected == 0) {
    Report report = complain(place, diag::NoResults, word);
    if (inst.as<If>() || inst.as<For>())
      report.hint("types of results are written `-> (type, ...)`");
  } else if (given == 0)
    complain(place, diag::UnnamedResult, word).hint("write `%name = {0} ...`", word);
  else
    complain(place, diag::ResultCount, word, counted(*expected, "result", "results"),
             counted(given, "name is", "names are"));
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

/// Reports a modifier that the instruction does not have.
void Parser::finishModifiers(Head &head) {
  if (head.next >= head.modifiers.size())
    return;
  const Token &extra = head.modifiers[head.next];
  StringRef before = file.text(head.word.range.upTo(extra.range)).drop_back(text(extra).size());
  Report report = complain(extra.range, diag::UnknownModifier, before, text(extra));
  if (llvm::is_contained(head.passed, text(extra)))
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
  if (endsStatement() || isAt(Tok::Colon))
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
  if (isAt(Tok::Arrow) && !isRecovering) {
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

/// `barrier local` and `barrier(CLK_LOCAL_MEM_FENCE)`.
void Parser::rejectBarrierArguments(Barrier &barrier) {
  bool isPlain = !barrier.isLocal && !barrier.isGlobal;
  if (isPlain && (isWord("local") || isWord("global"))) {
    barrier.isLocal = isWord("local");
    barrier.isGlobal = isWord("global");
    complain(peek().range, diag::Expected, "a modifier such as `.local`", found(peek()))
        .fix({previousEnd(), peek().range.begin}, ".");
    take();
  } else if (isAt(Tok::LParen)) {
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
