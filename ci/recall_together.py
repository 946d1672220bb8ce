#!/usr/bin/env python3
"""Recall of a list of planted bugs in one campaign (`ci/recall --together`).

Rounds of 30 cases with default settings, in which the bugs that were not found yet are active together; each case that fails is judged
again without any and with each of them alone. What counts is therefore what a run with that one bug finds in the same cases. The budget
is processor time of the rounds; judging again is not part of it. Prints a line for each bug found: the case, how many cases were run until
then, processor seconds.

Usage: ci/recall_together.py TILESMITH SEED SECONDS PLANT...
"""
import re
import resource
import subprocess
import sys
import tempfile

ROUND, ROUNDS = 30, 1000


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Campaign:
    def __init__(self, program, seed):
        self.program, self.seed = program, seed

    def failing(self, count, shard, plants):
        """Numbers of the cases of that part that fail."""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.program, "fuzz", "--seed", self.seed, f"--count={count}", f"--shard={shard}", "--jobs=1",
                       "--no-triage", "-o", folder, *(f"--plant={plant}" for plant in plants)]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if run.returncode not in (0, 1, 4):  # 4: more of the few cases are inconclusive than allowed
            sys.exit(f"error: {' '.join(command)} exits {run.returncode}:\n{run.stdout[-2000:]}")
        return sorted({int(n) for n in re.findall(rf"^finding s{self.seed}-(\d+)", run.stdout, re.MULTILINE)})

    def fails(self, case, plants):
        return bool(self.failing(case + 1, f"{case}/{case + 1}", plants))


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    program, seed, budget, left = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4:]
    campaign, wanted, spent, done = Campaign(program, seed), len(left), 0.0, 0
    while spent < budget and left and done < ROUNDS:
        before = processor_time()
        failing = campaign.failing(ROUND * ROUNDS, f"{done}/{ROUNDS}", left)
        spent += processor_time() - before
        done += 1
        for case in failing:
            if campaign.fails(case, []):
                print(f"fails without a planted bug: seed {seed}, case {case}", flush=True)
                continue
            for plant in [plant for plant in left if campaign.fails(case, [plant])]:
                place = ROUND * (done - 1) + case // ROUNDS + 1
                print(f"{plant:<40} case {case}, {place} cases, {spent:.0f} s", flush=True)
                left.remove(plant)
    print(f"seed {seed}: {ROUND * done} cases, {spent:.0f} s of processor time, {wanted - len(left)} of {wanted} found")
    print("not found:", " ".join(left) or "none")


if __name__ == "__main__":
    main()
