#include "cli/Compilation.h"
#include "Captured.h"
#include "cli/Diagnostics.h"
#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::cli;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {

constexpr DiagnosticKind unlucky{"Unlucky", "fake.size.1", Severity::Error, "M is {0}"};
constexpr DiagnosticKind doubtful{"Doubtful", "fake.size.2", Severity::Warning, "M is {0}"};

SizeBindings lastBindings;

/// Every dimension of `f` is M; 13 is an error, 14 worth a warning.
Checked specializeFake(const Checked &program, llvm::StringRef function, const SizeBindings &sizes,
                       const LanguageOptions &, DiagnosticEngine &diagnostics) {
  static const SourceFile file("f.fake", "def\n");
  EXPECT_EQ(function, "f");
  lastBindings = sizes;
  Checked result = program;
  int64_t size = sizes.front().second;
  for (Signature &signature : result.functions)
    for (Parameter &parameter : signature.parameters)
      parameter.shape.assign(parameter.shape.size(), size);
  if (size == 13 || size == 14)
    diagnostics.report(&file, {0, 1}, size == 13 ? unlucky : doubtful, size);
  return result;
}

const Language fake = {
    .name = "fake",
    .extension = ".fake",
    .summary = "",
    .standards = {},
    .diagnostics = {},
    .rules = "",
    .registerDialects = nullptr,
    .check = nullptr,
    .lower = nullptr,
    .printTree = nullptr,
    .specialize = specializeFake,
    .format = nullptr,
};

Signature functionNamed(std::string name) {
  Parameter parameter = tensor("A", Scalar::F32, {dynamicSize});
  parameter.sizeNames = {"M"};
  return {name, name, {parameter}, {}};
}

struct Fixture {
  Captured captured;
  Source source{SourceFile("f.fake", "def\n"), &fake, {}, {}};
  CompileOptions options;

  explicit Fixture(std::vector<std::string> functions) {
    source.program.isCorrect = true;
    for (const std::string &name : functions)
      source.program.functions.push_back(functionNamed(name));
  }
  bool specialize(std::vector<const char *> words) {
    words.insert(words.begin(), {"emit", "f.ttl"});
    Invocation invocation = *parseArguments(words, captured.terminal);
    options.language.entry = invocation.text(Opt::Call).str();
    return specializeByOption(source, options, invocation, captured.terminal);
  }
};

} // namespace

TEST(CalledFunction, IsTheOnlyOneOrNamed) {
  Fixture one({"f"});
  EXPECT_EQ(calledFunction(one.source, one.options, one.captured.terminal)->name, "f");
  EXPECT_EQ(one.options.language.entry, "f");
  Fixture two({"f", "g"});
  EXPECT_FALSE(calledFunction(two.source, two.options, two.captured.terminal));
  EXPECT_THAT(
      two.captured.errors(),
      HasSubstr("`f.fake` has 2 functions; choose one with `--call NAME` [cli.program.15]"));
  EXPECT_THAT(two.captured.errors(), HasSubstr("its functions are f, g"));
  Fixture none({});
  EXPECT_FALSE(calledFunction(none.source, none.options, none.captured.terminal));
  EXPECT_THAT(none.captured.errors(), HasSubstr("`f.fake` has no function to call"));
}

TEST(CalledFunction, MakesAnExecutableOnlyIfItIsMain) {
  EXPECT_THAT(whyNoProgram(functionNamed("main"), fake), HasSubstr("has no `main`"));
  Language other = fake;
  other.mainFunction = "main";
  EXPECT_EQ(whyNoProgram(functionNamed("f"), other), "a program starts in `main`");
  EXPECT_EQ(whyNoProgram(functionNamed("main"), other), "it takes arguments");
  Signature program{"main", "main", {}, {scalar("result", Scalar::I32)}};
  EXPECT_EQ(whyNoProgram(program, other), "");
  program.results.push_back(scalar("other", Scalar::I32));
  EXPECT_THAT(whyNoProgram(program, other), HasSubstr("not an exit status"));
}

TEST(Specialize, ReplacesTheProgramByTheOneForTheSizes) {
  Fixture fixture({"f"});
  EXPECT_TRUE(fixture.specialize({"--size=M=5"})) << fixture.captured.errors();
  EXPECT_THAT(lastBindings, ElementsAre(Pair("M", 5)));
  EXPECT_THAT(fixture.source.program.functions[0].parameters[0].shape, ElementsAre(5));
  EXPECT_THAT(fixture.options.sizes, ElementsAre(Pair("M", 5)));
}

TEST(Specialize, LeavesTheProgramAloneWithoutSizes) {
  Fixture fixture({"f", "g"});
  EXPECT_TRUE(fixture.specialize({}));
  EXPECT_THAT(fixture.source.program.functions[0].parameters[0].shape, ElementsAre(dynamicSize));
  EXPECT_TRUE(fixture.options.sizes.empty());
  EXPECT_FALSE(fixture.specialize({"--size=M=5"})) << "of which function?";
  EXPECT_TRUE(fixture.specialize({"--size=M=5", "--call=f"}));
}

TEST(Specialize, ReportsSizesThatContradictTheProgram) {
  Fixture fixture({"f"});
  EXPECT_FALSE(fixture.specialize({"--size=M=13"}));
  EXPECT_THAT(fixture.captured.errors(), HasSubstr("f.fake:1:1: error: M is 13 [fake.size.1]"));
  EXPECT_TRUE(Fixture({"f"}).specialize({"--size=M=14"}));
  EXPECT_FALSE(Fixture({"f"}).specialize({"--size=M=14", "--strict"}));
}

/// `run` then ends with a different status, because another device might accept the program.
TEST(Check, DistinguishesLimitsOfTheDevice) {
  const Language *tinytc = languageNamed("tinytc");
  ASSERT_TRUE(tinytc);
  auto exceedsDevice = [&](const char *text) {
    Captured captured;
    Source source{SourceFile("k.tinytc", text), tinytc, {}, {}};
    Invocation invocation = *parseArguments({"check", "k.tinytc"}, captured.terminal);
    source.check({}, invocation, captured.terminal);
    return source.exceedsDevice;
  };
  EXPECT_TRUE(exceedsDevice("func @k() attributes {subgroup_size=7} {}\n"));
  EXPECT_TRUE(exceedsDevice("func @k() attributes {work_group_size=[64,64]} {}\n"));
  EXPECT_FALSE(exceedsDevice("func @k() {}\n"));
  EXPECT_FALSE(exceedsDevice("func @k() attributes {subgroup_size=7} { barrier 3 }\n"));
}

/// Programs for two sizes are two objects in the cache.
TEST(Specialize, SizesChangeTheCacheKey) {
  CompileOptions options, other;
  options.sizes = {{"M", 5}};
  other.sizes = {{"M", 6}};
  EXPECT_NE(fingerprint(options), fingerprint(other));
  EXPECT_NE(fingerprint(options), fingerprint(CompileOptions()));
  other.sizes = {{"M", 5}};
  EXPECT_EQ(fingerprint(options), fingerprint(other));
}
