#!/usr/bin/env python3
"""Sums up what llvm-cov exports: line coverage by folder, and the functions that were never entered.

Usage: report.py EXPORT.json LIST.txt; exit 1 when the folders that lower or optimise have less than 85 % of their lines
together. What they lack is shown by reason (reasons.txt: a path or the start of one, then why no drawn kernel goes there).
"""
import collections
import json
import os
import re
import subprocess
import sys

FLOOR = 85.0
# What a kernel must run through. The rest is shown only: readers, printers, drivers and support code have tests of
# their own, and a fuzzing process does not reach code generation for PTX.
JUDGED = re.compile(r"^compiler/(conversion/|pipeline$|dialect/[^/]+/Transforms$)")
OTHERWISE = "refusals of what the stages before never make, remarks, registration, forms too rare for the run"


def main():
    export, listing = sys.argv[1:]
    root = os.getcwd() + "/"
    with open(export) as file:
        data = json.load(file)["data"][0]
    folders = collections.defaultdict(lambda: [0, 0])
    for entry in data["files"]:
        name = entry["filename"].removeprefix(root)
        if not name.startswith("compiler/") or name.endswith(".inc"):
            continue
        lines = entry["summary"]["lines"]
        total = folders[os.path.dirname(name)]
        total[0] += lines["covered"]
        total[1] += lines["count"]
    judged = [0, 0]
    print(f"{'folder':44} {'lines':>7} {'reached':>8} {'share':>7}")
    for folder, (covered, count) in sorted(folders.items()):
        mark = ""
        if JUDGED.match(folder):
            mark = "  *"
            judged = [judged[0] + covered, judged[1] + count]
        print(f"{folder:44} {count:7} {covered:8} {100 * covered / max(count, 1):6.1f}%{mark}")
    share = 100 * judged[0] / max(judged[1], 1)
    print(f"{'folders marked * together':44} {judged[1]:7} {judged[0]:8} {share:6.1f}%  (floor {FLOOR:.0f} %)")

    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "reasons.txt")) as file:
        reasons = [line.split(None, 1) for line in file if line.strip() and not line.startswith("#")]
    lacking = collections.Counter()
    for entry in data["files"]:
        name = entry["filename"].removeprefix(root)
        if JUDGED.match(os.path.dirname(name)) and not name.endswith(".inc"):
            lines = entry["summary"]["lines"]
            reason = next((why.strip() for path, why in reasons if name.startswith(path)), OTHERWISE)
            lacking[reason] += lines["count"] - lines["covered"]
    print("\nlines without a case, by reason")
    for reason, count in lacking.most_common():
        if count:
            print(f"{count:7}  {reason}")

    missed = collections.defaultdict(set)
    for function in data["functions"]:
        name = function["filenames"][0].removeprefix(root)
        if function["count"] == 0 and JUDGED.match(os.path.dirname(name)):
            missed[name].add((function["regions"][0][0], function["name"].split(":")[-1]))
    names = sorted({symbol for entries in missed.values() for _, symbol in entries})
    plain = subprocess.run(["c++filt", "-p"], input="\n".join(names), capture_output=True, text=True, check=False)
    spell = dict(zip(names, plain.stdout.split("\n"))) if plain.returncode == 0 else {}
    with open(listing, "w") as out:
        for name in sorted(missed):
            for line, symbol in sorted(missed[name]):
                out.write(f"{name}:{line}: {spell.get(symbol, symbol)}\n")
    sys.exit(0 if share >= FLOOR else 1)


if __name__ == "__main__":
    main()
