#include "Captured.h"
#include "cli/Commands.h"
#include "lang/Language.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"

using namespace tessera::cli;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

Invocation parsed(std::vector<const char *> words) {
  Captured captured;
  std::optional<Invocation> invocation = parseArguments(words, captured.terminal);
  EXPECT_EQ(captured.errors(), "");
  return invocation ? *invocation : Invocation();
}

std::string errorsOf(std::vector<const char *> words) {
  Captured captured;
  EXPECT_FALSE(parseArguments(words, captured.terminal));
  return captured.errors();
}

} // namespace

TEST(Arguments, OptionsMayComeBeforeOrAfterTheFile) {
  for (auto words : {std::vector{"run", "--call=f", "a.ttl", "1"},
                     {"run", "a.ttl", "1", "--call=f"},
                     {"run", "a.ttl", "--call", "f", "1"},
                     {"--call", "f", "run", "a.ttl", "1"}}) {
    Invocation invocation = parsed(words);
    EXPECT_EQ(invocation.text(Opt::Call), "f");
    EXPECT_THAT(invocation.operands, ElementsAre("a.ttl", "1"));
  }
}

TEST(Arguments, WordsThatReadAsNumbersAreOperands) {
  Invocation invocation =
      parsed({"run", "a.ttl", "-2.5", "-3", "-inf", "-nan", "-1e5", "-.5", "-1e999", "-"});
  EXPECT_EQ(invocation.operands.size(), 9u);
}

TEST(Arguments, TwoDashesEndTheOptions) {
  EXPECT_THAT(parsed({"run", "--", "--call", "--"}).operands, ElementsAre("--call", "--"));
}

TEST(Arguments, LettersTakeTheirValueAttachedOrNot) {
  Invocation invocation = parsed({"run", "a.ttl", "-oc.npy", "-o", "d=d.npy", "-O0", "-g"});
  EXPECT_THAT(invocation.texts(Opt::Result), ElementsAre("c.npy", "d=d.npy"));
  EXPECT_EQ(invocation.text(Opt::Optimize), "0");
  EXPECT_TRUE(invocation.has(Opt::Debug));
}

TEST(Arguments, AValueMayBeANegativeNumberOrEmpty) {
  EXPECT_EQ(parsed({"run", "a.ttl", "--expect", "-3"}).text(Opt::Expect), "-3");
  EXPECT_EQ(parsed({"run", "a.ttl", "--std="}).text(Opt::Std), "");
}

TEST(Arguments, NumbersHaveTheirUnits) {
  Invocation invocation =
      parsed({"run", "a.ttl", "--max-memory=4G", "--threads=3", "--rtol=1e-5", "--seed=0"});
  EXPECT_EQ(invocation.integer(Opt::MaxMemory, 0), uint64_t(4) << 30);
  EXPECT_EQ(invocation.integer(Opt::Threads, 0), 3u);
  EXPECT_EQ(invocation.integer(Opt::Seed, 7), 0u);
  EXPECT_EQ(invocation.real(Opt::Rtol, 0), 1e-5);
  EXPECT_EQ(invocation.real(Opt::Atol, 0.5), 0.5);
}

TEST(Arguments, OptCollectsPasses) {
  Invocation invocation = parsed({"opt", "a.mlir", "--cse", "--tile=sizes=8,8", "--time-passes"});
  EXPECT_THAT(invocation.passes, ElementsAre("cse", "tile=sizes=8,8"));
  EXPECT_TRUE(invocation.has(Opt::TimePasses));
}

TEST(Arguments, HelpNeedsNoOperands) {
  EXPECT_TRUE(parsed({"run", "--help"}).has(Opt::Help));
  EXPECT_TRUE(parsed({"-h"}).has(Opt::Help));
}

TEST(Arguments, SuggestsTheNearestName) {
  EXPECT_THAT(errorsOf({"doktor"}), HasSubstr("did you mean `doctor`?"));
  EXPECT_THAT(errorsOf({"run", "a.ttl", "--thread=1"}), HasSubstr("did you mean `--threads`?"));
  EXPECT_THAT(errorsOf({"run", "a.ttl", "-json"}), HasSubstr("did you mean `--json`?"));
}

TEST(Arguments, AFileInPlaceOfACommandMeansRun) {
  EXPECT_THAT(errorsOf({"dir/foo.ttl"}), HasSubstr("did you mean `tessera run dir/foo.ttl`?"));
}

TEST(Arguments, NamesTheCommandOfAnOption) {
  std::string errors = errorsOf({"check", "a.ttl", "--stage", "core"});
  EXPECT_THAT(errors, HasSubstr("`check` does not take `--stage` [cli.option.2]"));
  EXPECT_THAT(errors, HasSubstr("it is an option of `emit`"));
}

TEST(Arguments, ValuesAreChecked) {
  EXPECT_THAT(errorsOf({"run", "a.ttl", "--device=gpu"}),
              HasSubstr("`--device` takes `cpu`, `cuda` or `opencl`; got `gpu` [cli.option.5]"));
  EXPECT_THAT(errorsOf({"run", "a.ttl", "--threads=0"}),
              HasSubstr("`--threads` takes an integer from 1 to 256; got `0` [cli.option.6]"));
  EXPECT_THAT(errorsOf({"run", "a.ttl", "--max-memory=99999999T"}), HasSubstr("[cli.option.6]"));
  EXPECT_THAT(errorsOf({"run", "a.ttl", "--rtol=nan"}), HasSubstr("[cli.option.6]"));
  EXPECT_THAT(errorsOf({"run", "a.ttl", "--call", "--json"}),
              HasSubstr("`--call` needs a value: `--call=NAME` [cli.option.3]"));
  EXPECT_THAT(errorsOf({"run", "a.ttl", "--json=1"}),
              HasSubstr("`--json` takes no value; got `1` [cli.option.4]"));
}

TEST(Options, LanguagesComeFromTheirTable) {
  const Option *lang = llvm::find_if(options(), [](const Option &o) { return o.id == Opt::Lang; });
  llvm::StringRef files = commandNamed("check")->files;
  for (const tessera::Language *language : tessera::languages()) {
    EXPECT_TRUE(llvm::is_contained(lang->choiceList(), language->name));
    EXPECT_TRUE(llvm::is_contained(llvm::split(files, '|'), "*" + language->extension.str()));
  }
  EXPECT_EQ(lang->choiceList().size(), tessera::languages().size());
}

TEST(Arguments, TwoDifferentValuesAreAMistake) {
  EXPECT_THAT(errorsOf({"run", "a.ttl", "--call=f", "--call=g"}),
              HasSubstr("`--call` is given twice: `f` and `g` [cli.option.7]"));
  parsed({"run", "a.ttl", "--call=f", "--call=f", "--json", "--json"});
}

TEST(Arguments, OperandsAreCounted) {
  EXPECT_THAT(errorsOf({"run"}), HasSubstr("`run` needs FILE [cli.command.4]"));
  EXPECT_THAT(errorsOf({"doctor", "now"}),
              HasSubstr("`doctor` takes no operands; `now` is one too many [cli.command.5]"));
  EXPECT_THAT(errorsOf({"--json"}),
              HasSubstr("expected a command before the options [cli.command.3]"));
}

TEST(Arguments, EveryMistakeIsReported) {
  std::string errors = errorsOf({"run", "a.ttl", "--foo", "--device=x"});
  EXPECT_THAT(errors, HasSubstr("[cli.option.1]"));
  EXPECT_THAT(errors, HasSubstr("[cli.option.5]"));
}

TEST(Tool, ErrorsAreJsonOnRequest) {
  Captured captured;
  const char *words[] = {"run", "--json", "--frob"};
  EXPECT_EQ(runTool(words, captured.terminal), UsageError);
  EXPECT_THAT(captured.errText, HasSubstr("\"rule\":\"cli.option.1\""));
  EXPECT_THAT(captured.outText, IsEmpty());
}

TEST(Tool, PrintsTheVersion) {
  Captured captured;
  const char *words[] = {"--version"};
  EXPECT_EQ(runTool(words, captured.terminal), Success);
  EXPECT_THAT(captured.outText, testing::MatchesRegex("tessera [0-9.]+ \\(LLVM 22[0-9.]+\\)\n"));
}

TEST(Tool, EveryCommandHasHelpWithItsOptions) {
  for (const Command &command : commands()) {
    Captured captured;
    std::string name = command.name.str();
    const char *words[] = {name.c_str(), "--help"};
    EXPECT_EQ(runTool(words, captured.terminal), Success);
    for (const Option &option : options())
      if (option.isIn(command))
        EXPECT_THAT(captured.outText, HasSubstr(option.synopsis()));
  }
}

TEST(Tables, NoCommandHasTwoOptionsOfOneSpelling) {
  for (const Option &a : options())
    for (const Option &b : options())
      if (a.id != b.id && a.spelling() == b.spelling())
        EXPECT_EQ(a.commands & b.commands, 0u) << a.spelling();
}
