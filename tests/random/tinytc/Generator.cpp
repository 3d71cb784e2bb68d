#include "Generator.h"
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

std::string random::generate(uint64_t seed) {
  Random random(seed);
  Definitions definitions;
  std::string functions;
  int64_t count = random.chance(75) ? 1 : 2;
  for (int64_t i = 0; i < count; ++i)
    functions += Writer(random.next(), "@k" + std::to_string(i), definitions).function();
  return definitions.text + functions;
}

Writer::Writer(uint64_t seed, std::string name, Definitions &definitions)
    : random(seed), name(std::move(name)), definitions(definitions), isLater(random.chance(30)) {}

std::string Writer::function() {
  chooseShape();
  budget = random.between(4, 40);
  statements(random.between(2, 7));
  std::string text = llvm::formatv("; {0} groups={1} threads={2} seed={3}\n", name, groups, threads,
                                   random.below(100000));
  for (const std::string &call : calls)
    text += "; " + name + " " + call + "\n";
  return text + "func " + name + "(" + llvm::join(parameters, ", ") + ")" + attributes + " {\n" +
         prologue + body + "}\n";
}

void Writer::chooseShape() {
  groups = random.chance(10) ? 0 : random.between(1, 4);
  threads = random.between(1, 2);
  static constexpr int64_t sizes[] = {8, 16, 32, 64};
  subgroupSize = random.pick(sizes);
  static constexpr std::pair<int64_t, int64_t> shapes[] = {{1, 1}, {1, 1}, {2, 1},
                                                           {1, 2}, {2, 2}, {3, 1}};
  auto [rows, columns] = random.pick(shapes);
  numSubgroups = rows * columns;
  if (random.chance(15)) { // Left to the device.
    subgroupSize = 16, numSubgroups = 1;
    return;
  }
  attributes = llvm::formatv(" attributes {{subgroup_size={0}, work_group_size=[{1},{2}]}",
                             number(subgroupSize), rows * subgroupSize, columns);
}

//===-- Text --------------------------------------------------------------===//

void Writer::line(const std::string &text) {
  body += std::string(2 * indent, ' ') + text + "\n";
}

std::string Writer::define(llvm::StringRef prefix, const std::string &text) {
  std::string result = fresh(prefix);
  line(result + " = " + text);
  return result;
}

std::string Writer::spell(llvm::StringRef seed, llvm::StringRef later) {
  return (isLater ? later : seed).str();
}

std::string Writer::number(int64_t value) {
  if (value < 0 || !random.chance(4))
    return std::to_string(value);
  std::string variable = "$n" + std::to_string(definitions.count++);
  definitions.text +=
      variable + " = " +
      (random.chance(50) ? std::to_string(value)
                         : llvm::formatv("!calc({0} 2 * 6 + 2 / 3 -)", value).str()) +
      "\n";
  return variable + " ";
}

std::string Writer::element(ScalarType type) {
  if (!random.chance(4))
    return spelling(type).str();
  std::string variable = "$t" + std::to_string(definitions.count++);
  definitions.text += variable + " = " + spelling(type).str() + "\n";
  return variable + " ";
}

std::string Writer::parameter(llvm::StringRef prefix, const std::string &type,
                              const std::string &call) {
  std::string result = fresh(prefix);
  parameters.push_back(result + ": " + type);
  if (!call.empty())
    calls.push_back(result + " " + call);
  return result;
}

//===-- Statements --------------------------------------------------------===//

Scope::~Scope() {
  // Parameters remain, but writes to them may not have happened.
  for (auto [tensor, isReady] : llvm::zip_equal(tensors, wasReady))
    tensor->isReady = isReady;
  writer.tensors = std::move(tensors);
  writer.variables = std::move(variables);
  writer.indices = std::move(indices);
}

void Writer::statements(int64_t count) {
  for (; count > 0 && budget > 0; --count) {
    --budget;
    if (place == Place::Collective)
      collectiveStatement();
    else
      spmdStatement();
  }
}

namespace {
struct Choice {
  int weight;
  void (Writer::*write)();
};
} // namespace

template <size_t n> static auto chosen(const Choice (&table)[n], Random &random) {
  int64_t total = 0;
  for (const Choice &choice : table)
    total += choice.weight;
  int64_t at = random.below(total);
  const Choice *choice = table;
  while ((at -= choice->weight) >= 0)
    ++choice;
  return choice->write;
}

void Writer::collectiveStatement() {
  static constexpr Choice table[] = {
      {34, &Writer::blas},   {14, &Writer::foreachLoop},    {18, &Writer::parallel},
      {8, &Writer::loop},    {6, &Writer::branch},          {8, &Writer::newValue},
      {4, &Writer::barrier}, {4, &Writer::collectiveStore}, {4, &Writer::stopLifetime},
  };
  (this->*chosen(table, random))();
}

void Writer::spmdStatement() {
  static constexpr Choice inForeach[] = {
      {40, &Writer::newValue},
      {15, &Writer::addSomewhere},
      {20, &Writer::branch},
      {15, &Writer::loop},
  };
  static constexpr Choice inParallel[] = {
      {25, &Writer::newValue},  {20, &Writer::storeOwnSlot}, {12, &Writer::addSomewhere},
      {12, &Writer::branch},    {10, &Writer::loop},         {14, &Writer::exchange},
      {18, &Writer::cooperate},
  };
  (this->*(place == Place::Foreach ? chosen(inForeach, random) : chosen(inParallel, random)))();
}
