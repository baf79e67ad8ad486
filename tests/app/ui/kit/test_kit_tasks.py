"""Work that views start is kept, told when it fails and ended at close; asking often acts once."""

from __future__ import annotations

import asyncio
import gc

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from agent.errors import BandleaderError
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced, slot
from app.viewmodels.texts.troubles import Trouble


def test_an_error_is_told_where_it_happened(kit: Kit, qloop) -> None:
    told: list[Trouble] = []
    kit.troubles.told.listen(told.append)

    async def fails() -> None:
        raise BandleaderError("no such track", why="it was deleted", fix="pick another")

    async def story() -> None:
        await kit.tasks.start(fails(), "plan")

    qloop.run(story())
    assert told == [Trouble("plan", "no such track", "it was deleted", "pick another")]


def test_work_goes_on_though_nobody_keeps_it(kit: Kit, qloop) -> None:
    done: list[int] = []

    async def work() -> None:
        await asyncio.sleep(0)
        done.append(1)

    async def story() -> None:
        kit.tasks.start(work(), "chat")
        gc.collect()
        await asyncio.sleep(0.02)

    qloop.run(story())
    assert done == [1]
    assert kit.tasks.running == 0


def test_closing_ends_all_work_quietly_and_runs_its_cleanup(kit: Kit, qloop, recwarn) -> None:
    told: list[Trouble] = []
    kit.troubles.told.listen(told.append)
    ended: list[str] = []

    async def work(name: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(name)
            if name == "begun":
                kit.tasks.start(work("late"), "chat")

    async def story() -> None:
        kit.tasks.start(work("begun"), "chat")
        await asyncio.sleep(0.01)
        kit.tasks.start(work("not begun"), "chat")
        await kit.tasks.close()

    qloop.run(story())
    assert told == []
    assert ended[0] == "begun"
    assert "not begun" not in ended
    gc.collect()
    assert not [one for one in recwarn if "never awaited" in str(one.message)]
    assert kit.tasks.running == 0


def test_a_slot_takes_what_a_signal_brings(kit: Kit, qloop, qtbot: QtBot) -> None:
    done: list[int] = []
    button = QPushButton("Go")
    qtbot.addWidget(button)

    async def work() -> None:
        done.append(1)

    button.clicked.connect(slot(kit.tasks, work, "window"))

    async def story() -> None:
        button.click()
        await asyncio.sleep(0.01)

    qloop.run(story())
    button.close()
    button.deleteLater()
    assert done == [1]


def test_asking_often_acts_once(qtbot: QtBot) -> None:
    acts: list[int] = []
    parent = QObject()
    coalesced = Coalesced(10, lambda: acts.append(1), parent)
    for _ in range(100):
        coalesced.ask()
    assert acts == []
    qtbot.waitUntil(lambda: acts == [1])
    coalesced.ask()
    coalesced.now()
    assert acts == [1, 1]
    coalesced.now()
    coalesced.ask()
    coalesced.drop()
    qtbot.wait(40)
    assert acts == [1, 1]


def test_subscriptions_end_once() -> None:
    ended: list[int] = []
    subscriptions = Subscriptions()
    subscriptions.add(lambda: ended.append(1))
    subscriptions.close()
    subscriptions.close()
    assert ended == [1]
