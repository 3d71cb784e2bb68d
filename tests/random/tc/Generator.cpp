/// Generates programs: sizes, arguments, statements that are tried one by one, and a second def to
/// call.
#include "Generator.h"
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

namespace {

constexpr int64_t smallSteps = 150000, largeSteps = 6000000;

struct ParameterText {
  Scalar type;
  std::vector<std::string> dimensions;
  std::string name;
};

/// A def under construction.
struct DefText {
  std::string name;
  std::vector<ParameterText> parameters;
  std::vector<std::string> returns, statements;

  std::string text(Random &random) const {
    std::string text = "def " + name + "(";
    for (const ParameterText &parameter : parameters) {
      text += (&parameter == &parameters[0] ? "" : ", ") + nameOf(parameter.type, random);
      for (const std::string &dimension : parameter.dimensions)
        text += (&dimension == &parameter.dimensions[0] ? "(" : ", ") + dimension;
      text += parameter.dimensions.empty() ? " " : ") ";
      text += parameter.name;
    }
    text += ") -> (";
    for (const std::string &result : returns)
      text += (&result == &returns[0] ? "" : ", ") + result;
    text += ") {\n";
    for (const std::string &statement : statements)
      text += "  " + statement + "\n";
    return text + "}\n";
  }
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed), isLarge(random.chance(3)) {
    call.seed = seed % 1000003;
  }

  std::string program() {
    chooseSizes();
    if (!isLarge && random.chance(18)) {
      call.entry = "g";
      DefText callee{"g", {}, {}, {}};
      addParameters(callee, random.between(1, 2));
      if (grow(callee, random.between(1, 2)))
        finishCallee(callee);
    }
    call.entry = "f";
    DefText def{"f", {}, {}, {}};
    if (!callees.empty())
      def.parameters = callees[0].parameters;
    addParameters(def, random.between(1, isLarge ? 2 : 3));
    grow(def, random.between(1, isLarge ? 3 : 4));
    hideTemporaries(def);
    dropSizes(def);
    return call.text() + earlier + def.text(random);
  }

private:
  void chooseSizes() {
    static constexpr const char *names[] = {"N", "M", "K", "L"};
    static constexpr int64_t primes[] = {11, 13, 17};
    int64_t count = random.between(1, isLarge ? 3 : 4);
    for (int64_t i = 0; i < count; ++i) {
      int64_t choice = random.below(100);
      call.sizes[names[i]] = choice < 4    ? 0
                             : choice < 12 ? 1
                             : choice < 90 ? random.between(2, 7)
                                           : random.pick(primes);
    }
    if (isLarge)
      call.sizes["N"] = random.between(30, 300);
    if (isLarge && random.chance(50))
      call.sizes["M"] = random.between(20, 120);
  }

  std::string someDimension() {
    if (random.chance(8))
      return std::to_string(random.between(1, 6));
    return std::next(call.sizes.begin(), random.below(int64_t(call.sizes.size())))->first;
  }

  int64_t valueOf(const std::string &dimension) {
    auto size = call.sizes.find(dimension);
    return size == call.sizes.end() ? std::stoll(dimension) : size->second;
  }

  void addParameters(DefText &def, int64_t count) {
    static constexpr size_t ranks[] = {0, 1, 1, 1, 1, 2, 2, 2, 2, 3};
    for (int64_t i = 0; i < count; ++i) {
      ParameterText parameter{someType(random), {}, std::string(1, char('A' + ++numParameters))};
      if (parameter.name == "K" || parameter.name == "L" || parameter.name == "M" ||
          parameter.name == "N")
        parameter.name += "_";
      size_t rank = random.pick(ranks);
      for (size_t d = 0; d < rank; ++d)
        parameter.dimensions.push_back(someDimension());
      bool isIndex = rank && sortOf(parameter.type) == Sort::Int && random.chance(40);
      if (isIndex)
        call.limits[parameter.name] = std::max<int64_t>(1, valueOf(someDimension()));
      if (rank == 0 && sortOf(parameter.type) != Sort::Float)
        parameter.name = "s" + std::to_string(numParameters);
      def.parameters.push_back(parameter);
    }
  }

  /// Adds statements that the interpreter accepts and, rarely, a last one that it does not.
  bool grow(DefText &def, int64_t count) {
    learn(def);
    for (int64_t tries = 10 * count; tries > 0 && count > 0; --tries) {
      Candidate candidate = Writer(random, scope).statement();
      DefText longer = with(def, candidate);
      std::unique_ptr<Parsed> parsed = parseAndCheck(earlier + longer.text(random));
      if (!parsed->program)
        continue;
      Outcome outcome = interpret(*parsed->program, call, isLarge ? largeSteps : smallSteps);
      bool isLast = outcome.end != End::Finished;
      if (isLast && (outcome.end == End::TooLong || !random.chance(3) || def.name != "f"))
        continue;
      def = longer;
      if (isLast)
        return true;
      --count;
      learn(outcome);
    }
    return !def.statements.empty() || fallBack(def);
  }

  static DefText with(const DefText &def, const Candidate &candidate) {
    DefText longer = def;
    longer.statements.push_back(candidate.text);
    for (const std::string &target : candidate.targets)
      if (!llvm::is_contained(longer.returns, target))
        longer.returns.push_back(target);
    return longer;
  }

  bool fallBack(DefText &def) {
    def = with(def, {"O0(i) = i where i in 0:3", {"O0"}});
    return true;
  }

  /// Records the contents of the arguments.
  void learn(const DefText &def) {
    scope = {{}, {}, {}, scope.numNames, isLarge};
    for (const CalleeText &callee : callees)
      scope.callees.push_back(callee.known);
    for (const ParameterText &parameter : def.parameters) {
      Box box;
      for (const std::string &dimension : parameter.dimensions)
        box.push_back({0, valueOf(dimension)});
      for (const std::string &dimension : parameter.dimensions)
        if (call.sizes.contains(dimension))
          scope.sizes[dimension] = valueOf(dimension);
      Array array = makeArray(call, parameter.name, parameter.type, box);
      scope.tensors.push_back(known(parameter.name, array, /*isInput=*/true));
      if (box.empty() && sortOf(parameter.type) == Sort::Int)
        scope.sizes[parameter.name] = array.elements[0].integer;
    }
  }

  void learn(const Outcome &outcome) {
    llvm::erase_if(scope.tensors, [](const Known &known) { return !known.isInput; });
    for (auto &[name, array] : outcome.defined)
      scope.tensors.push_back(known(name, array, /*isInput=*/false));
  }

  static Known known(const std::string &name, const Array &array, bool isInput) {
    Known known{name, array.type, array.box, isInput};
    for (const Number &element : array.elements) {
      bool isFirst = &element == &array.elements[0];
      known.isExact &= element.isExact();
      known.least = isFirst ? element.integer : std::min(known.least, element.integer);
      known.most = isFirst ? element.integer : std::max(known.most, element.integer);
    }
    return known;
  }

  void finishCallee(const DefText &def) {
    Callee callee{def.name, {}, {}};
    for (const ParameterText &parameter : def.parameters)
      callee.parameters.push_back({parameter.type, parameter.dimensions.size()});
    for (const std::string &result : def.returns)
      callee.results.push_back(
          *llvm::find_if(scope.tensors, [&](const Known &known) { return known.name == result; }));
    callees.push_back({callee, def.parameters});
    earlier += def.text(random);
  }

  /// Some of the defined tensors are not returned.
  void hideTemporaries(DefText &def) {
    for (size_t i = 0; i < def.returns.size() && def.returns.size() > 1;) {
      DefText shorter = def;
      shorter.returns.erase(shorter.returns.begin() + ptrdiff_t(i));
      bool hides = random.chance(25) && parseAndCheck(earlier + shorter.text(random))->program;
      if (hides)
        def = shorter;
      else
        ++i;
    }
  }

  /// Size variables must occur in an argument.
  void dropSizes(const DefText &def) {
    std::unique_ptr<Parsed> parsed = parseAndCheck(earlier + def.text(random));
    Values sizes;
    for (const Name &size : defNamed(*parsed->program, "f")->sizes)
      sizes[size.text.str()] = call.sizes.at(size.text.str());
    call.sizes = sizes;
  }

  struct CalleeText {
    Callee known;
    std::vector<ParameterText> parameters;
  };

  Random random;
  bool isLarge;
  Call call;
  Scope scope;
  std::string earlier; ///< The defs before it.
  std::vector<CalleeText> callees;
  int numParameters = -1;
};

} // namespace

std::string random::generate(uint64_t seed) {
  return Generator(seed).program();
}
