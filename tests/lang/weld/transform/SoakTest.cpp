#include "Program.h"
#include "runtime/Memory.h"
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::tests;

namespace {

/// All builders, texts as keys, a sort with a comparator, vectors in `iterate`, bytes and back. It
/// fails where `divisor` is 0, in the middle of a loop that appends.
const char *const mixed = R"(
|v: vec[i64], names: vec[vec[i8]], divisor: i64|
  let counts = result(for(names, dictmerger[vec[i8],i64,+], |b, i, name| merge(b, {name, 1L})));
  let groups = result(for(v, groupbuilder[{i64,bool},i64], |b, i, x| merge(b, {{x % 7L, x > 50L}, i})));
  let hist = result(for(v, vecmerger[i64,+](map(rangeiter(0L, 16L, 1L), |i| 0L)), |b, i, x| merge(b, {x % 16L, 1L})));
  let odd = filter(v, |x| x % 2L == 1L);
  let sorted = sort(map(odd, |x| {x, [x, x * x]}), |x, y| compare(y.$0 % 100L, x.$0 % 100L));
  let grown = iterate({[1L, 2L], 0L}, |s| {{map(s.$0, |x| x * 2L), s.$1 + 1L}, s.$1 < 20L});
  let back = deserialize[vec[{i64,vec[i64]}]](serialize(sorted));
  let quotients = result(for(v, appender, |b, i, x| merge(merge(b, [x]), [if(i == 60L, x / divisor, i)])));
  {counts, map(tovec(groups), |g| {g.$0, len(g.$1)}), hist, back, grown, len(quotients)}
)";

struct Arguments {
  Vec<int64_t> v;
  Vec<Vec<int8_t>> names;
  int64_t divisor;
};

int64_t residentBytes() {
  int64_t total, resident;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

class Soak : public testing::TestWithParam<unsigned> {
protected:
  void SetUp() override {
    tessera_rt_set_memory_limit(int64_t(1) << 30);
  } // A limit makes the runtime count bytes.
  void TearDown() override { tessera_rt_set_memory_limit(0); }
};

TEST_P(Soak, TenThousandRunsLeakNothing) {
  auto program = Program::fromWeld(mixed, GetParam());
  ASSERT_EQ(program->error, "");
  std::vector<int64_t> few(100), many(40000);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = few[i % few.size()] = int64_t(i * 7919 % 1000);
  std::vector<int8_t> first{'a', 'b'}, second{'a'};
  std::vector<Vec<int8_t>> names{first, second, first};
  [[maybe_unused]] int64_t before = 0;
  for (int turn = 0; turn < 10000; ++turn) {
    Arguments arguments{turn % 100 == 0 ? many : few, names, turn % 3};
    char result[256];
    int status = program->run(&arguments, result);
    ASSERT_EQ(status, turn % 3 ? TESSERA_OK : TESSERA_RUNTIME_ERROR) << turn;
    program->freeRuns();
    ASSERT_EQ(runtime::memoryInUse(), 0) << turn;
    if (turn == 2000)
      before = residentBytes();
  }
#if !__has_feature(address_sanitizer) // It keeps freed memory for a while.
  // Less than the caches of two threads may hold.
  EXPECT_LT(residentBytes() - before, 16 << 20);
#endif
}

INSTANTIATE_TEST_SUITE_P(Levels, Soak, testing::Values(0u, 2u));

} // namespace
