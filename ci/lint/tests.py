#!/usr/bin/env python3
"""Finds tests that cannot fail.

usage: tests.py ROOT

A GoogleTest holds an assertion, or calls a function that does. A lit test compares something; each of its FileCheck directives
has a prefix that a RUN line looks for, no prefix has only -NOT directives, and none counts beside --implicit-check-not, which
looks at nothing between the matches of a -COUNT-; with --verify-diagnostics some section expects one. A path does not leave
its suite by %S/..: weakened runs copies of a suite elsewhere, and %corpus names the corpus. rows.py says how these are found."""

import pathlib
import re
import sys

import rows

COMPARES = re.compile(r"FileCheck|-verify-diagnostics|\bnot |\bcmp |\bdiff |\bcount \d|\btest -|\bgrep |assert |%ptxas"
                      r"|(?:values|row|robust)\.py|%\{\w+\}")
DIRECTIVE = re.compile(r"^\s*(?://)?\s*([A-Z][A-Z0-9-]*?)((?:-(?:NEXT|SAME|DAG|NOT|EMPTY|LABEL|COUNT-\d+))?):")
UPWARD = re.compile(r"%S/((?:\.\./)+)")
NO_PREFIX = {"REQUIRES", "UNSUPPORTED", "XFAIL"}
TRIVIAL = re.compile(r"\b(?:EXPECT|ASSERT)_(?:TRUE\(true\)|FALSE\(false\)|[A-Z]+\((\w+), \1\))")


def googleTests(root):
    problems, count = [], 0
    for binary, text in sorted(rows.binaries(root).items()):
        for match in re.finditer(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", text):
            count += 1
            if not rows.asserts(text, rows.body(text, match.end())):
                problems.append(f"{binary}: {match.group(1)}.{match.group(2)}: expected an assertion")
        problems += [f"{binary}: {match.group()} cannot fail" for match in TRIVIAL.finditer(text)]
    return problems, count


def litTest(text, depth=0):
    """What is wrong with one lit test, so many folders below its suite."""
    problems, kinds = [], {}
    runs = "\n".join(line for line in text.splitlines() if rows.RUN.match(line))
    if not runs:
        return ["expected a RUN line"]
    if not COMPARES.search(runs):
        problems.append("expected a RUN line that compares")
    if any(match.group(1).count("..") > depth for match in UPWARD.finditer(runs)):
        problems.append("expected a path that stays in its suite, or %corpus, and found one that leaves it by %S/..")
    if "-verify-diagnostics" in runs and "expected-" not in text:
        problems.append("expected a diagnostic")
    for line in text.splitlines():
        match = DIRECTIVE.match(line)
        if match and not rows.RUN.match(line) and match.group(1) not in NO_PREFIX:
            kinds.setdefault(match.group(1), set()).add(match.group(2))
    if "-implicit-check-not" in runs and any("-COUNT-" in suffix for suffixes in kinds.values() for suffix in suffixes):
        problems.append("expected directives one by one: between the matches of a -COUNT- nothing is looked for")
    for prefix, suffixes in kinds.items():
        if not rows.isPrefix(text, prefix):
            problems.append(f"no FileCheck looks for {prefix}:")
        elif suffixes == {"-NOT"}:
            problems.append(f"expected a directive {prefix}: that must be found")
    return problems


def litTests(root):
    problems, count = [], 0
    for path in sorted([*root.rglob("test/**/*.mlir"), *root.rglob("test/**/*.test")]):
        parts = path.relative_to(root).parts
        if "build" in parts or "Inputs" in parts or "third_party" in parts:
            continue
        count += 1
        depth = parts[::-1].index("test") - 1
        problems += [f"{path.relative_to(root)}: {problem}" for problem in litTest(path.read_text(), depth)]
    return problems, count


def selfTest():
    good = "// RUN: tool %s | FileCheck %s\n// CHECK: x\n"
    bad = [good.replace("| FileCheck %s", ""), good + "// OTHER: x\n", good.replace("CHECK:", "CHECK-NOT:"), "x\n",
           "// RUN: tool %s --verify-diagnostics\n", good.replace("tool %s", "tool %S/../a")]
    problems = [f"no problem found in {text!r}" for text in bad if not litTest(text)]
    return problems + [f"self-test: {problem}" for problem in litTest(good)]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0]).resolve()
    (google, tests), (lit, files) = googleTests(root), litTests(root)
    problems = google + lit + selfTest()
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{tests} GoogleTests, {files} lit tests, {len(problems)} problems")
    return 1 if problems or tests < 300 or files < 50 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
