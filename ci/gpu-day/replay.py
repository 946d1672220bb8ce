"""Runs the bundles of a pack with tile-gpu-replay, many in a call, and brings their buffers home in a few archives."""
import glob
import multiprocessing
import os
import shutil
import subprocess
import tarfile

CALL, ARCHIVES = 500, 4   # bundles of a call, and archives of results: each small enough to be carried
RESULTS = (".got.bin", "result.json", "printed.txt")


def findReplay(pack):
    """The packed tile-gpu-replay, compiled anew where that one does not start here; None where it cannot be."""
    program = os.path.join(pack, "tile-gpu-replay")

    def starts():
        try:
            return subprocess.run([program], capture_output=True).returncode == 2  # usage
        except OSError:
            return False

    if starts():
        return program
    compiler = next((c for c in ("c++", "g++", "clang++") if shutil.which(c)), None)
    if not compiler:
        print("tile-gpu-replay does not start here, and no C++ compiler is there to make another")
        return None
    folder = os.path.join("oracles", "engines", "cuda", "replay")
    sources = [os.path.join(folder, n) for n in sorted(os.listdir(os.path.join(pack, folder))) if n.endswith(".cpp")]
    program = os.path.abspath(os.path.join(pack, "tile-gpu-replay-compiled"))
    done = subprocess.run([compiler, "-std=c++20", "-O2", "-I.", "-o", program] + sources + ["-ldl"], cwd=pack,
                          capture_output=True, text=True)
    if done.returncode or not starts():
        print("tile-gpu-replay cannot be compiled: " + done.stderr.strip()[:500])
        return None
    return program


def runBundles(program, pack, bundles, jobs, seconds, log):
    """How many agree by their own rule, how many do not; None without a GPU."""
    agreed = other = 0
    for at in range(0, len(bundles), CALL):
        folders = [os.path.join(pack, b["folder"]) for b in bundles[at:at + CALL]]
        for folder in folders:
            if os.path.exists(os.path.join(folder, "result.json")):
                os.remove(os.path.join(folder, "result.json"))  # of an earlier run
        done = subprocess.run([program, f"--jobs={jobs}", f"--timeout={seconds}", "--repeat=0"] + folders, capture_output=True,
                              text=True)
        log.write(done.stdout + done.stderr)
        log.flush()
        if done.returncode == 3:
            print((done.stdout + done.stderr).strip().splitlines()[0])
            return None
        if done.returncode not in (0, 1):
            print(f"tile-gpu-replay ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        lines = done.stdout.splitlines()
        agreed += sum(": agree" in line for line in lines)
        other += sum(": disagree" in line or ": failed" in line for line in lines)
    return agreed, other


def writeArchive(work):
    path, pack, folders = work
    with tarfile.open(path, "w:xz", preset=2) as archive:
        for folder in folders:
            for name in sorted(os.listdir(os.path.join(pack, folder))):
                if name.endswith(RESULTS):
                    archive.add(os.path.join(pack, folder, name), os.path.join(folder, name))


def writeArchives(pack, bundles, results):
    folders = [b["folder"] for b in bundles]
    with multiprocessing.Pool(ARCHIVES) as pool:
        pool.map(writeArchive, [(os.path.join(results, f"buffers{i}.tar.xz"), pack, folders[i::ARCHIVES]) for i in range(ARCHIVES)])


def readArchives(pack, results):
    """Puts what was brought home beside the bundles."""
    for path in sorted(glob.glob(os.path.join(glob.escape(results), "buffers*.tar.xz"))):
        with tarfile.open(path) as archive:
            archive.extractall(pack, filter="data")  # nothing outside of it
