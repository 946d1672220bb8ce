"""A pytest plugin for ci/frontends/suite: takes every N-th test and writes a JSON line per test to SUITE_RESULTS. What torch on a GPU
computes by libdevice, it computes by libdevice here, where that is installed (libdevice.py)."""

import json
import os

import libdevice
import pytest


def pytest_sessionstart(session):
    session.config.libdevice = libdevice.install()


def pytest_collection_modifyitems(config, items):
    step, first = int(os.environ.get("SUITE_EVERY", "1")), int(os.environ.get("SUITE_FIRST", "0"))
    config.hook.pytest_deselected(items=[item for i, item in enumerate(items) if i % step != first])
    items[:] = items[first::step]


def launches():
    from tilesmith import _libraries

    return _libraries.driver().tilesmithLaunchCount()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    item.suite_launches = launches()
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when != "call" and report.outcome == "passed":
        return
    text = ""
    if report.outcome == "failed":
        text = getattr(getattr(report.longrepr, "reprcrash", None), "message", None) or str(report.longrepr)
    elif report.outcome == "skipped":
        text = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
    row = dict(test=item.nodeid, when=report.when, outcome=report.outcome, seconds=round(report.duration, 3), text=text[:2000],
               launches=launches() - item.suite_launches)
    with open(os.environ["SUITE_RESULTS"], "a", encoding="utf-8") as f:
        f.write(json.dumps(row) + "\n")
