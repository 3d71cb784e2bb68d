"""A lit format for programs whose leading comment states their answers.

    // Scales a matrix and reads one element.
    // ==
    // entry: main
    // output: 46

Every `// ==` starts a case. Its fields:
    entry    the function to call; default main
    args     its arguments, quoted as in a shell
    output   a line of standard output, exactly; repeatable
    status   the exit status; default 0, and for main the low 8 bits of its output
    error    a part of standard error; the case must then state a status
    flags    further options, quoted as in a shell
Each case is run with -O0 and with -O2. A file is named fail-... if and only if all of its
cases state an error.
"""

import os
import re
import shlex
import subprocess

import lit.formats
import lit.Test

COMMENT = re.compile(r"(?://|#|;) ?(.*)")
FIELDS = {"entry", "args", "output", "status", "error", "flags"}


class Malformed(Exception):
    pass


class Case:
    def __init__(self):
        self.entry, self.args, self.flags = "main", [], []
        self.output, self.errors, self.status = [], [], None

    def add(self, field, value):
        if field in ("args", "flags"):
            setattr(self, field, shlex.split(value))
        elif field == "output":
            self.output.append(value)
        elif field == "error":
            self.errors.append(value)
        elif field == "status":
            self.status = int(value)
        elif field == "entry":
            self.entry = value
        else:
            raise Malformed(f"no field is called `{field}`; there are {', '.join(sorted(FIELDS))}")

    def command(self, file, level):
        if self.entry != "main":
            call = ["--call", self.entry]
        else:
            call = ["--print-result"] if self.status is None else []
        return ["tessera", "run", file, *call, *self.args, *self.flags, level]

    def expected_status(self):
        if self.status is not None:
            return self.status
        if self.entry == "main" and self.output:
            return int(self.output[-1]) & 0xFF
        return 0


def parse(path):
    """The cases in a file's leading comment."""
    cases = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            comment = COMMENT.fullmatch(line.rstrip("\n"))
            if not comment:
                break
            text = comment[1].strip()
            if text == "==":
                cases.append(Case())
            elif cases and text:
                field, colon, value = text.partition(":")
                if not colon:
                    raise Malformed(f"`{text}` is not `field: value`")
                cases[-1].add(field, value.strip())
    if not cases:
        raise Malformed("the leading comment states no case: `// ==`, then `// output: ...`")
    for case in cases:
        if case.errors and case.status is None:
            raise Malformed("a case with `error` states its `status`")
    if all(case.errors for case in cases) != os.path.basename(path).startswith("fail-"):
        raise Malformed("a file is named fail-... if and only if all its cases state an `error`")
    return cases


def differences(case, result):
    output = result.stdout.splitlines()
    if output != case.output:
        yield f"output: expected {case.output}, found {output}"
    if result.returncode != case.expected_status():
        yield f"status: expected {case.expected_status()}, found {result.returncode}"
    for error in case.errors:
        if error not in result.stderr:
            yield f"error: `{error}` is not in standard error"


class Programs(lit.formats.FileBasedTest):
    def execute(self, test, lit_config):
        path = test.getSourcePath()
        try:
            cases = parse(path)
            for case in cases:
                for level in ("-O0", "-O2"):
                    report = self.run(case.command(path, level), case, test, lit_config)
                    if report:
                        return report
        except (Malformed, ValueError) as error:
            return lit.Test.UNRESOLVED, f"{path}: {error}"
        return lit.Test.PASS, ""

    def run(self, command, case, test, lit_config):
        """Nothing when the command does what the case says."""
        environment = test.config.environment
        try:
            result = subprocess.run(
                command, cwd=os.path.dirname(test.getSourcePath()), env=environment,
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                timeout=lit_config.maxIndividualTestTime)
        except subprocess.TimeoutExpired as timeout:
            return lit.Test.TIMEOUT, f"$ {shlex.join(command)}\nno end after {timeout.timeout} s"
        found = list(differences(case, result))
        if found:
            return lit.Test.FAIL, "\n".join([f"$ {shlex.join(command)}", *found, result.stderr])
