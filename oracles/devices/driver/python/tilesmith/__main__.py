"""python -m tilesmith run [--engine=LIST] [--SETTING=VALUE ...] SCRIPT [ARGUMENT ...]

Runs a Python program of a tile frontend with the driver on the CPU. `-m MODULE` in the place of SCRIPT runs a module.
Settings are those of tilesmith.configure, and --gpu-name.
"""

import importlib.util
import os
import runpy
import sys

import tilesmith
from tilesmith import _libraries


def main(words: list[str]) -> int:
    if not words or words[0] != "run":
        print(__doc__.strip(), file=sys.stderr)
        return 2
    words = words[1:]
    settings = {}
    while words and words[0].startswith("--"):
        name, sign, value = words.pop(0)[2:].partition("=")
        settings[name.replace("-", "_")] = value if sign else "1"
    if not words or words == ["-m"]:
        print("expected a script", file=sys.stderr)
        return 2
    is_module = words[0] == "-m"
    if is_module and not importlib.util.find_spec(words[1].split(".")[0]):
        print(f"error: expected a module, found none named '{words[1]}'", file=sys.stderr)
        return 2
    if not is_module and not os.path.exists(words[0]):
        print(f"error: expected a script, found no file '{words[0]}'", file=sys.stderr)
        return 2
    try:
        tilesmith.activate(**settings)
        if _libraries.driver().tilesmithStart():  # a wrong setting is said now, and not at the first launch
            return 2
    except tilesmith.TilesmithError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if is_module:
        sys.argv = words[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
        runpy.run_path(words[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
