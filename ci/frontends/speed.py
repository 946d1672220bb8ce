"""How long launches take on the driver on the CPU, as a program that is no frontend sees it.

usage: python3 ci/frontends/speed.py [--build FOLDER] [--rounds N] [--check]
Runs a stored kernel of corpus/frontends on both engines, each in processes of their own: `cold` is from cuInit to the end of the first
launch of a module that was compiled before, the start of the server included (the emulator compiles in its first launch, the reference
does not), `warm` the median of the launches behind it. With --check the exit code is 1 when a warm launch takes 2 ms or more, or a cold
one of the reference 60 ms or more by the clock, which wants a quiet machine.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def measure(engine, rounds):
    """In this process: prints the times as JSON."""
    tests = os.path.join(ROOT, "oracles", "devices", "driver", "python", "tests")
    sys.path[:0] = [tests, os.path.dirname(tests)]
    import tilesmith
    from test_tilesmith import Program, read

    image = tilesmith.compile(read("ew_intarith_i32.v13.3.tileirbc"), emit="emulated")
    tilesmith.compile = lambda *_, **__: image
    program = Program.__new__(Program)
    begin = time.perf_counter()
    tilesmith.activate(torch=False, children=False, engine=engine)
    initialised = time.perf_counter()
    program.__init__()  # loads the module
    loaded = time.perf_counter()
    program.launch()
    launched = time.perf_counter()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        program.launch()
        times.append(time.perf_counter() - start)
    print(json.dumps(dict(init=initialised - begin, load=loaded - initialised, first=launched - loaded, cold=launched - begin,
                          warm=statistics.median(times))))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--one")
    options = parser.parse_args()
    if options.one:
        return measure(options.one, options.rounds)
    environment = {**os.environ, "TILESMITH_HOME": os.path.abspath(options.build)}
    failed = 0
    print("engine      cuInit  load  first launch   cold  warm launch   (ms; median of five processes)")
    for engine in ("reference", "emulator"):
        rows = []
        for _ in range(5):
            done = subprocess.run([sys.executable, os.path.abspath(__file__), "--one", engine, f"--rounds={options.rounds}"],
                                  capture_output=True, text=True, env=environment)
            if done.returncode:
                sys.exit(f"{engine}: {done.stderr.strip()[-600:]}")
            rows.append(json.loads(done.stdout))
        at = {key: 1000 * statistics.median(row[key] for row in rows) for key in rows[0]}
        print(f"{engine:10} {at['init']:7.1f} {at['load']:5.1f} {at['first']:13.1f} {at['cold']:6.1f} {at['warm']:12.3f}")
        failed += at["warm"] >= 2 or (engine == "reference" and at["cold"] >= 60)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.1f} s of processor time")
    return 1 if options.check and failed else 0


if __name__ == "__main__":
    sys.exit(main())
