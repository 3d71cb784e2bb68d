"""Checks that the programs in docs/languages/NAME.md do what their blocks and comments say.

programs.py PAGE [I/N]   all of them, or every Nth beginning with the Ith, for parallel tests

```NAME          has no error and no warning of its rule
```NAME fails    is rejected by this rule and no other
```NAME warns    has this warning and no error
```NAME traps    is correct, and every call in it stops with status 3 and this rule
Words that begin with - are options. A word with a dot is a rule, if it is not the one whose text the
block follows.

Lines of a program that begin with #, in tinytc with ;, may state calls and their answers:
    # run: A=[1,2] B=[3,4]      the words after `tessera run FILE`
    # gives: [4.0, 6.0]         a line of output, exactly; without any, nothing is compared
    # about: [0.333, 0.667]     the same, but the last digits of numbers may differ
    # refuses: A=[1] B=[2,3]    the call ends with status 2
    # says: TEXT                a part of standard error of the call above
"""

import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from answers import is_answer

HEADING = re.compile(r"^### (\S+)")
STATEMENT = re.compile(r"^[#;] (run|gives|about|refuses|says):(.*)$", re.MULTILINE)

Block = collections.namedtuple("Block", "rule words program line")


class Call:
    def __init__(self, words, status=0):
        self.words, self.status, self.output, self.says = words, status, [], []

    def complaint(self, file, options):
        done = tessera("run", file, *self.words, *options)
        if done.returncode != self.status:
            return f"status {done.returncode}: {done.stderr}"
        if self.output and not is_answer(self.output, done.stdout.splitlines()):
            return f"expected {self.output}, found {done.stdout}"
        missing = [text for text in self.says if text not in done.stderr]
        return f"{missing} not in {done.stderr}" if missing else None


def tessera(*words):
    return subprocess.run(["tessera", *words], capture_output=True, text=True, check=False)


def blocks(page):
    """The programs of a page; those in its own language are marked with its name."""
    rule, words, program, start = None, None, [], 0
    fence = re.compile(rf"^```{page.stem}\b(.*)")
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if words is not None and line == "```":
            yield Block(rule, words, "\n".join(program) + "\n", start)
            words = None
        elif words is not None:
            program.append(line)
        elif opened := fence.match(line):
            words, program, start = opened[1].split(), [], number
        elif heading := HEADING.match(line):
            rule = heading[1]


def calls_in(program):
    calls = []
    for field, text in STATEMENT.findall(program):
        if field in ("run", "refuses"):
            calls.append(Call(shlex.split(text), 0 if field == "run" else 2))
        elif field == "says":
            calls[-1].says.append(text.strip())
        else:
            calls[-1].output.append((text.strip(), field == "about"))
    return calls


def rules_reported(stderr, severity):
    found = [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]
    return {one["rule"] for one in found if one["severity"] == severity}


def check_complaint(block, rule, file, options):
    done = tessera("check", "--json", file, *options)
    errors = rules_reported(done.stderr, "error")
    if "fails" in block.words:
        return None if errors == {rule} else f"errors {errors}"
    isWarned = rule in rules_reported(done.stderr, "warning")
    if isWarned != ("warns" in block.words):
        return "draws the warning" if isWarned else "no such warning"
    return f"errors {errors}" if errors or done.returncode else None


def trap_complaint(rule, calls, file, options):
    for call in calls or [Call([])]:
        done = tessera("run", file, *call.words, *options)
        if done.returncode != 3 or f"[{rule}]" not in done.stderr:
            return f"status {done.returncode}: {done.stderr}"
    return None


def complaint(block, file):
    file.write_text(block.program, encoding="utf-8")
    options = [f"--lang={file.suffix[1:]}", *(word for word in block.words if word.startswith("-"))]
    rules = [word for word in block.words if "." in word and not word.startswith("-")]
    rule = rules[0] if rules else block.rule
    calls = calls_in(block.program)
    if "traps" in block.words:
        return trap_complaint(rule, calls, file, options)
    is_compiled = any(call.status == 0 for call in calls)
    text = None
    if not is_compiled or "warns" in block.words:
        text = check_complaint(block, rule, file, options)
    for call in calls:
        text = text or call.complaint(file, options)
    return text


def main(page, part="1/1"):
    first, step = map(int, part.split("/"))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = list(blocks(page))[first - 1::step]
        for block in programs:
            if text := complaint(block, pathlib.Path(folder) / f"{block.line}.{page.stem}"):
                failures += 1
                print(f"{page}:{block.line}: {block.rule} {' '.join(block.words)}: {text}")
    return 1 if failures or not programs else 0


sys.exit(main(pathlib.Path(sys.argv[1]), *sys.argv[2:]))
