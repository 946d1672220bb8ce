#!/usr/bin/env python3
"""Checks that every room only reaches the rooms it may reach.

Rules (README.md explains the rooms):
  folder    the top-level folders, and the folders inside each room, are fixed
  include   an #include (or a TableGen include) names a room that the including file may reach, from the repository root
  arrow     folders of oracles and fuzz reach each other in one direction only
  link      a CMake target only depends on targets of rooms that its own room may reach
  meaning   reference/ does not ask an op to fold itself, infer its types or canonicalise: it has its own meaning
  layout    compiler/support/LinearLayout includes no MLIR
  data      corpus/ holds no code, and no case says a thing twice (a reader keeps one of two values)
  statistic no pass declares statistics (compiler/conversion/Passes.td says what they break)
  temporary no loop runs over the set bits of what a call returns: the bits are gone before the first turn

Usage: rooms.py [ROOT]     prints one line per violation (file:line: rule: text), exit code 1 if there is any
Steps: list the tracked files (all files where there is no git), strip comments, apply the rules file by file.
"""

import json
import os
import re
import subprocess
import sys

# Who may reach what: a file may include a path if one of its room's prefixes is a prefix of that path.
# The first matching row counts. A row may also name a library, for its CMake link.
OUTPUT = ["compiler/support/WriteFile.h", "compiler/support/OutputFolder.h", "TilesmithOutput"]  # LLVM only
REACH = [
    ("compiler/", ["compiler/"]),
    ("reference/", ["reference/", "compiler/dialect/CudaTile/", "compiler/bytecode/", *OUTPUT]),
    ("generators/", ["generators/", "reference/testcase/", "compiler/dialect/CudaTile/", "compiler/bytecode/", *OUTPUT]),
    ("oracles/devices/", ["oracles/devices/", "compiler/support/"]),   # machines, without MLIR
    ("oracles/", ["oracles/", "reference/", "compiler/"]),
    ("fuzz/", ["fuzz/", "generators/", "oracles/", "reference/", "compiler/"]),
    ("corpus/", []),
    ("ci/", []),
]

# Who may reach whom among the folders of a room, beside themselves. Only tests (*Test.cpp) may reach on. Every other folder of
# oracles holds an oracle (a *Oracle.h), which reaches what stands under "*".
ARROWS = {
    "oracles": {
        "verdict": set(),
        "devices": set(),
        "engines": {"verdict", "devices"},
        "blame": {"", "verdict", "devices", "engines"},
        "*": {"", "verdict", "devices", "engines", "blame", "differential", "performance"},
    },
    "fuzz": {
        "store": set(),
        "campaign": {"store"},
        "reduce": {"campaign"},
        "triage": {"campaign", "reduce", "store"},
        "report": {"store"},
        "conform": {"campaign", "report"},
        "cli": {"campaign", "conform", "reduce", "report", "store", "triage"},
        "targets": set(),
    },
}

FOLDERS = {
    "compiler": {"support", "dialect", "bytecode", "conversion", "target", "pipeline", "tools", "capi"},
    "compiler/dialect": {"CudaTile", "NVGPUExt", "TileAA", "TileAS"},
    "compiler/conversion": {"CudaTileToTileAA", "TileAAToTileAS", "TileASToNVGPU", "GPUToNVVM"},
    "reference": {"value", "interp", "memory", "testcase", "semantics"},
    "generators": {"entropy", "program", "inputs", "invalid", "mutate"},
    "oracles/devices": {"driver", "emulator", "ptx", "sass"},
    "fuzz": set(ARROWS["fuzz"]),
    "corpus": {"conform", "seeds", "regressions", "planted", "frontends", "oracles", "perf", "quality", "sass", "strategies", "tileaa"},
}
TOP = {"compiler", "reference", "generators", "oracles", "fuzz", "corpus", "ci", ".ci", ".clusterfuzzlite"}
ROOMS = tuple(sorted(TOP - {".ci", ".clusterfuzzlite"}))

CODE = (".cpp", ".cc", ".c", ".h", ".hpp", ".td", ".inc", ".def")
INCLUDE = re.compile(r'^\s*#?\s*include\s*["<]([^">]+)[">]')
SET_BITS_OF_A_CALL = re.compile(r":[^:;]*\)\s*\.\s*set_bits\(\)")
# What would let the reference borrow the compiler's opinion. m_Constant and matchPattern call fold inside.
MEANING = re.compile(
    r"(?:->|\.|::)fold\s*\(|\b(?:createOrFold|tryFold|OperationFolder|FoldInterface|constantFold\w*|inferReturnTypes"
    r"|inferReturnTypeComponents|InferTypeOpInterface|refineReturnTypes|getCanonicalizationPatterns|matchPattern"
    r"|m_Constant\w*|m_Zero\w*|m_One\w*|applyPatterns\w*|RewritePatternSet|FrozenRewritePatternSet"
    r"|PassManager)\b")
CORPUS_CODE = re.compile(r"(\.(cpp|cc|c|h|hpp|td|inc|cmake|sh)|CMakeLists\.txt)$")
# Python in the corpus is only ever the source of a frontend's kernel, kept beside its bytecode as data.
CORPUS_PYTHON = re.compile(r"^corpus/frontends/[^/]+/kernel\.py$")


def listFiles(root):
    try:
        out = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z", "--cached", "--others",
                              "--exclude-standard"],
                             capture_output=True, check=True).stdout
        names = [name for name in out.decode().split("\0") if name]
        if names:
            return sorted(name for name in names if os.path.isfile(os.path.join(root, name)))
    except (OSError, subprocess.CalledProcessError):
        pass
    names = []
    for folder, folders, files in os.walk(root):
        if folder == root:
            folders[:] = [f for f in folders if f not in ("build", "out", ".git")]
        folders[:] = [f for f in folders if f != "__pycache__"]
        names += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(names)


def stripComments(text):
    """Blanks // and /* */ comments; keeps line numbers and string literals."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)
    keep = lambda m: m.group(0) if m.group(0).startswith('"') else re.sub(r"[^\n]", " ", m.group(0))
    return pattern.sub(keep, text)


def mayReach(user, used):
    for prefix, allowed in REACH:
        if user.startswith(prefix):
            return any(used.startswith(a) for a in allowed)
    return True


def checkArrows(name, used):
    """The folder that `used` must not be reached from `name`; empty: fine."""
    room, *inner = name.split("/")
    if room not in ARROWS or not used.startswith(room + "/") or name.endswith("Test.cpp") or len(inner) < 2:
        return ""
    rows = ARROWS[room]
    to = used.split("/")[1] if used.count("/") > 1 else ""
    allowed = rows.get(inner[0], rows.get("*", set()))
    return "" if to == inner[0] or to in allowed else f"{room}/{to}".rstrip("/")


def checkFolders(files):
    oracles = {name.split("/")[1] for name in files if name.startswith("oracles/") and name.endswith("Oracle.h")}
    for name in files:
        parts = name.split("/")
        if len(parts) > 2 and parts[0] == "oracles" and parts[1] not in oracles | set(ARROWS["oracles"]):
            yield name, 1, "folder", f"folder 'oracles/{parts[1]}' holds no oracle (a *Oracle.h)"
    for name in files:
        parts = name.split("/")
        if len(parts) > 1 and parts[0] not in TOP:
            yield name, 1, "folder", f"top-level folder '{parts[0]}' is not one of {', '.join(sorted(TOP))}"
        for depth in (1, 2):
            parent = "/".join(parts[:depth])
            if len(parts) > depth + 1 and parent in FOLDERS and parts[depth] not in FOLDERS[parent]:
                yield name, 1, "folder", (f"folder '{parent}/{parts[depth]}' is not one of "
                                          f"{', '.join(sorted(FOLDERS[parent]))}")


def checkSource(root, name, text, exists):
    lines = stripComments(text).split("\n")
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if found:
            used = found.group(1)
            if used.split("/")[0] in ROOMS and "/" in used:
                if mayReach(name, used) and checkArrows(name, used):
                    yield name, number, "arrow", f"{'/'.join(name.split('/')[:2])} must not include '{used}'"
                if not mayReach(name, used):
                    yield name, number, "include", f"{name.split('/')[0]} must not include '{used}'"
            elif used.startswith(".") or exists(os.path.join(os.path.dirname(name), used)):
                yield name, number, "include", f"'{used}' does not start at its room (repository root is the include path)"
            if name.startswith("oracles/devices/") and used.startswith("mlir/"):
                yield name, number, "layout", f"devices include '{used}'; they must not need MLIR"
            if name.startswith("compiler/support/LinearLayout") and used.startswith("mlir/"):
                yield name, number, "layout", f"LinearLayout includes '{used}'; it must not need MLIR"
        if name.endswith(".td") and re.search(r"\blet\s+statistics\b|\bStatistic<", line):
            yield name, number, "statistic", "a pass declares statistics, whose layout is another one in builds with assertions"
        if SET_BITS_OF_A_CALL.search(line):
            yield name, number, "temporary", "a loop over the set bits of a call's result: give that result a name first"
        if name.startswith("reference/"):
            borrowed = MEANING.search(re.sub(r'"(?:\\.|[^"\\])*"', '""', line))
            if borrowed:
                yield name, number, "meaning", f"'{borrowed.group(0).strip()}' borrows the compiler's opinion of an op"


TARGET = re.compile(r"\btilesmith_(library|tool|gtest|fuzz_target|benchmark)\s*\(\s*([\w-]+)([^)]*)\)", re.S)
LINK = re.compile(r"\btarget_link_libraries\s*\(\s*([\w-]+)([^)]*)\)", re.S)


def checkLinks(cmake):
    """cmake: file name → text of every CMakeLists.txt. Targets are named after the folder that declares them."""
    home, uses = {}, []
    for name, text in cmake.items():
        text = re.sub(r"#[^\n]*", "", text)
        folder = os.path.dirname(name) + "/"
        for match in list(TARGET.finditer(text)) + list(LINK.finditer(text)):
            if match.re is TARGET:
                home[match.group(2)] = folder
                target, body = match.group(2), match.group(3)
                body = body.split("DEPS", 1)[1] if "DEPS" in body else ""
            else:
                target, body = match.group(1), match.group(2)
            line = text.count("\n", 0, match.start()) + 1
            uses += [(name, line, target, used) for used in re.findall(r"[\w-]+", body)]
    for name, line, target, used in uses:
        if used in home and not mayReach(name, home[used]) and not mayReach(name, used):
            yield name, line, "link", f"{target} must not link {used} of {home[used].rstrip('/')}"


def twice(path):
    """Keys that an object of this JSON file holds more than once."""
    result = []
    def note(pairs):
        keys = [key for key, _ in pairs]
        result.extend(sorted({key for key in keys if keys.count(key) > 1}))
    with open(path, encoding="utf-8") as f:
        json.load(f, object_pairs_hook=note)
    return result


def check(root):
    """Yields (file, line, rule, text)."""
    files = listFiles(root)
    known = set(files)
    yield from checkFolders(files)
    cmake = {}
    for name in files:
        if name.startswith("corpus/") and (CORPUS_CODE.search(name) or
                                           (name.endswith(".py") and not CORPUS_PYTHON.match(name))):
            yield name, 1, "data", "corpus holds data only"
        if name.startswith("corpus/") and os.path.basename(name) == "case.json":
            for key in twice(os.path.join(root, name)):
                yield name, 1, "data", f"the key '{key}' stands twice"
        isCode = name.endswith(CODE) and name.split("/")[0] in ROOMS
        isCMake = os.path.basename(name) == "CMakeLists.txt"
        if not isCode and not isCMake:
            continue
        with open(os.path.join(root, name), encoding="utf-8", errors="replace") as f:
            text = f.read()
        if isCMake:
            cmake[name] = text
        else:
            yield from checkSource(root, name, text, known.__contains__)
    yield from checkLinks(cmake)


def main(arguments):
    root = arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    violations = sorted(set(check(os.path.abspath(root))))
    for name, line, rule, text in violations:
        print(f"{name}:{line}: {rule}: {text}")
    print(f"room lint: {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
