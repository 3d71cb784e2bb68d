#include "schedule/Search.h"
#include "gmock/gmock.h"

using namespace tessera::schedule;
using testing::SizeIs;
using Outcome = Measurement::Outcome;

namespace {

constexpr Machine avx512{.vectorBytes = 64, .registers = 32};

/// A machine on which the time of a program is a formula and each measurement takes a second.
struct FakeMachine {
  std::function<double(const Program &)> seconds = [](const Program &) { return 1; };
  std::function<Measurement(const Program &)> mishap = nullptr;
  double clock = 0;
  std::vector<Program> tried;
  SearchTask task;
  bool canRace = true;

  FakeMachine(std::vector<ContractionShape> shapes, double budget = 100) {
    for (const ContractionShape &shape : shapes)
      task.kernels.push_back({"f",
                              int64_t(task.kernels.size()),
                              "f32*f32+f32,fused",
                              {shape.rows, shape.columns, shape.depth, 1},
                              chooseContraction(shape, avx512)});
    task.remembered.resize(shapes.size());
    task.machine = avx512;
    task.budget = budget;
    task.now = [this] { return clock; };
    task.measure = [this](const Program &program, double limit) {
      clock += 1;
      tried.push_back(program);
      if (Measurement result = mishap ? mishap(program) : Measurement();
          result.outcome != Outcome::Good)
        return result;
      double time = seconds(program);
      return Measurement{time > limit ? Outcome::Slow : Outcome::Good, time};
    };
    task.race = [this](llvm::ArrayRef<Program> programs, double) {
      std::vector<double> times;
      for (const Program &program : programs)
        times.push_back(seconds(program));
      return canRace ? times : std::vector<double>();
    };
  }

  Findings run() {
    return search(task, [](const Findings &, bool) {});
  }
  Program model() const {
    Program program;
    for (const Kernel &kernel : task.kernels)
      program.push_back(kernel.model);
    return program;
  }
};

} // namespace

TEST(Search, FindsTheFastest) {
  FakeMachine machine({{512, 512, 512}});
  machine.seconds = [](const Program &program) { return program[0].depth == 256 ? 1 : 2; };
  Findings findings = machine.run();
  EXPECT_EQ(findings.best[0].depth, 256);
  EXPECT_EQ(findings.untuned, 2);
  EXPECT_EQ(findings.seconds, 1);
  EXPECT_EQ(findings.speedUp(), 2);
}

TEST(Search, KeepsTheModelWhereTheGainIsNoise) {
  FakeMachine machine({{512, 512, 512}});
  machine.seconds = [](const Program &program) { return program[0].depth == 256 ? 0.99 : 1; };
  Findings findings = machine.run();
  EXPECT_EQ(findings.best, machine.model());
  EXPECT_EQ(findings.speedUp(), 1);
  EXPECT_GT(findings.numTried, 10);
}

TEST(Search, WithoutTimeChangesNothing) {
  FakeMachine machine({{512, 512, 512}}, /*budget=*/0);
  Contraction earlier = machine.model()[0];
  earlier.depth = 256;
  machine.task.remembered[0] = earlier;
  machine.seconds = [](const Program &program) { return program[0].depth == 256 ? 2 : 1; };
  Findings findings = machine.run();
  EXPECT_EQ(findings.numTried, 0);
  EXPECT_EQ(findings.best[0], earlier) << "there was no race";
  EXPECT_TRUE(findings.keepsRecord[0]);
}

/// A candidate that was lucky once.
TEST(Search, BelievesTheRaceAndNotTheFirstImpression) {
  FakeMachine machine({{512, 512, 512}});
  machine.seconds = [&](const Program &program) {
    bool isRacing = machine.clock >= 71;
    return program[0].depth == 256 && !isRacing ? 0.5 : 1;
  };
  EXPECT_EQ(machine.run().best, machine.model());
}

TEST(Search, SpendsItsBudgetAndNoMore) {
  FakeMachine machine({{512, 512, 512}}, 20);
  machine.run();
  EXPECT_THAT(machine.tried, SizeIs(1 + 14)); // Seven tenths of the time; the rest is for the race.
}

TEST(Search, MeasuresTheModelWhateverTheBudget) {
  FakeMachine machine({{512, 512, 512}}, 0);
  Findings findings = machine.run();
  EXPECT_THAT(machine.tried, SizeIs(1));
  EXPECT_EQ(findings.best, machine.model());
}

TEST(Search, ReportsAndSkipsCrashes) {
  FakeMachine machine({{512, 512, 512}});
  machine.seconds = [](const Program &program) { return program[0].depth == 256 ? 1 : 2; };
  machine.mishap = [](const Program &program) {
    return program[0].prefetch ? Measurement() : Measurement{Outcome::Rejected, 0, "it crashed"};
  };
  machine.task.kernels[0].model.prefetch = 1;
  Findings findings = machine.run();
  EXPECT_EQ(findings.best[0].depth, 256);
  ASSERT_FALSE(findings.rejected.empty());
  EXPECT_EQ(findings.rejected[0].why, "it crashed");
  EXPECT_EQ(findings.rejected[0].schedule.prefetch, 0);
  EXPECT_THAT(findings.rejected[0].kernel, testing::HasSubstr("operation 0 of `f`"));
}

TEST(Search, KeepsTheBestSoFarWhenItIsStopped) {
  FakeMachine machine({{512, 512, 512}}, 1000);
  bool isFound = false;
  machine.seconds = [&](const Program &program) {
    isFound |= program[0].depth == 256;
    return program[0].depth == 256 ? 1 : 2;
  };
  machine.mishap = [&](const Program &) {
    return isFound ? Measurement{Outcome::Stopped} : Measurement();
  };
  Findings findings = machine.run();
  EXPECT_TRUE(findings.isStopped);
  EXPECT_EQ(findings.best[0].depth, 256);
  EXPECT_EQ(findings.seconds, 1);
}

TEST(Search, ReportsEachNewBestAtOnce) {
  FakeMachine machine({{512, 512, 512}});
  machine.seconds = [](const Program &program) { return program[0].depth == 256 ? 1 : 2; };
  int64_t better = 0, all = 0;
  Findings findings = search(machine.task, [&](const Findings &sofar, bool isBetter) {
    ++all;
    better += isBetter;
    EXPECT_TRUE(!isBetter || sofar.best[0].depth == 256);
  });
  EXPECT_EQ(better, 1);
  EXPECT_EQ(all, findings.numTried);
}

TEST(Search, SaysWhyTheProgramItselfFails) {
  FakeMachine machine({{512, 512, 512}});
  machine.mishap = [](const Program &) {
    return Measurement{Outcome::Rejected, 0, "division by zero"};
  };
  EXPECT_EQ(machine.run().failure, "division by zero");
}

TEST(Search, TunesEqualOperationsTogether) {
  FakeMachine machine({{512, 512, 512}, {512, 512, 512}});
  machine.seconds = [](const Program &program) {
    return 4.0 - (program[0].depth == 256) - (program[1].depth == 256);
  };
  Findings findings = machine.run();
  EXPECT_EQ(findings.best[0].depth, 256);
  EXPECT_EQ(findings.best[1], findings.best[0]);
  for (const Program &program : machine.tried)
    EXPECT_TRUE(program[0] == program[1]);
}

TEST(Search, TunesDifferentOperationsInTurns) {
  FakeMachine machine({{512, 512, 512}, {1000, 1000, 1000}}, 200);
  machine.seconds = [](const Program &program) {
    return 4.0 - (program[0].depth == 256) - (program[1].depth == 384);
  };
  Findings findings = machine.run();
  EXPECT_EQ(findings.best[0].depth, 256);
  EXPECT_EQ(findings.best[1].depth, 384);
  EXPECT_EQ(findings.seconds, 2);
  for (const Program &program : machine.tried)
    EXPECT_TRUE(program[0] == machine.model()[0] || program[1] == machine.model()[1]);
}

TEST(Search, DropsCombinationsThatAreSlower) {
  FakeMachine machine({{512, 512, 512}, {1000, 1000, 1000}}, 200);
  machine.seconds = [](const Program &program) {
    bool first = program[0].depth == 256, second = program[1].depth == 384;
    return first && second ? 5.0 : 4.0 - first - second;
  };
  Findings findings = machine.run();
  EXPECT_EQ(findings.best, machine.model());
  EXPECT_EQ(findings.speedUp(), 1);
}

TEST(Search, RacesEarlierRecords) {
  FakeMachine machine({{512, 512, 512}}, 3);
  Contraction earlier = machine.model()[0];
  earlier.depth = 72;
  machine.task.remembered[0] = earlier;
  machine.seconds = [](const Program &program) { return program[0].depth == 72 ? 1 : 2; };
  EXPECT_EQ(machine.run().best[0], earlier);
}

/// After an interruption there is no race: a single measurement does not replace an earlier,
/// careful one.
TEST(Search, KeepsEarlierRecordsWhenItIsStopped) {
  FakeMachine machine({{512, 512, 512}}, 1000);
  Contraction earlier = machine.model()[0];
  earlier.depth = 72;
  machine.task.remembered[0] = earlier;
  int64_t numBetter = 0, numRuns = 0;
  machine.seconds = [](const Program &program) { return program[0].depth == 256 ? 0.5 : 1; };
  machine.mishap = [&](const Program &) {
    return ++numRuns > 60 ? Measurement{Outcome::Stopped} : Measurement();
  };
  Findings findings =
      search(machine.task, [&](const Findings &, bool isBetter) { numBetter += isBetter; });
  EXPECT_TRUE(findings.isStopped);
  EXPECT_EQ(findings.best[0], earlier);
  EXPECT_TRUE(findings.keepsRecord[0]);
  EXPECT_EQ(findings.seconds, 1);
  EXPECT_EQ(numBetter, 0);
}

TEST(Search, KeepsEarlierRecordsIfNoRaceIsPossible) {
  FakeMachine machine({{512, 512, 512}, {1000, 1000, 1000}}, 200);
  Contraction earlier = machine.model()[0];
  earlier.depth = 72;
  machine.task.remembered[0] = earlier;
  machine.seconds = [](const Program &program) { return program[1].depth == 384 ? 0.5 : 1; };
  machine.canRace = false;
  Findings findings = machine.run();
  EXPECT_EQ(findings.best[0], earlier);
  EXPECT_EQ(findings.best[1], machine.model()[1]);
  EXPECT_TRUE(findings.keepsRecord[0]);
  EXPECT_FALSE(findings.keepsRecord[1]);
}

TEST(Search, DropsEarlierRecordsThatFail) {
  FakeMachine machine({{512, 512, 512}});
  Contraction earlier = machine.model()[0];
  earlier.depth = 72;
  machine.task.remembered[0] = earlier;
  machine.canRace = false;
  machine.mishap = [](const Program &program) {
    return program[0].depth == 72 ? Measurement{Outcome::Rejected, 0, "it crashed"} : Measurement();
  };
  Findings findings = machine.run();
  EXPECT_EQ(findings.best, machine.model());
  EXPECT_FALSE(findings.keepsRecord[0]);
}

/// The order of candidates must not depend on measurements.
TEST(Search, TriesTheSameCandidatesWhateverItMeasures) {
  FakeMachine machine({{512, 512, 512}, {64, 64, 64}}), other({{512, 512, 512}, {64, 64, 64}});
  machine.seconds = [](const Program &program) { return double(program[0].depth); };
  other.seconds = [](const Program &program) { return 1e6 / double(program[1].rows); };
  machine.run();
  other.run();
  EXPECT_TRUE(machine.tried == other.tried);
}

TEST(Search, KeepsFirstImpressionsIfNoRaceIsPossible) {
  FakeMachine machine({{512, 512, 512}});
  machine.seconds = [](const Program &program) { return program[0].depth == 256 ? 1 : 2; };
  machine.canRace = false;
  EXPECT_EQ(machine.run().best[0].depth, 256);
}
