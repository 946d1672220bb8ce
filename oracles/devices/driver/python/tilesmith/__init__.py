"""Programs of a tile frontend, without a GPU.

`activate()` makes the driver on the CPU the one that a frontend finds: tensors of torch on device "cuda" live in host memory, and
every launch is compiled by tilesmith, runs on an emulated GPU or on the reference interpreter, and is checked on the way.

    import tilesmith
    tilesmith.activate(engine="reference,emulator")   # before torch and the frontend are used
    ...
    report = tilesmith.check(kernel, grid, (x, y, n))  # one launch on both engines
    assert report, report

`python -m tilesmith run script.py` and `pytest --tilesmith` do so for a program that knows nothing of it.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import json
import os
from dataclasses import dataclass, field
from typing import Any, Iterator, Sequence

from . import _cutile, _libraries, _memory
from ._libraries import TilesmithError
from ._memory import HostArray, asarray, name_memory

__all__ = ["Finding", "HostArray", "Report", "TilesmithError", "activate", "asarray", "capture", "check", "compile", "configure",
           "name_memory"]

_active = False


@dataclass(frozen=True)
class Finding:
    """One thing that a launch found wrong, or could not decide."""

    engine: str
    kind: str
    message: str
    kernel: str
    block: tuple[int, int, int] | None
    thread: tuple[int, int, int] | None
    file: str
    line: int
    column: int
    undecided: bool

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file else ""
        return f"{place}kernel '{self.kernel}', engine {self.engine}: {self.kind}: {self.message}"


@dataclass(frozen=True)
class Report:
    """How a launch ended; true when nothing was found."""

    findings: list[Finding] = field(default_factory=list)
    error: str = ""
    captured: str = ""  # folder of the case; empty: none

    def __bool__(self) -> bool:
        return not self.findings and not self.error

    def __str__(self) -> str:
        return "\n".join([str(finding) for finding in self.findings] or [self.error or "nothing found"])


def configure(**settings: Any) -> None:
    """Changes settings of this process: `engine`, `schedule`, `detect_races`, `uninitialised`, `time_limit`, `seed`, `capture`,
    `capture_findings`, `on_finding`, `O`, `log`. None gives a setting its default again. Raises TilesmithError for what is no value.
    """
    for name, value in settings.items():
        word = None if value is None else str(int(value) if isinstance(value, bool) else value).encode()
        code = _libraries.driver().tilesmithConfigure(name.replace("_", "-").encode(), word)
        if code:
            raise TilesmithError(f"there is no setting {name}" if code == 500 else f"{value!r} is no value for {name}")


def activate(*, gpu_name: str | None = None, torch: bool | None = None, children: bool = True, **settings: Any) -> None:
    """Makes our driver the one that frontends find in this process.

    `gpu_name` ("sm_90", "sm_100") is the GPU that it claims to be; other settings as for `configure`. `torch` says whether tensors on
    device "cuda" live on the CPU (default: where torch is installed). Python processes that this one starts do the same with the same
    settings, unless `children` is false. Call it before a frontend has launched anything.
    """
    global _active
    if gpu_name:
        os.environ["TILESMITH_GPU_NAME"] = gpu_name
    if children:
        _activate_children(settings)
    driver = _libraries.driver()
    configure(**settings)
    if not _active:
        _libraries.check("cuInit", 0)
        context = ctypes.c_void_p()
        _libraries.check("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        driver.tilesmithUsePrimaryContext(1)
        _active = True
    if torch or (torch is None and importlib.util.find_spec("torch")):
        from . import _torch

        _torch.install()
    _cutile.use_our_compiler()


def _activate_children(settings: dict[str, Any]) -> None:
    os.environ["TILESMITH_ACTIVATE"] = "1"
    os.environ.setdefault("TILESMITH_HOME", _libraries.prefix())
    for name, value in settings.items():
        if value is not None:
            os.environ["TILESMITH_" + name.upper()] = str(int(value) if isinstance(value, bool) else value)
    package = os.path.dirname(os.path.abspath(__file__))
    folders = [os.path.join(package, "_site"), os.path.dirname(package)]
    before = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder and folder not in folders]
    os.environ["PYTHONPATH"] = os.pathsep.join(folders + before)


def last_report(error: str = "") -> Report:
    """What the last launch of this thread found."""
    driver = _libraries.driver()
    findings = []
    for row in json.loads(driver.tilesmithLastReport()):
        for key in ("block", "thread"):
            row[key] = tuple(row[key]) if row[key] else None
        findings.append(Finding(**row))
    return Report(findings, error if not findings else "", os.fsdecode(driver.tilesmithLastCapture()))


@contextlib.contextmanager
def _settings(**changed: Any) -> Iterator[None]:
    configure(**changed)
    try:
        yield
    finally:
        configure(**{name: None for name in changed})


def check(kernel: Any, grid: Sequence[int], args: Sequence[Any], *, engine: str = "reference,emulator", stream: Any = 0,
          **settings: Any) -> Report:
    """Runs one launch of a cuTile kernel on several engines, which are compared, and says what was found.

    Results of the last engine stand in the arrays afterwards. Nothing is raised for what the kernel or the compiler does wrong.
    """
    import cuda.tile as ct

    if not _active:
        activate()
    with _settings(engine=engine, **settings):
        try:
            ct.launch(stream, tuple(grid), kernel, tuple(args))
        except RuntimeError as error:
            return last_report(str(error))
        return last_report()


def capture(folder: str | os.PathLike, kernel: Any, grid: Sequence[int], args: Sequence[Any], **settings: Any) -> str:
    """Runs one launch and writes it as a case below `folder`; returns the case, for `tilesmith check`, `reduce` and `bisect`."""
    report = check(kernel, grid, args, capture=os.fspath(folder), **settings)
    if not report.captured:
        raise TilesmithError(f"nothing was captured: {report}")
    return report.captured


def compile(bytecode: bytes, *, gpu_name: str = "sm_90", opt_level: int = 3, emit: str = "ptx", line_info: bool = False,
            options: Sequence[str] = ()) -> bytes:
    """Compiles Tile IR bytecode to a stage: "cubin" (needs ptxas), "ptx", "llvm", "tileas", ..., "emulated" for our driver.

    Raises TilesmithError with the lines that `tileiras` would print.
    """
    library = _libraries.compiler()
    configuration = library.tileCompilerDefaultConfiguration()
    configuration.gpuName, configuration.optLevel, configuration.lineInfo = gpu_name.encode(), opt_level, int(line_info)
    words = [f"--emit={emit}".encode(), *(option.encode() for option in options)]
    configuration.options = (ctypes.c_char_p * len(words))(*words)
    configuration.optionCount = len(words)
    program = ctypes.c_void_p()
    try:
        if library.tileCompilerCreate(ctypes.byref(program), ctypes.byref(configuration), bytecode, len(bytecode)) or \
                library.tileCompilerCompile(program):
            raise TilesmithError(library.tileCompilerGetDiagnostics(program).decode(errors="replace").strip())
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        library.tileCompilerGetOutput(program, 0, ctypes.byref(data), ctypes.byref(size))
        return ctypes.string_at(data.value, size.value) if size.value else b""
    finally:
        library.tileCompilerDestroy(program)
