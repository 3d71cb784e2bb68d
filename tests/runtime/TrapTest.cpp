#include "runtime/Failure.h"
#include <csignal>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string>

using testing::HasSubstr;
using testing::StartsWith;
using testing::StrEq;

namespace {

int enter(std::function<void()> body) {
  return tessera_rt_enter([](void *body) { (*static_cast<std::function<void()> *>(body))(); },
                          &body);
}

const tessera_site bounds{"a.weld", 12, 5, "index {0} is not in 0...{1}", "weld.lookup.2"};
const tessera_site plain{"a.weld", 1, 1, "{stop} {4} {3}{2}", nullptr};
const tessera_site callF{"a.ttl", 4, 9, "f", nullptr};
const tessera_site callG{"a.ttl", 8, 3, "g", nullptr};

TEST(Trap, WritesPositionMessageAndRule) {
  EXPECT_EQ(enter([] { tessera_rt_trap(&bounds, 7, -3, 0, 0); }), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(),
              StrEq("a.weld:12:5: error: index 7 is not in 0...-3 [weld.lookup.2]"));
}

TEST(Trap, KeepsThePartsOfAFailure) {
  const tessera_site odd{"a.ttl", 2, 3, "{0} is odd", "ttl.x.1", 2, 7};
  enter([&] {
    tessera_rt_push_call(&callF);
    tessera_rt_trap(&odd, 7, 0, 0, 0);
  });
  const tessera::runtime::Failure &failure = tessera::runtime::lastFailure();
  EXPECT_EQ(failure.status, TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(failure.message, StrEq("7 is odd"));
  EXPECT_THAT(failure.place.rule, StrEq("ttl.x.1"));
  EXPECT_EQ(failure.place.end_column, 7);
  ASSERT_EQ(failure.numCalls, 1);
  EXPECT_EQ(failure.calls[0], &callF);
}

TEST(Trap, ReportsLackOfMemoryWhereItIsRequested) {
  static const tessera_site place{"a.ttl", 4, 9, "", nullptr},
      named{"a.weld", 4, 9, "OutOfMemory", nullptr};
  enter([] { tessera_rt_alloc_at(-1, &named); });
  EXPECT_THAT(tessera_last_error(),
              StartsWith("a.weld:4:9: error: OutOfMemory: a size is negative"));
  enter([] { tessera_rt_alloc_at(-1, &place); });
  EXPECT_THAT(tessera_last_error(),
              StrEq("a.ttl:4:9: error: a size is negative, or all sizes together are too large"));
  enter([] { tessera_rt_alloc(-1); });
  EXPECT_THAT(tessera_last_error(),
              StrEq("a size is negative, or all sizes together are too large"));
  EXPECT_EQ(tessera::runtime::lastFailure().place.file, nullptr);
}

TEST(Trap, LeavesOtherBracesAlone) {
  enter([] { tessera_rt_trap(&plain, 0, 0, 2, 3); });
  EXPECT_THAT(tessera_last_error(), StrEq("a.weld:1:1: error: {stop} {4} 32"));
}

TEST(Trap, EndsTheInnermostFrame) {
  bool outerWentOn = false;
  EXPECT_EQ(enter([&] {
              EXPECT_EQ(enter([] { tessera_rt_trap(&bounds, 1, 2, 0, 0); }), TESSERA_RUNTIME_ERROR);
              outerWentOn = true;
            }),
            TESSERA_OK);
  EXPECT_TRUE(outerWentOn);
}

TEST(Trap, ListsCallsInnermostFirst) {
  enter([] {
    tessera_rt_push_call(&callF);
    tessera_rt_push_call(&callG);
    tessera_rt_pop_call();
    tessera_rt_push_call(&callG);
    tessera_rt_trap(&plain, 0, 0, 0, 0);
  });
  EXPECT_THAT(tessera_last_error(), StrEq("a.weld:1:1: error: {stop} {4} 00\n"
                                          "  in g, called at a.ttl:8:3\n"
                                          "  in f, called at a.ttl:4:9"));
}

TEST(Trap, ForgetsTheCallsOfAnEndedFrame) {
  enter([] {
    tessera_rt_push_call(&callF);
    tessera_rt_trap(&plain, 0, 0, 0, 0);
  });
  enter([] { tessera_rt_trap(&plain, 0, 0, 0, 0); });
  EXPECT_THAT(tessera_last_error(), StrEq("a.weld:1:1: error: {stop} {4} 00"));
}

TEST(Trap, AbbreviatesAndLimitsLongStacks) {
  EXPECT_EQ(enter([] {
              for (;;)
                tessera_rt_push_call(&callF);
            }),
            TESSERA_RUNTIME_ERROR);
  std::string text = tessera_last_error();
  EXPECT_THAT(text, StartsWith("a.ttl:4:9: error: stack overflow after 16777216 nested calls\n"
                               "  in f, called at"));
  EXPECT_THAT(text, HasSubstr("\n  ... 16777196 more calls ...\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 21);
}

TEST(Trap, CutsEndlessMessages) {
  std::string message(100000, 'x');
  tessera_site site{"f", 1, 1, message.c_str(), nullptr};
  enter([&] { tessera_rt_trap(&site, 0, 0, 0, 0); });
  EXPECT_THAT(tessera_last_error(), StartsWith("f:1:1: error: xxx"));
}

TEST(Trap, KeepsTheErrorOfEachThread) {
  enter([] { tessera_rt_trap(&bounds, 1, 2, 0, 0); });
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void *) -> void * {
        EXPECT_THAT(tessera_last_error(), StrEq(""));
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  EXPECT_THAT(tessera_last_error(), HasSubstr("index 1"));
}

TEST(TrapDeathTest, ExitsWithoutAFrame) {
  EXPECT_EXIT(tessera_rt_trap(&bounds, 7, 3, 0, 0), testing::ExitedWithCode(3),
              "a.weld:12:5: error: index 7 is not in 0...3");
  EXPECT_EXIT(tessera_rt_trap(nullptr, 0, 0, 0, 0), testing::ExitedWithCode(3), "run-time error");
}

#if !__has_feature(address_sanitizer)
volatile int endOfRecursion = -1;

__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[200];
  frame[depth % 200] = 1;
  return depth == endOfRecursion ? 0 : recurse(depth + 1) + frame[0];
}

TEST(StackGuardDeathTest, ReportsAStackOverflow) {
  auto overflow = [] {
    tessera_rt_install_stack_guard();
    recurse(0);
  };
  EXPECT_EXIT(overflow(), testing::ExitedWithCode(3),
              "error: stack overflow \\(recursion too deep\\)");
}

TEST(StackGuardDeathTest, ReportsAStackOverflowOnAWorker) {
  auto overflow = [] {
    tessera_rt_install_stack_guard();
    tessera_set_threads(2);
    pthread_t self = pthread_self();
    tessera_rt_parallel_for(
        [](void *caller, int64_t, int64_t) {
          while (pthread_equal(*static_cast<pthread_t *>(caller), pthread_self()))
            ;
          recurse(0);
        },
        &self, 2, 1);
  };
  EXPECT_EXIT(overflow(), testing::ExitedWithCode(3), "error: stack overflow");
}

TEST(StackGuardDeathTest, LeavesOtherFaultsAlone) {
  auto fault = [] {
    tessera_rt_install_stack_guard();
    *reinterpret_cast<volatile int *>(16) = 1;
  };
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGSEGV), "");
}
#endif

} // namespace
