"""Writes the programs of docs/runtime-abi.md to files: abi.py PAGE FOLDER.

Each C block follows a block in another language; both get the name of the header that the C program includes.
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def main():
    page, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    for (language, program), (other, code) in zip(blocks[::2], blocks[1::2]):
        assert other == "c", other
        name = re.search(r'#include "(\w+)\.h"', code)[1]
        (folder / f"{name}.{language}").write_text(program, encoding="utf-8")
        (folder / f"{name}.c").write_text(code, encoding="utf-8")


main()
