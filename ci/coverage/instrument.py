#!/usr/bin/env python3
"""Makes a tilesmith of which some files of the compiler count how often each of their conditions was true and false.

Usage: instrument.py FOLDER JOBS [PATTERN...]

The files that match (all that branches.py judges without a pattern) are compiled once more as build/release compiles them, with
coverage, into FOLDER; the rest comes from build/release, which must be up to date. What is newer than its source is kept.
"""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from branches import JUDGED

RELEASE = os.path.abspath("build/release")
FLAGS = ["-fprofile-instr-generate", "-fcoverage-mapping"]


def compile_(entry, name, folder):
    target = os.path.join(folder, name.replace("/", "_") + ".o")
    if os.path.exists(target) and os.path.getmtime(target) > os.path.getmtime(entry["file"]):
        return target
    command = entry["command"].split(" -o ")[0].split()
    subprocess.run([*command, *FLAGS, "-o", target + ".part", "-c", entry["file"]], cwd=RELEASE, check=True)
    os.rename(target + ".part", target)
    return target


def main():
    folder, jobs, *patterns = sys.argv[1:]
    folder = os.path.abspath(folder)
    wanted = re.compile("|".join(patterns) or ".")
    with open(os.path.join(RELEASE, "compile_commands.json"), encoding="utf-8") as file:
        entries = {os.path.relpath(entry["file"]): entry for entry in json.load(file)}
    names = [name for name in sorted(entries) if JUDGED.match(name) and wanted.search(name)
             and not name.endswith(("Test.cpp", "Benchmark.cpp"))]
    with ThreadPoolExecutor(int(jobs)) as pool:
        objects = list(pool.map(lambda name: compile_(entries[name], name, folder), names))
    commands = subprocess.run(["ninja", "-t", "commands", "tilesmith"], cwd=RELEASE, capture_output=True, text=True, check=True)
    link = commands.stdout.strip().split("\n")[-1]
    # In front of the libraries: what defines the same there is left in them.
    link = re.sub(r"-o bin/tilesmith\b", lambda _: " ".join([*FLAGS[:1], *objects, "-o", os.path.join(folder, "tilesmith")]), link, count=1)
    subprocess.run(link, shell=True, cwd=RELEASE, check=True)
    print(f"{len(objects)} files of the compiler count their conditions")


if __name__ == "__main__":
    main()
