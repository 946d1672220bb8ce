"""Times kernels in a process that may hang or die (timing.py): what it was at is left out, and another process goes on."""
import json
import os
import re
import subprocess
import time

START_SECONDS, SILENCE_SECONDS, LOSSES = 180, 60, 12


def watch(command, log):
    """Why the process ended early, or None. One that says nothing for long is killed."""
    with open(log, "w", encoding="utf-8") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    size, since = 0, time.monotonic()
    while process.poll() is None:
        time.sleep(0.1)
        if os.path.getsize(log) != size:
            size, since = os.path.getsize(log), time.monotonic()
        elif time.monotonic() - since > (SILENCE_SECONDS if size else START_SECONDS):
            process.kill()
            process.wait()
            return "hangs"
    return f"ended with {process.returncode}" if process.returncode else None


def lastWords(text):
    """The last line that is not one of the journal: the error that ended it."""
    return ([line for line in text.splitlines() if line.strip() and not re.match("begin |end ", line)] or ["no word"])[-1]


def timeKernels(command, task, about, results):
    """Appends rows of the kernels to task["raw"]. Gives the kernels that were not timed, and why the processes do not start."""
    left, journal = dict(task["kernels"]), os.path.join(results, "timing.log")
    for number in range(LOSSES):
        path, log = os.path.join(results, "task.json"), os.path.join(results, f"timing{number}.log")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(dict(task, kernels=left), f)
        why = watch(command + [path], log)
        with open(log, encoding="utf-8", errors="replace") as f:
            text = f.read()
        with open(journal, "a", encoding="utf-8") as f:
            f.write(text)
        os.remove(log)
        os.remove(path)
        left = {kernel: ways for kernel, ways in left.items() if f"\nend {kernel}\n" not in "\n" + text}
        begun = re.findall(r"^begin (\S+) (\S+)$", text, re.M)
        if not why or not begun:
            return left, why and f"{why}: {lastWords(text)}"
        kernel, way = begun[-1]
        with open(task["raw"], "a", encoding="utf-8") as f:
            f.write(json.dumps(dict(about, case=kernel, way=way, verdict="failed", detail=f"{why}: {lastWords(text)}")) + "\n")
        task["without"].append([kernel, way])
        if way == "data":
            left.pop(kernel, None)
    return left, f"{LOSSES} processes were lost"
