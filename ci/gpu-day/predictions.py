"""What the cost model predicts of a kernel, and how well an order of predictions agrees with one of measurements."""
import os
import re
import subprocess

REMARK = re.compile(r"remark: strategy ([a-z -]+): predicted (.*)")
FIGURES = re.compile(r"(?:^|, )([a-z][a-z -]* )?(\d+) clocks.*? and (\d+) instructions of a warp")  # the one it picks has no name there
CLEAR = 0.15  # predictions that differ by less claim no order


def predictions(tools, module, gpu, unit="clocks", host_maps=False):
    """Clocks of a block (or instructions of a warp) as the remark of tileas-choose-strategy says them, by way: of the one it picks
    and of its rivals. Nothing where there is no choice. With host_maps, host code makes the tensor maps, as of Tile IR cubins."""
    text = None
    if not module.endswith(".mlir"):
        text = subprocess.run([os.path.join(tools, "tile-translate"), "--cudatilebc-to-mlir", module], capture_output=True,
                              text=True).stdout
    options = f"gpu-name={gpu} {'host-maps ' if host_maps else ''}remarks stop-after=tileas-choose-strategy"
    done = subprocess.run([os.path.join(tools, "tile-opt"), module if text is None else "-", "--tilesmith-pipeline=" + options],
                          input=text or "", capture_output=True, text=True)
    found = REMARK.search(done.stderr)
    return {wayOf(name.strip() or found[1]): int(clocks if unit == "clocks" else instructions)
            for name, clocks, instructions in FIGURES.findall(found[2])} if found else {}


def wayOf(strategy):
    """As --strategies spells it."""
    return "plain" if strategy == "unspecialize" else strategy.replace(" ", ",")


def tau(predicted, measured):
    """Kendall's tau over the ways of each kernel: of the pairs whose predictions differ clearly, the share in the right order less
    that in the wrong one, and the number of pairs. measured: by (kernel, way)."""
    right = wrong = 0
    for case, values in predicted.items():
        ways = sorted(w for w in values if (case, w) in measured)
        for i, a in enumerate(ways):
            for b in ways[i + 1:]:
                if abs(values[a] - values[b]) <= CLEAR * max(values[a], values[b]):
                    continue
                agrees = (values[a] < values[b]) == (measured[case, a] < measured[case, b])
                right, wrong = right + agrees, wrong + (not agrees)
    pairs = right + wrong
    return ((right - wrong) / pairs if pairs else None), pairs


def tauText(what, predicted, measured):
    value, pairs = tau(predicted, measured)
    return f"Kendall's tau of the predictions{what}: {'-' if value is None else f'{value:.2f}'} over {pairs} pairs"
