"""Checks that the links of the pages lead to files that exist."""

import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
CODE = re.compile(r"^```.*?^```$|(?<!`)`[^`\n]+`(?!`)", re.MULTILINE | re.DOTALL)  # a`b[c](d)` is no link, [`b`](c) is

root = pathlib.Path(sys.argv[1])
broken = [
    f"{page.relative_to(root)}: {link}"
    for page in [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    if "://" not in link and not (page.parent / link).exists()
]
print("\n".join(broken))
sys.exit(1 if broken else 0)
