"""Broken kernels, and kernels compiled by a broken compiler, in cuTile Python on the driver on the CPU: each must be found.

usage: PYTHONPATH=oracles/devices/driver/python PYTHON ci/frontends/findings.py [PLANT...]
Needs the packages cuda-tile and torch; exits 77 without them. Prints a line per kernel and planted bug; exit code 1 when one is missed,
or found without a line of this file: of a bug of the compiler, the store that left the wrong element.
"""

import os
import subprocess
import sys

HERE = os.path.abspath(__file__)
# Bugs that small kernels reach; `tilesmith plants` lists all.
PLANTS = ["fma-addend-swapped", "nvvm-fma-addend-swapped", "divf-operands-swapped", "divi-floor-as-trunc", "reduce-shuffles-neighbour",
          "reduce-skips-lane-step", "reduce-second-warp-skipped", "exti-signed-as-unsigned", "nvvm-maxnum-as-minnum",
          "reduce-forgets-last-warp"]


def load():
    import tilesmith

    tilesmith.activate()
    import cuda.tile as ct
    import torch

    C = ct.Constant[int]

    @ct.kernel
    def race(x, o, T: C):
        ct.store(o, (0,), ct.load(x, (ct.bid(0),), shape=(T,)))

    @ct.kernel
    def outOfBounds(x, o, T: C):
        ct.store(o, (ct.bid(0),), ct.gather(x, ct.arange(T, dtype=ct.int32) + 1000, check_bounds=False))

    @ct.kernel
    def outOfBoundsWrite(x, o, T: C):
        ct.scatter(o, ct.arange(T, dtype=ct.int32) - 5000, ct.load(x, (0,), shape=(T,)), check_bounds=False)

    @ct.kernel
    def uninitialised(x, o, T: C):  # o is torch.empty
        ct.store(o, (ct.bid(0),), ct.load(o, (ct.bid(0),), shape=(T,)) + ct.load(x, (ct.bid(0),), shape=(T,)))

    @ct.kernel
    def missingToken(x, o, T: C):  # x and o are one array, which the frontend cannot know
        ct.store(o, (1,), ct.load(x, (0,), shape=(T,)))
        ct.store(o, (0,), ct.load(x, (1,), shape=(T,)) + 1.0)

    @ct.kernel
    def falseAssumption(x, o, n, T: C):
        ct.store(o, (0,), ct.gather(x, ct.arange(T, dtype=ct.int32) + ct.assume_divisible_by(n, 16)))

    @ct.kernel
    def assertion(x, o, T: C):
        t = ct.load(x, (ct.bid(0),), shape=(T,))
        ct.assert_(t < 0.0, "negative")
        ct.store(o, (ct.bid(0),), t)

    @ct.kernel
    def noEnd(x, o, T: C):
        t = ct.load(x, (0,), shape=())
        while t >= 0.0:
            t = t * 1.0
        ct.store(o, (0,), t)

    @ct.kernel
    def good(x, n, o, p, T: C):
        i = ct.bid(0)
        t, k = ct.load(x, (i,), shape=(T,)), ct.load(n, (i,), shape=(T,))
        s = ct.sum(t, axis=0) + ct.max(t, axis=0)
        f = ct.where(t > 0.5, t * 2.5 + 1.0, ct.exp(t) - t / 3.0) + s
        ct.store(o, (i,), ct.maximum(f, t) - ct.minimum(t, 0.25))
        ct.store(p, (i,), ((k // 7) + (k % 5) ^ (k >> 3)) | ct.astype(ct.astype(k, ct.int8), ct.int32))

    return tilesmith, torch, dict(race=race, outOfBounds=outOfBounds, outOfBoundsWrite=outOfBoundsWrite, uninitialised=uninitialised,
                                  missingToken=missingToken, falseAssumption=falseAssumption, assertion=assertion, noEnd=noEnd,
                                  good=good)


def runOne(name):
    """A kernel of the list in this process: prints what its report says."""
    tilesmith, torch, kernels = load()
    x = torch.rand(1024, device="cuda")
    o = torch.zeros_like(x)
    if name == "uninitialised":
        o = torch.empty_like(x)
    n = torch.randint(-1000, 1000, (1024,), device="cuda", dtype=torch.int32)
    arguments = {"good": (x, n, o, torch.zeros_like(n), 128), "missingToken": (x, x, 128),
                 "falseAssumption": (x, o, 3, 128)}.get(name, (x, o, 128))
    report = tilesmith.check(kernels[name], (8,), arguments, time_limit=5, strict_assumptions=name == "falseAssumption")
    for finding in report.findings:
        print(f"{os.path.basename(finding.file)}:{finding.line} {finding.engine} {finding.kind}")
    return 0 if report else 1


def main(words):
    if words[:1] == ["--one"]:
        return runOne(words[1])
    probe = subprocess.run([sys.executable, "-c", "import cuda.tile, torch"], capture_output=True)
    if probe.returncode:
        print(f"cutile-python: unavailable, {sys.executable} has no package cuda-tile or torch")
        return 77
    plants = words or PLANTS
    missed = 0
    rows = [(name, None) for name in ("good", "race", "outOfBounds", "outOfBoundsWrite", "uninitialised", "missingToken",
                                      "falseAssumption", "assertion", "noEnd")]
    rows += [("good", plant) for plant in plants]
    for name, plant in rows:
        environment = {**os.environ, **({"TILESMITH_PLANT": plant} if plant else {})}
        done = subprocess.run([sys.executable, HERE, "--one", name], capture_output=True, text=True, env=environment)
        wanted = 0 if name == "good" and not plant else 1
        placed = wanted == 0 or os.path.basename(HERE) + ":" in done.stdout
        good = done.returncode == wanted and placed and (wanted == 0 or done.stdout.strip())
        missed += not good
        print(f"{'found' if good and wanted else 'good' if good else 'MISSED'}  {plant or name}: "
              f"{'; '.join(line for line in done.stdout.splitlines() if line) or done.stderr.strip()[-300:]}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
