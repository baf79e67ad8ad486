"""Settings for all tests: no display, and in CI the same examples always, so that its verdict is about the change."""

from __future__ import annotations

import gc
import os
import signal

import pytest
import read_once
from hypothesis import HealthCheck, settings

# Before anything imports Qt, which chooses its platform once.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# How long an example takes says more about what else the machine does than about the change.
_UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
# The suite tries the same examples everywhere, so that a commit fares alike here and there; the campaign tries others.
settings.register_profile("suite", _UNHURRIED, derandomize=True, print_blob=True)
settings.register_profile("campaign", _UNHURRIED, print_blob=True)
settings.load_profile("campaign" if os.environ.get("BANDLEADER_ALL_EXAMPLES") else "suite")

# Before anything takes the functions that it replaces: the files beside the tests that are asked for come next.
read_once.remember()


_LONG_FIRST = ("stories", "app")
_COLLECT_EVERY = 20
_since: list[str] = []


def pytest_configure() -> None:
    """As in the window: the interpreter would collect a loop or a widget in the thread of a database."""
    gc.disable()
    _heed_signals()


def _heed_signals() -> None:
    """Programs that tests start must hear signals also where nohup or a job in the background let them be ignored."""
    for number, taken in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, taken)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that start programs and windows go first: a long one that comes last would leave processors idle."""
    tests = config.rootpath / "tests"

    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(tests).parts[0] if item.path.is_relative_to(tests) else ""
        return _LONG_FIRST.index(folder) if folder in _LONG_FIRST else len(_LONG_FIRST)

    items.sort(key=place)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Libraries and the list of tests stay for good: no later collection need go over their half a million objects."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Collect on this thread, after each file and now and then within one."""
    _since.append(item.nodeid)
    ended = nextitem is None or nextitem.path != item.path
    if ended or len(_since) >= _COLLECT_EVERY:
        _since.clear()
        gc.collect()
    if ended:
        # What outlives a file (data that was read, caches, modules) stays; no later collection need go over it.
        gc.freeze()
