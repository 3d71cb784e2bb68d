"""A lit format for programs whose leading comment states their answers.

    // Scales a matrix and reads one element.
    // ==
    // entry: main
    // output: 46

In languages whose comments begin with `#` or `;`, so do these lines. Every `// ==` starts a case. Its
fields:
    entry    the function to call; the default is main in TTL, elsewhere the only function
    args     its arguments, quoted as in a shell
    output   a line of standard output, exactly; repeatable
    about    a line of standard output whose numbers may differ in the last digits; repeatable
    status   the exit status; default 0, and for TTL's main the low 8 bits of its output
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

from answers import is_answer

COMMENT = re.compile(r"(?://|#|;) ?(.*)")
FIELDS = {"entry", "args", "output", "about", "status", "error", "flags"}


class Malformed(Exception):
    pass


class Case:
    def __init__(self, has_main):
        self.has_main, self.entry = has_main, "main" if has_main else None
        self.args, self.flags = [], []
        self.output, self.errors, self.status = [], [], None

    def add(self, field, value):
        if field in ("args", "flags"):
            setattr(self, field, shlex.split(value))
        elif field in ("output", "about"):
            self.output.append((value, field == "about"))
        elif field == "error":
            self.errors.append(value)
        elif field == "status":
            self.status = int(value)
        elif field == "entry":
            self.entry = value
        else:
            raise Malformed(f"unknown field `{field}`; expected one of {', '.join(sorted(FIELDS))}")

    def command(self, file, level):
        if self.is_main():
            call = ["--print-result"] if self.status is None else []
        else:
            call = ["--call", self.entry] if self.entry else []
        return ["tessera", "run", file, *call, *self.args, *self.flags, level]

    def is_main(self):
        return self.has_main and self.entry == "main"

    def expected_status(self):
        if self.status is not None:
            return self.status
        if self.is_main() and self.output:
            return int(self.output[-1][0]) & 0xFF
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
                cases.append(Case(has_main=path.endswith(".ttl")))
            elif cases and text:
                field, colon, value = text.partition(":")
                if not colon:
                    raise Malformed(f"expected `field: value`, found `{text}`")
                cases[-1].add(field, value.strip())
    if not cases:
        raise Malformed("the leading comment states no case: `// ==`, then `// output: ...`")
    for case in cases:
        if case.errors and case.status is None:
            raise Malformed("a case with `error` must state its `status`")
    if all(case.errors for case in cases) != os.path.basename(path).startswith("fail-"):
        raise Malformed("the name of a file must begin with fail- if and only if all its cases state an `error`")
    return cases


def differences(case, result):
    output = result.stdout.splitlines()
    if not is_answer(case.output, output):
        yield f"output: expected {[text for text, _ in case.output]}, found {output}"
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
        """None if the command does what the case says."""
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
