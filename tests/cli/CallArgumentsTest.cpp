#include "cli/CallArguments.h"
#include "Captured.h"
#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::cli;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

namespace {

Parameter named(Parameter parameter, std::vector<std::string> sizeNames) {
  parameter.sizeNames.assign(sizeNames.begin(), sizeNames.end());
  return parameter;
}

const Signature function{
    "f", "f", {scalar("n", Scalar::I32), tensor("a", Scalar::F32, {2, dynamicSize})}, {}};

Parameter initial(Parameter parameter) {
  parameter.isInitial = true;
  return parameter;
}

/// C(M, N) += A(M, K) * B(K, N), with a literal size.
Signature product() {
  Parameter c = named(tensor("C", Scalar::F32, {dynamicSize, dynamicSize}), {"M", "N"});
  return {"mm",
          "mm",
          {named(tensor("A", Scalar::F32, {dynamicSize, dynamicSize}), {"M", "K"}),
           named(tensor("B", Scalar::F32, {dynamicSize, dynamicSize}), {"K", "N"}), initial(c),
           tensor("D", Scalar::I32, {3})},
          {c}};
}

struct Read {
  std::string errors;
  std::optional<ArgumentValues> values;
  SizeBindings sizes;
};

/// Words that begin with `--` belong to the command.
Read read(const Signature &signature, std::vector<std::string> words) {
  Captured captured;
  std::vector<const char *> all{"run", "f.ttl"};
  for (const std::string &word : words)
    all.push_back(word.c_str());
  Invocation invocation = *parseArguments(all, captured.terminal);
  llvm::SmallVector<llvm::StringRef> initial = invocation.texts(Opt::Initial);
  ArgumentWords given{signature, invocation.arguments(), initial, 0};
  Sizes sizes(signature);
  bool isGood = sizes.readOptions(invocation, captured.terminal);
  Read result;
  result.values = readArguments(given, sizes, captured.terminal);
  isGood &= result.values && readInitialValues(given, sizes, *result.values, captured.terminal);
  if (!isGood)
    result.values.reset();
  result.errors = captured.errors();
  result.sizes = sizes.bindings();
  EXPECT_EQ(isGood, result.errors.empty()) << result.errors;
  return result;
}

template <typename T> std::vector<T> elements(const std::optional<Tensor> &tensor) {
  return std::vector<T>(tensor->elements<T>().begin(), tensor->elements<T>().end());
}

} // namespace

TEST(ReadArguments, TakesPositionsAndNames) {
  for (std::vector<std::string> words : {std::vector<std::string>{"5", "ones:2x1"},
                                         {"a=ones:2x1", "n=5"},
                                         {"a=ones:2x1", "5"},
                                         {"5", "a=[[1], [1]]"}}) {
    Read arguments = read(function, words);
    ASSERT_TRUE(arguments.values) << arguments.errors;
    EXPECT_THAT(elements<int32_t>((*arguments.values)[0]), ElementsAre(5));
    EXPECT_THAT(elements<float>((*arguments.values)[1]), ElementsAre(1, 1));
  }
}

TEST(ReadArguments, MistakesNameTheParameter) {
  EXPECT_THAT(read(function, {"1"}).errors,
              HasSubstr("no value for parameter `a` of `f`: float32[2, ?] [cli.argument.1]"));
  EXPECT_THAT(read(function, {"1", "ones:2x1", "7"}).errors,
              HasSubstr("`f` takes 2 arguments; `7` is one too many [cli.argument.2]"));
  EXPECT_THAT(read(function, {"1", "b=3"}).errors,
              HasSubstr("`f` has no parameter `b` to set to `3` [cli.argument.3]"));
  EXPECT_THAT(read(function, {"1", "n=2", "a=ones:2x1"}).errors,
              HasSubstr("parameter `n` is given twice: `1` and `2` [cli.argument.4]"));
}

TEST(ReadArguments, AMisplacedValueIsTheOnlyMistake) {
  for (std::vector<std::string> words :
       {std::vector<std::string>{"n=1", "2"}, {"nn=1", "ones:2x1"}})
    EXPECT_THAT(read(function, words).errors, Not(HasSubstr("no value")));
  EXPECT_THAT(read(function, {"n=1", "2"}).errors,
              HasSubstr("values without a name go to the first parameters, in order"));
}

TEST(NamedSizes, AreBoundByArguments) {
  Read arguments = read(product(), {"ones:2x3", "ones:3x4", "iota", "--init=C=rand:2x4"});
  ASSERT_TRUE(arguments.values) << arguments.errors;
  EXPECT_THAT(arguments.sizes, ElementsAre(Pair("M", 2), Pair("K", 3), Pair("N", 4)));
}

TEST(NamedSizes, GiveGeneratorsTheirShapes) {
  Read arguments = read(product(), {"rand", "@f", "--size=M=2,N=5", "D=zeros", "--init=zeros"});
  EXPECT_THAT(arguments.errors, Not(HasSubstr("size `K`"))) << "what cannot be read might bind it";
  arguments = read(product(), {"rand", "[[1, 2]]", "D=zeros", "--size=M=7", "--init=ones"});
  ASSERT_TRUE(arguments.values) << arguments.errors;
  EXPECT_THAT((*arguments.values)[0]->shape(), ElementsAre(7, 1));
  EXPECT_THAT((*arguments.values)[2]->shape(), ElementsAre(7, 2));
}

TEST(NamedSizes, AreReportedOnceIfMissing) {
  std::string errors = read(product(), {"rand", "rand", "zeros", "--init=zeros"}).errors;
  for (const char *text :
       {"size `M` of parameter `A` is unknown; give it with `--size M=...` [cli.size.2]",
        "size `K` of parameter `A`", "size `N` of parameter `B`"})
    EXPECT_THAT(errors, HasSubstr(text));
  EXPECT_EQ(llvm::StringRef(errors).count("is unknown"), 3u) << errors;
}

TEST(NamedSizes, ContradictionsNameBothSides) {
  EXPECT_THAT(read(product(), {"ones:2x3", "ones:4x4", "zeros", "--init=zeros"}).errors,
              HasSubstr("size `K` is 3 in dimension 1 of parameter `A`, but 4 in dimension 0 of "
                        "parameter `B` [cli.size.1]"));
  EXPECT_THAT(
      read(product(), {"ones:2x3", "ones:3x4", "zeros", "--init=zeros", "--size=N=5"}).errors,
      HasSubstr("size `N` is 5 by `--size`, but 4 in dimension 1 of parameter `B`"));
  EXPECT_THAT(read(product(), {"ones:2x3", "rand", "zeros", "--size", "N=5", "--size=N=6"}).errors,
              HasSubstr("size `N` is 5 by `--size`, but 6 by `--size`"));
  Signature square{
      "s", "s", {named(tensor("A", Scalar::F32, {dynamicSize, dynamicSize}), {"N", "N"})}, {}};
  EXPECT_THAT(read(square, {"zeros:2x3"}).errors,
              HasSubstr("size `N` is 2 in dimension 0 of parameter `A`, but 3 in dimension 1 of "
                        "parameter `A`"));
}

TEST(NamedSizes, LiteralSizesAreChecked) {
  EXPECT_THAT(
      read(product(), {"ones:2x3", "ones:3x4", "zeros:4", "--init=zeros"}).errors,
      HasSubstr("parameter `D` is int32[3]; `zeros:4` is int32[4]: dimension 0 must be 3, not 4"));
}

TEST(NamedSizes, AppearInMessagesAboutParameters) {
  EXPECT_THAT(read(product(), {"3", "ones:3x4", "zeros", "--init=zeros"}).errors,
              HasSubstr("parameter `A` is float32[M, K]; `3` is a scalar"));
}

TEST(NamedSizes, OptionsMustBeReadableAndKnown) {
  for (const char *option : {"--size=M", "--size=M=", "--size=M=-1", "--size=M=2x3", "--size=,",
                             "--size=M=99999999999999999999"})
    EXPECT_THAT(read(product(), {"ones:2x3", "ones:3x4", "zeros", "--init=zeros", option}).errors,
                HasSubstr("`--size` takes names and numbers, as in `--size M=128,N=64`; got "))
        << option;
  EXPECT_THAT(
      read(product(), {"ones:2x3", "ones:3x4", "zeros", "--init=zeros", "--size=Q=2"}).errors,
      HasSubstr("`mm` has no size `Q` to set to 2 [cli.size.3]"));
}

TEST(NamedSizes, MayBeValuesOfParameters) {
  Signature signature{"f", "f", {scalar("k", Scalar::U64)}, {}};
  signature.parameters[0].decidesSizes = true;
  EXPECT_THAT(read(signature, {"3"}).sizes, ElementsAre(Pair("k", 3)));
  EXPECT_THAT(read(signature, {"3", "--size=k=4"}).errors,
              HasSubstr("size `k` is 4 by `--size`, but 3 by parameter `k`"));
  EXPECT_THAT(read(signature, {"9223372036854775808"}).errors,
              HasSubstr("`9223372036854775808` does not fit: it bounds a range, whose ends are "
                        "-9223372036854775808 to"));
  signature.parameters[0].element = Scalar::I8;
  EXPECT_THAT(read(signature, {"-3"}).sizes, ElementsAre(Pair("k", -3)));
}

TEST(InitialValues, AreNotArguments) {
  Read arguments = read(product(), {"ones:2x3", "ones:3x4", "zeros", "--init", "C=ones"});
  ASSERT_TRUE(arguments.values) << arguments.errors;
  EXPECT_EQ((*arguments.values)[2]->numElements(), 8);
  EXPECT_THAT(read(product(), {"ones:2x3", "ones:3x4", "zeros", "C=ones"}).errors,
              HasSubstr("`mm` has no parameter `C` to set to `ones` [cli.argument.3]\n     = "
                        "note: `C` is a result; give its initial value with `--init C=ones`"));
}

TEST(InitialValues, MistakesNameTheResult) {
  auto errors = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"ones:2x3", "ones:3x4", "zeros"});
    return read(product(), options).errors;
  };
  EXPECT_THAT(errors({}), HasSubstr("no initial value for result `C` of `mm`: float32[M, N] "
                                    "[cli.argument.5]"));
  EXPECT_THAT(
      errors({"--init=D=zeros"}),
      HasSubstr(
          "`--init` has nothing to set to `zeros`: `mm` updates no result `D` [cli.argument.6]"));
  EXPECT_THAT(errors({"--init=C=zeros", "--init=ones"}),
              HasSubstr("`--init` names result `C` twice: `zeros` and `ones` [cli.result.3]"));
  EXPECT_THAT(errors({"--init=zeros:4x2"}),
              HasSubstr("result `C` is float32[2, 4]; `zeros:4x2` is float32[4, 2]"));
  EXPECT_THAT(read(function, {"1", "ones:2x1", "--init=zeros"}).errors,
              HasSubstr("`--init` has nothing to set to `zeros`: `f` updates no result ["));
  Signature two = product();
  two.parameters.push_back(initial(scalar("E", Scalar::F32)));
  EXPECT_THAT(
      read(two, {"ones:2x3", "ones:3x4", "zeros", "--init=zeros"}).errors,
      HasSubstr("`mm` has 2 results with initial values; `zeros` needs a name: `--init NAME=...`"));
}
