#!/usr/bin/env python3
"""Checks that every statement of the documents about nv_tileaa names a check that exists.

usage: statements.py [--self-test] ROOT

compiler/dialect/TileAA/STATEMENTS.md holds rows `| id | statement | check |`. The checks of a row, separated by blanks:
  aa:FILE#WORD, conv:FILE#WORD   a lit test of TileAA or of CudaTileToTileAA that contains the word
  Binary/Suite.Name              a GoogleTest of that binary
  deviation(KEY)                 a row of the table of departures in README.md whose first column is KEY
  none: REASON                   nothing can be observed (the rest of the row is the reason)
Every row of that table of departures must be named by a statement, and every rule of the canonicalizer table, too."""

import pathlib
import re
import sys

LIT = {"aa:": "compiler/dialect/TileAA/test", "conv:": "compiler/conversion/CudaTileToTileAA/test"}
TOKEN = re.compile(r"deviation\((?:[^()]|\([^()]*\))*\)|\S+")


def binaries(root):
    """GoogleTest binary to the text of its sources."""
    found = {}
    for cmake in root.rglob("CMakeLists.txt"):
        if "build" in cmake.relative_to(root).parts:
            continue
        for match in re.finditer(r"tilesmith_gtest\((\w+)\s+SOURCES\s+(.*?)(?:DEPS|\))", cmake.read_text(), re.S):
            sources = [cmake.parent / name for name in match.group(2).split()]
            found[match.group(1)] = "\n".join(s.read_text() for s in sources if s.is_file())
    return found


def departures(readme):
    """First cells of the table of departures."""
    section = re.search(r"^## Where this departs.*?(?=^## )", readme, re.M | re.S)
    rows = re.findall(r"^\| (.*?) \| .* \| .* \|$", section.group(0) if section else "", re.M)
    return [row for row in rows if row not in ("document", "---")]


def check(root, text):
    """Problems of the page `text`, and how many rows and checks it has."""
    problems, seen, checks = [], set(), 0
    tests = binaries(root)
    known = departures((root / "compiler/dialect/TileAA/README.md").read_text())
    used = set()
    rows = re.findall(r"^\| ([A-Z]\d+) \| (.*?) \| (.*) \|$", text, re.M)
    for identifier, statement, cell in rows:
        if identifier in seen:
            problems.append(f"{identifier}: expected every id once")
        seen.add(identifier)
        if cell.startswith("none: "):
            checks += 1
            if len(cell) < 20:
                problems.append(f"{identifier}: expected a reason, found '{cell}'")
            continue
        for token in TOKEN.findall(cell):
            checks += 1
            if token.startswith("deviation("):
                key = token[len("deviation("):-1]
                used.add(key)
                if key not in known:
                    problems.append(f"{identifier}: expected a departure of README.md, found '{key}'")
                continue
            prefix = next((p for p in LIT if token.startswith(p)), None)
            if prefix:
                name, _, word = token[len(prefix):].partition("#")
                path = root / LIT[prefix] / name
                if not path.is_file():
                    problems.append(f"{identifier}: expected a file, found '{token}'")
                elif not word or not re.search(rf"(?<![\w-]){re.escape(word)}(?!\w)", path.read_text()):
                    problems.append(f"{identifier}: expected '{word}' in {name}")
                continue
            match = re.fullmatch(r"(\w+)/(\w+)\.(\w+)", token)
            if not match:
                problems.append(f"{identifier}: expected a check, found '{token}'")
            elif match.group(1) not in tests:
                problems.append(f"{identifier}: expected a test binary, found '{match.group(1)}'")
            elif not re.search(rf"\bTEST(_F|_P)?\(\s*{match.group(2)},\s*{match.group(3)}\)", tests[match.group(1)]):
                problems.append(f"{identifier}: expected the test {match.group(2)}.{match.group(3)} in {match.group(1)}")
        if not cell.strip():
            problems.append(f"{identifier}: expected a check")
    for key in known:
        if key not in used:
            problems.append(f"the departure '{key}' belongs to no statement")
    return problems, len(rows), checks


def self_test(root, text):
    """Each way to break the page is a problem."""
    broken = 0
    for old, new in [("aa:invalid.mlir#dot_mixed", "aa:invalid.mlir#dot_nowhere"),
                     ("aa:invalid.mlir#dot_mixed", "aa:nowhere.mlir#dot_mixed"),
                     ("TokenHopTest.JoinsKeepTheirOperands", "TokenHopTest.NoSuchTest"),
                     ("deviation(PDL fallback)", "deviation(nothing)"),
                     ("| O2 |", "| O1 |")]:
        assert old in text, old
        problems, _, _ = check(root, text.replace(old, new, 1))
        if not problems:
            print(f"no problem found after '{old}' became '{new}'", file=sys.stderr)
            broken += 1
    return broken


def main(arguments):
    roots = [a for a in arguments if not a.startswith("--")]
    if len(roots) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(roots[0])
    text = (root / "compiler/dialect/TileAA/STATEMENTS.md").read_text()
    problems, rows, checks = check(root, text)
    for problem in problems:
        print(problem, file=sys.stderr)
    broken = self_test(root, text) if "--self-test" in arguments else 0
    print(f"{rows} statements, {checks} checks, {len(problems)} problems")
    return 1 if problems or broken or rows < 100 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
