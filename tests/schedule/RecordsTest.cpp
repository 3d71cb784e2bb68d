#include "schedule/Records.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::schedule;
using testing::HasSubstr;

namespace {

constexpr int64_t unknown = mlir::ShapedType::kDynamic;
const Contraction blocked{.lanes = 16, .rows = 14, .vectors = 2, .depth = 512};
const Contraction narrow{.lanes = 16, .rows = 7, .vectors = 1, .depth = 256};
const Contraction inner{.kernel = Contraction::Kernel::Inner,
                        .lanes = 1,
                        .rows = 1,
                        .vectors = 1,
                        .depthLanes = 16,
                        .unroll = 4};

Kernel kernelOf(KernelSizes sizes) {
  return {"f", 0, "f32*f32+f32,fused", sizes, blocked};
}

Record recordOf(KernelSizes sizes, Contraction schedule = narrow, int64_t threads = 2) {
  return {"cpu/64", threads, "", "f32*f32+f32,fused", sizes, schedule};
}

Book bookOf(std::vector<Record> records) {
  return {"cpu/64", 2, {}, {std::move(records)}};
}

std::vector<GivenKernel> parse(const std::string &text, std::string &error) {
  SourceFile file("f.sched", text);
  std::optional<Mistake> mistake;
  auto kernels = parseSchedules(file, mistake);
  error = mistake ? mistake->text : "";
  return kernels;
}

/// The error for a file that specifies one kernel.
std::string mismatch(const Kernel &given, const Kernel &kernel) {
  Book book;
  book.given = {{given, {}}};
  std::vector<Mistake> mistakes = book.mismatches(kernel);
  return mistakes.empty() ? "" : mistakes.front().text;
}

} // namespace

TEST(Distance, IsTheSumOfLogarithms) {
  EXPECT_EQ(distance({512, 512, 512, 1}, {512, 512, 512, 1}), 0);
  EXPECT_EQ(distance({512, 512, 512, 1}, {1024, 512, 512, 1}), 1);
  EXPECT_EQ(distance({512, 512, 512, 1}, {256, 1024, 512, 4}), 4);
  EXPECT_NEAR(distance({100, 100, 100, 1}, {110, 100, 100, 1}), 0.1375, 1e-4);
}

TEST(Distance, TreatsZeroAsOne) {
  EXPECT_EQ(distance({0, 2, 2, 1}, {1, 2, 2, 1}), 0);
}

TEST(Distance, IsInfiniteFromUnknownSizes) {
  EXPECT_TRUE(std::isinf(distance({unknown, 512, 512, 1}, {512, 512, 512, 1})));
  EXPECT_EQ(distance({unknown, 2, 2, 1}, {unknown, 4, 2, 1}), 1);
}

TEST(Distance, FromAnUnknownSizeIsSmallOnlyToLargeOnes) {
  EXPECT_EQ(distance({512, 512, 512, 1}, {unknown, 512, 256, 1}), 1 + distanceToLarge);
  EXPECT_EQ(distance({4096, 512, 512, 1}, {unknown, 512, 512, 1}), distanceToLarge);
  EXPECT_TRUE(std::isinf(distance({32, 512, 512, 1}, {unknown, 512, 512, 1})));
}

TEST(Sizes, AreReadAsTheyAreWritten) {
  KernelSizes sizes{512, unknown, 0, 1};
  EXPECT_EQ(sizesText(sizes), "512x?x0x1");
  EXPECT_EQ(parseSizes("512x?x0x1"), sizes);
  for (const char *wrong : {"", "1x2x3", "1x2x3x4x5", "1x2x3x-4", "1x2x3x", "axbxcxd"})
    EXPECT_EQ(parseSizes(wrong), std::nullopt) << wrong;
}

TEST(Book, UsesTheModelWithoutRecords) {
  Choice choice = Book().choose(kernelOf({512, 512, 512, 1}));
  EXPECT_EQ(choice.schedule, blocked);
  EXPECT_EQ(choice.origin, Origin::Modeled);
}

TEST(Book, UsesARecordOfTheSameSizes) {
  Choice choice = bookOf({recordOf({256, 512, 512, 1}, blocked), recordOf({512, 512, 512, 1})})
                      .choose(kernelOf({512, 512, 512, 1}));
  EXPECT_EQ(choice.schedule, narrow);
  EXPECT_EQ(choice.origin, Origin::Tuned);
}

TEST(Book, ReportsUnusableRecords) {
  Kernel kernel = kernelOf({512, 512, 512, 1});
  Record unfit = recordOf(kernel.sizes, inner), near = recordOf({512, 512, 256, 1}, inner);
  unfit.range = {5, 9};
  std::vector<Mistake> mistakes = bookOf({recordOf(kernel.sizes), near, unfit}).unusable(0, kernel);
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_EQ(mistakes[0].range.begin, 5u);
  EXPECT_THAT(mistakes[0].text,
              HasSubstr("in 64 parts, 16 per vector instead of in ascending order"));
}

TEST(Schedule, HasDepthLanesOnlyWithTheKernelInner) {
  Contraction schedule = blocked;
  schedule.depthLanes = 16;
  EXPECT_EQ(schedule.complaint(), "`depth_lanes` requires the kernel `inner`");
}

TEST(Book, UsesTheNearestSizesOtherwise) {
  Contraction near = narrow, far = narrow;
  far.depth = 64;
  Book book = bookOf({recordOf({512, 512, 1024, 1}, far), recordOf({512, 600, 512, 1}, near),
                      recordOf({300, 512, 512, 1}, far)});
  Choice choice = book.choose(kernelOf({512, 512, 512, 1}));
  EXPECT_EQ(choice.schedule.depth, near.depth);
  EXPECT_EQ(choice.origin, Origin::Cached);
}

TEST(Book, DividesOtherRowsEvenly) {
  Choice choice =
      bookOf({recordOf({28, 512, 512, 1}, blocked)}).choose(kernelOf({30, 512, 512, 1}));
  EXPECT_EQ(choice.schedule.rows, 10); // 3 x 10, not 14 + 14 + 2
}

/// With `across`, the rows of tiles run along the columns of the result.
TEST(Book, DividesColumnsEvenlyAcross) {
  Contraction across{.kernel = Contraction::Kernel::Direct,
                     .lanes = 16,
                     .rows = 14,
                     .vectors = 2,
                     .packRhs = 1,
                     .across = 1};
  Kernel kernel = kernelOf({512, 30, 512, 1});
  kernel.model = across;
  Choice choice = bookOf({recordOf({512, 28, 512, 1}, across)}).choose(kernel);
  EXPECT_EQ(choice.origin, Origin::Cached);
  EXPECT_EQ(choice.schedule.rows, 10); // 3 x 10, not 14 + 14 + 2
}

TEST(Book, LeavesTheRowsOfTileRegistersAsTheyAre) {
  Contraction tiles{
      .kernel = Contraction::Kernel::Tiles, .lanes = 16, .rows = 32, .vectors = 2, .depth = 64};
  Kernel kernel = kernelOf({400, 512, 512, 1});
  kernel.model = tiles;
  Choice choice = bookOf({recordOf({512, 512, 512, 1}, tiles)}).choose(kernel);
  EXPECT_EQ(choice.origin, Origin::Cached);
  EXPECT_EQ(choice.schedule.rows, 32);
}

TEST(Book, IgnoresDistantSizes) {
  EXPECT_EQ(bookOf({recordOf({64, 64, 64, 1})}).choose(kernelOf({512, 512, 512, 1})).origin,
            Origin::Modeled);
}

TEST(Book, PrefersTheSameNumberOfThreads) {
  Contraction other = narrow;
  other.depth = 64;
  KernelSizes sizes{512, 512, 512, 1};
  Book book = bookOf({recordOf(sizes, other, 1), recordOf(sizes, narrow, 2)});
  EXPECT_EQ(book.choose(kernelOf(sizes)).schedule, narrow);
  book.threads = 1;
  EXPECT_EQ(book.choose(kernelOf(sizes)).schedule, other);
  book.threads = 8;
  EXPECT_EQ(book.choose(kernelOf(sizes)).origin, Origin::Cached);
}

TEST(Book, IgnoresRecordsOfOtherKindsAndProcessors) {
  Record record = recordOf({512, 512, 512, 1}), other = record;
  record.kind = "f64*f64+f64,fused";
  other.processor = "other/32";
  EXPECT_EQ(bookOf({record, other}).choose(kernelOf({512, 512, 512, 1})).origin, Origin::Modeled);
}

TEST(Book, KeepsRecordsOfUnknownSizesToTheirFunction) {
  Record record = recordOf({unknown, unknown, unknown, 1});
  record.function = "g";
  Kernel kernel = kernelOf(record.sizes);
  EXPECT_EQ(bookOf({record}).choose(kernel).origin, Origin::Modeled);
  kernel.function = "g";
  EXPECT_EQ(bookOf({record}).choose(kernel).origin, Origin::Tuned);
}

TEST(Book, LearnsTilesForAnySizeFromALargeOne) {
  Contraction tuned = narrow;
  tuned.packLhs = 1;
  Kernel generic = kernelOf({unknown, unknown, unknown, 1});
  generic.model.packRhs = 65536;
  Choice choice = bookOf({recordOf({1000, 1000, 1000, 1}, tuned)}).choose(generic);
  EXPECT_EQ(choice.origin, Origin::Cached);
  EXPECT_EQ(choice.schedule.rows, narrow.rows);
  EXPECT_EQ(choice.schedule.depth, narrow.depth);
  EXPECT_EQ(choice.schedule.packLhs, generic.model.packLhs);
  EXPECT_EQ(choice.schedule.packRhs, generic.model.packRhs);
}

TEST(Book, LearnsNothingForAnySizeFromASmallOne) {
  Kernel generic = kernelOf({unknown, unknown, unknown, 1});
  Choice choice = bookOf({recordOf({1000, 8, 1000, 1})}).choose(generic);
  EXPECT_EQ(choice.origin, Origin::Modeled);
  EXPECT_EQ(choice.schedule, blocked);
}

TEST(Book, UsesTheFirstShelfWithARecord) {
  Contraction second = narrow;
  second.depth = 64;
  KernelSizes sizes{512, 512, 512, 1};
  Book book = bookOf({recordOf(sizes, narrow)});
  book.shelves.push_back({recordOf(sizes, second)});
  EXPECT_EQ(book.choose(kernelOf(sizes)).schedule, narrow);
  book.shelves.front() = {recordOf({600, 512, 512, 1}, narrow)};
  EXPECT_EQ(book.choose(kernelOf(sizes)).schedule, second) << "the same sizes come first";
}

/// Otherwise results would depend on measurements.
TEST(Book, NeverChangesTheOrderOfASum) {
  KernelSizes sizes{512, 512, 512, 1};
  EXPECT_EQ(bookOf({recordOf(sizes, inner)}).choose(kernelOf(sizes)).origin, Origin::Modeled);
  Kernel kernel = kernelOf(sizes);
  kernel.model = inner;
  EXPECT_EQ(bookOf({recordOf(sizes, narrow)}).choose(kernel).origin, Origin::Modeled);
  Contraction otherParts = inner;
  otherParts.unroll = 2;
  EXPECT_EQ(bookOf({recordOf(sizes, otherParts)}).choose(kernel).origin, Origin::Modeled);
  EXPECT_EQ(bookOf({recordOf(sizes, inner)}).choose(kernel).origin, Origin::Tuned);
}

TEST(Book, NeverUnrollsLargeSizes) {
  Contraction unrolled{
      .kernel = Contraction::Kernel::Unrolled, .lanes = 16, .rows = 8, .vectors = 1};
  EXPECT_EQ(whyUnfit(unrolled, kernelOf({8, 16, 8, 1})), "");
  EXPECT_THAT(whyUnfit(unrolled, kernelOf({512, 512, 512, 1})), HasSubstr("8388608 vector"));
  EXPECT_THAT(whyUnfit(unrolled, kernelOf({unknown, 16, 8, 1})), HasSubstr("known sizes"));
  EXPECT_NE(whyUnfit(unrolled, kernelOf({int64_t(1) << 40, int64_t(1) << 40, 8, 1})), "");
}

TEST(Given, TakesPrecedenceOverRecords) {
  KernelSizes sizes{512, 512, 512, 1};
  Book book = bookOf({recordOf(sizes, narrow)});
  Kernel given = kernelOf(sizes);
  given.model.depth = 128;
  book.given = {{given, {}}};
  EXPECT_EQ(book.choose(kernelOf(sizes)).schedule.depth, 128);
  EXPECT_EQ(book.choose(kernelOf(sizes)).origin, Origin::Given);
}

TEST(Given, NamesBothSidesOfAMismatch) {
  Kernel here = kernelOf({512, 512, 512, 1}), given = here;
  EXPECT_EQ(mismatch(given, here), "");
  given.sizes[0] = 64;
  EXPECT_EQ(mismatch(given, here), "it is for f32*f32+f32,fused 64x512x512x1, but the program has "
                                   "operation 0 of `f`, f32*f32+f32,fused 512x512x512x1");
  given.sizes[0] = unknown;
  EXPECT_EQ(mismatch(given, here), "") << "an open size fits any";
  given.number = 3;
  EXPECT_EQ(mismatch(given, here), "there is no operation 3: `f` has 1 with a schedule");
  given = here;
  given.model = inner;
  EXPECT_THAT(mismatch(given, here), HasSubstr("computes each sum in 64 parts"));
}

TEST(ScheduleFile, RoundTrips) {
  std::string error,
      text = printSchedules({kernelOf({512, unknown, 512, 1}), kernelOf({1, 2, 3, 4})});
  std::vector<GivenKernel> kernels = parse(text, error);
  ASSERT_EQ(kernels.size(), 2u) << error;
  EXPECT_EQ(printSchedules({kernels[0].kernel, kernels[1].kernel}), text);
  EXPECT_TRUE(hasScheduleLines(text));
  EXPECT_FALSE(hasScheduleLines("#map = affine_map<()>\nmodule {}"));
  EXPECT_TRUE(hasScheduleLines("[]") && hasScheduleLines("null"));
}

TEST(ScheduleFile, HasOneLinePerOperation) {
  std::string line =
      R"({"function": "f", "kind": "k", "sizes": "1x1x1x1", "number": 0, "schedule": )"
      R"({"kernel": "blocked", "lanes": 16, "rows": 1, "vectors": 1}})"
      "\n";
  std::string error;
  parse(line, error);
  EXPECT_EQ(error, "");
  parse(line + line, error);
  EXPECT_THAT(error, HasSubstr("duplicate schedule for operation 0 of `f`"));
}

TEST(ScheduleFile, ExplainsErrors) {
  std::string error;
  parse("{\"function\": ", error);
  EXPECT_THAT(error, HasSubstr("invalid JSON"));
  parse("[1]", error);
  EXPECT_THAT(error, HasSubstr("JSON object"));
  parse("{}", error);
  EXPECT_EQ(error, "`function` is missing");
  parse(R"({"function": 3})", error);
  EXPECT_EQ(error, "`function` is 3, not a string");
  parse(R"({"function": "f", "kind": "k", "sizes": "1x1x1x1", "number": "0"})", error);
  EXPECT_EQ(error, "`number` is \"0\", not an integer");
  parse(R"({"function": "f", "kind": "k", "sizes": "1x1x1", "number": 0, "schedule": {}})", error);
  EXPECT_THAT(error, HasSubstr("`sizes` is `1x1x1`, not four sizes"));
}

/// The error for a schedule in an otherwise valid line.
std::string scheduleError(const std::string &schedule) {
  std::string error;
  parse(R"({"function": "f", "kind": "k", "sizes": "1x1x1x1", "number": 0, "schedule": )" +
            schedule + "}",
        error);
  return error;
}

TEST(ScheduleFile, TellsAWrongValueFromAnUnknownField) {
  EXPECT_THAT(scheduleError(R"({"lanes": 12, "rows": 1, "vectors": 1})"),
              HasSubstr("`lanes` is 12, not a power of two"));
  EXPECT_THAT(scheduleError(R"({"tiles": 12})"), HasSubstr("unknown schedule field `tiles`"));
  EXPECT_THAT(scheduleError(R"({"rows": "14"})"),
              HasSubstr("`rows` is \"14\", not a number from 1 to 32"));
  EXPECT_THAT(scheduleError(R"({"rows": 1.5})"),
              HasSubstr("`rows` is 1.5, not a number from 1 to 32"));
  EXPECT_THAT(scheduleError(R"({"kernel": "blokced"})"),
              HasSubstr("`kernel` is \"blokced\", not one of unrolled, blocked,"));
  EXPECT_THAT(scheduleError(R"({"kernel": 1})"), HasSubstr("`kernel` is 1, not one of unrolled"));
}

TEST(TuneFile, RoundTrips) {
  Record first = recordOf({512, 512, 512, 1}), second = recordOf({unknown, 3, 4, 1});
  first.seconds = 0.125;
  first.untuned = 0.25;
  first.seed = 7;
  second.function = "f";
  std::string text = printRecords({first, second});
  SourceFile file("f.tc.tune", text);
  std::vector<Mistake> mistakes;
  std::vector<Record> records = parseRecords(file, mistakes);
  ASSERT_TRUE(mistakes.empty()) << mistakes[0].text;
  EXPECT_EQ(printRecords(records), text);
}

/// A file with conflict markers from version control.
TEST(TuneFile, SaysWhereItIsWrong) {
  std::string text = "<<<<<<< ours\n" + printRecords({recordOf({512, 512, 512, 1})}) + "=======\n";
  SourceFile file("f.tc.tune", text);
  std::vector<Mistake> mistakes;
  std::vector<Record> records = parseRecords(file, mistakes);
  ASSERT_EQ(mistakes.size(), 2u);
  EXPECT_EQ(file.position(mistakes[0].range.begin).line, 1u);
  EXPECT_EQ(file.position(mistakes[1].range.begin).line, 4u);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(file.position(records[0].range.begin).line, 3u);
}
