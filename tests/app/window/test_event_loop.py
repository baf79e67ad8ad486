"""Tasks that let Qt handle events in the middle of a step, as native dialogs and drags do."""

from __future__ import annotations

import asyncio
import time

from PySide6.QtCore import QCoreApplication
from qt_fixtures import Loop, garbage, qloop

__all__ = ["garbage", "qloop"]


def _handle_events(seconds: float = 0.05) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        QCoreApplication.processEvents()


def test_a_task_that_is_woken_while_another_handles_events_goes_on_afterwards(qloop: Loop) -> None:
    went_on: list[str] = []

    async def waiting(woken: asyncio.Event) -> None:
        await woken.wait()
        went_on.append("waiting")

    async def handling() -> None:
        woken = asyncio.Event()
        other = asyncio.ensure_future(waiting(woken))
        await asyncio.sleep(0)
        woken.set()
        _handle_events()
        went_on.append("handling")
        await other

    qloop.run(handling())
    assert went_on == ["handling", "waiting"]


def test_what_is_cancelled_while_it_is_put_off_is_never_called(qloop: Loop) -> None:
    called: list[int] = []

    async def handling() -> None:
        handles = [asyncio.get_running_loop().call_soon(called.append, number) for number in range(2)]
        _handle_events()
        handles[0].cancel()
        await asyncio.sleep(0.05)

    qloop.run(handling())
    assert called == [1]
