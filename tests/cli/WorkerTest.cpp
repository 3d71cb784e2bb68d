#include "cli/Worker.h"
#include "gmock/gmock.h"
#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace tessera::cli;
using Kind = Worker::Answer::Kind;

namespace {

constexpr double enough = 60;

/// Counts its requests and obeys them.
struct Job {
  int count = 0;

  std::string operator()(llvm::StringRef request) {
    ++count;
    if (request == "fault")
      raise(SIGSEGV);
    if (request == "abort")
      abort();
    if (request == "exit")
      _exit(3);
    if (request == "sleep")
      sleep(1000);
    if (request == "print")
      puts("nobody sees this");
    return std::to_string(count) + ":" + request.str();
  }
};

} // namespace

TEST(Worker, AnswersAndRemembers) {
  Worker worker{Job()};
  EXPECT_EQ(worker.ask("a", enough).text, "1:a");
  EXPECT_EQ(worker.ask("", enough).text, "2:");
  std::string large(1 << 20, 'x');
  EXPECT_EQ(worker.ask(large, enough).text, "3:" + large);
}

TEST(Worker, LeavesThisProcessAsItIs) {
  int count = 0;
  Worker worker([&](llvm::StringRef) { return std::to_string(++count); });
  EXPECT_EQ(worker.ask("", enough).text, "1");
  EXPECT_EQ(count, 0);
}

TEST(Worker, SurvivesCrashes) {
  Worker worker{Job()};
  EXPECT_EQ(worker.ask("a", enough).text, "1:a");
  Worker::Answer answer = worker.ask("fault", enough);
  EXPECT_EQ(answer.kind, Kind::Died);
  EXPECT_EQ(answer.text, "Segmentation fault");
  EXPECT_EQ(worker.ask("b", enough).text, "1:b") << "a new child";
  EXPECT_EQ(worker.ask("abort", enough).text, "Aborted");
  EXPECT_EQ(worker.ask("exit", enough).text, "it ended with status 3");
  EXPECT_EQ(worker.ask("c", enough).text, "1:c");
}

TEST(Worker, KillsAChildThatTakesTooLong) {
  Worker worker{Job()};
  EXPECT_EQ(worker.ask("sleep", 0.01).kind, Kind::Late);
  EXPECT_EQ(worker.ask("a", enough).text, "1:a");
}

TEST(Worker, PrintsNothing) {
  testing::internal::CaptureStdout();
  Worker worker{Job()};
  EXPECT_EQ(worker.ask("print", enough).text, "1:print");
  worker.stop();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Worker, StopsWhenTheUserInterrupts) {
  for (int signal : {SIGINT, SIGTERM}) {
    ::signal(signal, SIG_DFL); // A test run in the background has it ignored.
    InterruptFlag flag;
    EXPECT_FALSE(InterruptFlag::isSet());
    Worker worker{Job()};
    EXPECT_EQ(worker.ask("a", enough).text, "1:a");
    raise(signal);
    EXPECT_TRUE(InterruptFlag::isSet());
    EXPECT_EQ(worker.ask("sleep", enough).kind, Kind::Interrupted);
  }
}
