"""Views follow a change one after the other, and others have a turn between two that take long."""

from __future__ import annotations

import time
from functools import partial

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.ui.kit.smoothness.refresh_queue import RefreshQueue


def long(done: list[str], name: str) -> None:
    time.sleep(0.02)
    done.append(name)


def test_between_two_long_refreshes_what_else_is_due_has_its_turn(qtbot: QtBot) -> None:
    done: list[str] = []
    queue, other = RefreshQueue(), QTimer(interval=1, singleShot=True)
    other.timeout.connect(partial(done.append, "other"))
    queue.add(partial(long, done, "first"))
    queue.add(partial(long, done, "second"))
    other.start()
    qtbot.waitUntil(lambda: not queue.busy)
    assert done.index("other") < done.index("second")


def test_what_a_refresh_asks_for_follows_it_and_nothing_follows_twice(qtbot: QtBot) -> None:
    done: list[str] = []
    queue = RefreshQueue()
    last = partial(done.append, "last")

    def first() -> None:
        done.append("first")
        queue.add(last)
        queue.add(last)

    queue.add(first)
    assert done == [], "not in the turn in which it is asked for"
    qtbot.waitUntil(lambda: not queue.busy)
    assert done == ["first", "last"]


def test_what_was_dropped_is_not_done_and_the_next_is(qtbot: QtBot) -> None:
    done: list[str] = []
    queue = RefreshQueue()
    gone, kept = partial(done.append, "gone"), partial(done.append, "kept")
    queue.add(gone)
    queue.add(kept)
    queue.drop(gone)
    assert queue.waits(kept)
    assert not queue.waits(gone)
    qtbot.waitUntil(lambda: not queue.busy)
    assert done == ["kept"]
