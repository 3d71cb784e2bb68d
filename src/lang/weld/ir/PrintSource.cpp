#include "lang/weld/ir/PrintSource.h"
#include "core/Attributes.h"
#include "lang/weld/Strings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld::ir;
namespace ir = tessera::weld::ir;
using llvm::formatv;

namespace {

/// One `let` per operation; constants, and short expressions that are used once, are inlined.
class SourcePrinter {
public:
  explicit SourcePrinter(raw_ostream &out) : out(out) {}

  void printFunction(func::FuncOp function) {
    SmallVector<std::string> parameters;
    for (BlockArgument argument : function.getArguments()) {
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), core::nameAttr);
      std::string text = name ? name.str() : fresh("p");
      taken.insert(text);
      names[argument] = text;
      parameters.push_back(text + ": " + sourceType(argument.getType()));
    }
    out << '|' << llvm::join(parameters, ", ") << '|';
    indent = 1;
    printBlock(function.getBody().front());
    out << '\n';
  }

private:
  //===-- Blocks ----------------------------------------------------------===//

  void newLine() {
    out << '\n';
    out.indent(2 * indent);
  }

  void printBlock(Block &block) {
    for (Operation &op : block.without_terminator())
      if (!isa<ConstantOp>(op))
        printLet(op);
    newLine();
    Operation *end = block.getTerminator();
    out << (isa_and_nonnull<IterateOp>(end->getParentOp()) ? braced(end->getOperands())
                                                           : packed(end->getOperands()));
  }

  static constexpr size_t maxInPlace = 50; ///< Characters.

  /// Whether an operation may be evaluated where its value is used.
  static bool canMove(Operation &op) {
    return op.getNumRegions() == 0 && op.getNumResults() == 1 && op.hasOneUse() &&
           op.use_begin()->getOwner()->getBlock() == op.getBlock() &&
           !op.hasAttr(annotationsAttr) && !mayFail(&op) && !callsForeign(&op);
  }

  bool writeInPlace(Operation &op) {
    std::string text = canMove(op) ? expression(op) : "";
    if (text.empty() || text.size() > maxInPlace)
      return false;
    names[op.getResult(0)] = text;
    if (isLoose(op))
      loose.insert(op.getResult(0));
    return true;
  }

  void printLet(Operation &op) {
    if (writeInPlace(op))
      return;
    std::string name = fresh("t");
    newLine();
    out << "let " << name << " = " << annotations(op);
    if (op.getNumRegions())
      printRegions(op);
    else
      out << expression(op);
    out << ';';
    if (op.getNumResults() == 1)
      names[op.getResult(0)] = name;
    else
      for (OpResult result : op.getResults())
        names[result] = name + ".$" + std::to_string(result.getResultNumber());
  }

  void printRegions(Operation &op) {
    TypeSwitch<Operation *>(&op).Case<IfOp, ForOp, IterateOp, SortOp>(
        [&](auto region) { printRegion(region); });
  }

  /// A branch of an `if`; parentheses end its lets.
  void printSide(Block &block) {
    out << '(';
    ++indent;
    printBlock(block);
    --indent;
    out << ')';
  }

  /// `|a, b| ...)`
  void printLambda(ArrayRef<std::string> parameters, Block &block) {
    out << '|' << llvm::join(parameters, ", ") << '|';
    ++indent;
    printBlock(block);
    --indent;
    out << ')';
  }

  void printRegion(IfOp op) {
    out << "if(" << use(op.getCondition()) << ", ";
    printSide(op.thenBlock());
    out << ", ";
    printSide(op.elseBlock());
    out << ')';
  }

  void printRegion(IterateOp op) {
    out << "iterate(" << use(op.getInitial()) << ", ";
    names[op.state()] = fresh("s");
    printLambda(names[op.state()], op.getBody().front());
  }

  void printRegion(SortOp op) {
    out << "sort(" << use(op.getVec()) << ", ";
    printLambda(nameAll(op.getComparator().getArguments()), op.getComparator().front());
  }

  void printRegion(ForOp op) {
    out << "for(" << iterators(op) << ", " << packed(op.getBuilders()) << ", ";
    std::string builders = fresh("b"), index = fresh("n"), element = fresh("x");
    spread(op.builderArguments(), builders);
    names[op.index()] = index;
    spread(op.elements(), element);
    printLambda({builders, index, element}, op.block());
  }

  /// Several values are fields of one that has a name in the source.
  void spread(ArrayRef<BlockArgument> values, const std::string &name) {
    for (auto [number, value] : llvm::enumerate(values))
      names[value] = values.size() == 1 ? name : name + ".$" + std::to_string(number);
  }

  std::string iterators(ForOp op) {
    SmallVector<std::string> texts;
    for (const IteratorOperands &iterator : op.iteratorList())
      texts.push_back(iteratorText(iterator));
    return texts.size() == 1 ? texts[0] : "zip(" + llvm::join(texts, ", ") + ")";
  }

  std::string iteratorText(const IteratorOperands &iterator) {
    static constexpr const char *words[] = {"",           "iter",      "simditer",
                                            "fringeiter", "rangeiter", "nditer"};
    std::string list = uses(iterator.operands);
    if (iterator.kind == IteratorKind::Plain)
      return list;
    return words[static_cast<int>(iterator.kind)] + ("(" + list + ")");
  }

  //===-- Expressions -----------------------------------------------------===//

  std::string use(Value value) {
    if (auto constant = value.getDefiningOp<ConstantOp>())
      return sourceConstant(constant.getValue());
    return names.lookup(value);
  }

  /// The value as an operand of an operator that binds tightly.
  std::string tight(Value value) {
    return loose.contains(value) ? "(" + use(value) + ")" : use(value);
  }

  static bool isLoose(Operation &op) {
    if (auto unary = dyn_cast<UnaryOp>(op))
      return unary.getFunction() <= Unary::Not;
    auto binary = dyn_cast<BinaryOp>(op);
    return binary && !infix(binary.getFunction()).empty();
  }

  std::string uses(ValueRange values) {
    return llvm::join(llvm::map_range(values, [&](Value value) { return use(value); }), ", ");
  }

  std::string braced(ValueRange values) { return "{" + uses(values) + "}"; }
  /// One value, or a struct of several; an operation without values is evaluated for its errors.
  std::string packed(ValueRange values) {
    return values.empty() ? "false" : values.size() == 1 ? use(values[0]) : braced(values);
  }

  std::string call(StringRef function, ValueRange values) {
    return (function + "(" + uses(values) + ")").str();
  }

  std::string annotations(Operation &op) {
    auto all = op.getAttrOfType<DictionaryAttr>(annotationsAttr);
    if (!all || all.empty())
      return "";
    SmallVector<std::string> texts;
    for (NamedAttribute each : all)
      texts.push_back(each.getName().str() + ": " +
                      annotationValue(cast<StringAttr>(each.getValue())));
    return "@(" + llvm::join(texts, ", ") + ")";
  }

  /// A value that is neither a literal nor a name is written as a string.
  static std::string annotationValue(StringRef value) {
    bool isWord = !value.empty() && llvm::all_of(value, [](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
    });
    return isWord ? value.str() : "\"" + weld::escapedString(value) + "\"";
  }

  static StringRef infix(Binary function) {
    static constexpr const char *words[] = {
        "|", "^", "&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"};
    return function <= Binary::Rem ? words[static_cast<int>(function)] : "";
  }

  std::string binary(BinaryOp op) {
    StringRef word = infix(op.getFunction());
    if (word.empty())
      return call(stringifyBinary(op.getFunction()), op.getOperands());
    return tight(op.getLhs()) + " " + word.str() + " " + tight(op.getRhs());
  }

  std::string unary(UnaryOp op) {
    if (op.getFunction() == Unary::Neg)
      return "-" + tight(op.getOperand());
    if (op.getFunction() == Unary::Not)
      return "!" + tight(op.getOperand());
    return call(stringifyUnary(op.getFunction()), op.getOperand());
  }

  std::string vectorLiteral(MakeVecOp op) {
    if (op.getElements().empty())
      return "([]: " + sourceType(op.getType()) + ")";
    return "[" + uses(op.getElements()) + "]";
  }

  std::string newBuilder(NewBuilderOp op) {
    std::string type = sourceType(op.getType());
    return op.getArgument() ? call(type, op.getArgument()) : type;
  }

  std::string expression(Operation &op) {
    return TypeSwitch<Operation *, std::string>(&op)
        .Case([&](StringOp o) { return "\"" + weld::escapedString(o.getBytes()) + "\""; })
        .Case([&](MakeVecOp o) { return vectorLiteral(o); })
        .Case([&](MakeStructOp o) { return braced(o.getFields()); })
        .Case(
            [&](FieldOp o) { return tight(o.getOperand()) + ".$" + std::to_string(o.getIndex()); })
        .Case([&](BinaryOp o) { return binary(o); })
        .Case([&](UnaryOp o) { return unary(o); })
        .Case([&](CastOp o) { return call(sourceType(laneType(o.getType())), o.getOperand()); })
        .Case([&](NewBuilderOp o) { return newBuilder(o); })
        .Case([&](DeserializeOp o) {
          return call("deserialize[" + sourceType(o.getType()) + "]", o.getBytes());
        })
        .Case([&](CudfOp o) {
          return call(formatv("cudf[{0},{1}]", o.getCallee(), sourceType(o.getType())).str(),
                      o.getArguments());
        })
        .Default([&](Operation *o) { return call(callName(*o), o->getOperands()); });
  }

  /// The name of an operation that is called as in the source.
  static StringRef callName(Operation &op) {
    return TypeSwitch<Operation *, StringRef>(&op)
        .Case<OptLookupOp>([](auto) { return "optlookup"; })
        .Case<KeyExistsOp>([](auto) { return "keyexists"; })
        .Case<ToVecOp>([](auto) { return "tovec"; })
        .Default([](Operation *o) { return o->getName().stripDialect(); });
  }

  //===-- Names -----------------------------------------------------------===//

  std::string fresh(StringRef letter) {
    while (true)
      if (std::string name = letter.str() + std::to_string(++number); taken.insert(name).second)
        return name;
  }

  SmallVector<std::string> nameAll(ArrayRef<BlockArgument> values) {
    SmallVector<std::string> texts;
    for (BlockArgument value : values)
      texts.push_back(names[value] = fresh("x"));
    return texts;
  }

  raw_ostream &out;
  llvm::DenseMap<Value, std::string> names;
  llvm::DenseSet<Value> loose; ///< Values whose text is not a single operand.
  llvm::StringSet<> taken;
  unsigned number = 0, indent = 0;
};

} // namespace

void ir::printSource(ModuleOp module, raw_ostream &out) {
  for (auto function : module.getOps<func::FuncOp>())
    SourcePrinter(out).printFunction(function);
}
