"""Functions of torch as a GPU has them: the math library of CUDA, run on the emulated GPU.

torch on a GPU calls what stands in libdevice, and tests of frontends expect its very bits; torch on the CPU is one or two units off. Here
such a function is linked with a kernel of this file (`llvm-link`) and run by `tilesmith emulate`, so no compiler of tiles takes part.
`install` replaces the functions for tensors whose math is in f32, where libdevice and llvm-link are found.
"""

import functools
import glob
import os
import shutil
import subprocess
import sys
import tempfile

# By torch's name: that of libdevice.
FUNCTIONS = {name: f"__nv_{name}f" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "log", "log2", "sqrt", "rsqrt")}

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
declare float @FUNCTION(float)
define ptx_kernel void @run(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %value = load float, ptr %from
  %result = call float @FUNCTION(float %value)
  %to = getelementptr float, ptr %y, i64 %i
  store float %result, ptr %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
"""


def find():
    """libdevice and llvm-link, or None."""
    folders = [os.environ.get("CUDA_PATH", ""), os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"]
    folders += [path for entry in sys.path for path in glob.glob(os.path.join(entry, "nvidia", "cu*"))]
    library = next((p for f in folders if f and os.path.isfile(p := os.path.join(f, "nvvm", "libdevice", "libdevice.10.bc"))), None)
    link = shutil.which("llvm-link-22") or shutil.which("llvm-link", path="/usr/lib/llvm-22/bin")
    return (library, link) if library and link else None


class Libdevice:
    def __init__(self, library, link, tilesmith):
        self.library, self.link, self.tilesmith = library, link, tilesmith
        self.folder = tempfile.TemporaryDirectory(prefix="libdevice")

    @functools.lru_cache(maxsize=None)
    def module(self, function):
        """The kernel with all that the function needs."""
        source, linked = (os.path.join(self.folder.name, function + suffix) for suffix in (".ll", ".bc"))
        with open(source, "w", encoding="utf-8") as f:
            f.write(KERNEL.replace("FUNCTION", function))
        subprocess.run([self.link, "--only-needed", source, self.library, "-o", linked], check=True, capture_output=True)
        return linked

    def run(self, function, values):
        """The function of every f32 in these bytes."""
        if not values:
            return b""
        given, left = (os.path.join(self.folder.name, name) for name in ("x", "y"))
        with open(given, "wb") as f:
            f.write(values)
        subprocess.run([self.tilesmith, "emulate", self.module(function), "--kernel=run", f"--arg=in:{given}",
                        f"--arg=out:{left}:{len(values)}", f"--arg=i64:{len(values) // 4}"], check=True, capture_output=True)
        with open(left, "rb") as f:
            return f.read()


def install():
    """Replaces the functions in torch from now on; false where something is missing."""
    found = find()
    if not found:
        return False
    import torch
    from tilesmith import _libraries
    from torch.overrides import TorchFunctionMode

    library = Libdevice(*found, os.path.join(_libraries.prefix(), "bin", "tilesmith"))
    wide = (torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.complex128)

    class Mode(TorchFunctionMode):
        def __torch_function__(self, function, classes, arguments=(), keywords=None):
            name = getattr(function, "__name__", "")
            x = arguments[0] if len(arguments) == 1 and not keywords else None
            if name not in FUNCTIONS or not isinstance(x, torch.Tensor) or x.dtype in wide or x.device.type != "cpu":
                return function(*arguments, **(keywords or {}))
            values = x.detach().to(torch.float32).contiguous()
            result = library.run(FUNCTIONS[name], values.numpy().tobytes())
            return torch.frombuffer(bytearray(result), dtype=torch.float32).reshape(values.shape) if result else values

    Mode().__enter__()
    return True
