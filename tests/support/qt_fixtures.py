"""A theme, a kit, and an event loop that forgives no leak, for tests of the window; conftests import these."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Coroutine, Iterator
from functools import partialmethod
from pathlib import Path
from typing import Any, TypeVar

import pytest
from patience import PATIENCE
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import getAllValidWrappers, isValid
from studios import paths_in

from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.viewmodels.texts.troubles import ErrorReporter
from app.window.life import EventLoop

T = TypeVar("T")
_LONG = int(PATIENCE * 1000)


class Loop:
    """Runs coroutines on the loop of the window; what the loop itself had to swallow is in `faults`."""

    def __init__(self, app: QApplication) -> None:
        self.app = app
        self.faults: list[dict[str, Any]] = []
        self.loop = EventLoop(app)
        self.loop.set_exception_handler(lambda _, fault: self.faults.append(fault))

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine that runs while Qt's events are handled."""
        result: T = self.loop.run_until_complete(coroutine)
        return result


class UnhurriedBot(QtBot):
    """A robot that waits as long as a busy machine may need."""

    waitUntil = partialmethod(QtBot.waitUntil, timeout=_LONG)  # noqa: N815 - the library's names
    waitSignal = partialmethod(QtBot.waitSignal, timeout=_LONG)  # noqa: N815
    waitExposed = partialmethod(QtBot.waitExposed, timeout=_LONG)  # noqa: N815
    waitActive = partialmethod(QtBot.waitActive, timeout=_LONG)  # noqa: N815


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """The robot of pytest-qt, without its hurry."""
    return UnhurriedBot(request)


@pytest.fixture(autouse=True)
def garbage() -> Iterator[None]:
    """As in the window: a widget must not be collected by any other thread, which would take timers with it."""
    assert not gc.isenabled(), "collected in any thread"
    yield
    gc.collect()


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    """The dark theme."""
    found = qapp.findChild(Theme) or Theme(qapp, "dark")
    found.choose("dark")
    return found


@pytest.fixture
def kit(theme: Theme, tmp_path: Path) -> Kit:
    """What a view is handed; its troubles are told to whoever listens."""
    troubles = ErrorReporter(paths_in(tmp_path))
    return Kit(theme, Tasks(troubles), troubles)


@pytest.fixture
def qloop(qapp: QApplication) -> Iterator[Loop]:
    """A loop for one test; tasks, timers, threads and windows that outlive it fail the test."""
    quits = qapp.quitOnLastWindowClosed()
    # Else closing a test's window would end the loop under the test.
    qapp.setQuitOnLastWindowClosed(False)
    threads, windows = set(threading.enumerate()), set(qapp.topLevelWidgets())
    busy = set(_busy())
    made = Loop(qapp)
    asyncio.set_event_loop(made.loop)
    yield made
    tasks = [task for task in asyncio.all_tasks(made.loop) if not task.done()]
    for task in tasks:
        task.cancel()
    if tasks:
        made.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    _deleted(qapp)
    left = [widget for widget in qapp.topLevelWidgets() if widget not in windows]
    still = [one for one in _busy() if one not in busy]
    timers = [one for one in still if isinstance(one, QTimer)]
    # Told after the clean-up, by which those that are named will be gone.
    windows_left = [repr(widget) for widget in left]
    timers_left = [f"{timer!r} of {timer.parent()!r}" for timer in timers]
    for timer in timers:
        timer.stop()
    for widget in left:
        widget.deleteLater()
    _deleted(qapp)
    made.loop.close()
    asyncio.set_event_loop(None)
    qapp.setQuitOnLastWindowClosed(quits)
    # Each waits for a program that was told to end, and ends with it.
    for thread in set(threading.enumerate()) - threads:
        if thread.name.startswith("asyncio-waitpid"):
            thread.join(PATIENCE)
    # Threads that Python did not start (of Qt, of a driver) are known to it as dummies, which are never joined.
    pool = [
        repr(thread) for thread in set(threading.enumerate()) - threads
        if thread.is_alive() and not isinstance(thread, threading._DummyThread)
    ]
    pool += [repr(one) for one in still if isinstance(one, QThread) and isValid(one) and one.isRunning()]
    assert not made.faults, f"the loop swallowed {made.faults}"
    assert not tasks, f"tasks outlived the test: {tasks}"
    assert not windows_left, f"windows outlived the test: {windows_left}"
    assert not timers_left, f"timers outlived the test: {timers_left}"
    assert not pool, f"threads outlived the test: {pool}"


def _busy() -> list[QTimer | QThread]:
    """The timers that tick and the threads that run, wherever they hang: in a widget, the application or nothing."""
    # Never by listing all objects: a tuple that another thread just fills must not be held by anyone else.
    found = [one for one in getAllValidWrappers() if isinstance(one, QTimer | QThread) and isValid(one)]
    return [one for one in found if (one.isActive() if isinstance(one, QTimer) else one.isRunning())]


def _deleted(app: QApplication) -> None:
    """Carry out what `deleteLater` put off."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    app.processEvents()
