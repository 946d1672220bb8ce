"""From raw rounds to a row for each kernel and way, limits of the device, and the table.

A raw row is one round: case, way, round, gpu, device, driver, commit, date, verdict, detail, median_ms, fastest_ms, p90_ms, sm_mhz
(`tilesmith perf --times` reads these, too). A measured row is what corpus/perf/measured.jsonl keeps.
"""
import json
import statistics

from predictions import tauText
from problems import PROBLEMS, TENSOR_RATE

BASELINES = ("torch", "cudnn")
RAW = ("case", "way", "verdict", "device")
ABOUT = ("device", "driver", "date", "commit")


def readRows(path, needed):
    """The rows of a file of JSON lines. Raises ValueError that names the line."""
    rows = []
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict) or not all(key in row for key in needed):
                raise ValueError(f"{path}, line {number}: expected an object with {', '.join(needed)}")
            rows.append(row)
    return rows


def rounded(value):
    return float(f"{value:.5g}")


def measuredRows(raw, same):
    """A row for each kernel and way whose result was right in every round, and the first failure of each other. `same`: by kernel,
    ways whose code is that of another way; they were not timed again."""
    by, wrong, rows = {}, {}, {}
    for row in raw:
        by.setdefault((row["case"], row["way"]), []).append(row)
    for (kernel, way), of in by.items():
        bad = [r for r in of if r["verdict"] != "agree"]
        if bad:
            wrong[kernel, way] = f"{bad[0]['verdict']}: {bad[0]['detail']}"
            continue
        clocks = [r["sm_mhz"] for r in of if r["sm_mhz"]]
        rows[kernel, way] = dict(
            {"kernel": kernel, "way": way, "ms": rounded(statistics.median(r["median_ms"] for r in of)),
             "fastest_ms": rounded(min(r["fastest_ms"] for r in of)), "p90_ms": rounded(statistics.median(r["p90_ms"] for r in of)),
             "sm_mhz": int(statistics.median(clocks)) if clocks else None}, **{key: of[0][key] for key in ABOUT})
    for name, problem in PROBLEMS.items():
        for way, other in same.get(problem.kernel, {}).items():
            if (name, other) in rows:
                rows[name, way] = dict(rows[name, other], way=way, same_code_as=other)
    return list(rows.values()), wrong


def limits(times):
    """Milliseconds that each kernel needs at least at the rates that copies and library products reached on the same device: bytes
    over the bandwidth of the copy, flops over the rate of the fastest 16-bit product (of other types: as many times that as their
    tensor cores are faster). Empty without these ceilings, which come with it."""
    copied = times.get(("ceiling_copy", "torch"))
    rate = max((PROBLEMS[k].gflop / ms for (k, way), ms in times.items() if way == "torch" and k in PROBLEMS and
                PROBLEMS[k].family.startswith("product") and TENSOR_RATE.get(PROBLEMS[k].arrays[0].type) == 1), default=None)
    if not copied or not rate:
        return {}, None, None
    bandwidth = PROBLEMS["ceiling_copy"].traffic() / copied
    return {name: max(p.traffic() / bandwidth, p.gflop / (rate * TENSOR_RATE.get(p.arrays[0].type, 1)))
            for name, p in PROBLEMS.items()}, bandwidth, rate


def cell(value, form="{:.4f}"):
    return form.format(value) if value else "-"


def ratio(one, other):
    return cell(one / other if one and other else None, "{:.2f}")


def table(rows):
    """The lines of a table of kernels: what the cost model picks, the best of ours, the original and torch."""
    times = {(r["kernel"], r["way"]): r["ms"] for r in rows}
    least, bandwidth, rate = limits(times)
    lines = ["| kernel | auto, ms | best of ours | original | torch | limit | auto to original | to torch | to limit | best to limit |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for name in PROBLEMS:
        ways = {way: ms for (kernel, way), ms in times.items() if kernel == name}
        ours = {way: ms for way, ms in ways.items() if way not in BASELINES + ("original",)}
        if not ours and "original" not in ways:
            continue
        best = min(ours, key=lambda w: (ours[w], w != "auto"), default=None)
        torch = min((ways[w] for w in BASELINES if w in ways), default=None)
        auto, original, limit = ways.get("auto"), ways.get("original"), least.get(name)
        lines.append("| " + " | ".join([
            name, cell(auto), f"{cell(ours[best])} {best}" if best else "-", cell(original), cell(torch), cell(limit),
            ratio(auto, original), ratio(auto, torch), ratio(auto, limit), ratio(ours.get(best), limit)]) + " |")
    if least:
        # Bytes in a millisecond, and 10^9 operations in one.
        lines += ["", f"Ceilings of the day: copies {bandwidth / 1e9:.2f} TB/s, 16-bit library products {rate:.0f} Tflop/s."]
    return lines


def printDay(raw, plan):
    """Prints table, tau and failures; gives the measured rows, and whether the result of a kernel was wrong."""
    rows, wrong = measuredRows(raw, plan["same"])
    print("\n".join(table(rows)))
    print(tauText("", plan["predicted"], {(r["kernel"], r["way"]): r["ms"] for r in rows}))
    for (kernel, way), what in wrong.items():
        print(f"{kernel}, {way}: {what}")
    return rows, any(way not in BASELINES for _, way in wrong)
