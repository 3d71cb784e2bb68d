/// Range inference against exhaustive search, for random statements and small sizes.
#include "Analyzed.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <map>
#include <random>

using namespace tessera;
using namespace tessera::tc;

namespace {

using Values = std::vector<std::pair<llvm::StringRef, int64_t>>;
using Point = std::map<std::string, int64_t>; ///< Values of variables and sizes.

/// A sum of names, or of products of two, with coefficients.
struct Sum {
  std::map<std::string, int64_t> terms;
  int64_t constant = 0;

  int64_t at(const Point &point) const {
    int64_t value = constant;
    for (auto &[names, coefficient] : terms) {
      auto [first, second] = llvm::StringRef(names).split('*');
      value += coefficient * point.at(first.str()) * (second.empty() ? 1 : point.at(second.str()));
    }
    return value;
  }
  /// Whether the value changes with the variable, if all other variables are 0.
  bool dependsOn(const std::string &name, const Point &sizes) const {
    Point point = sizes;
    for (const char *variable : {"i", "j", "k"})
      point[variable] = 0;
    int64_t before = at(point);
    point[name] = 1;
    return at(point) != before;
  }
  std::string text() const {
    std::string text = std::to_string(constant);
    for (auto &[name, coefficient] : terms)
      text += " + " + std::to_string(coefficient) + "*" + name;
    return text;
  }
};

struct Interval {
  int64_t lower = 0, upper = 0;
  bool operator==(const Interval &) const = default;
};

struct TestRead {
  std::string tensor;
  std::vector<Sum> indices;

  std::string text() const {
    std::string text;
    for (const Sum &index : indices)
      text += (text.empty() ? tensor + "(" : ", ") + index.text();
    return text + ")";
  }
};

struct TestStatement {
  std::string target;
  std::vector<std::string> left, variables;
  std::map<std::string, std::pair<Sum, Sum>> where;
  std::vector<TestRead> reads;

  std::string text() const {
    std::string text = target + "(";
    for (const std::string &name : left)
      text += (&name == &left[0] ? "" : ",") + name;
    text += ") +=! ";
    for (const TestRead &read : reads)
      text += (&read == &reads[0] ? "" : " * ") + read.text();
    for (auto &[name, bounds] : where)
      text += (name == where.begin()->first ? " where " : ", ") + name + " in " +
              bounds.first.text() + ":" + bounds.second.text();
    return text;
  }
};

struct TestDef {
  std::map<std::string, std::vector<std::string>> arguments; ///< Name and sizes.
  std::vector<TestStatement> statements;

  std::string text() const {
    std::string text = "def f(", returns;
    for (auto &[name, sizes] : arguments) {
      text += (name == arguments.begin()->first ? "float(" : ", float(");
      for (const std::string &size : sizes)
        text += (&size == &sizes[0] ? "" : ",") + size;
      text += ") " + name;
    }
    for (const TestStatement &statement : statements)
      returns += (returns.empty() ? "" : ", ") + statement.target;
    text += ") -> (" + returns + ") {\n";
    for (const TestStatement &statement : statements)
      text += "  " + statement.text() + "\n";
    return text + "}\n";
  }
};

//===- Exhaustive search -------------------------------------------------------------------------
// The definition, word for word: no division, no algebra, every bound is found by trying.

struct Outcome {
  enum Kind { Correct, NotInferable, Reversed, OutOfRange } kind = Correct;
  std::map<std::string, std::vector<Interval>> tensors;
  std::vector<std::map<std::string, Interval>> variables; ///< By statement.
  bool readsNothing = false;                              ///< In some statement.
};

constexpr int64_t window = 200;

class Oracle {
public:
  Oracle(const TestDef &def, const Point &sizes) : def(def), sizes(sizes) {}

  Outcome run() {
    for (auto &[name, extents] : def.arguments)
      for (const std::string &extent : extents)
        outcome.tensors[name].push_back({0, sizes.at(extent)});
    for (const TestStatement &statement : def.statements)
      if (outcome.kind == Outcome::Correct)
        solve(statement);
    return outcome;
  }

private:
  struct Inequality {
    Sum index;
    int64_t end;
    bool isLower;
    /// What must not be negative.
    int64_t slack(const Point &point) const {
      return isLower ? index.at(point) - end : end - 1 - index.at(point);
    }
  };

  void solve(const TestStatement &statement) {
    std::map<std::string, Interval> solved;
    for (auto &[name, bounds] : statement.where)
      solved[name] = {bounds.first.at(sizes), bounds.second.at(sizes)};
    std::vector<Inequality> inequalities;
    for (const TestRead &read : statement.reads)
      for (size_t dim = 0; dim != read.indices.size(); ++dim) {
        Interval range = outcome.tensors.at(read.tensor)[dim];
        inequalities.push_back({read.indices[dim], range.lower, true});
        inequalities.push_back({read.indices[dim], range.upper, false});
      }
    while (true) {
      std::map<std::string, Interval> found;
      for (const std::string &name : statement.variables)
        if (!solved.contains(name))
          if (auto range = settle(name, statement, inequalities, solved))
            found[name] = *range;
      if (found.empty())
        break;
      solved.insert(found.begin(), found.end());
    }
    if (solved.size() != statement.variables.size())
      return void(outcome.kind = Outcome::NotInferable);
    for (auto &[name, range] : solved)
      if (range.upper < range.lower)
        return void(outcome.kind = Outcome::Reversed);
    // Where there is no point, nothing is read [tc.error.18].
    bool isAny =
        llvm::none_of(solved, [](auto &each) { return each.second.lower == each.second.upper; });
    outcome.readsNothing |= !isAny;
    for (const Inequality &inequality : inequalities)
      if (isAny && hardest(inequality, "", 0, solved) < 0)
        return void(outcome.kind = Outcome::OutOfRange);
    outcome.variables.push_back(solved);
    for (const std::string &name : statement.left)
      outcome.tensors[statement.target].push_back(solved[name]);
  }

  /// The slack if each solved variable is at the end of its range that makes the slack smaller.
  int64_t hardest(const Inequality &inequality, const std::string &open, int64_t value,
                  const std::map<std::string, Interval> &solved) const {
    Point point = sizes;
    for (const char *variable : {"i", "j", "k"})
      point[variable] = 0;
    if (!open.empty())
      point[open] = value;
    for (auto &[name, range] : solved) {
      Point next = point;
      next[name] = point[name] + 1;
      bool falls = inequality.slack(next) < inequality.slack(point);
      point[name] = falls ? range.upper - 1 : range.lower;
    }
    return inequality.slack(point);
  }

  std::optional<Interval> settle(const std::string &name, const TestStatement &statement,
                                 const std::vector<Inequality> &inequalities,
                                 const std::map<std::string, Interval> &solved) const {
    std::optional<int64_t> lower, upper;
    for (const Inequality &inequality : inequalities) {
      auto isOther = [&](const std::string &other) {
        return other != name && !solved.contains(other) && inequality.index.dependsOn(other, sizes);
      };
      if (!inequality.index.dependsOn(name, sizes) || llvm::any_of(statement.variables, isOther))
        continue;
      auto slack = [&](int64_t value) { return hardest(inequality, name, value, solved); };
      int64_t value = -window;
      if (slack(1) > slack(0)) {
        while (slack(value) < 0)
          ++value;
        lower = std::max(lower.value_or(value), value);
      } else {
        while (slack(value) >= 0)
          ++value;
        upper = std::min(upper.value_or(value), value);
      }
    }
    return lower && upper ? std::optional(Interval{*lower, *upper}) : std::nullopt;
  }

  const TestDef &def;
  Point sizes;
  Outcome outcome;
};

//===- Random defs -------------------------------------------------------------------------------

class Generator {
public:
  explicit Generator(unsigned seed, int percentFactors = 0)
      : random(seed), percentFactors(percentFactors) {}
  int pick(int count) { return random() % count; }
  bool chance(int percent) { return pick(100) < percent; }

  TestDef def() {
    TestDef def;
    def.arguments["A"] = {pickSize(), pickSize()};
    def.arguments["B"] = {pickSize()};
    // All sizes occur somewhere.
    def.arguments["C"] = {"N", "M", "K"};
    ranks = {{"A", 2}, {"B", 1}, {"C", 3}};
    int count = 1 + pick(3);
    for (int i = 0; i != count; ++i)
      def.statements.push_back(statement("O" + std::to_string(i)));
    return def;
  }

  TestStatement statement(const std::string &target) {
    TestStatement statement{target, {}, {}, {}, {}};
    std::vector<std::string> names(std::initializer_list<std::string>{"i", "j", "k"});
    names.resize(1 + pick(3));
    int count = 1 + pick(3);
    for (int i = 0; i != count; ++i)
      statement.reads.push_back(read(names));
    // A variable that occurs nowhere would be another error.
    for (const std::string &name : names) {
      bool occurs = llvm::any_of(statement.reads, [&](const TestRead &read) {
        return llvm::any_of(read.indices, [&](const Sum &sum) {
          return llvm::any_of(sum.terms, [&](auto &term) { return term.first.ends_with(name); });
        });
      });
      if (!occurs)
        continue;
      statement.variables.push_back(name);
      if (statement.left.empty() || chance(60))
        statement.left.push_back(name);
      if (chance(15))
        statement.where[name] = bounds();
    }
    if (statement.left.empty()) {
      statement.reads.push_back({"B", {Sum{{{"i", 1}}, 0}}});
      statement.left = statement.variables = {"i"};
    }
    ranks[target] = statement.left.size();
    return statement;
  }

  TestRead read(const std::vector<std::string> &names) {
    auto entry = std::next(ranks.begin(), pick(ranks.size()));
    TestRead read{entry->first, {}};
    for (int dim = 0; dim != entry->second; ++dim) {
      Sum index;
      index.constant = chance(40) ? pick(7) - 3 : 0;
      if (chance(10))
        index.terms[pickSize()] = 1 - 2 * pick(2);
      int count = chance(60) ? 1 : pick(3);
      for (int i = 0; i != count; ++i) {
        int coefficient = chance(60) ? 1 : pick(6) - 2;
        std::string factor = percentFactors && chance(percentFactors) ? pickSize() + "*" : "";
        if (coefficient)
          index.terms[factor + names[pick(names.size())]] = coefficient;
      }
      read.indices.push_back(index);
    }
    return read;
  }

  std::pair<Sum, Sum> bounds() {
    Sum lower, upper;
    lower.constant = pick(4) - 1;
    upper.constant = lower.constant + pick(4);
    if (chance(50))
      upper.terms[pickSize()] = 1;
    return {lower, upper};
  }

  std::string pickSize() {
    const char *names[] = {"N", "M", "K"};
    return names[pick(3)];
  }

private:
  std::mt19937 random;
  int percentFactors;
  std::map<std::string, int> ranks;
};

Values valuesOf(const Point &sizes) {
  Values values;
  for (auto &[name, size] : sizes)
    values.push_back({name, size});
  return values;
}

std::vector<Interval> intervals(const Shape &shape) {
  std::vector<Interval> result;
  for (const Range &range : shape)
    result.push_back(
        {range.lower.constant().value_or(9999), range.upper.constant().value_or(9999)});
  return result;
}

Outcome::Kind kindOf(Analyzed &program) {
  if (program.isCorrect())
    return Outcome::Correct;
  std::string first = program.messages();
  if (first.find("tc.error.12") != std::string::npos)
    return Outcome::NotInferable;
  if (first.find("tc.error.13") != std::string::npos ||
      first.find("tc.where.8") != std::string::npos)
    return Outcome::Reversed;
  return Outcome::OutOfRange;
}

void expectSame(const Outcome &expected, Analyzed &found, const std::string &text) {
  ASSERT_TRUE(found.inferred) << text << found.messages();
  ASSERT_EQ(found.isCorrect(), expected.kind == Outcome::Correct) << text << found.messages();
  if (expected.kind != Outcome::Correct) {
    // The search finds only the first of several errors.
    if (found.diagnostics.sorted().size() == 1) {
      ASSERT_EQ(kindOf(found), expected.kind) << text << found.messages();
    }
    return;
  }
  for (auto &[tensor, shape] : found.inferred->entry().tensors)
    ASSERT_EQ(intervals(shape), expected.tensors.at(tensor->name.text.str())) << text;
  ASSERT_TRUE(found.inferred->entry().preconditions.empty()) << text;
  ASSERT_TRUE(found.inferred->entry().unproved.empty()) << text;
}

/// Whether all preconditions of a symbolic result hold for these sizes.
bool allHold(const Inferred &inferred, llvm::ArrayRef<int64_t> sizes) {
  return llvm::all_of(inferred.entry().preconditions, [&](const Precondition &condition) {
    auto smaller = inferred.sizes.evaluate(condition.smaller, sizes);
    auto larger = inferred.sizes.evaluate(condition.larger, sizes);
    return smaller && larger && *smaller <= *larger;
  });
}

/// Wherever both succeed; and with numbers as factors, they succeed together. A read that is wrong
/// for all sizes but those with nothing to read is an error without sizes.
void expectAgreement(Analyzed &symbolic, const Outcome &expected, const Point &sizes,
                     const std::string &text, bool hasFactors = false) {
  const Inferred &inferred = *symbolic.inferred;
  std::vector<int64_t> values; // In the order of Def::sizes, which is that of the symbols.
  for (const Name &name : inferred.entry().def->sizes)
    values.push_back(sizes.at(name.text.str()));
  bool isCorrect = expected.kind == Outcome::Correct;
  bool holds = symbolic.isCorrect() && allHold(inferred, values);
  bool mayFail = hasFactors || (expected.readsNothing && !symbolic.isCorrect());
  ASSERT_TRUE(holds == isCorrect || (mayFail && isCorrect)) << text << symbolic.messages();
  if (!holds)
    return;
  for (auto &[tensor, shape] : inferred.entry().tensors)
    for (auto [range, interval] : llvm::zip(shape, expected.tensors.at(tensor->name.text.str()))) {
      ASSERT_EQ(inferred.sizes.evaluate(range.lower, values), interval.lower) << text;
      ASSERT_EQ(inferred.sizes.evaluate(range.upper, values), interval.upper) << text;
    }
}

void compare(unsigned numSeeds, int percentFactors, llvm::MutableArrayRef<int> counts) {
  for (unsigned seed = 0; seed != numSeeds; ++seed) {
    Generator generator(seed, percentFactors);
    TestDef def = generator.def();
    std::string text = def.text();
    Analyzed symbolic(text);
    ASSERT_TRUE(symbolic.inferred) << text << symbolic.messages();
    for (int round = 0; round != 6; ++round) {
      Point sizes{{"N", generator.pick(7)}, {"M", generator.pick(7)}, {"K", generator.pick(7)}};
      std::string where =
          text + llvm::formatv("N={0} M={1} K={2}\n", sizes["N"], sizes["M"], sizes["K"]).str();
      Outcome expected = Oracle(def, sizes).run();
      ++counts[expected.kind];
      Analyzed numeric(text, valuesOf(sizes));
      expectSame(expected, numeric, where);
      expectAgreement(symbolic, expected, sizes, where, percentFactors != 0);
      if (testing::Test::HasFatalFailure())
        return;
    }
  }
}

TEST(TcRangesRandom, AgreesWithExhaustiveSearch) { // [tc.infer.16]
  int counts[4] = {};
  compare(250, /*percentFactors=*/0, counts);
  for (int count : counts)
    EXPECT_GT(count, 5);
}

TEST(TcRangesRandom, AgreesForFactorsThatAreSizes) { // [tc.infer.14]
  int counts[4] = {};
  compare(100, /*percentFactors=*/15, counts);
  for (int count : counts)
    EXPECT_GT(count, 5);
}

//===- Guards ------------------------------------------------------------------------------------

/// An expression with its value; nullopt if a read that it needs is out of range.
struct Expression {
  std::string text;
  std::function<int64_t(const Point &)> value;
};

/// Conditions and indices over i, j and sizes.
class Guards : public Generator {
public:
  using Generator::Generator;

  Expression sum() {
    Sum sum;
    sum.constant = pick(9) - 4;
    for (const char *name : {"i", "j"})
      if (chance(60))
        sum.terms[name] = chance(70) ? 1 : pick(5) - 2;
    if (chance(30))
      sum.terms[pickSize()] = chance(50) ? 1 : -1;
    return {"(" + sum.text() + ")", [sum](const Point &point) { return sum.at(point); }};
  }

  Expression index(int depth) {
    if (depth == 0 || chance(50))
      return sum();
    Expression a = index(depth - 1), b = index(depth - 1);
    int64_t divisor = 1 + pick(4);
    switch (pick(5)) {
    case 0:
      return {"min(" + a.text + ", " + b.text + ")",
              [=](const Point &p) { return std::min(a.value(p), b.value(p)); }};
    case 1:
      return {"max(" + a.text + ", " + b.text + ")",
              [=](const Point &p) { return std::max(a.value(p), b.value(p)); }};
    case 2:
      return {"(" + a.text + " / " + std::to_string(divisor) + ")",
              [=](const Point &p) { return llvm::divideFloorSigned(a.value(p), divisor); }};
    case 3:
      return {"(" + a.text + " % " + std::to_string(divisor) + ")", [=](const Point &p) {
                return a.value(p) - divisor * llvm::divideFloorSigned(a.value(p), divisor);
              }};
    default:
      Expression c = condition(1);
      return {"(" + c.text + " ? " + a.text + " : " + b.text + ")",
              [=](const Point &p) { return c.value(p) ? a.value(p) : b.value(p); }};
    }
  }

  Expression condition(int depth) {
    if (depth == 0 || chance(40)) {
      Expression a = sum(), b = chance(50) ? sum() : Expression{"0", [](auto &) { return 0; }};
      return comparison(a, b);
    }
    Expression a = condition(depth - 1), b = condition(depth - 1);
    switch (pick(3)) {
    case 0:
      return {"(" + a.text + " && " + b.text + ")",
              [=](const Point &p) { return a.value(p) && b.value(p); }};
    case 1:
      return {"(" + a.text + " || " + b.text + ")",
              [=](const Point &p) { return a.value(p) || b.value(p); }};
    default:
      return {"!" + a.text, [=](const Point &p) { return !a.value(p); }};
    }
  }

private:
  Expression comparison(const Expression &a, const Expression &b) {
    const char *ops[] = {"<", "<=", ">", ">=", "==", "!="};
    int op = pick(6);
    return {"(" + a.text + " " + ops[op] + " " + b.text + ")", [=](const Point &p) {
              int64_t x = a.value(p), y = b.value(p);
              bool results[] = {x<y, x <= y, x> y, x >= y, x == y, x != y};
              return results[op];
            }};
  }
};

/// Whether the read stays inside at all points where it happens.
bool staysInside(const Expression &guard, const Expression &index, const Point &sizes) {
  for (int64_t i = 0; i < sizes.at("N"); ++i)
    for (int64_t j = 0; j < sizes.at("M"); ++j) {
      Point point = sizes;
      point["i"] = i;
      point["j"] = j;
      if (guard.value(point) && (index.value(point) < 0 || index.value(point) >= sizes.at("K")))
        return false;
    }
  return true;
}

TEST(TcRangesRandom, GuardedReadsAreNeverWronglyProved) { // [tc.infer.15]
  int numProved = 0, numFalse = 0, numInside = 0, numDecided = 0;
  for (unsigned seed = 0; seed != 500; ++seed) {
    Guards random(seed);
    Expression guard = random.condition(2), index = random.index(seed % 3);
    std::string text = "def f(float(K) A, float(N,M) B) -> (O) {\n  O(i,j) = " + guard.text +
                       " ? A(" + index.text + ") : 0.0 where i in 0:N, j in 0:M\n}\n";
    Analyzed symbolic(text);
    ASSERT_TRUE(symbolic.isCorrect()) << text << symbolic.messages();
    bool isProved = symbolic.unproved().empty();
    numProved += isProved;
    ASSERT_TRUE(symbolic.messages().empty() || !isProved) << text;
    for (int round = 0; round != 6; ++round) {
      Point sizes{{"N", random.pick(6)}, {"M", random.pick(6)}, {"K", random.pick(7)}};
      bool isInside = staysInside(guard, index, sizes);
      Analyzed numeric(text, valuesOf(sizes));
      std::string where =
          text + numeric.messages() +
          llvm::formatv("N={0} M={1} K={2}\n", sizes["N"], sizes["M"], sizes["K"]).str();
      ASSERT_TRUE(isInside || !isProved) << where;
      if (!numeric.isCorrect())
        ASSERT_FALSE(isInside) << where;
      else if (numeric.unproved().empty())
        ASSERT_TRUE(isInside) << where;
      numFalse += !numeric.isCorrect();
      numInside += isInside;
      numDecided += !numeric.isCorrect() || numeric.unproved().empty();
    }
  }
  EXPECT_GT(numProved, 20);
  EXPECT_GT(numFalse, 500);
  EXPECT_GT(numInside, 500);
  EXPECT_GT(numDecided, 2950) << "of 3000: numbers decide nearly everything";
}

} // namespace
