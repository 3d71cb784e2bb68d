"""Tests how suites are scheduled, stopped and reported."""

import signal
import tempfile
import time
import unittest

import schedule
import suites


def suite(name, run, **options):
    return suites.Suite(name, "", run, cores=1, **options)


def passes(_):
    return suites.Result(passed=1)


def fails(_):
    return suites.Result(failed=1)


class ScheduleTest(unittest.TestCase):
    def plan(self, *chosen, names=(), whole=()):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        return schedule.Schedule(chosen, suites.Selection(names, whole), False, scratch.name)

    def finish(self, plan):
        plan.start()
        while plan.running():
            time.sleep(0.01)
            plan.start()
        return {job.suite.name: job.result for job in plan.jobs}

    def test_an_exception_fails_the_suite(self):
        def breaks(_):
            raise ValueError("no JSON")

        results = self.finish(self.plan(suite("broken", breaks), suite("good", passes)))
        self.assertEqual((results["broken"].failed, results["good"].passed), (1, 1))
        self.assertIn("no JSON", results["broken"].log)

    def test_tests_of_a_failed_build_are_skipped(self):
        plan = self.plan(suite("build", fails), suite("units", passes, needs="build"))
        self.assertEqual(list(self.finish(plan)), ["build"])
        self.assertEqual([each.name for each in plan.skipped], ["units"])

    def test_a_named_suite_runs_whole(self):
        seen = {}

        def remember(name):
            return lambda run: seen.setdefault(name, run.selection.for_units()) and passes(run)

        self.finish(self.plan(suite("units", remember("units")), suite("lit", remember("lit")), names=["x"], whole=["units"]))
        self.assertEqual(seen, {"units": "*", "lit": "*x*"})

    def test_stopping_ends_the_command_and_starts_no_other(self):
        statuses = []

        def two_commands(run):
            for _ in range(2):
                statuses.append(run.command(["sleep", "100"])[0])
            return passes(run)

        plan = self.plan(suite("slow", two_commands))
        plan.start()
        while not plan.jobs[0].process:
            time.sleep(0.01)
        plan.stop()
        while plan.running():
            time.sleep(0.01)
        self.assertEqual(statuses, [-signal.SIGTERM, 1])


if __name__ == "__main__":
    unittest.main()
