"""The table of suites, and how each kind of suite is run and counted.

A suite has a name, says what it shows, whether it belongs to the short run, how many cores it uses, and how long it
takes on two cores the first time; later runs know better. `needs` names the build that it tests.
"""

import dataclasses
import functools
import glob
import json
import os
import re
import subprocess
import typing

ALL_CORES = 1000
LANGUAGES = ["ttl", "tc", "weld", "tinytc"]


@dataclasses.dataclass
class Result:
    """The outcome of a suite."""

    passed: int = 0
    failed: int = 0
    log: str = ""  # What a reader of a failure wants to see.
    times: list = dataclasses.field(default_factory=list)  # (seconds, test)
    failures: list = dataclasses.field(default_factory=list)  # Names of tests.


@dataclasses.dataclass
class Suite:
    name: str
    about: str
    run: typing.Callable  # (run: Run) -> Result
    cores: int = ALL_CORES
    seconds: float = 5
    needs: str = ""
    is_long: bool = False # Only with --all.


@dataclasses.dataclass
class Run:
    """What a suite is told, and the lines that it is to follow."""

    selection: "Selection"
    everything: bool  # --all
    scratch: str
    command: typing.Callable  # (argv, **options) -> (status, output); shows progress


class Selection:
    """Names of tests, as GoogleTest and lit expect them. Without names, and in suites that run whole, all tests."""

    def __init__(self, names, whole=()):
        self.names, self.whole = names, whole

    def within(self, suite):
        return Selection([]) if suite in self.whole else self

    def for_units(self):
        return ":".join(f"*{name}*" for name in self.names) or "*"

    def for_lit(self):
        return "|".join(map(re.escape, self.names))


def simple(*argv):
    """One command, one test."""

    def run(run):
        status, output = run.command(argv)
        return Result(passed=int(status == 0), failed=int(status != 0), log=output)

    return run


def build(preset, folder, *targets):
    """Counts as one test. Of ninja's output only what failed is of interest."""

    def run(run):
        status, output = run.command(["scripts/build", preset, folder, *targets], builds=True)
        output = re.sub(r"^\[\d+/\d+\].*\n(?!FAILED)", "", output, flags=re.MULTILINE)
        return Result(passed=int(status == 0), failed=int(status != 0), log=output)

    return run


def crashed(status, result):
    """A command that failed without naming a failed test has crashed."""
    if status != 0 and not result.failed:
        result.failed = 1
    return result


def units(binary, filtered=None):
    def run(run):
        path = f"{run.scratch}/{os.path.basename(binary)}.json"
        tests = filtered or run.selection.for_units()
        status, output = run.command([binary, f"--gtest_output=json:{path}", f"--gtest_filter={tests}"])
        result = Result(log=re.sub(r"^\[ RUN .*\n\[       OK.*\n|^\[-{10}\].*\n|^\n", "", output, flags=re.MULTILINE))
        if os.path.exists(path):
            read_units(path, result)
        return crashed(status, result)

    return run


def read_units(path, result):
    with open(path, encoding="utf-8") as file:
        groups = json.load(file)["testsuites"]
    for group in groups:
        for test in group["testsuite"]:
            if test["result"] == "COMPLETED":
                has_failed = bool(test.get("failures"))
                result.failed += has_failed
                result.passed += not has_failed
                name = f"{group['name']}.{test['name']}"
                result.failures += [name] if has_failed else []
                result.times.append((float(test["time"].rstrip("s")), name))


def lit(folder):
    def run(run):
        path = f"{run.scratch}/{folder}-lit.json"
        status, output = run.command(["lit-22", "-v", "--no-progress-bar", "--param", f"build={folder}", "--filter",
                                      run.selection.for_lit(), "--allow-empty-runs", "-o", path, "tests"])
        result = Result(log=re.sub(r"^(PASS|UNSUPPORTED): .*\n", "", output, flags=re.MULTILINE))
        if os.path.exists(path):
            read_lit(path, result)
        return crashed(status, result)

    return run


def read_lit(path, result):
    with open(path, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    for test in tests:
        result.passed += test["code"] in ("PASS", "FLAKYPASS", "XFAIL")
        has_failed = test["code"] in ("FAIL", "TIMEOUT", "UNRESOLVED", "XPASS")
        name = test["name"].removeprefix("tessera :: ")
        result.failed += has_failed
        result.failures += [name] if has_failed else []
        result.times.append((test["elapsed"] or 0.0, name))


def man(run):
    with open(f"{run.scratch}/tessera.1", "w", encoding="utf-8") as page:
        subprocess.run(["build/bin/tessera", "completions", "man"], stdout=page, check=False)
    return simple("mandoc", "-Tlint", "-W", "warning", f"{run.scratch}/tessera.1")(run)


def corpus(kind):
    """The inputs that fuzzing of a language or format starts from."""
    paths = glob.glob(f"tests/**/*.{kind}", recursive=True) + glob.glob(f"examples/**/*.{kind}", recursive=True)
    paths += glob.glob(f"tests/**/corpus/{kind}/*", recursive=True)
    return sorted({path for path in paths if os.path.isfile(path)})


def fuzz(run):
    """Each target reads the corpus of its language or format and the files of the tests, each once."""
    result = Result()
    for source in sorted(glob.glob("tests/fuzz/Fuzz*.cpp")):
        kind = os.path.basename(source)[len("Fuzz") : -len(".cpp")].lower()
        status, output = run.command([f"build-asan/bin/fuzz-{kind}", *corpus(kind)])
        result.passed += len(re.findall(r"^Executed ", output, re.MULTILINE))
        result.failed += status != 0
        result.log += output if status != 0 else ""
    return result


def random(language, folder, count, count_of_all):
    """Random programs, and first those that once failed."""

    def run(run):
        number = count_of_all if run.everything else count
        known = glob.glob(f"tests/random/{language}/corpus/*")
        status, output = run.command([f"{folder}/bin/tessera-random", f"--lang={language}", "--count", str(number),
                                      "--jobs", str(os.cpu_count()), *known])
        return Result(passed=number if status == 0 else 0, failed=int(status != 0), log=output)

    return run


def math(run):
    """One test for each function and width."""
    status, output = run.command(["build/bin/tessera-math"])
    count = functools.partial(re.findall, string=output, flags=re.MULTILINE)
    result = Result(passed=len(count(r"\|$")), failed=len(count(r"(?:too large|differ)$")), log=output)
    return crashed(status, result)


FUZZ_TARGETS = [f"fuzz-{os.path.basename(path)[len('Fuzz'):-len('.cpp')].lower()}" for path in glob.glob("tests/fuzz/Fuzz*.cpp")]

SUITES = [
    Suite("build", "the compiler and its tests", build("release", "build"), seconds=180),
    Suite("build-fuzz", "what reads input, with sanitizers", build("asan", "build-asan", *FUZZ_TARGETS), seconds=60),
    Suite("layers", "which room includes which", simple("scripts/check-layers"), cores=1, seconds=1),
    Suite("rules", "rules, diagnostics and tests agree", simple("scripts/check-rules"), cores=1, seconds=1),
    Suite("docs", "links, file names and wording of pages and comments", simple("scripts/check-docs"), cores=1, seconds=3),
    Suite("format", "clang-format, spelling, shellcheck", simple("scripts/format", "--check"), cores=1, seconds=15),
    Suite("units", "GoogleTests", units("build/bin/tessera-units"), cores=1, seconds=30, needs="build"),
    # Tests of signals meet the handlers of the sanitizer.
    Suite("races", "those of the runtime, with the thread sanitizer", units("build/bin/tessera-races", "*-*DeathTest*"),
          cores=1, seconds=2, needs="build"),
    Suite("man", "the manual page", man, cores=1, seconds=1, needs="build"),
    Suite("math", "the errors of mathematical functions", math, cores=1, seconds=20, needs="build"),
    Suite("fuzz", "the fuzz targets on their corpora, with sanitizers", fuzz, cores=1, seconds=3, needs="build-fuzz"),
    Suite("lit", "lit tests and programs", lit("build"), seconds=150, needs="build"),
    *(Suite(f"random-{language}", f"random programs in {language}", random(language, "build", 500, 2000), seconds=25,
            needs="build") for language in LANGUAGES),
    Suite("build-asan", "everything, with the address and undefined-behavior sanitizers", build("asan", "build-asan"),
          seconds=240, is_long=True),
    Suite("units-asan", "GoogleTests", units("build-asan/bin/tessera-units"), cores=1, seconds=200, needs="build-asan",
          is_long=True),
    Suite("lit-asan", "lit tests and programs", lit("build-asan"), seconds=600, needs="build-asan", is_long=True),
    *(Suite(f"random-{language}-asan", f"random programs in {language}", random(language, "build-asan", 200, 200), seconds=60,
            needs="build-asan", is_long=True) for language in LANGUAGES),
]
