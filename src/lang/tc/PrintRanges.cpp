#include "lang/tc/Ranges.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::tc;

namespace {

class RangePrinter {
public:
  RangePrinter(const Frame &frame, SizeContext &sizes, llvm::raw_ostream &out, unsigned indent)
      : frame(frame), sizes(sizes), out(out), indent(indent) {}

  void print() {
    for (const tc::Parameter &parameter : frame.def->parameters)
      noteEnds(*parameter.tensor);
    printHead();
    for (const Stmt *stmt : frame.def->body)
      std::visit([&](const auto &node) { print(node); }, stmt->node);
    for (const Tensor *tensor : frame.def->tensors)
      print(*tensor);
    for (const Precondition &condition : frame.preconditions)
      print(condition);
  }

private:
  llvm::raw_ostream &line(unsigned depth) { return out.indent(2 * (indent + depth)); }

  /// What the size variables are, where that is known.
  void printHead() {
    line(0) << "def " << frame.def->name.text;
    for (auto [number, name] : llvm::enumerate(frame.def->sizes)) {
      out << (number ? ", " : " with ") << name.text;
      if (std::string value = frame.sizes[number].str(); value != name.text)
        out << " = " << value;
    }
    out << "\n";
  }

  void print(const Comprehension &statement) {
    line(1) << statement.target.text;
    printNames(statement.indices);
    out << " " << spelling(statement.reduction, statement.initializes) << "\n";
    auto ranges = frame.variables.find(&statement);
    if (ranges == frame.variables.end())
      return;
    for (auto [variable, range] : llvm::zip(statement.variables, ranges->second))
      print(*variable, range);
    noteEnds(*statement.tensor);
  }

  void print(const Variable &variable, const Range &range) {
    line(2) << variable.name.text << " in " << range.lower.str() << ":" << range.upper.str();
    if (variable.clause)
      out << ", given";
    else if (isCutOff(range.lower, Size::Max) || isCutOff(range.upper, Size::Min))
      out << ", which is what its reads have in common";
    out << (variable.isReduction ? ", reduced over\n" : "\n");
  }

  /// Whether reads of different sizes were intersected here: no tensor so far ends there.
  bool isCutOff(Size end, Size::Kind kind) const {
    return end.kind() == kind && !ends.contains(end.key());
  }
  void noteEnds(const Tensor &tensor) {
    for (const Range &range : frame.tensors.lookup(&tensor)) {
      ends.insert(range.lower.key());
      ends.insert(range.upper.key());
    }
  }

  void print(const CallStmt &call) {
    line(1);
    for (auto [number, result] : llvm::enumerate(call.results))
      out << (number ? ", " : "") << result.text;
    out << " = " << call.callee.text;
    printNames(call.arguments);
    out << "\n";
    if (auto callee = frame.calls.find(&call); callee != frame.calls.end())
      RangePrinter(*callee->second, sizes, out, indent + 2).print();
    for (const Tensor *result : call.resultTensors)
      noteEnds(*result);
  }

  void printNames(llvm::ArrayRef<Name> names) {
    if (names.empty())
      return;
    out << "(";
    for (auto [number, name] : llvm::enumerate(names))
      out << (number ? ", " : "") << name.text;
    out << ")";
  }

  void print(const Tensor &tensor) {
    auto shape = frame.tensors.find(&tensor);
    if (shape == frame.tensors.end())
      return;
    llvm::StringRef kinds[] = {"argument", "result", "temporary"};
    line(1) << kinds[tensor.kind] << " " << tensor.name.text << ": " << name(tensor.element);
    auto printEach = [&](llvm::StringRef open, auto value) {
      for (auto [number, range] : llvm::enumerate(shape->second))
        out << (number ? ", " : open) << value(range).str();
      out << ")";
    };
    if (!shape->second.empty()) {
      printEach("(", [&](const Range &range) { return sizes.sub(range.upper, range.lower); });
      printEach(" from (", [](const Range &range) { return range.lower; });
    }
    out << "\n";
  }

  void print(const Precondition &condition) {
    line(1) << "needs " << condition.text;
    if (condition.state == Precondition::False)
      out << ": this is false\n";
    else if (condition.smaller || condition.isTried)
      out << ": checked when it is called\n";
    else
      out << ": not checked when it is called, only by --checked\n";
  }

  const Frame &frame;
  SizeContext &sizes;
  llvm::raw_ostream &out;
  unsigned indent;
  llvm::DenseSet<const SizeNode *> ends;
};

} // namespace

void tc::printRanges(Inferred &inferred, llvm::raw_ostream &out) {
  RangePrinter(inferred.entry(), inferred.sizes, out, 0).print();
}
