#!/usr/bin/env python3
"""Joins the rules of the specification with the code that keeps them and the tests that break them.

usage: labels.py [--self-test] [--untested] [--pages] [--export FILE [--depfile FILE]] ROOT

Rules stand on the pages PAGES, one list item each: "- `label`: text", continued on indented lines. Code and tests
cite them:
  [spec: label, label]        in a comment, in a test's text or in a message
  undefined("label", ...), inconclusive("label", ...), scalar(value, "what", ...) for unspecified-what, fault kinds:
                              how the interpreters end a run (STOPPING); tests name these labels in their texts
  // rule: label              verifier rules, // LABEL at the head of a section of *-invalid*.mlir: their tests (rules.py)
  {"file_label", ...}         faults of bytecode files (generators/invalid/FileBreakers.cpp), which InvalidLabelsTest breaks
An error is: a label that is cited and not defined, or defined twice; a verifier rule that its page lacks; a citation of a
document that the repository does not have; more rules without a test than CEILING. --untested lists these, --pages
counts by page, --export writes the table that `tilesmith explain` is made of."""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rooms

PAGES = ["reference/semantics/", "compiler/bytecode/versions.md", "compiler/dialect/CudaTile/diagnostics.md",
         "compiler/tools/driver.md", "compiler/target/targets.md", "oracles/external/observations.md"]
# Pages of reasons and reports: nothing implements or tests their rules one by one.
PROSE = ("reference/semantics/decisions.md", "oracles/external/observations.md")
CEILING = 12

ITEM = re.compile(r"^- `([a-z0-9][a-z0-9_-]*)`: (.*)$")
CITATION = re.compile(r"\[spec:\s([^\][]{1,400})\]")  # clang-format may break the line
LABEL = re.compile(r"[a-z0-9][a-z0-9_-]*")
STOP = re.compile(r'\b(?:undefined|inconclusive)\(\s*"([a-z0-9-]*[a-z0-9])"|\.detail = "([a-z0-9-]+)"')
SCALAR = re.compile(r'\bscalar\([^;]*?,\s*"([a-z-]+)"')
FAULT = re.compile(r'case Fault::Kind::\w+:\s*return "([a-z-]+)"')
RULE = re.compile(r"^\s*// rule: ([a-z0-9_, ]+)$")
INVALID = re.compile(r"^// ([a-z0-9_]+)(?: \((?:ods|parser)\))?$")
FILE_FAULT = re.compile(r'\{"(file_[a-z_]+)"')
# Citations of documents that only the authors of the first version had.
OUTSIDE = re.compile(r"\bsemantics(?:\.md)?,? [A-I](?:\.\d|\b)|\bD-\d+|\b(?:rosters|observed|design|sass|fast-path|building|style)\.md\b"
                     r"|\b(?:driver|versions|semantics)(?:\.md)?`?,? (?:section )?\d(?:\.\d)?\b(?!\d|\.\d)|\bsemantics\.md\b"
                     r"|\bshared (?:spec|documents?)\b|\bshared/[a-z]+\.md")
MAY_COMPARE = ("ci/lint/row_documents.py", "ci/lint/labels.py")  # these compare with such documents where they stand beside the checkout
STOPPING = ("reference/", "oracles/engines/tileaa/", "oracles/engines/tileas/")  # interpreters, which end runs by label
SUFFIXES = (".cpp", ".h", ".td", ".mlir", ".test", ".txt", ".py", ".md", ".cmake", ".sh", ".c", "")


def is_page(path):
    return path.endswith(".md") and any(path == p or (p.endswith("/") and path.startswith(p)) for p in PAGES)


def is_test(path):
    name = os.path.basename(path)
    return (re.search(r"Tests?\.cpp$|_test\.py$", name) is not None or "/test/" in path
            or (path.startswith("ci/") and not path.startswith(("ci/lint/", "ci/cmake/"))))


def load(root):
    """Path to text of every file that may define or cite a rule."""
    files = {}
    for path in rooms.listFiles(root):
        if path.startswith(("corpus/", ".")) or os.path.splitext(path)[1] not in SUFFIXES:
            continue
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                files[path] = file.read()
        except (UnicodeDecodeError, OSError):
            continue
    return files


def read_pages(files, problems):
    """Label to (page, line, text)."""
    rules = {}
    for path in sorted(filter(is_page, files)):
        current = None
        for number, line in enumerate(files[path].split("\n"), 1):
            item = ITEM.match(line)
            if item:
                current = item.group(1)
                if current in rules:
                    problems.append(f"{path}:{number}: '{current}' is defined at {rules[current][0]}:{rules[current][1]}, too")
                rules[current] = (path, number, item.group(2))
            elif current and line.startswith("  "):
                page, first, text = rules[current]
                rules[current] = (page, first, text + " " + line.strip())
            else:
                current = None
    return rules


def citations(path, text, kinds):
    """(line, label, must exist) for everything that cites a rule."""
    place = lambda match, group=1: text.count("\n", 0, match.start(group)) + 1
    if path.endswith(".md"):
        text = re.sub(r"`[^`\n]*`", lambda m: " " * len(m.group(0)), text)
    for match in CITATION.finditer(text):
        for label in re.sub(r"\n\s*(?://+|#)?", " ", match.group(1)).split(","):
            yield place(match, 0), label.strip(), True
    if path.startswith(STOPPING) and path.endswith((".cpp", ".h")) and not is_test(path):
        for match in STOP.finditer(text):
            group = 1 if match.group(1) else 2
            yield place(match, group), match.group(group), True
        for match in SCALAR.finditer(text):
            yield place(match), "unspecified-" + match.group(1), True
        for match in FAULT.finditer(text):
            yield place(match), match.group(1), True
    elif is_test(path) and path.startswith(STOPPING):
        for match in kinds.finditer(text):
            yield place(match), match.group(1), False
    verifier = path.startswith("compiler/dialect/CudaTile/")
    for number, line in enumerate(text.split("\n") if verifier else (), 1):
        rule = RULE.match(line) if "/IR/" in path and path.endswith(".cpp") else None
        if "invalid" in path and path.endswith(".mlir"):
            rule = INVALID.match(line)
        if rule and rule.group(1) != "see the calls":
            for label in rule.group(1).split(", "):
                yield number, label, True
    if path == "generators/invalid/FileBreakers.cpp":
        for match in FILE_FAULT.finditer(text):
            yield place(match), match.group(1), True


def join(files, problems):
    """The rules, and for each label its places in code and in tests."""
    rules = read_pages(files, problems)
    kinds = [label for label, rule in rules.items() if rule[0].endswith("/undefined.md")]
    kinds = re.compile(r'(?:undefined |\(|"|\[)(%s)(?=[)"\]\s]|$)' % "|".join(kinds or ["-"]), re.M)
    code, tests = {}, {}
    for path in sorted(files):
        text = files[path]
        if path not in MAY_COMPARE:
            for number, line in enumerate(text.split("\n"), 1):
                outside = OUTSIDE.search(line)
                if outside:
                    problems.append(f"{path}:{number}: '{outside.group(0)}' cites a document that is not here, expected [spec: label]")
        if is_page(path) or path in MAY_COMPARE:
            continue
        for number, label, must in citations(path, text, kinds):
            if label not in rules:
                if must:
                    problems.append(f"{path}:{number}: no page defines the rule '{label}'")
                continue
            if path.endswith(".md"):
                continue
            found = tests if is_test(path) or path == "generators/invalid/FileBreakers.cpp" else code
            places = found.setdefault(label, {}).setdefault(path, [])
            if number not in places:
                places.append(number)
    page = "compiler/dialect/CudaTile/diagnostics.md"
    for label, rule in rules.items():
        if rule[0] == page and label not in tests:
            problems.append(f"{rule[0]}:{rule[1]}: no section of an *-invalid*.mlir file is named '{label}'")
    return rules, code, tests


def untested(rules, tests):
    return sorted(label for label, rule in rules.items() if label not in tests and rule[0] not in PROSE)


def check(files, ceiling=None):
    problems = []
    rules, code, tests = join(files, problems)
    missing, ceiling = untested(rules, tests), CEILING if ceiling is None else ceiling
    if len(missing) > ceiling:
        problems.append(f"{len(missing)} rules are without a test, expected at most {ceiling} (--untested lists them)")
    if not rules:
        problems.append("no page defines a rule")
    return problems, rules, code, tests, missing


def export(rules, code, tests):
    """A row of C++ per rule: label, page, text, code, tests; places as `file:lines` joined by newlines."""
    quote = lambda s: '"' + s.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    listed = lambda found: "\n".join(f"{path}:{','.join(map(str, lines))}" for path, lines in sorted(found.items()))
    rows = []
    for label, (page, number, text) in sorted(rules.items()):
        cells = [label, f"{page}:{number}", text, listed(code.get(label, {})), listed(tests.get(label, {}))]
        rows.append("{" + ", ".join(map(quote, cells)) + "},\n")
    return "".join(rows)


def write_changed(path, text):
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except OSError:
        pass
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def self_test(files):
    """Every fault that this lint exists for is found."""
    broken = 0
    page = "reference/semantics/integer.md"
    faults = {
        "an unknown label": {"ci/x.py": "# [spec: no-such-rule]"},
        "an unknown label behind a break": {"reference/x.cpp": "// [spec: int-add,\n// no-such-rule]"},
        "a label defined twice": {page: files[page] + "\n- `int-add`: again.\n"},
        "a label that lost its rule": {page: files[page].replace("- `int-divi`:", "- `int-quotient`:")},
        "an unknown kind": {"reference/x.cpp": 'return undefined(\n    "bad-luck", "");'},
        "an unknown value": {"reference/x.cpp": 'context.scalar(op.getStep(), "luck", step)'},
        "an unknown verifier rule": {"compiler/dialect/CudaTile/IR/x.cpp": "  // rule: no_such_rule"},
        "a document's chapter": {"reference/x.cpp": "// semantics B.7: every" + " element"},
        "a numbered decision": {"reference/x.cpp": "// see D-" + "37"},
        "a document by name": {"README.md": "see " + "rosters.md"},
        "a numbered section": {"ci/x.py": "# versions " + "5.1"},
    }
    for name, changed in faults.items():
        before = len(check(files, 10**6)[0])
        if len(check({**files, **changed}, 10**6)[0]) <= before:
            print(f"self-test: {name} was not found", file=sys.stderr)
            broken += 1
    added = {page: files[page] + "\n- `int-untested`: nothing tests it.\n"}
    if len(check({**files, **added})[4]) != len(check(files)[4]) + 1:
        print("self-test: a rule without a test was not counted", file=sys.stderr)
        broken += 1
    return broken


def main(arguments):
    options, roots, values = set(), [], {}
    arguments = list(arguments)
    while arguments:
        argument = arguments.pop(0)
        if argument in ("--export", "--depfile") and arguments:
            values[argument] = arguments.pop(0)
        elif argument in ("--self-test", "--untested", "--pages"):
            options.add(argument)
        elif argument.startswith("-"):
            print(__doc__, file=sys.stderr)
            return 2
        else:
            roots.append(argument)
    if len(roots) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = roots[0]
    files = load(root)
    problems, rules, code, tests, missing = check(files)
    if "--export" in values:
        write_changed(values["--export"], export(rules, code, tests))
        if "--depfile" in values:
            escaped = (os.path.join(os.path.abspath(root), path).replace(" ", "\\ ") for path in sorted(files))
            write_changed(values["--depfile"], values["--export"] + ": " + " \\\n ".join(escaped) + "\n")
        return 0
    for problem in problems:
        print(problem, file=sys.stderr)
    if "--untested" in options:
        for label in missing:
            print(f"{rules[label][0]}:{rules[label][1]}: {label}")
    if "--pages" in options:
        for page in sorted({rule[0] for rule in rules.values()}):
            labels = [label for label, rule in rules.items() if rule[0] == page]
            print(f"{page:44} {len(labels):4} rules, {sum(l in code for l in labels):4} implemented at, "
                  f"{sum(l in tests for l in labels):4} tested")
    if len(missing) < CEILING:
        print(f"expected CEILING = {len(missing)} in labels.py: fewer rules are without a test than it allows")
    broken = self_test(files) if "--self-test" in options else 0
    print(f"{len(rules)} rules, {sum(label in code for label in rules)} implemented at, {sum(label in tests for label in rules)} "
          f"tested, {len(missing)} nothing tests, {len(problems)} problems")
    return 1 if problems or broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
