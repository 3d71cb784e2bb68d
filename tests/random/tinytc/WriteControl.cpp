/// Branches and loops, of the whole group and of work-items.
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

void Writer::region(llvm::function_ref<void()> body) {
  Scope scope(*this);
  ++indent;
  ++depth;
  body();
  --depth;
  --indent;
}

/// In `parallel`, work-items may agree on the condition: then barriers are allowed inside.
void Writer::branch() {
  if (depth >= 4)
    return newValue();
  bool isSame = place == Place::Collective || (!isDivergent && random.chance(40));
  std::string condition =
      isSame && place != Place::Collective ? scalarParameter(std::nullopt) : boolean(2);
  bool wasDivergent = std::exchange(isDivergent, isDivergent || !isSame);
  bool hasResult = random.chance(40);
  std::optional<ScalarType> type = scalarType();
  std::string result = fresh("y"), types = hasResult ? " -> (" + element(*type) + ")" : "";
  line((hasResult ? result + " = " : "") + "if " + condition + types + " {");
  auto arm = [&] {
    statements(random.between(0, 2));
    if (hasResult) {
      std::string yielded = value(type, 1);
      line("yield (" + yielded + ")");
    }
  };
  region(arm);
  if (hasResult || random.chance(50)) {
    line("} else {");
    region(arm);
  }
  line("}");
  isDivergent = wasDivergent;
  if (hasResult)
    remember(result, type);
}

/// A few iterations; the bounds are uniform or differ between work-items.
void Writer::loop() {
  if (depth >= 4)
    return newValue();
  bool isSame = place == Place::Collective || (!isDivergent && random.chance(50));
  ScalarType type = random.chance(50) ? ScalarType::Index : integerType();
  std::string spelled = spelling(type).str();
  int64_t first = random.between(-2, 2), count = random.between(0, 4), step = random.between(1, 3);
  auto number = [&](int64_t value) {
    return define("c", llvm::formatv("constant {0} : {1}", value, spelled));
  };
  std::string from = number(first), to = number(first + count * step);
  if (!isSame) { // Up to 3 more iterations for some.
    std::string any = simple(type), three = number(3);
    std::string more =
        define("x", spell("arith.and", "and") + " " + any + ", " + three + " : " + spelled);
    to = define("x", spell("arith.add", "add") + " " + to + ", " + more + " : " + spelled);
  }
  bool wasDivergent = std::exchange(isDivergent, isDivergent || !isSame);
  std::vector<std::string> results, carried, initial, types;
  std::vector<std::optional<ScalarType>> carriedTypes;
  for (int64_t i = random.between(0, 2); i > 0; --i) {
    std::optional<ScalarType> each;
    if (random.chance(90))
      each = scalarType();
    carriedTypes.push_back(each);
    types.push_back(each ? element(*each) : "bool");
    initial.push_back(simple(each));
    results.push_back(fresh("r"));
    carried.push_back(fresh("a"));
  }
  std::string variable = fresh("i"),
              text = results.empty() ? "" : llvm::join(results, ", ") + " = ";
  bool isWritten = !isLater || random.chance(50);
  text += "for " + variable + (isWritten ? ": " + element(type) : "") + " = " + from + ", " + to;
  if (step != 1 || random.chance(20))
    text += ", " + number(step);
  if (!results.empty()) {
    llvm::SmallVector<std::string> pairs;
    for (auto [name, value] : llvm::zip_equal(carried, initial))
      pairs.push_back(name + "=" + value);
    text += " init(" + llvm::join(pairs, ", ") + ") -> (" + llvm::join(types, ", ") + ")";
  }
  line(text + " {");
  region([&] {
    remember(variable, type);
    if (type == ScalarType::Index && first >= 0 && isSame)
      indices.push_back({variable, first + count * step});
    for (auto [name, each] : llvm::zip_equal(carried, carriedTypes))
      remember(name, each);
    statements(random.between(1, 3));
    llvm::SmallVector<std::string> yielded;
    for (const auto &each : carriedTypes)
      yielded.push_back(value(each, 2));
    if (!results.empty())
      line("yield (" + llvm::join(yielded, ", ") + ")");
  });
  static constexpr const char *unrolls[] = {"", "", " {unroll=true}", " {unroll=false}"};
  line("}" + std::string(random.pick(unrolls)));
  isDivergent = wasDivergent;
  for (auto [name, each] : llvm::zip_equal(results, carriedTypes))
    remember(name, each);
}
