"""usage: row.py LABEL EXIT STDOUT STDERR COMMAND...

Runs a command and compares its exit code, standard output and standard error with a row of the driver's tables. STDOUT and
STDERR are whole texts (`\\n` between lines, the last newline left out), or `~` and a regular expression for a part of it.
{prog} stands for the command's first word. Tests name their row by LABEL; ci/lint/rows.py looks for it.
"""

import re
import subprocess
import sys

label, code, out, err, *command = sys.argv[1:]
done = subprocess.run(command, capture_output=True, timeout=120)
wrong = []
if done.returncode != int(code):
    wrong.append(f"expected exit {code}, got {done.returncode}")
for name, expected, found in (("stdout", out, done.stdout), ("stderr", err, done.stderr)):
    found = found.decode("utf-8", "replace")
    expected = expected.replace("\\n", "\n").replace("{prog}", command[0])
    if expected.startswith("~"):
        if not re.search(expected[1:], found, re.S):
            wrong.append(f"expected {name} like {expected[1:]!r}, got {found[:600]!r}")
    elif found != expected + ("\n" if expected else ""):
        wrong.append(f"expected {name} {expected!r}, got {found[:600]!r}")
if wrong:
    print(f"{label}: " + "; ".join(wrong))
sys.exit(1 if wrong else 0)
