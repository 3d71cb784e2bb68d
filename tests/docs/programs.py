"""Checks the programs in docs/languages: each does what its block says.

```ttl          has no error
```ttl fails    is rejected, by this rule and no other
```ttl warns    draws this warning
```ttl traps    is correct, and stops with status 3 by this rule
Words that begin with -- are options.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

HEADING = re.compile(r"^### (\S+)")


def blocks(page):
    """(rule, words behind the fence, program, line)"""
    rule, words, program, start = None, None, [], 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if words is not None and line == "```":
            yield rule, words, "\n".join(program) + "\n", start
            words = None
        elif words is not None:
            program.append(line)
        elif line.startswith("```ttl"):
            words, program, start = line[3:].split()[1:], [], number
        elif heading := HEADING.match(line):
            rule = heading[1]


def rules_reported(stderr, severity):
    found = [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]
    return {one["rule"] for one in found if one["severity"] == severity}


def complaint(rule, words, file):
    options = [word for word in words if word.startswith("--")]
    if "traps" in words:
        done = subprocess.run(["tessera", "run", file, *options], capture_output=True, text=True)
        return None if done.returncode == 3 and f"[{rule}]" in done.stderr else f"status {done.returncode}: {done.stderr}"
    done = subprocess.run(["tessera", "check", "--json", file, *options], capture_output=True, text=True)
    errors = rules_reported(done.stderr, "error")
    if "fails" in words:
        return None if errors == {rule} else f"errors {errors}"
    if "warns" in words and rule not in rules_reported(done.stderr, "warning"):
        return "no such warning"
    return f"errors {errors}" if errors else None


def main(page):
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for rule, words, program, line in blocks(page):
            file = pathlib.Path(folder) / "program.ttl"
            file.write_text(program, encoding="utf-8")
            if text := complaint(rule, words, file):
                failures += 1
                print(f"{page}:{line}: {rule} {' '.join(words)}: {text}")
    return 1 if failures else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
