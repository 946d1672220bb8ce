"""usage: robust.py kill|full|readonly|same TILEIRAS MODULE FOLDER [ARGUMENTS...]

What must hold for an output file whatever happens: it is whole, the old one, or absent.
  kill      SIGKILL at many moments of a run
  full      a file system without room (needs the right to mount one; /dev/full otherwise)
  readonly  a file system that cannot be written (the same)
  same      the same bytes from runs one after the other and from runs at the same time
"""

import os
import signal
import subprocess
import sys
import time

mode, tool, module, folder, *arguments = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
base = [tool, module, "--gpu-name", "sm_90", *arguments]


def read(path):
    with open(path, "rb") as f:
        return f.read()


def fail(message):
    print(message)
    sys.exit(1)


def kill():
    out = os.path.join(folder, "out")
    start = time.monotonic()
    subprocess.run(base + ["-o", out], check=True)
    length, whole = time.monotonic() - start, read(out)
    killed = 0
    for old in (None, b"old"):
        for step in range(12):
            if os.path.exists(out):
                os.remove(out)
            if old:
                with open(out, "wb") as f:
                    f.write(old)
            process = subprocess.Popen(base + ["-o", out])
            time.sleep(length * (step + 0.5) / 11)
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
            found = read(out) if os.path.exists(out) else None
            if found not in (old, whole):
                fail(f"a partial file of {len(found)} bytes after a kill at {step}")
    # What stands beside the output is whole: an old file was about to be renamed over.
    beside = sorted(name for name in os.listdir(folder) if name != "out")
    for name in beside:
        if read(os.path.join(folder, name)) != whole:
            fail(f"a partial file {name} beside the output")
    if killed < 4:
        fail(f"expected several runs to be killed, got {killed}")
    print(f"{killed} runs killed, no partial file")


def mounted(options, prepare=""):
    """Runs the tool with `folder` on a small file system of its own; None where that is not permitted."""
    script = (f'mount -t tmpfs -o size=16k none "$1" || exit 99; {prepare} mount -o remount,{options} "$1" || exit 99; shift; "$@"; '
              'code=$?; echo "exit=$code"; ls -A "$(dirname "$OUT")"')
    out = os.path.join(folder, "out")
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", folder, *base, "-o", out], capture_output=True, text=True,
                          env={**os.environ, "OUT": out})
    return None if done.returncode == 99 or "unshare" in done.stderr else done


def full():
    done = mounted("rw", f'head -c 12000 /dev/zero > "$1/ballast";')
    if done is None:
        print("full: unavailable, mounting is not permitted")
        return
    if "No space left on device" not in done.stderr or done.stdout.split() != ["exit=1", "ballast"]:
        fail(f"full disk: {done.stdout!r} {done.stderr!r}")
    print("full disk: exit 1, no file")


def readonly():
    done = mounted("ro", 'echo old > "$1/out";')
    if done is None:
        print("readonly: unavailable, mounting is not permitted")
        return
    if not any(why in done.stderr for why in ("Read-only file system", "Permission denied")) or done.stdout.split() != ["exit=2", "out"]:
        fail(f"read-only: {done.stdout!r} {done.stderr!r}")
    print("read-only: exit 2, the old file stays")


def same():
    outs = [os.path.join(folder, f"same{i}") for i in range(7)]
    for out in outs[:3]:
        subprocess.run(base + ["-o", out], check=True)
    together = [subprocess.Popen(base + ["-o", out]) for out in outs[3:]]
    if any(process.wait() for process in together):
        fail("a run beside others fails")
    if len({read(out) for out in outs}) != 1:
        fail("different bytes from equal runs")
    print(f"{len(outs)} equal outputs of {len(read(outs[0]))} bytes")


{"kill": kill, "full": full, "readonly": readonly, "same": same}[mode]()
