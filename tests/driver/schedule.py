"""Runs suites, as many at a time as there are cores, and follows their progress."""

import collections
import json
import os
import re
import signal
import subprocess
import threading
import time
import traceback

import suites

TIMES = "build/test-times.json"  # How long each suite took last time, for the estimate.
# Lines that say how far a suite is: ninja's `[3/17] `, lit's `(3 of 17)`.
COUNTS = re.compile(r"^\[(\d+)/(\d+)\] |\((\d+) of (\d+)\)$")
LIMIT = 3600  # Seconds until a suite counts as hanging.
GRACE = 3  # Seconds that a stopped suite has to stop its own processes, such as ninja's compilers.

# Debian's LLVM is not instrumented, so its containers would look overflown and its arenas poisoned. A compiler leaves
# memory to the end of its process. Aborting keeps a found bug apart from the compiler's own exit statuses.
SANITIZERS = {
    "ASAN_OPTIONS": "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:abort_on_error=1",
    "TSAN_OPTIONS": "allocator_may_return_null=1:halt_on_error=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:abort_on_error=1",
}
# Variables of the user that would change what the tests see.
FOREIGN = re.compile("(NO_COLOR|CLICOLOR|TESSERA_|GTEST_|LIT_|FILECHECK_|PYTHON|LD_PRELOAD|LD_LIBRARY_PATH)")


class Job:
    """A suite that is running or has run."""

    def __init__(self, suite, seconds):
        self.suite, self.expected = suite, seconds
        self.begin, self.end = time.monotonic(), None
        self.done = self.total = 0
        self.result = None
        self.process = None
        self.is_stopped = False

    def elapsed(self):
        return (self.end or time.monotonic()) - self.begin

    def remaining(self):
        """Seconds, by the tests that have run where the suite counts them, else by the last run."""
        if self.end:
            return 0
        if 0 < self.done < self.total and self.elapsed() > 5:
            return self.elapsed() * (self.total - self.done) / self.done
        return max(self.expected - self.elapsed(), 1)

    def command(self, argv, builds=False):
        """Runs a command; returns its status and output. Builds keep ccache's files where they are."""
        if self.is_stopped:
            return 1, ""
        environment = {key: value for key, value in os.environ.items() if not FOREIGN.match(key)}
        environment.update(SANITIZERS, LC_ALL="C.UTF-8", NINJA_STATUS="[%f/%t] ")
        if not builds:
            environment.update(XDG_CACHE_HOME=f"{self.scratch}/cache", XDG_DATA_HOME=f"{self.scratch}/data")
        self.process = subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        watch = threading.Timer(LIMIT, self.stop)
        watch.start()
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if count := COUNTS.search(line.rstrip("\n")):
                self.done, self.total = int(count[1] or count[3]), int(count[2] or count[4])
        status = self.process.wait()
        if not watch.is_alive():
            lines.append(f"stopped after {LIMIT} s\n")
        watch.cancel()
        return status, "".join(lines)

    def run(self, selection, everything, scratch):
        self.scratch = scratch
        try:
            self.result = self.suite.run(suites.Run(selection.within(self.suite.name), everything, scratch, self.command))
        except Exception: # pylint: disable=broad-except # A suite without a result would count as running forever.
            self.result = suites.Result(failed=1, log=traceback.format_exc())
        self.end = time.monotonic()

    def stop(self):
        self.is_stopped = True
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(GRACE)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)


class Schedule:
    """Starts the first waiting suite whose build is done and for which there are cores."""

    def __init__(self, chosen, selection, everything, scratch):
        self.waiting = list(chosen)
        self.count = len(chosen)
        self.jobs = []
        self.settings = (selection, everything, scratch)
        self.cores = len(os.sched_getaffinity(0))
        self.lengths = {suite.name: suite.seconds for suite in chosen} | read_times(everything)
        self.skipped = collections.deque()

    def running(self):
        return [job for job in self.jobs if not job.end]

    def has_failed(self, name):
        return any(job.suite.name == name and job.end and job.result.failed for job in self.jobs)

    def is_pending(self, name):
        return any(suite.name == name for suite in self.waiting) or any(job.suite.name == name for job in self.running())

    def start(self):
        free = self.cores - sum(self.cores_of(job.suite) for job in self.running())
        for suite in list(self.waiting):
            if self.has_failed(suite.needs):
                self.waiting.remove(suite)
                self.skipped.append(suite)
            elif self.cores_of(suite) <= free and not self.is_pending(suite.needs):
                self.waiting.remove(suite)
                job = Job(suite, self.lengths[suite.name])
                self.jobs.append(job)
                threading.Thread(target=job.run, args=self.settings, daemon=True).start()
                free -= self.cores_of(suite)

    def cores_of(self, suite):
        return min(suite.cores, self.cores)

    def remaining(self):
        """Seconds until all is done: the work that is left, spread over the cores."""
        work = sum(job.remaining() * self.cores_of(job.suite) for job in self.running())
        work += sum(self.lengths[suite.name] * self.cores_of(suite) for suite in self.waiting)
        longest = max((job.remaining() for job in self.running()), default=0)
        return max(work / self.cores, longest)

    def stop(self):
        for job in self.jobs:
            job.stop()

    def write_times(self):
        everything = self.settings[1]
        known = read_times(everything) | {job.suite.name: round(job.elapsed(), 1) for job in self.jobs if job.end}
        try:
            with open(times_path(everything), "w", encoding="utf-8") as file:
                json.dump(known, file, indent=1)
        except OSError:
            pass # Only the estimate suffers.


def times_path(everything):
    return TIMES.replace(".json", "-all.json") if everything else TIMES


def read_times(everything):
    try:
        with open(times_path(everything), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}
