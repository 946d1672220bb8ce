"""The record of the GPUs for scripts, read from its page compiler/target/targets.md."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def gpus(column=None):
    """Name to row (column to text) of the accepted GPUs, or of those marked in `column`: "drawn" or "measured"."""
    with open(os.path.join(ROOT, "compiler", "target", "targets.md"), encoding="utf-8") as page:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in page if line.startswith("|")]
    heads, found = rows[0], {}
    for row in rows[2:]:
        if not row[0].startswith("sm_"):
            break
        cells = dict(zip(heads, row))
        if column is None or cells[column]:
            found[row[0]] = cells
    if not found:
        raise SystemExit("expected rows of GPUs in compiler/target/targets.md, found none")
    return found
