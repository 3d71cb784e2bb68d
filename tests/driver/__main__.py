"""Builds what the tests need and runs them: see `./test --help`."""

import argparse
import difflib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import schedule
import suites


def parse(argv):
    usage = "./test [--all] [-k NAME]... [--slowest[=N]] [--list]"
    parser = argparse.ArgumentParser(prog="./test", usage=usage, add_help=False, allow_abbrev=False)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-k", dest="names", action="append", default=[], metavar="NAME")
    parser.add_argument("--slowest", nargs="?", type=positive, const=10, default=0, metavar="N")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args(argv)


def positive(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not a positive number")
    return int(text)


def is_chosen(suite, options):
    """Without names, the short run or everything; a name is a suite's, or that of tests in `units` and `lit`."""
    if not options.names:
        return options.all or not suite.is_long
    known = {each.name for each in suites.SUITES}
    has_tests = not set(options.names) <= known
    return suite.name in options.names or (has_tests and suite.name in ("units", "lit"))


def choose(options):
    chosen = [suite for suite in suites.SUITES if is_chosen(suite, options)]
    needed = {suite.needs for suite in chosen}
    return [suite for suite in suites.SUITES if suite in chosen or suite.name in needed]


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Display:
    """A line for each suite that has ended and, on a terminal, one that shows what is running."""

    def __init__(self, plan):
        self.plan, self.begin, self.shown = plan, time.monotonic(), 0
        self.is_terminal = sys.stdout.isatty()

    def show_ended(self):
        self.clear()
        while self.plan.skipped:
            print(f"{self.plan.skipped.popleft().name:20} skipped: its build failed")
        for job in sorted((job for job in self.plan.jobs if job.end), key=lambda job: job.end)[self.shown:]:
            result, self.shown = job.result, self.shown + 1
            if result.failed:
                print(f"\n{result.log.rstrip()}")
            print(f"{job.suite.name:20} {result.passed:6} passed {result.failed:5} failed {job.elapsed():7.1f} s", flush=True)

    def show_running(self):
        if not self.is_terminal:
            return
        elapsed, remaining = time.monotonic() - self.begin, self.plan.remaining()
        names = [f"{job.suite.name} {job.done}/{job.total}" if job.total else job.suite.name for job in self.plan.running()]
        share = 100 * elapsed / (elapsed + remaining)
        text = f"[{share:3.0f}%] {clock(elapsed)}, about {clock(remaining)} left: {', '.join(names)}"
        print(f"\r\033[K{text[:shutil.get_terminal_size().columns - 1]}", end="", flush=True)

    def clear(self):
        if self.is_terminal:
            print("\r\033[K", end="", flush=True)


def follow(plan):
    display = Display(plan)
    while True:
        plan.start()
        if not plan.running():
            break
        time.sleep(0.1)
        display.show_ended()
        display.show_running()
    display.show_ended()


def is_in_a_test(name):
    """A mistyped name must not look like success."""
    units = subprocess.run(["build/bin/tessera-units", "--gtest_list_tests", f"--gtest_filter=*{name}*"],
                           capture_output=True, text=True, check=False).stdout
    found = subprocess.run(["lit-22", "--show-tests", "--param", "build=build", "tests"],
                           capture_output=True, text=True, check=False).stdout
    return re.search("^  ", units, re.MULTILINE) or re.search(f" :: .*{re.escape(name)}", found, re.IGNORECASE)


def print_slowest(plan, count):
    times = [(seconds, f"{job.suite.name}: {test}") for job in plan.jobs for seconds, test in job.result.times]
    print(f"\nThe {min(count, len(times))} slowest tests:")
    for seconds, test in sorted(times, reverse=True)[:count]:
        print(f"{seconds:8.1f} s  {test}")
    print()


def print_failed(plan):
    """Where the failures are: their logs may be far above."""
    for job in plan.jobs:
        if job.result and job.result.failed:
            for name in job.result.failures or [""]:
                print(f"failed: {job.suite.name} {name}".rstrip())


def similar_suites(name):
    """Suites that a name that no test has may mean."""
    names = [suite.name for suite in suites.SUITES]
    found = [each for each in names if name in each] or difflib.get_close_matches(name, names)
    return f"; suites with similar names: {', '.join(found)}" if found else ""


def print_suites():
    for suite in suites.SUITES:
        print(f"{suite.name:20} {suite.about}{' (--all)' if suite.is_long else ''}")


def main():
    options = parse(sys.argv[1:])
    if options.list:
        return print_suites()
    known = {suite.name for suite in suites.SUITES}
    tests = [name for name in options.names if name not in known]
    with tempfile.TemporaryDirectory() as scratch:
        plan = schedule.Schedule(choose(options), suites.Selection(tests, options.names), options.all, scratch)
        try:
            follow(plan)
        except KeyboardInterrupt:
            plan.stop()
            done = sum(1 for job in plan.jobs if job.end)
            print(f"\ninterrupted: {done} of {plan.count} suites had run")
            return 130
    if not options.names:
        plan.write_times()
    if options.slowest:
        print_slowest(plan, options.slowest)
    passed, failed = (sum(getattr(job.result, kind) for job in plan.jobs) for kind in ("passed", "failed"))
    for name in tests:
        if not failed and not is_in_a_test(name):
            print(f"no suite is called `{name}`, and no test has it in its name{similar_suites(name)}")
            failed = 1
    print_failed(plan)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


for end in (signal.SIGTERM, signal.SIGHUP): # As Ctrl-C does: suites run in sessions of their own.
    if signal.getsignal(end) is not signal.SIG_IGN: # nohup ignores SIGHUP.
        signal.signal(end, signal.default_int_handler)
sys.exit(main())
