/// Writes one kernel. Tensors that instructions need become parameters, members of groups, parts of
/// batches, views or local memory at the time they are needed.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_WRITER_H
#define TESSERA_TESTS_RANDOM_TINYTC_WRITER_H

#include "../Random.h"
#include "lang/tinytc/Syntax.h"
#include <deque>
#include <set>

namespace tessera::tinytc::random {

/// Definitions of the preprocessor that functions of a file share.
struct Definitions {
  std::string text;
  int64_t count = 0;
};

/// A mode. One that only the call knows has a value with its size.
struct Dim {
  int64_t size = 1;
  std::string name = {}; ///< "": known.
  bool isDynamic() const { return !name.empty(); }
  bool operator==(const Dim &other) const {
    return size == other.size && isDynamic() == other.isDynamic();
  }
};
using Dims = std::vector<Dim>;

/// What may be done with a tensor.
enum class Role {
  Input, ///< All groups read it.
  Own,   ///< A group's own.
  Sum,   ///< All groups add to it, atomically.
};

struct Tensor {
  std::string name;
  ScalarType element;
  Dims dims;
  llvm::SmallVector<int64_t> strides; ///< As the type has them.
  bool isLocal = false;
  Role role = Role::Input;
  int64_t root = 0;     ///< Tensors of one memory have one root.
  bool isReady = true;  ///< All of it has been written.
  int allocaDepth = -1; ///< Where its `alloca` stands; -1: it is none.

  bool isEmpty() const;
};

/// A value: a bool where there is no type.
struct Variable {
  std::string name;
  std::optional<ScalarType> type;
};
/// A value of type `index` from 0 up to a bound.
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
  /// `%name = text`, and the name.
  std::string define(llvm::StringRef prefix, const std::string &text);
  std::string spell(llvm::StringRef seed, llvm::StringRef later);
  /// A number or a type; at times by way of a definition.
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
    llvm::SmallVector<int64_t> strides; ///< As the type has them.
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
  /// One that promotes to the other.
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
  bool isLater; ///< Whether it has the spelling of version 0.4.
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
  bool isDivergent = false;               ///< Whether work-items have taken different ways.
  int depth = 0;                          ///< Nesting of regions.
  std::set<int64_t> read, written, added; ///< Roots that the SPMD region has touched.
  std::string item;                       ///< The number of the work-item, as an index.
  std::vector<Tensor *> scratch;          ///< An element a work-item.
};

/// What is defined while it lives is forgotten then.
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
