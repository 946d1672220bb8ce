"""cuTile Python finds our compiler: it looks into its own packages before it looks at PATH."""

from __future__ import annotations

import os
import sys

from . import _libraries


def use_our_compiler() -> None:
    """Makes cuTile, imported or not, call our tileiras; children find it on PATH."""
    tool = _libraries.tileiras()
    folder = os.path.dirname(tool)
    path = os.environ.get("PATH", os.defpath)
    if path.split(os.pathsep)[0] != folder:
        os.environ["PATH"] = folder + os.pathsep + path
    # A disk cache would hand out what another compiler wrote.
    os.environ.setdefault("CUDA_TILE_CACHE_SIZE", "0")
    try:
        from cuda.tile import _compile
    except ImportError:
        return
    binary = _compile._CompilerBinary(tool, os.environ["PATH"], os.environ.get("LD_LIBRARY_PATH", ""), True)
    _compile._find_pip_tileiras = lambda: None
    _compile._find_compiler_bin.cache_clear()
    original = _compile._find_compiler_bin
    if original().path != tool:
        _compile._find_compiler_bin = lambda: binary
    for cached in ("_get_max_supported_bytecode_version", "_find_tileirdisasm_bin"):
        if clear := getattr(getattr(_compile, cached, None), "cache_clear", None):
            clear()


def compiler_in_use() -> str | None:
    """The path of the compiler that cuTile calls, or None where it is not installed."""
    if "cuda.tile" not in sys.modules:
        try:
            import cuda.tile  # noqa: F401
        except ImportError:
            return None
    from cuda.tile import _compile

    return _compile._find_compiler_bin().path
