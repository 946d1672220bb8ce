#!/usr/bin/env python3
"""Sums up from what llvm-cov exports which conditions of the compiler were true as well as false.

Usage: branches.py EXPORT.json LIST.txt [REASONS.txt]; exit 1 when less than FLOOR % of the conditions that a kernel can decide went
both ways. A condition that went one way alone is a place where a wrong compiler can hide: no case tells it from a constant.
LIST.txt gets all of them by file, with their source; what stands in branch-reasons.txt (a path or the start of one, a part of the
condition's line or `*`, then why no drawn kernel decides it) is left out of the share and counted by reason.

Left out of everything: planted bugs, and conditions that guard nothing but a report of an error or the end of the program.
"""
import collections
import json
import os
import re
import sys

FLOOR = 60.0
HERE = os.path.dirname(os.path.abspath(__file__))
# The rewrites, analyses and lowerings; readers, printers and drivers have tests of their own.
JUDGED = re.compile(r"^compiler/(conversion/|dialect/[^/]+/(Transforms|IR/[A-Za-z]*Canonicalize|IR/[A-Za-z]*Fold))")
PLANT = re.compile(r"^!?\s*TILESMITH_PLANT$|^!?\s*TILESMITH_PLANT\(|^:$")  # and what a loop over a range asks
REPORT = re.compile(r"emitError|emitOpError|emitRemark|emitWarning|llvm_unreachable|report_fatal|reportFatal|signalPassFailure|"
                    r"createStringError|\bfailed\(|\bassert\(")
Condition = collections.namedtuple("Condition", "path line column text context whenTrue whenFalse")


def sources(root):
    lines = {}

    def of(path):
        if path not in lines:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                lines[path] = file.read().split("\n")
        return lines[path]

    return of


def conditions(data, root):
    """Every condition of the judged files once, with how often it was true and false; instances of templates are summed."""
    source = sources(root)
    for entry in data["files"]:
        path = entry["filename"].removeprefix(root + "/")
        if not JUDGED.match(path) or not path.endswith((".cpp", ".h")):
            continue
        counts = collections.defaultdict(lambda: [0, 0])
        for begin, column, end, endColumn, whenTrue, whenFalse, *_ in entry["branches"]:
            place = counts[begin, column, end, endColumn]
            place[0] += whenTrue
            place[1] += whenFalse
        for (begin, column, end, endColumn), (whenTrue, whenFalse) in sorted(counts.items()):
            lines = source(path)
            if begin == end:
                text = lines[begin - 1][column - 1:endColumn - 1]
            else:
                text = " ".join([lines[begin - 1][column - 1:], *lines[begin:end - 1], lines[end - 1][:endColumn - 1]])
            context = "\n".join([text, lines[end - 1][endColumn - 1:], *lines[end:end + 2]])
            yield Condition(path, begin, column, " ".join(text.split()), context, whenTrue, whenFalse)


def isReport(condition):
    """Only decides whether something is reported, and was never true (or, of `succeeded`, never false)."""
    return bool(REPORT.search(condition.context.split(";")[0])) and 0 in (condition.whenTrue, condition.whenFalse)


def readReasons(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return [tuple(part.strip() for part in row if part.strip()) for row in rows]


def reasonOf(condition, reasons, lines, used):
    for row in reasons:
        path, part, why = row
        if condition.path.startswith(path) and (part == "*" or part in lines(condition.path)[condition.line - 1]):
            used.add(row)
            return why
    return None


def main():
    export, listing, *other = sys.argv[1:]
    root = os.getcwd()
    with open(export, encoding="utf-8") as file:
        data = json.load(file)["data"][0]
    reasons, used = readReasons(*other or [os.path.join(HERE, "branch-reasons.txt")]), set()
    lines = sources(root)
    folders = collections.defaultdict(collections.Counter)
    lacking, gaps, reports = collections.Counter(), collections.defaultdict(list), 0
    for condition in conditions(data, root):
        if PLANT.match(condition.text):
            continue
        taken = (condition.whenTrue > 0) + (condition.whenFalse > 0)
        if taken < 2 and isReport(condition):
            reports += 1
            continue
        folder = folders[os.path.dirname(condition.path)]
        folder["all"] += 1
        folder["both"] += taken == 2
        if taken == 2:
            continue
        why = reasonOf(condition, reasons, lines, used)
        if why:
            folder["reason"] += 1
            lacking[why] += 1
            continue
        folder["never" if taken == 0 else "one"] += 1
        gaps[condition.path].append(condition)
    print(f"{'folder':42} {'conditions':>10} {'both ways':>9} {'one way':>8} {'never':>6} {'reasoned':>8} {'share':>7}")
    total = collections.Counter()
    for name, counts in sorted(folders.items()) + [("together", total)]:
        if counts is not total:
            total.update(counts)
        share = 100 * counts["both"] / max(1, counts["all"] - counts["reason"])
        print(f"{name:42} {counts['all']:10} {counts['both']:9} {counts['one']:8} {counts['never']:6} "
              f"{counts['reason']:8} {share:6.1f}%")
    share = 100 * total["both"] / max(1, total["all"] - total["reason"])
    print(f"\nconditions taken both ways: {total['both']} of {total['all'] - total['reason']}, {share:.1f} % (floor {FLOOR:.0f} %); "
          f"{reports} more decide nothing but a report")
    print("\nconditions that no drawn kernel decides both ways, by reason")
    for why, count in lacking.most_common():
        print(f"{count:6}  {why}")
    for row in sorted(set(reasons) - used):
        print(f"warning: nothing needs the reason '{row[0]} {row[1]}'")
    with open(listing, "w", encoding="utf-8") as out:
        for path, found in sorted(gaps.items(), key=lambda item: -len(item[1])):
            out.write(f"{path}: {len(found)}\n")
            for c in found:
                way = "never" if not c.whenTrue + c.whenFalse else "true" if c.whenTrue else "false"
                out.write(f"  {c.line}:{c.column}\t{way} {c.whenTrue + c.whenFalse}\t{c.text}\n")
    sys.exit(0 if share >= FLOOR else 1)


if __name__ == "__main__":
    main()
