/// Writes one kernel. Tensors that instructions need are created on demand as parameters, members
/// of groups, parts of batches, views or local memory.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_WRITER_H
#define TESSERA_TESTS_RANDOM_TINYTC_WRITER_H

#include "../Random.h"
#include "lang/tinytc/Syntax.h"
#include <deque>
#include <set>

namespace tessera::tinytc::random {

/// Preprocessor definitions shared by the functions of a file.
struct Definitions {
  std::string text;
  int64_t count = 0;
};

/// A mode. If only the call knows its size, a value holds it.
struct Dim {
  int64_t size = 1;
  std::string name = {}; ///< "" if known.
  bool isDynamic() const { return !name.empty(); }
  bool operator==(const Dim &other) const {
    return size == other.size && isDynamic() == other.isDynamic();
  }
};
using Dims = std::vector<Dim>;

/// What a tensor may be used for.
enum class Role {
  Input, ///< Read by all groups.
  Own,   ///< Private to a group.
  Sum,   ///< All groups add to it atomically.
};

struct Tensor {
  std::string name;
  ScalarType element;
  Dims dims;
  llvm::SmallVector<int64_t> strides; ///< As in the type.
  bool isLocal = false;
  Role role = Role::Input;
  int64_t root = 0;     ///< Tensors in the same memory have the same root.
  bool isReady = true;  ///< It is completely written.
  int allocaDepth = -1; ///< The depth of its `alloca`; -1 if it has none.

  bool isEmpty() const;
};

/// A value; a bool if there is no type.
struct Variable {
  std::string name;
  std::optional<ScalarType> type;
};
/// An `index` value from 0 up to a bound.
struct IndexVariable {
  std::string name;
  int64_t bound;
};

class Writer {
public:
  Writer(uint64_t seed, std::string name, Definitions &definitions);
  /// The calls, in comments, and the function.
  std::string function();

private:
  friend struct Scope;

  // Generator.cpp
  void chooseShape();
  void statements(int64_t count);
  void collectiveStatement();
  void spmdStatement();
  std::string fresh(llvm::StringRef prefix) {
    return "%" + prefix.str() + std::to_string(numNames++);
  }
  void line(const std::string &text);
  /// Emits `%name = text` and returns the name.
  std::string define(llvm::StringRef prefix, const std::string &text);
  std::string spell(llvm::StringRef seed, llvm::StringRef later);
  /// A number or a type, sometimes through a definition.
  std::string number(int64_t value);
  std::string element(ScalarType type);
  std::string parameter(llvm::StringRef prefix, const std::string &type, const std::string &call);

  // WriteTensor.cpp
  Dim dim();
  Dim knownDim(int64_t size) { return {size}; }
  Dims dims(size_t order);
  std::string typeOf(ScalarType element, const Dims &dims, llvm::ArrayRef<int64_t> strides,
                     bool isLocal, bool isPlain = false);
  std::string typeOf(const Tensor &tensor);
  struct Layout {
    llvm::SmallVector<int64_t> strides; ///< As in the type.
    std::string call;                   ///< "shape 4x3 strides 1x6"
  };
  Layout layout(const Dims &dims, bool isAlwaysPacked = false);
  Tensor &readable(ScalarType element, const Dims &dims, llvm::ArrayRef<int64_t> except = {});
  Tensor &writable(ScalarType element, const Dims &dims);
  Tensor &addable(ScalarType element, const Dims &dims);
  Tensor *findTensor(llvm::function_ref<bool(const Tensor &)> fits);
  bool mayRead(const Tensor &tensor) const;
  bool mayWrite(const Tensor &tensor) const;
  Tensor &create(ScalarType element, const Dims &dims, Role role);
  Tensor createParameter(ScalarType element, const Dims &dims, Role role, bool isAlwaysPacked);
  Tensor createMember(ScalarType element, const Dims &dims, Role role);
  Tensor createSlice(ScalarType element, const Dims &dims, Role role);
  Tensor createLocal(ScalarType element, const Dims &dims);
  Tensor createBase(ScalarType element, const Dims &dims, Role role);
  std::optional<Tensor> createView(ScalarType element, const Dims &dims, Role role);
  Tensor subview(const Tensor &source, const Dims &dims);
  Tensor expanded(ScalarType element, const Dims &dims, Role role);
  std::optional<Tensor> fused(ScalarType element, const Dims &dims, Role role);
  void makeReady(Tensor &tensor);
  std::string sizeOf(const Dim &dim) { return dim.isDynamic() ? dim.name : number(dim.size); }
  std::string wholeSlice(const Dim &dim);
  std::string groupId();
  std::string fillCall(Role role, bool &isReady);

  // WriteValue.cpp
  ScalarType scalarType();
  ScalarType integerType();
  /// A type that promotes to `type`.
  ScalarType below(ScalarType type);
  std::string literal(std::optional<ScalarType> type);
  std::string constant(std::optional<ScalarType> type);
  std::string indexConstant(int64_t value);
  std::string asIndex(const Dim &dim);
  std::string scalarParameter(std::optional<ScalarType> type);
  std::string value(std::optional<ScalarType> type, int depth);
  std::string simple(std::optional<ScalarType> type);
  std::string boolean(int depth);
  std::string binary(ScalarType type, int depth);
  std::string unary(ScalarType type, int depth);
  std::string cast(ScalarType type, int depth);
  std::string load(ScalarType type);
  std::string loadFrom(const Tensor &tensor);
  std::string choice(std::optional<ScalarType> type, int depth);
  std::string builtin(ScalarType type);
  std::string subgroupValue(ScalarType type, int depth);
  std::string indexBelow(const Dim &dim);
  std::vector<std::string> indicesInto(const Tensor &tensor);
  void remember(const std::string &name, std::optional<ScalarType> type);

  // WriteBlas.cpp
  void blas();
  std::string factor(ScalarType type);
  std::string beta(ScalarType type, const Tensor &output, bool isAtomic);
  void collectiveStore();
  void barrier();
  void stopLifetime();
  void newValue();
  void copyInto(Tensor &tensor);

  // WriteSpmd.cpp
  void foreachLoop();
  void parallel();
  void storeOwnSlot();
  void addSomewhere();
  void exchange();
  void cooperate();
  std::string matrix(ScalarType type, int64_t rows, int64_t columns, MatrixUse use);
  std::string loadMatrix(const std::string &type, ScalarType element, int64_t rows,
                         int64_t columns);
  std::string agreed(const std::string &number);
  std::string choose(const std::string &matrix, const std::string &type);
  std::string addInLoop(const std::string &sum, const std::string &type,
                        llvm::function_ref<std::string(const std::string &)> add);
  void storeMatrix(const std::string &name, ScalarType type, int64_t rows, int64_t columns);

  // WriteControl.cpp
  void branch();
  void loop();
  void region(llvm::function_ref<void()> body);

  Random random;
  std::string name;
  Definitions &definitions;
  bool isLater; ///< Whether to use the spelling of version 0.4.
  int64_t groups = 1, threads = 1, subgroupSize = 16, numSubgroups = 1;
  int64_t workItems() const { return subgroupSize * numSubgroups; }

  std::vector<std::string> parameters, calls;
  std::string attributes, prologue, body;
  std::string groupName; ///< The name of the group's id; "" until needed.
  int64_t numNames = 0, numRoots = 0, indent = 1, budget = 0;
  std::vector<Dim> knownDims;

  std::deque<Tensor> all;
  std::vector<Tensor *> tensors;
  std::vector<Variable> variables;
  std::vector<IndexVariable> indices;

  enum class Place { Collective, Foreach, Parallel };
  Place place = Place::Collective;
  bool isDivergent = false;               ///< Whether work-items have taken different branches.
  int depth = 0;                          ///< Nesting of regions.
  std::set<int64_t> read, written, added; ///< Roots that the SPMD region has touched.
  std::string item;                       ///< The number of the work-item, as an index.
  std::vector<Tensor *> scratch;          ///< With one element per work-item.
};

/// Definitions made while it lives are forgotten afterwards.
struct Scope {
  explicit Scope(Writer &writer)
      : writer(writer), tensors(writer.tensors), variables(writer.variables),
        indices(writer.indices) {
    for (const Tensor *tensor : tensors)
      wasReady.push_back(tensor->isReady);
  }
  ~Scope();

  Writer &writer;
  std::vector<Tensor *> tensors;
  std::vector<Variable> variables;
  std::vector<IndexVariable> indices;
  std::vector<bool> wasReady;
};

} // namespace tessera::tinytc::random

#endif
