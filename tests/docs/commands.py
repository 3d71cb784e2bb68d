"""Checks a page of docs/using or README.md: runs its commands in order.

commands.py PAGE          in an empty folder
commands.py README BUILD  in a copy of the files that git tracks, in which build/ is a link to BUILD; `./test`, which runs this
                          test, is left out

```ttl file=NAME    is written to NAME (any language) before the first command runs
```sh               succeeds; a ```text block right after it is what it prints
```sh fails [RULE]  fails and names, in brackets, this rule or the one of its heading; a ```text block
                    right after it is what it prints to standard error
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HEADING = re.compile(r"^### (\S+)")
NAME = re.compile(r"file=(\S+)")


def blocks(page):
    """(rule, words after the fence, text, line)"""
    rule, words, text, start = None, None, [], 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if words is not None and line == "```":
            yield rule, words, "".join(one + "\n" for one in text), start
            words = None
        elif words is not None:
            text.append(line)
        elif line.startswith("```"):
            words, text, start = line[3:].split(), [], number
        elif heading := HEADING.match(line):
            rule = heading[1]


def complaint(rule, words, commands, expected):
    done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", commands], capture_output=True, text=True, check=False)
    if "fails" in words:
        rule = words[2] if len(words) > 2 else rule
        isExpected = done.returncode not in (0, 70) and f"[{rule}]" in done.stderr and done.stderr.endswith(expected or "")
    else:
        isExpected = done.returncode == 0 and expected in (None, done.stdout)
    return None if isExpected else f"status {done.returncode}\n{done.stdout}{done.stderr}"


def provideCompilers(folder):
    """Pages use `cc` and `c++`; a bare machine may have only our compilers."""
    for name, ours in {"cc": "clang-22", "c++": "clang++-22"}.items():
        if not shutil.which(name):
            os.symlink(shutil.which(ours), f"{folder}/{name}")
    os.environ["PATH"] += f":{folder}"


def copyCheckout(root, build):
    """Keeps the times of files, so that ./tessera finds its build up to date; else it would configure BUILD for the copy."""
    if not (build / "tessera.stamp").exists():
        sys.exit(f"{build} is incomplete: run `ninja -C {build}` first")
    git = ["git", "-c", "safe.directory=*", "-C", root, "ls-files"]
    for path in subprocess.run(git, capture_output=True, text=True, check=True).stdout.splitlines():
        if os.path.exists(root / path):
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            shutil.copy2(root / path, path, follow_symlinks=False)
    os.symlink(build, "build")


def main(page, build=None):
    failures = 0
    found = list(blocks(page))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as compilers:
        provideCompilers(compilers)
        os.chdir(folder)
        if build:
            copyCheckout(page.parent, build)
        for _, words, text, _ in found:
            if name := NAME.search(" ".join(words)):
                pathlib.Path(name[1]).write_text(text, encoding="utf-8")
        for (rule, words, text, line), after in zip(found, found[1:] + [(None, [], "", 0)]):
            if words[:1] != ["sh"]:
                continue
            expected = after[2] if after[1] == ["text"] else None
            text = re.sub(r"^\./test$", "", text, flags=re.MULTILINE)
            if problem := complaint(rule, words, text, expected):
                failures += 1
                print(f"{page}:{line}: {rule}: {problem}")
    return 1 if failures else 0


sys.exit(main(*(pathlib.Path(path).resolve() for path in sys.argv[1:])))
