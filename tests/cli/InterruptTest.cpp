#include "cli/Interrupt.h"
#include "Captured.h"
#include "gtest/gtest.h"
#include <csignal>

using namespace tessera::cli;

/// In a separate process: leaves one file registered and one released.
static void interrupt(const Folder &folder, int signal) {
  ::signal(signal, SIG_DFL); // A test run in the background has it ignored.
  handleInterrupts();
  InterruptGuard kept(folder / "temporary");
  InterruptGuard(folder / "done").release();
  raise(signal);
}

TEST(Interrupt, RemovesRegisteredFilesAndExitsWith130) {
  testing::FLAGS_gtest_death_test_style = "fast";
  for (int signal : {SIGINT, SIGTERM}) {
    Folder folder;
    folder.write("temporary", "half");
    folder.write("done", "whole");
    EXPECT_EXIT(interrupt(folder, signal), testing::ExitedWithCode(130), "");
    EXPECT_FALSE(llvm::sys::fs::exists(folder / "temporary"));
    EXPECT_TRUE(llvm::sys::fs::exists(folder / "done"));
  }
}

TEST(Interrupt, AFileSizeLimitIsAWriteError) {
  EXPECT_EXIT(
      {
        ::signal(SIGXFSZ, SIG_DFL);
        handleInterrupts();
        raise(SIGXFSZ);
        _exit(5);
      },
      testing::ExitedWithCode(5), "");
}

TEST(Interrupt, MoreFilesThanSlotsDoNoHarm) {
  std::vector<InterruptGuard> guards;
  for (int i = 0; i < 40; ++i)
    guards.emplace_back("/nowhere/file");
}
