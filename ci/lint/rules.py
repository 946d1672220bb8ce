#!/usr/bin/env python3
"""Checks that every verifier rule of cuda_tile has a label, and every label a test.

usage: rules.py [--table] ROOT

In compiler/dialect/CudaTile/IR each statement that reports a broken rule stands under a comment
  // rule: LABEL[, LABEL...]        the labels of the tests that break it
  // rule: - (REASON)               no text can reach it
  // rule: see the calls            a helper that only adds the op's name
In compiler/dialect/CudaTile/test each section of an *-invalid*.mlir file starts with `// LABEL` and
expects an error. `// LABEL (ods)` and `// LABEL (parser)` are rules that ODS constraints and
parsers report, which have no statement of their own. --table prints label, code and test. What
each label means stands in compiler/dialect/CudaTile/diagnostics.md (labels.py compares)."""

import pathlib
import re
import sys

REPORT = re.compile(r"\b(emitOpError|op->emitError)\(|\bemitError\(\)|return (emitError|error|factorError)\(")
RULE = re.compile(r"^\s*// rule: (.*)$")


def read_code(folder, problems):
    """Label to the places that report it."""
    places = {}
    for path in sorted(folder.glob("*.cpp")):
        lines = path.read_text().splitlines()
        for i, line in enumerate(lines):
            if not REPORT.search(line) or "parser" in line or line.lstrip().startswith("//"):
                continue
            rule = RULE.match(lines[i - 1]) if i else None
            if not rule:
                problems.append(f"{path}:{i + 1}: expected `// rule: LABEL` above this report")
                continue
            text = rule.group(1).strip()
            if text == "see the calls" or re.fullmatch(r"- \(.+\)", text):
                continue
            for label in text.split(", "):
                if not re.fullmatch(r"[a-z0-9_]+", label):
                    problems.append(f"{path}:{i}: expected a label, found '{label}'")
                places.setdefault(label, []).append(f"{path.name}:{i + 1}")
    return places


def read_tests(folder, problems):
    """Label to (test file, kind), where kind is code, ods or parser."""
    tests = {}
    for path in sorted(folder.glob("*invalid*.mlir")):
        for section in re.split(r"^// ?-----.*$", path.read_text(), flags=re.M):
            if not re.search(r"expected-error|\b[A-Z]+[0-9]*: ", section):
                continue
            heading = re.search(r"^// ([a-z0-9_]+)(?: \((ods|parser)\))?$", section, re.M)
            if not heading:
                problems.append(f"{path}: section without label: {section.strip()[:60]!r}")
                continue
            label, kind = heading.group(1), heading.group(2) or "code"
            if label in tests:
                problems.append(f"{path}: label '{label}' is also in {tests[label][0]}")
            tests[label] = (path.name, kind)
    return tests


def main(arguments):
    table = "--table" in arguments
    roots = [a for a in arguments if not a.startswith("--")]
    if len(roots) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    dialect = pathlib.Path(roots[0]) / "compiler/dialect/CudaTile"
    problems = []
    code, tests = read_code(dialect / "IR", problems), read_tests(dialect / "test", problems)
    for label in sorted(code.keys() - tests.keys()):
        problems.append(f"rule '{label}' ({', '.join(code[label])}) has no test")
    for label, (test, kind) in sorted(tests.items()):
        if kind == "code" and label not in code:
            problems.append(f"{test}: no code names the rule '{label}'")
        if kind != "code" and label in code:
            problems.append(f"{test}: rule '{label}' is in code, yet marked ({kind})")
    if table:
        for label, (test, kind) in sorted(tests.items()):
            places = code.get(label, [])
            print(f"{label:36} {', '.join(places) or kind:44} {test}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(tests)} rules, {sum(1 for t in tests.values() if t[1] == 'code')} in verifiers, "
          f"{len(problems)} problems")
    return 1 if problems or not tests or not code else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
