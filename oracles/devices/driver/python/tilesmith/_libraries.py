"""Where the programs and libraries of tilesmith lie, and the functions that they export."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil


class TilesmithError(RuntimeError):
    """Something of tilesmith is missing, or refused what it was asked for."""


@functools.lru_cache(maxsize=None)
def prefix() -> str:
    """The folder above bin/tilesmith and lib/tilesmith/libcuda.so.1.

    `TILESMITH_HOME` if it is set; else what a wheel brought along; else the source tree around this package,
    its newest build; else the folder above the `tilesmith` on PATH.
    """
    candidates = []
    if home := os.environ.get("TILESMITH_HOME"):
        candidates = [home]
    else:
        root = os.path.abspath(__file__)
        own = os.path.join(os.path.dirname(root), "_home")
        for _ in range(6):
            root = os.path.dirname(root)
        builds = [os.path.join(root, "build", name) for name in ("dist", "release", "debug")]
        candidates = [own] + sorted((b for b in builds if os.path.exists(_driver(b))), key=lambda b: -os.path.getmtime(_driver(b)))
        if command := shutil.which("tilesmith"):
            candidates.append(os.path.dirname(os.path.dirname(os.path.realpath(command))))
    for candidate in candidates:
        if os.path.exists(_driver(candidate)):
            return candidate
    raise TilesmithError(f"expected lib/tilesmith/libcuda.so.1 in {candidates or 'a build'}; set TILESMITH_HOME")


def _driver(folder: str) -> str:
    return os.path.join(folder, "lib", "tilesmith", "libcuda.so.1")


@functools.lru_cache(maxsize=None)
def driver() -> ctypes.CDLL:
    """Our libcuda.so.1, visible to everybody who asks the dynamic linker for that name from now on."""
    library = ctypes.CDLL(_driver(prefix()), mode=ctypes.RTLD_GLOBAL)
    library.tilesmithNameMemory.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
    library.tilesmithNameUnwritten.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    library.tilesmithConfigure.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    library.tilesmithLastReport.restype = ctypes.c_char_p
    library.tilesmithLastCapture.restype = ctypes.c_char_p
    library.tilesmithLaunchCount.restype = ctypes.c_uint64
    return library


@functools.lru_cache(maxsize=None)
def compiler() -> ctypes.CDLL:
    """The C interface of the compiler (compiler/capi/TileCompiler.h)."""
    path = os.path.join(prefix(), "lib", "libtilesmith-compiler.so")
    if not os.path.exists(path):
        raise TilesmithError(f"expected {path}")
    library = ctypes.CDLL(path)
    library.tileCompilerDefaultConfiguration.restype = Configuration
    library.tileCompilerGetDiagnostics.restype = ctypes.c_char_p
    library.tileCompilerGetDiagnostics.argtypes = [ctypes.c_void_p]
    library.tileCompilerCreate.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    library.tileCompilerCompile.argtypes = [ctypes.c_void_p]
    library.tileCompilerGetOutput.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    library.tileCompilerDestroy.argtypes = [ctypes.c_void_p]
    return library


class Configuration(ctypes.Structure):
    """TileCompilerConfiguration."""

    _fields_ = [
        ("structSize", ctypes.c_size_t),
        ("gpuName", ctypes.c_char_p),
        ("optLevel", ctypes.c_int),
        ("lineInfo", ctypes.c_int),
        ("deviceDebug", ctypes.c_int),
        ("hostArch", ctypes.c_char_p),
        ("hostOs", ctypes.c_char_p),
        ("sanitize", ctypes.c_char_p),
        ("options", ctypes.POINTER(ctypes.c_char_p)),
        ("optionCount", ctypes.c_size_t),
    ]


def tileiras() -> str:
    """The compiler that writes modules for the driver."""
    return os.path.join(prefix(), "lib", "tilesmith", "bin", "tileiras")


def check(name: str, *arguments) -> None:
    """Calls a function of the driver; raises with its text unless it succeeds."""
    code = getattr(driver(), name)(*arguments)
    if code:
        text = ctypes.c_char_p()
        driver().cuGetErrorString(code, ctypes.byref(text))
        raise TilesmithError(f"{name}: {(text.value or b'error %d' % code).decode(errors='replace')}")
