# All lit tests. `lit-22 tests` tests build/bin/tessera; `--param build=build-asan` tests another.
# Tools are found on PATH: tessera, FileCheck, not, split-file.
import os
import shutil
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.join(root, lit_config.params.get("build", "build"))
sanitized = "asan" in os.path.basename(build)
if not os.access(os.path.join(build, "bin", "tessera"), os.X_OK):
    lit_config.fatal(f"{build}/bin/tessera does not exist; build it first")

config.name = "tessera"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ttl", ".tc", ".weld", ".tinytc", ".mlir", ".test", ".c"]
config.excludes = ["Inputs", "corpus"]
config.test_source_root = os.path.join(root, "tests")
config.test_exec_root = os.path.join(build, "lit")
config.available_features.add("asan" if sanitized else "release")
if os.access(os.path.join(build, "bin", "tessera-bench"), os.X_OK):
    config.available_features.add("bench")
lit_config.maxIndividualTestTime = 180 if sanitized else 60

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), "/usr/lib/llvm-22/bin", "/usr/bin", "/bin"])
config.environment["LC_ALL"] = "C.UTF-8"
for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "XDG_CACHE_HOME", "XDG_DATA_HOME"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]

# The user's caches and tuning records must not affect the tests.
config.environment.setdefault("XDG_CACHE_HOME", os.path.join(config.test_exec_root, "cache"))
config.environment.setdefault("XDG_DATA_HOME", os.path.join(config.test_exec_root, "data"))

include = os.path.join(root, "include")
sanitize = " -fsanitize=address,undefined" if sanitized else ""
config.substitutions += [
    # The archive is instrumented if the compiler is, so programs that link it must be too.
    ("%cc", f"clang-22 -std=c11 -Wall -Wextra -Werror -I{include}{sanitize}"),
    # The user's C compiler, whichever it is.
    ("%plaincc", shutil.which("cc") or "clang-22"),
    ("%runtime", os.path.join(build, "lib", "libtessera_runtime.a")),
    ("%include", include),
    ("%root", root),
    ("%{build}", build),
    ("%python", "/usr/bin/python3"),
]

sys.path.insert(0, os.path.join(root, "tests"))
