#include "lang/tc/Ranges.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::json::Array;
using llvm::json::Object;

namespace {

/// Sizes are strings, because they are expressions.
class RangeObjects {
public:
  RangeObjects(const Frame &frame, SizeContext &sizes) : frame(frame), sizes(sizes) {}

  Object object() const {
    Object values;
    for (auto [name, value] : llvm::zip_equal(frame.def->sizes, frame.sizes))
      values[name.text] = value.str();
    Array statements, tensors, needs;
    for (const Stmt *stmt : frame.def->body)
      statements.push_back(std::visit([&](const auto &node) { return of(node); }, stmt->node));
    for (const Tensor *tensor : frame.def->tensors)
      if (frame.tensors.contains(tensor))
        tensors.push_back(of(*tensor));
    for (const Precondition &condition : frame.preconditions)
      needs.push_back(of(condition));
    return Object{{"def", frame.def->name.text},
                  {"sizes", std::move(values)},
                  {"statements", std::move(statements)},
                  {"tensors", std::move(tensors)},
                  {"needs", std::move(needs)}};
  }

private:
  static Array namesOf(llvm::ArrayRef<Name> names) {
    Array texts;
    for (const Name &name : names)
      texts.push_back(name.text);
    return texts;
  }

  Object of(const Comprehension &statement) const {
    Array variables;
    if (auto ranges = frame.variables.find(&statement); ranges != frame.variables.end())
      for (auto [variable, range] : llvm::zip(statement.variables, ranges->second))
        variables.push_back(Object{{"name", variable->name.text},
                                   {"lower", range.lower.str()},
                                   {"upper", range.upper.str()},
                                   {"given", variable->clause != nullptr},
                                   {"reduced", variable->isReduction}});
    return Object{{"target", statement.target.text},
                  {"indices", namesOf(statement.indices)},
                  {"operator", spelling(statement.reduction, statement.initializes)},
                  {"variables", std::move(variables)}};
  }

  Object of(const CallStmt &call) const {
    Object object{{"callee", call.callee.text},
                  {"arguments", namesOf(call.arguments)},
                  {"results", namesOf(call.results)}};
    if (auto callee = frame.calls.find(&call); callee != frame.calls.end())
      object["ranges"] = RangeObjects(*callee->second, sizes).object();
    return object;
  }

  Object of(const Tensor &tensor) const {
    llvm::StringRef kinds[] = {"argument", "result", "temporary"};
    Array shape, from;
    for (const Range &range : frame.tensors.find(&tensor)->second) {
      shape.push_back(sizes.sub(range.upper, range.lower).str());
      from.push_back(range.lower.str());
    }
    return Object{{"kind", kinds[tensor.kind]},
                  {"name", tensor.name.text},
                  {"type", name(tensor.element)},
                  {"shape", std::move(shape)},
                  {"from", std::move(from)}};
  }

  static Object of(const Precondition &condition) {
    bool isFalse = condition.state == Precondition::False;
    return Object{{"condition", condition.text},
                  {"state", isFalse                                  ? "false"
                            : condition.smaller || condition.isTried ? "sizes"
                                                                     : "data"}};
  }

  const Frame &frame;
  SizeContext &sizes;
};

} // namespace

Object tc::rangesToJson(Inferred &inferred) {
  return RangeObjects(inferred.entry(), inferred.sizes).object();
}
