"""What a listing of machine code says without running it: loops, barriers, accesses to local memory. Loops are back edges before
the last EXIT of a kernel; what lies behind it are the spins of waits. Used by `run` and `beside`."""
import os
import re
import shutil
import subprocess

TENSOR = re.compile(r"^(?:[HIDQ]MMA|[HIQ]GMMA|OMMA|UTC[A-Z]*MMA)")


def find(name, cuda):
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    for path in (cuda and os.path.join(cuda, "bin", name), shutil.which(name), os.path.join(home, "bin", name)):
        if path and os.access(path, os.X_OK):
            return path
    return None


def instructions(listing):
    """The instructions of the entry up to its last EXIT, and the places of labels."""
    code, labels, last = [], {}, 0
    for line in listing.splitlines():
        line = line.strip()
        label = re.match(r"^(\.L_x_\d+):", line)
        if label:
            labels[label.group(1)] = len(code)
            continue
        found = re.match(r"^/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*?);", line)
        if not found:
            continue
        code.append((found.group(1), found.group(2)))
        if found.group(1) == "EXIT":
            last = len(code)
    return code[:last], labels


def backEdges(code, labels):
    """Start and end of each loop."""
    for at, (name, rest) in enumerate(code):
        target = re.search(r"`\((\.L_x_\d+)\)", rest)
        if name.split(".")[0] in ("BRA", "BRA.U") and target and labels.get(target.group(1), at + 1) <= at:
            yield labels[target.group(1)], at


def isLocal(name):
    return name.split(".")[0] in ("LDL", "STL")


def isBarrier(name):
    """A barrier that threads of several warps wait at, all of the block or the named part that works on tiles."""
    return name.startswith(("BAR.SYNC", "BAR.RED"))


def wholeFigures(listing):
    """Of a module with any number of kernels: barriers, those in loops, accesses to local memory."""
    result = {"bar": 0, "loop bar": 0, "local": 0}
    for section in re.split(r"^\s*\.section\s+\.text\.", listing, flags=re.M)[1:]:
        code, labels = instructions(section)
        looped = {at for start, end in backEdges(code, labels) for at in range(start, end + 1)}
        barriers = [at for at, (name, _) in enumerate(code) if isBarrier(name)]
        result["bar"] += len(barriers)
        result["loop bar"] += len(looped.intersection(barriers))
        result["local"] += sum(isLocal(name) for name, _ in code)
    return result


def usageFigures(usage):
    """Of `cuobjdump -res-usage`: the largest stack and number of registers of a kernel, and its shared memory."""
    found = [tuple(map(int, one)) for one in re.findall(r"REG:(\d+) STACK:(\d+) SHARED:(\d+)", usage)]
    return dict(zip(("regs", "stack", "shared"), map(max, zip(*found)))) if found else {"regs": 0, "stack": 0, "shared": 0}


def standsIn(body):
    """Threads copy in place of tensor copies."""
    return any(n.startswith("LDGSTS") for n in body) and any(n.startswith("UTMALDG") for n in body)


def figuresOf(listing):
    code, labels = instructions(listing)
    loops, waiting = [], []
    for start, at in backEdges(code, labels):
        body = [n for n, _ in code[start:at + 1]]
        tensor = sum(1 for n in body if TENSOR.match(n))
        # Lanes that issue one instruction in turn are no loop of the kernel.
        if tensor and not (tensor == 1 and "ELECT" in body):
            loops.append((start, at, body, tensor))
        # Threads that load sums and raise powers of them, as in attention, while other warps issue.
        if not tensor and any(n.startswith("LDTM") for n in body) and "MUFU.EX2" in body:
            waiting.append((start, at, body, tensor))
    inner, waiting = ([l for l in some if not any(o is not l and l[0] <= o[0] and o[1] <= l[1] for o in loops + waiting)]
                      for some in (loops, waiting))
    if not inner:
        whole = [n for n, _ in code if n != "NOP"]
        return {"loop": str(len(whole)), "bar": sum(n.startswith("BAR") for n in whole), "local": sum(map(isLocal, whole))}
    others = [loop for loop in inner if standsIn(loop[2])]
    if len(others) == 1 and len(inner) == 2:
        inner.remove(others[0])
    else:
        others = []
    cells = [f"{len(body)}/{tensor}" for _, _, body, tensor in inner]
    if others:
        cells[0] += f" else {len(others[0][2])}/{others[0][3]}"
    if waiting:
        sizes = [len(body) for _, _, body, _ in waiting]
        if len(sizes) != len(inner):
            sizes = [max(sizes)] * len(inner)
        cells = [f"{size}/{tensor} ({cell})" for size, cell, (_, _, _, tensor) in zip(sizes, cells, inner)]
    return {"loop": " + ".join(cells[:2]),
            "bar": sum(n.startswith("BAR") for _, _, body, _ in inner + waiting for n in body),
            "local": sum(isLocal(n) for _, _, body, _ in inner + waiting for n in body)}


class Tools:
    """ptxas, nvdisasm and cuobjdump under a folder, or where PATH and CUDA_HOME say."""

    def __init__(self, cuda):
        self.cuda = cuda
        self.ptxas, self.nvdisasm, self.cuobjdump = (find(n, cuda) for n in ("ptxas", "nvdisasm", "cuobjdump"))

    def missing(self):
        return [n for n in ("ptxas", "nvdisasm", "cuobjdump") if not getattr(self, n)]

    def environment(self):
        return dict(os.environ, **({"CUDA_HOME": self.cuda} if self.cuda else {}))

    def assemble(self, ptx, cubin):
        """What ptxas says of a file of ours that it does not take."""
        with open(ptx, encoding="utf-8") as f:
            target = re.search(r"^\.target (\w+)", f.read(), re.M).group(1)
        done = subprocess.run([self.ptxas, "-O3", "--enable-extended-smem=true", "-arch", target, ptx, "-o", cubin],
                              capture_output=True, text=True)
        return "ptxas: " + done.stderr.strip().splitlines()[0] if done.returncode else None

    def listing(self, cubin):
        return subprocess.run([self.nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout

    def usage(self, cubin):
        return subprocess.run([self.cuobjdump, "-res-usage", cubin], capture_output=True, text=True, check=True).stdout
