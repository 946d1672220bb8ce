"""The table of all hunts in machine code of others (ci/external-hunt), so that their cost adds up over days.

A row is one hunt: kernels tried and decided (agreed or a finding; the rest needs what the target lacks, or time), findings by the
name that a workaround gave them (`new` until a note has it), forms that the device of machine code lacks, seconds of processor time
of everything that the hunt started, and the commit whose generator drew the kernels.
"""

import argparse
import collections
import datetime
import os
import re
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEDGER = os.path.join(ROOT, "oracles", "external", "hunts.tsv")
PAGE = os.path.join(ROOT, "oracles", "MEASUREMENTS.md")  # has a row with the figure of the ledger
COLUMNS = ("date", "commit", "compiler", "target", "seed", "features", "tried", "decided", "findings", "cpu_s", "named", "lacking")
LACKING = (r"^inconclusive (\d+) times: \S+: unsupported: (?!the external compiler|expected bytecode)"
           r"(?:unsupported instruction \w+ at \w+: |unsupported: )?([^,(\n]+)")


def version_of(options):
    """`tileiras 13.5`: of the toolkit that the compiler is part of."""
    home = options.ptxas or os.path.dirname(os.path.dirname(os.path.abspath(options.compiler)))
    assembler = os.path.join(home, "bin", "ptxas")
    said = subprocess.run([assembler, "--version"], capture_output=True, text=True).stdout if os.path.exists(assembler) else ""
    release = re.search(r"release (\d+\.\d+)", said)
    return ("ptxas " if options.ptxas else "tileiras ") + (release[1] if release else "?")


def commit():
    said = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude=*"], capture_output=True, text=True)
    return said.stdout.strip() or "?"


def seconds_of_children():
    """Processor time of all that was started and has ended, with what it started itself: tilesmith, tileiras and ptxas."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def row_of(options, output, sums, seconds):
    """A row of the ledger from what `tilesmith fuzz` said and how its findings are named. Error: it said no counts."""
    counts = re.search(r"^(\d+) passed, (\d+) failed, (\d+) inconclusive, (\d+) unavailable$", output, flags=re.M)
    if not counts:
        raise ValueError("tilesmith fuzz printed no counts")
    passed, failed, inconclusive, unavailable = map(int, counts.groups())
    lacking = collections.Counter()
    for times, form in re.findall(LACKING, output, flags=re.M):
        lacking[form.strip()] += int(times)
    listed = lambda names: "; ".join(f"{count} {name}" for name, count in sorted(names.items())) or "-"
    return dict(zip(COLUMNS, (
        datetime.date.today().isoformat(), commit(), version_of(options), options.target, options.seed, options.features or "-",
        passed + failed + inconclusive + unavailable, passed + failed, failed, round(seconds), listed(sums),
        listed(lacking))))


def note(path, row):
    """Appends a row; a new file begins with the names of the columns."""
    with open(path, "a") as file:
        if file.tell() == 0:
            file.write("\t".join(COLUMNS) + "\n")
        file.write("\t".join(str(row[name]) for name in COLUMNS) + "\n")


def rows(path):
    with open(path) as file:
        head, *lines = (line.rstrip("\n").split("\t") for line in file)
    if tuple(head) != COLUMNS or any(len(line) != len(COLUMNS) for line in lines):
        raise ValueError(f"expected the columns {' '.join(COLUMNS)} in every line of {path}")
    return [dict(zip(COLUMNS, line)) for line in lines]


def print_sums(path):
    """Of each compiler and target, of each compiler, and of all: kernels, findings, hours; how often each bug came up."""
    sums, named = collections.defaultdict(lambda: [0, 0, 0, 0]), collections.Counter()
    for row in rows(path):
        for key in ((row["compiler"], row["target"]), (row["compiler"], "all"), ("all", "all")):
            for place, column in enumerate(("tried", "decided", "findings", "cpu_s")):
                sums[key][place] += int(row[column])
        for one in row["named"].split("; "):
            if one != "-":
                count, name = one.split(" ", 1)
                named[name] += int(count)
    for (compiler, target), (tried, decided, findings, seconds) in sorted(sums.items()):
        print(f"{compiler}, {target}: {decided} of {tried} kernels decided, {findings} findings, {seconds / 3600:.2f} CPU hours")
    for name, count in named.most_common():
        print(f"{count} {name}")


def figure(path):
    """What the page of measurements says of a ledger: hunts in tileiras 13.5 for its three targets, findings that nobody has named, hours."""
    targets, of, found, unnamed, hours = ("sm_80", "sm_90", "sm_100"), collections.Counter(), 0, 0, 0.0
    for row in rows(path):
        hours += int(row["cpu_s"]) / 3600
        target = row["target"].split(":")[0]
        if row["compiler"] == "tileiras 13.5" and target in targets:
            of[target] += int(row["decided"])
            found += int(row["findings"])
            unnamed += sum(int(one.split(" ")[0]) for one in row["named"].split("; ") if one.endswith((" new", "(open)")))
    return (f"{of.total():,} decided ({', '.join(f'{of[target]:,}' for target in targets)}), {found:,} findings, {unnamed} of them without the name of a bug; "
            f"{hours:.2f} hours of processor time, all rows")


def with_figure(text, said):
    """The page with this figure in its row. Error: it has no such row."""
    new, count = re.subn(r"(\| generated kernels, the original's \| [^|]* \| )[^|]*( \|)", lambda row: row[1] + said + row[2], text)
    if count != 1:
        raise ValueError(f"expected one row `generated kernels, the original's` in {PAGE}, found {count}")
    return new


def write_figure():
    with open(PAGE) as file:
        text = file.read()
    new = with_figure(text, figure(LEDGER))
    if new != text:
        with open(PAGE, "w") as file:
            file.write(new)


def figure_self_test():
    """The page says what the ledger gives."""
    with open(PAGE) as file:
        text = file.read()
    if with_figure(text, figure(LEDGER)) == text:
        return 0
    print(f"{PAGE}: expected `{figure(LEDGER)}` (ci/external-hunt --sums writes it)")
    return 1


def self_test():
    """The words of `tilesmith fuzz` become a row, which comes back from the file and is added up."""
    said = ("inconclusive 3 times: external@x:sm_90:O3: unsupported: unsupported instruction 00fc0 at 0x9e0: R2UR, a fixed field of sm_90\n"
            "inconclusive 1 times: external@x:sm_90:O3: unsupported: unsupported: rank of a tensor map (kernel 'k', block (0,0,0))\n"
            "inconclusive 2 times: external@x:sm_90:O3: unsupported: the external compiler refuses the module: no\n"
            "7 passed, 2 failed, 6 inconclusive, 0 unavailable\n")
    options = argparse.Namespace(compiler="/none/bin/tileiras", ptxas=None, target="sm_90:O3", seed=5, features=None)
    row = row_of(options, said, collections.Counter({"new": 1, "alloca (4, 14)": 1}), 1.0)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hunts.tsv")
        note(path, row)
        note(path, row)
        back = rows(path)
    same = back == [{name: str(value) for name, value in row.items()}] * 2
    held = {name: row[name] for name in ("tried", "decided", "findings", "named", "lacking")}
    wanted = {"tried": 15, "decided": 9, "findings": 2, "named": "1 alloca (4, 14); 1 new", "lacking": "3 R2UR; 1 rank of a tensor map"}
    if not same or held != wanted:
        print(f"a row of the ledger: expected {wanted}, found {held}, read back as {back}")
    rows(LEDGER)
    before = seconds_of_children()
    subprocess.run(["sh", "-c", f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.2: pass'; true"], check=True)
    used = seconds_of_children() - before
    if used < 0.2:
        print(f"seconds of a child of a child: expected 0.2, found {used:.2f}")
    return figure_self_test() + (0 if same and held == wanted and used >= 0.2 else 1)
