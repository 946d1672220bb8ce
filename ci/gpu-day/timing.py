"""Times kernels on the GPU: timing.py PACK TASK. `run` starts it, and again without what it was at where it ended early (workers.py).

TASK is a file {"kernels": {name: ways}, "without": [[kernel, way], ...], "seconds", "rounds", "until", "raw"}. Rows go to the file
`raw`. Standard output says "begin KERNEL WAY" before anything that may end the process, and "end KERNEL".

Every way's result is compared with the reference before it is timed, and once more after it. Ways and baselines are timed in turn,
round for round, with events around each launch; where memory decides, the second cache is written over before each.
"""
import json
import os
import sys
import time

from launch import Driver, Launch, Lost, Refused
from problems import PROBLEMS, arguments

CACHE = 128 << 20   # more bytes than a second cache has
LAUNCH_SECONDS = 10


def quantile(sorted_, part):
    return sorted_[min(len(sorted_) - 1, int(part * len(sorted_)))]


class Timer:
    def __init__(self, driver, flushed):
        self.driver, self.cache = driver, torch.empty(CACHE, device="cuda", dtype=torch.uint8) if flushed else None

    def times(self, call, count):
        """Milliseconds of `count` launches, sorted."""
        events = []
        for _ in range(count):
            if self.cache is not None:
                self.cache.zero_()
            pair = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            pair[0].record()
            call()
            pair[1].record()
            events.append(pair)
        self.driver.wait(2 * LAUNCH_SECONDS, "timing")
        return sorted(a.elapsed_time(b) for a, b in events)

    def launches(self, call, seconds, rounds):
        """Of one round, after warming up."""
        self.times(call, 2)
        cost = (quantile(self.times(call, 3), 0.5) + (0.1 if self.cache is not None else 0.01)) / 1e3
        self.times(call, max(1, min(20, int(0.1 / cost))))
        return max(2, min(100, int(seconds / cost)) // rounds)

    def round(self, call, count):
        self.times(call, 2)
        times = self.times(call, count)
        return {"median_ms": quantile(times, 0.5), "fastest_ms": times[0], "p90_ms": quantile(times, 0.9), "launches": count,
                "sm_mhz": self.driver.megahertz()}


class Kernel:
    """One kernel at one size: its data, the ways that give the right result, and their times."""

    def __init__(self, pack, plan, driver, task, name):
        self.pack, self.plan, self.driver, self.task, self.name, self.problem = pack, plan, driver, task, name, PROBLEMS[name]
        self.failures = {}
        self.begin("data")
        self.data = arrays.Data(self.problem)
        self.before = self.data.sums()
        self.reference = arrays.reference(self.data) if self.problem.kernel else None
        driver.wait(60, "data and reference")

    def begin(self, way):
        print("begin", self.name, way, flush=True)

    def launch(self, way):
        """The cubin of a way, ready to be launched."""
        entry = self.plan["kernels"][self.problem.kernel][way]
        grid = self.problem.grid or (torch.cuda.get_device_properties(0).multi_processor_count, 1, 1)
        return Launch(self.driver, os.path.join(self.pack, entry["cubin"]), self.problem.kernel, entry["shared"],
                      arguments(self.problem, self.data.pointers()), grid)

    def judge(self, launch):
        self.data.reset()
        launch()
        self.driver.wait(LAUNCH_SECONDS, "launch")
        error = self.data.error(self.reference)
        if self.data.sums() != self.before:
            raise Lost("the inputs were written over")
        if error:
            raise Refused(error)

    def attempt(self, way, action):
        """What it gives. A way that is refused, or wrong, is not timed."""
        if way in self.failures or [self.name, way] in self.task["without"]:
            return None
        self.begin(way)
        try:
            return action()
        except Lost:
            raise
        except Exception as error:  # torch refuses types and backends with many kinds
            self.failures[way] = (str(error).splitlines() or [repr(error)])[0]
            return None

    def rows(self):
        launches, calls = {}, {}
        for way in self.task["kernels"][self.name]:
            if launch := self.attempt(way, lambda: self.launch(way)):
                launches[way] = launch
                self.attempt(way, lambda: self.judge(launch))
        for way, call in dict(launches, **arrays.baselines(self.data)).items():
            self.attempt(way, call)
            if way not in self.failures and [self.name, way] not in self.task["without"]:
                calls[way] = call
        rows = self.time(calls)
        for way, launch in launches.items():
            self.attempt(way, lambda: self.judge(launch))  # a race shows here
        return ([dict(row, verdict="agree", detail="") for row in rows if row["way"] not in self.failures] +
                [{"way": way, "verdict": "failed", "detail": detail} for way, detail in self.failures.items()])

    def time(self, calls):
        # The ceilings are large enough as they are.
        timer, rounds = Timer(self.driver, self.problem.kernel and not self.problem.gflop), self.task["rounds"]
        counts, rows, order = {}, [], list(calls)
        for way in order:
            self.begin(way)
            counts[way] = timer.launches(calls[way], self.task["seconds"], rounds)
        for number in range(rounds):
            for way in order:
                self.begin(way)
                rows.append(dict(timer.round(calls[way], counts[way]), way=way, round=number))
            order = order[1:] + order[:1]  # no way is always behind the same one
        return rows


def main():
    pack, path = sys.argv[1:]
    with open(os.path.join(pack, "plan.json"), encoding="utf-8") as f:
        plan = json.load(f)
    with open(path, encoding="utf-8") as f:
        task = json.load(f)
    torch.zeros(1, device="cuda").add_(1)
    torch.cuda.synchronize()
    driver = Driver()
    about = {"gpu": plan["gpu"], "device": torch.cuda.get_device_name(0), "driver": driver.version, "commit": plan["commit"],
             "date": time.strftime("%Y-%m-%d")}
    for name in task["kernels"]:
        if time.time() > task["until"]:
            break
        try:
            rows = Kernel(pack, plan, driver, task, name).rows()
        except Lost as error:
            print(error, flush=True)
            os._exit(1)  # an orderly end would wait for the kernel
        with open(task["raw"], "a", encoding="utf-8") as raw:
            raw.writelines(json.dumps(dict(about, case=name, **row)) + "\n" for row in rows)
        print("end", name, flush=True)
        torch.cuda.empty_cache()


if __name__ == "__main__":
    import torch

    import arrays
    main()
