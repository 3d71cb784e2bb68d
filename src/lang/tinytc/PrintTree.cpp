#include "lang/tinytc/PrintTree.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// One instruction per line; regions are indented.
class TreePrinter {
public:
  TreePrinter(const Program &program, raw_ostream &out) : out(out) {
    while (program.file->text().contains(prefix))
      prefix += "_";
  }

  void print(const Function &function) {
    isChecked = function.subgroupSize != 0;
    numRows = isChecked ? function.workGroupSize[0] / function.subgroupSize : 1;
    numColumns = function.workGroupSize[1];
    out << declaration(function) << ' ';
    print(*function.body);
    out << '\n';
  }

private:
  void print(const Region &region) {
    out << "{\n";
    ++depth;
    for (const Inst *inst : region.body)
      print(*inst);
    --depth;
    out.indent(2 * depth) << '}';
  }

  void print(const Inst &inst) {
    printConstants(inst);
    out.indent(2 * depth);
    llvm::interleaveComma(inst.results, out, [&](const Value *value) { out << value->name.text; });
    out << (inst.results.empty() ? "" : " = ");
    if (auto *builtin = inst.as<Builtin>();
        builtin && builtin->axis != Builtin::Linear && isChecked) {
      out << withoutAxis(*builtin) << " : " << spelling(*builtin->type.type) << '\n';
      return;
    }
    out << spelling(inst);
    std::visit([&](const auto &node) { print(node); }, inst.node);
    out << '\n';
  }

  /// The builtin without its axis, which the seed description does not have. Work-groups have one
  /// axis; subgroups are numbered along x first.
  std::string withoutAxis(const Builtin &builtin) {
    bool isX = builtin.axis == Builtin::X, isY = builtin.axis == Builtin::Y;
    int64_t subgroups = isX ? numRows : isY ? numColumns : 1;
    switch (builtin.kind) {
    case Builtin::GroupId:
      return isX ? "builtin.group_id" : "constant 0";
    case Builtin::NumGroups:
      return isX ? "builtin.group_size" : "constant 1";
    case Builtin::NumSubgroups:
      return "constant " + std::to_string(subgroups);
    default:
      break;
    }
    if (subgroups == 1)
      return "constant 0";
    if (numRows == 1 || numColumns == 1)
      return "builtin.subgroup_id";
    auto operands = subgroupPositions.lookup(&builtin);
    return (isX ? "arith.rem " : "arith.div ") + operands.first + ", " + operands.second;
  }

  /// The number of the subgroup, and how many there are along x.
  void printPosition(const Builtin &builtin) {
    bool isPosition = isChecked && builtin.kind == Builtin::SubgroupId && numRows > 1 &&
                      numColumns > 1 && (builtin.axis == Builtin::X || builtin.axis == Builtin::Y);
    if (!isPosition)
      return;
    auto &[id, count] = subgroupPositions[&builtin];
    id = newConstant();
    out.indent(2 * depth) << id << " = builtin.subgroup_id : i32\n";
    count = newConstant();
    out.indent(2 * depth) << count << " = constant " << numRows << " : i32\n";
  }

  /// The number of iterations that version 0.4 allows for `unroll` becomes a boolean.
  static std::string loopAttributes(const Attr &attributes) {
    llvm::SmallVector<NamedAttr> entries(attributes.entries);
    for (NamedAttr &entry : entries)
      if (entry.name.text == "unroll" && entry.value.kind == Attr::Integer)
        entry.value = {Attr::Bool, entry.value.range, entry.value.integer > 1};
    Attr plain = attributes;
    plain.entries = entries;
    return spelling(plain);
  }

  /// Numbers as operands and whole modes are syntax of version 0.3: they become instructions.
  void printConstants(const Inst &inst) {
    if (auto *builtin = inst.as<Builtin>())
      printPosition(*builtin);
    forEachOperand(inst, [&](const Operand &operand) {
      if (operand.literal)
        define(&operand) << "constant " << spelling(*operand.literal) << " : "
                         << spelling(*operand.type) << '\n';
    });
    if (auto *view = inst.as<Subview>())
      for (auto [index, slice] : llvm::enumerate(view->slices))
        if (slice.isWhole && view->operand.type->shape[index] == dynamic)
          define(&slice) << "size " << view->operand.name << '[' << index << "] : index\n";
  }
  raw_ostream &define(const void *what) {
    constants[what] = newConstant();
    return out.indent(2 * depth) << constants[what] << " = ";
  }
  std::string newConstant() { return (prefix + llvm::Twine(numConstants++)).str(); }

  template <typename Each> void forEachOperand(const Inst &inst, Each each) {
    std::visit([&](const auto &node) { visitOperands(node, each); }, inst.node);
  }

  // Visits operands for which a number is syntax of version 0.3.
  template <typename T, typename Each> void visitOperands(const T &, Each) {}
  template <typename Each> void visitOperands(const Blas &blas, Each each) {
    each(blas.alpha);
    each(blas.beta);
  }
  template <typename Each> void visitOperands(const Foreach &loop, Each each) {
    llvm::for_each(loop.from, each);
    llvm::for_each(loop.to, each);
  }
  template <typename Each> void visitOperands(const Binary &binary, Each each) {
    each(binary.lhs);
    each(binary.rhs);
  }
  template <typename Each> void visitOperands(const Unary &unary, Each each) {
    each(unary.operand);
  }
  template <typename Each> void visitOperands(const Compare &compare, Each each) {
    each(compare.lhs);
    each(compare.rhs);
  }
  template <typename Each> void visitOperands(const For &loop, Each each) {
    each(loop.from);
    each(loop.to);
    if (loop.step)
      each(*loop.step);
    for (const Carried &carried : loop.carried)
      each(carried.initial);
  }
  template <typename Each> void visitOperands(const If &branch, Each each) {
    each(branch.condition);
  }
  template <typename Each> void visitOperands(const Load &load, Each each) {
    llvm::for_each(load.indices, each);
  }
  template <typename Each> void visitOperands(const Store &store, Each each) {
    each(store.value);
    llvm::for_each(store.indices, each);
  }
  template <typename Each> void visitOperands(const Yield &yield, Each each) {
    llvm::for_each(yield.values, each);
  }
  template <typename Each> void visitOperands(const CoopLoad &load, Each each) {
    each(load.row);
    each(load.column);
  }
  template <typename Each> void visitOperands(const CoopStore &store, Each each) {
    each(store.row);
    each(store.column);
  }
  template <typename Each> void visitOperands(const CoopScale &scale, Each each) {
    each(scale.scalar);
  }
  template <typename Each> void visitOperands(const Broadcast &broadcast, Each each) {
    each(broadcast.value);
    each(broadcast.lane);
  }
  template <typename Each> void visitOperands(const SubgroupOp &op, Each each) { each(op.operand); }

  void operand(const Operand &operand) {
    auto constant = constants.find(&operand);
    if (constant != constants.end())
      out << constant->second;
    else if (operand.literal)
      out << spelling(*operand.literal);
    else
      out << operand.name;
  }
  void operands(llvm::ArrayRef<Operand> list) {
    llvm::interleaveComma(list, out, [&](const Operand &each) { operand(each); });
  }
  void bracketed(llvm::ArrayRef<Operand> list) {
    out << '[';
    operands(list);
    out << ']';
  }
  void type(const TypeRef &type) { out << " : " << spelling(*type.type); }
  void types(llvm::ArrayRef<TypeRef> list) {
    out << " -> (";
    llvm::interleaveComma(list, out, [&](const TypeRef &each) { out << spelling(*each.type); });
    out << ')';
  }
  void names(llvm::ArrayRef<Value *> values) {
    llvm::interleaveComma(values, out, [&](const Value *value) { out << value->name.text; });
  }
  void space() { out << ' '; }
  void comma() { out << ", "; }

  void print(const Alloca &alloca) {
    if (alloca.attributes)
      out << ' ' << spelling(*alloca.attributes);
    type(alloca.type);
  }
  void print(const Blas &blas) {
    space();
    operand(blas.alpha);
    comma();
    operands(blas.inputs);
    if (blas.op == BlasOp::Cumsum)
      out << ", " << blas.mode.value;
    comma();
    operand(blas.beta);
    comma();
    operand(blas.output);
  }
  void print(const Foreach &loop) {
    out << " (";
    names(loop.variables);
    out << ") : " << spelling(*loop.variables.front()->type) << " = (";
    operands(loop.from);
    out << "), (";
    operands(loop.to);
    out << ") ";
    print(*loop.body);
  }
  void print(const Parallel &parallel) {
    space();
    print(*parallel.body);
  }
  void print(const LifetimeStop &stop) {
    space();
    operand(stop.operand);
  }
  void print(const Binary &binary) {
    space();
    operand(binary.lhs);
    comma();
    operand(binary.rhs);
    type(binary.type);
  }
  void print(const Unary &unary) {
    space();
    operand(unary.operand);
    type(unary.type);
  }
  void print(const Cast &cast) {
    space();
    operand(cast.operand);
    type(cast.type);
  }
  void print(const Compare &compare) {
    space();
    operand(compare.lhs);
    comma();
    operand(compare.rhs);
    out << " : bool";
  }
  void print(const Constant &constant) {
    out << ' ' << spelling(*constant.literal);
    type(constant.type);
  }
  void print(const Barrier &) {}
  void print(const Builtin &builtin) { type(builtin.type); }
  void print(const Expand &expand) {
    space();
    operand(expand.operand);
    out << '[' << expand.mode.value << " -> ";
    llvm::interleave(expand.factors, out, [&](const Operand &each) { operand(each); }, " x ");
    out << ']';
    type(expand.type);
  }
  void print(const Fuse &fuse) {
    space();
    operand(fuse.operand);
    out << '[' << fuse.from.value << ',' << fuse.to.value << ']';
    type(fuse.type);
  }
  void print(const For &loop) {
    out << ' ' << loop.variable->name.text << ": " << spelling(*loop.variable->type) << " = ";
    operand(loop.from);
    comma();
    operand(loop.to);
    if (loop.step) {
      comma();
      operand(*loop.step);
    }
    if (!loop.carried.empty()) {
      out << " init(";
      llvm::interleaveComma(loop.carried, out, [&](const Carried &carried) {
        out << carried.value->name.text << '=';
        operand(carried.initial);
      });
      out << ')';
      types(loop.types);
    }
    space();
    print(*loop.body);
    if (loop.attributes)
      out << ' ' << loopAttributes(*loop.attributes);
  }
  void print(const If &branch) {
    space();
    operand(branch.condition);
    if (!branch.types.empty())
      types(branch.types);
    space();
    print(*branch.thenRegion);
    if (branch.elseRegion) {
      out << " else ";
      print(*branch.elseRegion);
    }
  }
  void print(const Load &load) {
    space();
    operand(load.operand);
    bracketed(load.indices);
    type(load.type);
  }
  void print(const Size &size) {
    space();
    operand(size.operand);
    out << '[' << size.mode.value << ']';
    type(size.type);
  }
  void print(const Slice &slice, int64_t mode) {
    if (slice.isWhole) {
      out << "0:" << (mode == dynamic ? constants[&slice] : std::to_string(mode));
      return;
    }
    operand(slice.offset);
    if (slice.size) {
      out << ':';
      operand(*slice.size);
    }
  }
  void print(const Subview &view) {
    space();
    operand(view.operand);
    out << '[';
    for (auto [index, slice] : llvm::enumerate(view.slices)) {
      out << (index ? "," : "");
      print(slice, view.operand.type->shape[index]);
    }
    out << ']';
    type(view.type);
  }
  void print(const Store &store) {
    space();
    operand(store.value);
    comma();
    operand(store.target);
    bracketed(store.indices);
    if (store.type)
      type(*store.type);
  }
  void print(const Yield &yield) {
    out << " (";
    operands(yield.values);
    out << ')';
  }
  void position(const Operand &row, const Operand &column) {
    out << '[';
    operand(row);
    comma();
    operand(column);
    out << ']';
  }
  void print(const CoopLoad &load) {
    space();
    operand(load.source);
    position(load.row, load.column);
    type(load.type);
  }
  void print(const CoopMulAdd &product) {
    space();
    operand(product.a);
    comma();
    operand(product.b);
    comma();
    operand(product.c);
    type(product.type);
  }
  void print(const CoopScale &scale) {
    space();
    operand(scale.scalar);
    comma();
    operand(scale.matrix);
    type(scale.type);
  }
  void print(const CoopStore &store) {
    space();
    operand(store.matrix);
    comma();
    operand(store.target);
    position(store.row, store.column);
    if (store.type)
      type(*store.type);
  }
  void print(const Broadcast &broadcast) {
    space();
    operand(broadcast.value);
    comma();
    operand(broadcast.lane);
    type(broadcast.type);
  }
  void print(const SubgroupOp &op) {
    space();
    operand(op.operand);
    type(op.type);
  }
  void print(const Broken &) {}

  raw_ostream &out;
  unsigned depth = 0, numConstants = 0;
  bool isChecked = false;              ///< The sizes of the function are known.
  int64_t numRows = 1, numColumns = 1; ///< Subgroups in a work-group.
  std::string prefix = "%constant";
  llvm::DenseMap<const void *, std::string> constants; ///< Names for operands and slices.
  llvm::DenseMap<const Builtin *, std::pair<std::string, std::string>> subgroupPositions;
};

} // namespace

void tessera::tinytc::printTree(const Program &program, raw_ostream &out) {
  for (const Function *function : program.functions)
    TreePrinter(program, out).print(*function);
}
