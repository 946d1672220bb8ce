#!/usr/bin/env python3
"""Checks that pages for people stay short and name only what exists.

usage: pages.py [--self-test] ROOT

  length    README.md has at most 120 lines, every other page 200; lists (LISTS) and pages of rules (labels.py) any number
  cell      no cell of a table is longer than 200 characters, lists apart
  room      every room has a README.md
  path      a path in backticks exists: one that starts at a room or beside the page, and a lone name of a source file.
            <name>, * and WORDS in capitals stand for any name, {h,cpp} for each of them
  link      the file of a link [text](file) exists
  command   what looks like a command does exist: `tilesmith WORD` and its --options, scripts of ci/ and their --options,
            the tools tile-*, passes, and tests and benchmarks by their names
  complete  the pages of COMPLETE name every command, fuzz target, oracle, engine and script
  measure   a section of a MEASUREMENTS.md that has a table names the command that prints it
  trophy    a line of corpus/trophies.md names a case that exists, or says `none: REASON` and what watches over it

Commands and paths are looked for in backticks and in blocks of code; lists are only looked at for `path`."""

import fnmatch
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import labels
import rooms

ROOT_LINES, PAGE_LINES, CELL = 120, 200, 200
# Tables that a lint or a test reads, and figures: as long as they have to be.
LISTS = ("ROWS.md", "STATEMENTS.md", "MEASUREMENTS.md", "trophies.md", "targets.md")
SOURCE = r"\.(?:cpp|h|td|inc|cmake|py|dict)"
TEST = re.compile(r"(?<![>\w])([A-Z]\w*(?:Test|Tests|Benchmark|Suite))\b(?!\.(?:h|cpp))(?:\.(\w+))?")
PASS = re.compile(r"(?<![\w-])((?:tileaa|tileas|convert)-[a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])")
TOOL = re.compile(r"(?:^|[ ;|/])(tile-[a-z]+(?:-[a-z]+)*|tileir[a-z]+)(?=$|[ ;|])")
DECLARED = re.compile(r"\btilesmith_(tool|gtest|benchmark|fuzz_target|lit_suite)\s*\(\s*([\w-]+)"
                      r"|\badd_(?:test\s*\(\s*NAME|executable\s*\()\s*([\w-]+)")


# Page, files that declare names, how a name is declared there, and how the page spells it.
COMPLETE = [
    ("fuzz/README.md", "fuzz/cli/*.cpp", r'\bcl::SubCommand \w+\(\s*"([a-z]+)"', "`tilesmith %s"),
    ("fuzz/README.md", "fuzz/targets/CMakeLists.txt", r"\btilesmith_fuzz_target\((\w+)", "`%s`"),
    ("corpus/seeds/README.md", "fuzz/targets/CMakeLists.txt", r"\btilesmith_fuzz_target\((\w+)", "`%s/`"),
    ("oracles/README.md", "oracles/*/*Oracle.cpp", r'\bname\(\) const override \{\s*return "([a-z-]+)"', "`%s`"),
    ("oracles/README.md", "oracles/engines/Registry.cpp", r'^    \{"([a-z-]+)",', "`%s`"),
]
FOREIGN = {"mlir-timing", "dump-pass-pipeline"}  # of MLIR's drivers


class Repository:
    """What pages may name."""

    def __init__(self, root):
        self.root = root
        self.files = rooms.listFiles(root)
        self.paths = set(self.files)
        for name in self.files:
            while "/" in name:
                name = name.rsplit("/", 1)[0]
                self.paths.add(name)
        self.labels = set(labels.read_pages({n: self.read(n) for n in filter(labels.is_page, self.files)}, []))
        self.names = {name.rsplit("/", 1)[-1] for name in self.files}
        self.targets, self.commands, self.words, self.passes, self.suites = set(), set(), set(), set(), set()
        for name in self.files:
            base = name.rsplit("/", 1)[-1]
            if base == "CMakeLists.txt":
                for match in DECLARED.finditer(self.read(name)):
                    self.targets.add(match.group(2) or match.group(3))
            elif name.endswith(".cpp") and name.startswith(("fuzz/", "oracles/", "compiler/tools/", "compiler/pipeline/")):
                text = self.read(name)
                self.commands |= set(re.findall(r'\bcl::SubCommand \w+\(\s*"([a-z]+)"', text))
                self.words |= set(re.findall(r'"-{0,2}([A-Za-z][A-Za-z-]*)', text))
            if base in ("Passes.td", "Passes.h") or name == "oracles/engines/Registry.cpp" or name.startswith("compiler/support/plants/"):
                self.passes |= set(re.findall(r'"([a-z0-9-]+)"', self.read(name)))
            elif name.startswith("ci/") and not base.endswith(".md"):
                self.words |= set(re.findall(r"--([a-z][a-z0-9-]*)", self.read(name)))
            if re.search(r"(?:Tests?|Suite|Benchmark)\.cpp$", base):
                self.suites.add(base[:-4])
                for suite, case in re.findall(r"\b(?:TEST|TEST_F|TEST_P)\(\s*(\w+),\s*(\w+)\)", self.read(name)):
                    self.suites |= {suite, suite + "." + case, base[:-4] + "." + case}

    def read(self, name):
        with open(os.path.join(self.root, name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def exists(self, path):
        """Whether a path, perhaps with stand-ins for names, is in the repository."""
        path = path.rstrip("/")
        if path in self.paths:
            return True
        if re.search(r"\{[^}]*,[^}]*\}", path):
            head, choices, tail = re.match(r"(.*?)\{([^}]*)\}(.*)", path).groups()
            return all(self.exists(head + choice + tail) for choice in choices.split(","))
        pattern = re.sub(r"<[^>]*>|(?<![\w.])[A-Z]{2,}(?![\w])|…", "*", path)
        if "*" not in pattern:
            return False
        depth = pattern.count("/")
        return any(known.count("/") == depth and fnmatch.fnmatchcase(known, pattern) for known in self.paths)


def is_list(path):
    return path.rsplit("/", 1)[-1] in LISTS or labels.is_page(path)


def snippets(text):
    """(line, code, whether it stands in a block) of everything that is set as code."""
    block = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            block = not block
        elif block or line.startswith("    "):
            yield number, line.strip(), True
        else:
            for match in re.finditer(r"(?<!`)`([^`]+)`(?!`)", line.replace(r"\|", "|")):
                yield number, match.group(1), False


def check_paths(repository, page, code):
    folder = page.rsplit("/", 1)[0] + "/" if "/" in page else ""
    for token in re.split(r"[ ,;=]+(?![^{]*\})", code):
        token = re.split(r"[#:]", token)[0].rstrip(".")
        if not re.fullmatch(r"[\w.<>*{},@+…-]+(?:/[\w.<>*{},@+…-]+)*/?", token) or token.startswith(("build/", "-")):
            continue
        first = token.split("/")[0]
        rooted, source = first in rooms.ROOMS, re.search(SOURCE + "$|" + r"\.\{", token)
        if "/" not in token:
            if re.fullmatch(r"[A-Z][\w{},*]*\.(?:cpp|h|td|inc|\{h,cpp\})", token):
                if not any(fnmatch.fnmatchcase(name, re.sub(r"\{.*", "cpp", token)) for name in repository.names):
                    yield "path", f"'{token}' is the name of no file"
        elif rooted or source or (folder and folder + first in repository.paths):
            below = folder and any(known.startswith(folder) and known.endswith("/" + token) for known in repository.paths)
            if not (below or repository.exists(token) or repository.exists(folder + token)):
                yield "path", f"'{token}' is not there"


def check_options(words, known, what):
    for word in words:
        match = re.match(r"--([a-z][a-z0-9-]*)", word)
        if match and match.group(1) not in known:
            yield "command", f"{what} knows the option '--{match.group(1)}'" if what.startswith("no ") else f"{what} has no option '--{match.group(1)}'"


def check_commands(repository, code, block):
    code = re.sub(r"#\s.*$", "", code)
    for command in re.split(r"&&|[;|] | \| |\$\(", code):
        words = [word for word in re.sub(r"^\$ ", "", command.strip()).strip("[]").split()
                 if not re.fullmatch(r"[A-Z_]+=\S*", word)]
        if not words:
            continue
        if words[0].startswith("--"):
            yield from check_options(words[:1], repository.words | FOREIGN, "no tool of ours")
        name = words[0].rsplit("/", 1)[-1] if words[0].startswith("build/") else words[0]
        if name == "tilesmith" and len(words) > 1:
            given = re.fullmatch(r"[a-z]+(\|[a-z]+)*", words[1])
            for word in words[1].split("|") if given else []:
                if word not in repository.commands:
                    yield "command", f"tilesmith has no command '{word}'"
            yield from check_options(re.split(r"[ |\[\]]", " ".join(words[1:])), repository.words, "tilesmith")
        elif name.startswith(("ci/", "./ci/")):
            script = name.removeprefix("./")
            if repository.exists(script) and script in repository.files and not script.endswith(".md"):
                known = re.findall(r"--([a-z][a-z0-9-]*)", repository.read(script))
                yield from check_options(re.split(r"[ |\[\]]", " ".join(words[1:])), known, script)
    for match in TOOL.finditer(code):
        if match.group(1) not in repository.targets | repository.labels:
            yield "command", f"there is no tool '{match.group(1)}'"
    for match in PASS.finditer(code):
        if match.group(1) not in repository.passes:
            yield "command", f"there is no pass '{match.group(1)}'"
    for match in TEST.finditer(code):
        suite, case = match.groups()
        found = suite in repository.targets or suite in repository.suites
        if not found or (case and case != "*" and f"{suite}.{case}" not in repository.suites):
            yield "command", f"there is no test '{match.group(0)}'"


def check_measurements(text):
    for section in re.split(r"^(?=## )", text, flags=re.M)[1:]:
        title = section.split("\n", 1)[0]
        if re.search(r"^\|", section, re.M) and not re.search(r"`[^`\n]*(?:tilesmith |ci/|Test|Benchmark)[^`\n]*`", section):
            yield "measure", f"'{title}' does not name the command that prints its table"


def check_trophies(repository, text):
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not re.match(r"\| \d{4}-", line):
            continue
        named = re.findall(r"`([^`]+)`", cells[-1])
        case = [name for name in named if re.match(r"(?:regressions|strategies|frontends|planted)/", name)]
        if cells[-1].startswith("none: "):
            if len(cells[-1]) < 25 or not named:
                yield number, "trophy", "expected a reason, and in backticks what watches over it"
        elif not case or not all(f"corpus/{name}/case.json" in repository.paths for name in case):
            yield number, "trophy", f"expected a case of corpus/ or 'none: REASON', found '{cells[-1]}'"


def check_complete(repository):
    scripts = [name for name in repository.files if re.fullmatch(r"ci/[a-z-]+(?:/run)?", name)]
    for name in scripts if "ci/README.md" in repository.paths else []:
        if f"`{name}" not in repository.read("ci/README.md"):
            yield "ci/README.md", f"does not name the script '{name}'"
    for page, files, declaration, spelling in COMPLETE:
        declared = [found for name in fnmatch.filter(repository.files, files)
                    for found in re.findall(declaration, repository.read(name), re.M)]
        text = repository.read(page) if declared and page in repository.paths else ""
        for name in declared if text else []:
            if spelling % name not in text:
                yield page, f"does not name '{name}'"


def check(root):
    """Yields (page, line, rule, text)."""
    repository = Repository(root)
    for room in rooms.ROOMS:
        if room in repository.paths and room + "/README.md" not in repository.paths:
            yield room, 1, "room", "has no README.md"
    for page, message in check_complete(repository):
        yield page, 1, "complete", message
    for page in repository.files:
        if not page.endswith(".md"):
            continue
        text = repository.read(page)
        lines = text.split("\n")
        limit = ROOT_LINES if page == "README.md" else PAGE_LINES
        if not is_list(page):
            if len(lines) - 1 > limit:
                yield page, limit, "length", f"has {len(lines) - 1} lines, expected at most {limit}"
            for number, line in enumerate(lines, 1):
                for cell in re.split(r"(?<!\\)\|", line)[1:-1] if line.startswith("|") else ():
                    if len(cell.strip()) > CELL:
                        yield page, number, "cell", f"has a cell of {len(cell.strip())} characters, expected at most {CELL}"
        for number, code, block in snippets(text):
            found = list(check_paths(repository, page, code))
            if not is_list(page):
                found += check_commands(repository, code, block)
            for rule, message in found:
                yield page, number, rule, message
        folder = os.path.dirname(page)
        for match in re.finditer(r"(?<!!)\[[^\]\n]+\]\(([^)#:\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
            if os.path.normpath(os.path.join(folder, match.group(1))) not in repository.paths:
                yield page, 1, "link", f"'{match.group(1)}' is not there"
        if page.endswith("MEASUREMENTS.md"):
            for rule, message in check_measurements(text):
                yield page, 1, rule, message
        if page == "corpus/trophies.md":
            for number, rule, message in check_trophies(repository, text):
                yield page, number, rule, message


GOOD = {
    "README.md": "# x\n\nSee `fuzz/cli/<Name>Command.cpp`, `fuzz/{Deep,Flat}.h`, [fuzz](fuzz/README.md), `fuzz/targets/NAME.cpp`.\n\n"
                 "```console\n$ tilesmith check corpus --seed 1 && ci/run --fast\n```\n",
    "fuzz/README.md": "# fuzz\n\n`cli/CheckCommand.cpp`, `DeepTest.Works`, `tile-opt`, `tileas-foo`, `Deep.h`, `case.json`, `tilesmith check`\n",
    "fuzz/MEASUREMENTS.md": "# f\n\n## speed\n\n`DeepTest` prints:\n\n| a |\n|---|\n| 1 |\n",
    "fuzz/CMakeLists.txt": "tilesmith_tool(tile-opt)\ntilesmith_gtest(DeepTest SOURCES DeepTest.cpp)\n",
    "fuzz/cli/CheckCommand.cpp": 'cl::SubCommand command("check", "x"); cl::opt<int> s("seed");\n',
    "fuzz/targets/one.cpp": "", "fuzz/Deep.h": "", "fuzz/Flat.h": "", "fuzz/Passes.td": 'def A : Pass<"tileas-foo">\n',
    "fuzz/DeepTest.cpp": "TEST(DeepTest, Works) {}\n", "ci/run": "case --fast)\n", "ci/README.md": "# ci\n\n`ci/run`\n",
    "corpus/README.md": "# corpus\n", "corpus/regressions/a/case.json": "{}",
    "corpus/trophies.md": "# t\n\n| 2026-01-01 | x | y | z | `regressions/a` |\n"
                          "| 2026-01-02 | x | y | z | none: of the harness; `DeepTest` |\n",
}
FAULTS = [  # (rule, page, text added to it)
    ("length", "README.md", "\n" * 121), ("length", "fuzz/README.md", "\n" * 201), ("cell", "fuzz/README.md", f"| {'x' * 201} |\n"),
    ("room", "ci/README.md", None), ("path", "README.md", "`fuzz/Gone.h`"), ("path", "README.md", "`fuzz/{Deep,Gone}.h`"),
    ("path", "README.md", "`fuzz/cli/<Name>Tool.cpp`"), ("path", "fuzz/README.md", "`cli/Gone.cpp`"),
    ("path", "fuzz/README.md", "`Gone.h`"), ("path", "README.md", "`fuzz/targets/<name>.dict`"),
    ("command", "README.md", "`--sead`"), ("link", "README.md", "[a](fuzz/GONE.md)"),
    ("command", "README.md", "`tilesmith chekc DIR`"), ("command", "README.md", "    tilesmith check|gone DIR\n"),
    ("command", "README.md", "`tilesmith check --sead=1`"), ("command", "README.md", "`ci/run --slow`"),
    ("path", "README.md", "`ci/gone`"), ("command", "README.md", "`tile-gone`"), ("command", "README.md", "`tileas-gone`"),
    ("command", "README.md", "`GoneTest`"), ("command", "README.md", "`DeepTest.Gone`"),
    ("complete", "ci/more", "#!/bin/sh\n"), ("complete", "fuzz/cli/NewCommand.cpp", 'cl::SubCommand command("new", "x");\n'),
    ("measure", "fuzz/MEASUREMENTS.md", "\n## size\n\n| b |\n|---|\n| 2 |\n"),
    ("trophy", "corpus/trophies.md", "| 2026-01-03 | x | y | z | `regressions/gone` |\n"),
    ("trophy", "corpus/trophies.md", "| 2026-01-03 | x | y | z | - |\n"),
]


def self_test():
    """A good tree has no problem, and each fault put into it is found."""
    broken = 0
    for rule, page, text in [(None, "README.md", "")] + FAULTS:
        with tempfile.TemporaryDirectory() as root:
            for name in [*GOOD, page]:
                content = GOOD.get(name, "")
                if name == page:
                    content = None if text is None else content + text
                if content is not None:
                    os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                    with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                        file.write(content)
            found = sorted({problem[2] for problem in check(root)})
            if (rule not in found) if rule else found:
                print(f"self-test: {page} with {text!r:.60}: expected {rule}, found {found}", file=sys.stderr)
                broken += 1
    return broken


def main(arguments):
    roots = [argument for argument in arguments if argument != "--self-test"]
    if len(roots) != 1 or roots[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    problems = sorted(set(check(os.path.abspath(roots[0]))))
    for page, line, rule, text in problems:
        print(f"{page}:{line}: {rule}: {text}", file=sys.stderr)
    broken = self_test() if "--self-test" in arguments else 0
    print(f"page lint: {len(problems)} problems")
    return 1 if problems or broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
