"""pytest --tilesmith: the tests of a frontend's program on the driver on the CPU.

`--tilesmith-engine=LIST` and `--tilesmith-gpu=NAME` choose what runs the launches; `TILESMITH_*` variables do so for all settings.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tilesmith")
    group.addoption("--tilesmith", action="store_true", help="run launches on the CPU, checked")
    group.addoption("--tilesmith-engine", metavar="LIST", help="engines, as for `tilesmith run --engine`")
    group.addoption("--tilesmith-gpu", metavar="NAME", help="the GPU that the driver claims to be")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config, parser, args) -> None:
    """Before the first conftest.py, which may import the frontend."""
    options = early_config.known_args_namespace
    if not getattr(options, "tilesmith", False):
        return
    import tilesmith

    settings = {"engine": options.tilesmith_engine} if options.tilesmith_engine else {}
    tilesmith.activate(gpu_name=options.tilesmith_gpu, **settings)


def pytest_report_header(config) -> str | None:
    if not config.getoption("tilesmith"):
        return None
    from tilesmith import _cutile

    return f"tilesmith: cuTile calls {_cutile.compiler_in_use()}"
