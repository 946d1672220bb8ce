#!/usr/bin/env python3
"""Checks that every row of a document names a check that runs, or says why there is none.

usage: rows.py [--self-test] [--missing] ROOT

The pages PAGES hold tables `| id | statement | check |`. A cell holds, separated by blanks:
  FILE              a lit test in which the row's id is a FileCheck prefix of a RUN line and stands in front of a directive
  FILE#NAME         the same of another prefix; or NAME is the marker (`// NAME`) or a symbol (`@NAME`) of a section that expects
                    a diagnostic, in a test by --verify-diagnostics; or NAME is a word of RUN lines that compare by themselves
  Binary/Suite.Name a GoogleTest of that binary whose body, or a function that it calls, holds an assertion
  departure(WHY)    what is done otherwise and why: a key of the table of departures in the README beside the page, or a reason
  not yet: REASON   nothing yet (the whole cell)
  none: REASON      nothing can be observed (the whole cell)
FILE lies beside the page or below compiler/. Every row with checks has one that no other row names, so that its check can be
broken alone: ci/lint/weakened does that. row_documents.py compares the pages with what they were written from."""

import dataclasses
import pathlib
import re
import sys

import row_documents

PAGES = {
    "cuda_tile": "compiler/dialect/CudaTile/ROWS.md",
    "nv_tileaa": "compiler/dialect/TileAA/STATEMENTS.md",
    "gpu to nvvm": "compiler/conversion/GPUToNVVM/ROWS.md",
    "driver": "compiler/tools/ROWS.md",
}
TOKEN = re.compile(r"departure\((?:[^()]|\([^()]*\))*\)|\S+")
RUN = re.compile(r"^\s*(?://\s*)?(?:RUN|(?:RE)?DEFINE):")
ASSERTION = re.compile(r"\b(?:EXPECT|ASSERT|ADD_FAILURE|FAIL)(?:_\w+)?\(")


def directive(prefix):
    """Matches a FileCheck directive of the prefix: what stands in front, the suffix, the pattern."""
    return re.compile(rf"^(.*?)(?<![\w-]){re.escape(prefix)}((?:-(?:NEXT|SAME|DAG|NOT|EMPTY|LABEL|COUNT-\d+))?):(.*)$")


@dataclasses.dataclass(frozen=True)
class Check:
    """One check of a row; kind is `prefix`, `diagnostics`, `command` or `gtest`."""
    kind: str
    path: pathlib.Path  # the lit test; of a GoogleTest the name of its binary
    name: str


@dataclasses.dataclass
class Row:
    page: str
    id: str
    statement: str
    cell: str
    checks: list
    departures: list


def isPrefix(text, name):
    """Whether a FileCheck of a RUN line looks for this prefix."""
    for call in re.findall(r"\bFileCheck\b([^|&;\n]*)", "\n".join(line for line in text.splitlines() if RUN.match(line))):
        given = re.search(r"-check-prefix(?:es)?[= ](\S+)", call)
        if name in (given.group(1).split(",") if given else ["CHECK"]):
            return True
    return False


def sections(text):
    """(first line, one past the last) of the parts that --split-input-file sees."""
    lines = text.splitlines()
    cuts = [i for i, line in enumerate(lines) if line.strip() == "// -----"]
    return list(zip([0] + [i + 1 for i in cuts], cuts + [len(lines)]))


def expectations(text, name):
    """Numbers of the lines with expected diagnostics in the sections of `name`."""
    lines = text.splitlines()
    marker = re.compile(rf"^\s*// {re.escape(name)}(?: \(.*\))?$|@{re.escape(name)}(?!\w)")
    return [i for first, last in sections(text) if any(marker.search(line) for line in lines[first:last])
            for i in range(first, last) if re.search(r"// expected-(error|warning|remark)", lines[i])]


def runLines(text, name):
    """Numbers of the RUN lines with the word `name`."""
    word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    return [i for i, line in enumerate(text.splitlines()) if re.match(r"^\s*(?://\s*)?RUN:", line) and word.search(line)]


def resolveLit(path, name):
    """A check of a lit test, or what is wrong."""
    text = path.read_text()
    if isPrefix(text, name):
        if any(directive(name).match(line) and not RUN.match(line) for line in text.splitlines()):
            return Check("prefix", path, name)
        return f"expected a directive {name}: in {path.name}"
    if re.search(r"RUN:.*-verify-diagnostics", text):
        if expectations(text, name):
            return Check("diagnostics", path, name)
        return f"expected a section '{name}' that expects a diagnostic in {path.name}"
    if runLines(text, name):
        return Check("command", path, name)
    return f"expected '{name}' as a FileCheck prefix or a word of a RUN line in {path.name}"


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


def body(text, at):
    """The braces behind `at`; strings and comments of tests balance theirs."""
    start = text.find("{", at)
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return text[start:match.end()]
    return text[start:]


def functions(text):
    """Functions and lambdas by name to their bodies, as far as layout shows them."""
    found = {}
    for match in re.finditer(r"^(?:[\w:<>,&*\s\[\]]+?[\s&*])?(\w+)\((?:[^;{}]|\{\})*\)[^;{}()]*\{$|^\s*(?:explicit )?(\w+)\([^;{}]*\)[^;{}]*\{$"
                             r"|\bauto (\w+) = \[", text, re.M):
        name = next(filter(None, match.groups()))
        if name not in ("TEST", "TEST_F", "TEST_P", "if", "for", "while", "switch"):
            found[name] = found.get(name, "") + body(text, match.end() - 1)
    return found


def testBody(text, suite, name):
    match = re.search(rf"\bTEST(?:_F|_P)?\(\s*{suite},\s*{name}\)", text)
    return body(text, match.end()) if match else None


def asserts(text, start):
    """Whether `start`, or a function of `text` that it calls, holds an assertion."""
    known, seen, todo = functions(text), set(), [start]
    while todo:
        part = todo.pop()
        if ASSERTION.search(part):
            return True
        for name in set(re.findall(r"\b(\w+)(?:<[^;(){}]*>)?\s*[({]", part)) | set(re.findall(r"\b(\w+) \w+\(", part)):
            if name in known and name not in seen:
                seen.add(name)
                todo.append(known[name])
    return False


def resolveTest(tests, binary, suite, name):
    if binary not in tests:
        return f"expected a test binary, found '{binary}'"
    start = testBody(tests[binary], suite, name)
    if start is None:
        return f"expected the test {suite}.{name} in {binary}"
    if not asserts(tests[binary], start):
        return f"expected an assertion in {suite}.{name} of {binary}"
    return Check("gtest", pathlib.PurePath(binary), f"{suite}.{name}")


def knownDepartures(folder):
    """First cells of the table of departures of a README; nothing when it has none."""
    readme = folder / "README.md"
    section = re.search(r"^## Where this departs.*?(?=^## )", readme.read_text() if readme.is_file() else "", re.M | re.S)
    rows = re.findall(r"^\| (.*?) \| .* \| .* \|$", section.group(0) if section else "", re.M)
    return [row for row in rows if row not in ("document", "---")]


def readPage(root, page, text, tests):
    """Rows and problems of one page."""
    folder = (root / page).parent
    known, used = knownDepartures(folder), set()
    rows, problems = [], []
    for identifier, statement, cell in re.findall(r"^\| (.+?) \| (.*?) \| (.*) \|$", text, re.M):
        if identifier == "id":
            continue
        row = Row(page, identifier, statement, cell, [], [])
        rows.append(row)
        reason = re.fullmatch(r"(?:none|not yet): (.*)", cell)
        if reason:
            if len(reason.group(1)) < 12:
                problems.append(f"{page}: {identifier}: expected a reason, found '{cell}'")
            continue
        for token in TOKEN.findall(cell):
            test = re.fullmatch(r"(\w+)/(\w+)\.(\w+)", token)
            if token.startswith("departure("):
                row.departures.append(token[len("departure("):-1])
                used.add(row.departures[-1])
                if known and row.departures[-1] not in known or len(row.departures[-1]) < 12 and not known:
                    problems.append(f"{page}: {identifier}: expected a departure of README.md, found '{row.departures[-1]}'")
                continue
            if test and not re.search(r"\.(mlir|test)$", token):
                check = resolveTest(tests, *test.groups())
            else:
                file, _, name = token.partition("#")
                path = next((p for p in (folder / file, root / "compiler" / file) if p.is_file()), None)
                check = resolveLit(path, name or identifier) if path else f"expected a check, found '{token}'"
            if isinstance(check, Check):
                row.checks.append(check)
            else:
                problems.append(f"{page}: {identifier}: {check}")
        if not row.checks and not row.departures:
            problems.append(f"{page}: {identifier}: expected a check")
    problems += [f"{page}: the departure '{key}' belongs to no row" for key in known if key not in used]
    return rows, problems


def read(root, pages=None, tests=None):
    """All rows and problems; `pages` and `tests` replace what lies in the files."""
    texts = pages or {page: (root / page).read_text() for page in PAGES.values()}
    tests = tests or binaries(root)
    rows, problems, users = [], [], {}
    for page, text in texts.items():
        some, wrong = readPage(root, page, text, tests)
        rows += some
        problems += wrong
    for row in rows:
        if sum(row.id == other.id for other in rows) > 1:
            problems.append(f"{row.page}: {row.id}: expected every id once")
        for check in row.checks:
            users.setdefault(check, set()).add(row.id)
    for row in rows:
        if row.checks and all(len(users[check]) > 1 for check in row.checks):
            problems.append(f"{row.page}: {row.id}: expected a check of its own, found only those of "
                            + ", ".join(sorted(set().union(*(users[c] for c in row.checks)) - {row.id})))
    return rows, problems


def selfTest(root):
    """Each way to break a page is a problem."""
    tests, problems = binaries(root), []
    for page in PAGES.values():
        text = (root / page).read_text()
        for old, new in ((".mlir#", ".mlir#nowhere_"), (".test |", ".nowhere |"), ("Test/", "Nowhere/"), ("departure(", "departure(("),
                         ("| none: ", "| "), (".mlir |", "-nowhere.mlir |")):
            if old in text and not read(root, {page: text.replace(old, new, 1)}, tests)[1]:
                problems.append(f"{page}: no problem found after '{old}' became '{new}'")
    if asserts("", "{ run(); }") or not asserts("void run() {\n  EXPECT_TRUE(x);\n}\n", "{ run(); }"):
        problems.append("expected assertions to be found in functions that are called")
    return problems


def main(arguments):
    roots = [a for a in arguments if not a.startswith("--")]
    if len(roots) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(roots[0]).resolve()
    rows, problems = read(root)
    for name, page in PAGES.items():
        mine = [row for row in rows if row.page == page]
        checks = sum(len(row.checks) for row in mine)
        bare = [row for row in mine if not row.checks]
        print(f"{name}: {len(mine)} rows, {checks} checks, {len(bare)} rows without one for a reason")
        if "--missing" in arguments:
            for row in bare:
                print(f"  {row.id}: {row.statement}: {row.cell}")
        problems += row_documents.compare(root, page, [(row.id, row.statement) for row in mine])
    if "--self-test" in arguments:
        problems += selfTest(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(rows)} rows, {len(problems)} problems")
    return 1 if problems or len(rows) < 250 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
