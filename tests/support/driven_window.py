"""Bandleader's window as a process that brings itself into a state, and says so on stdout.

`python driven_window.py STATE FILE`, where STATE is one of `STATES` and FILE what an export would write. A state that
has to do with a model asks the server of OPENAI_BASE_URL.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from app.__main__ import main as entry
from app.ui.kit.context import Kit
from app.ui.shell.main_window import MainWindow
from app.viewmodels.desktop import Desktop
from app.window import front

if TYPE_CHECKING:
    from app.ui.shell.views import ViewFactories
    from app.viewmodels.open_project import OpenProject

FIRST = "compose a 32 bar song with drums, bass, keys, strings and a lead"
SECOND = "make the whole song an ambient piece, 40 bars at 84 BPM"
PROJECT = "One"
"""The project that some states open; it has a song."""
_LOOK_EVERY = 0.02
_ROWS = 2


@dataclass
class Driven:
    """A window that is open, and what it holds."""

    window: MainWindow
    desktop: Desktop
    kit: Kit
    opened: OpenProject
    file: Path

    def start(self, work: Any) -> asyncio.Task[Any]:
        """Let it do something."""
        task: asyncio.Task[Any] = self.kit.tasks.start(work, "window")
        return task


async def start_page(_: Driven) -> None:
    """Nothing was done yet."""


async def project_open(one: Driven) -> None:
    """A song is shown."""
    one.opened = await one.desktop.open(PROJECT)


async def project_opening(one: Driven) -> None:
    """The views of a project are being made."""
    begun = asyncio.Event()
    one.desktop.opened.changed.listen(lambda _: begun.set())
    one.start(one.desktop.open(PROJECT))
    await begun.wait()


async def proposed(one: Driven) -> None:
    """A plan waits to be approved."""
    await one.opened.asking.ask(FIRST)


async def planning(one: Driven) -> None:
    """The composer works on a request."""
    one.start(one.opened.asking.ask(FIRST))
    await _until(lambda: one.opened.asking.busy)


async def model_streaming(one: Driven) -> None:
    """A model has said some rows of its answer."""
    await one.desktop.studio.models.choose("openai", "model-one")
    await one.desktop.choosing.refresh()
    one.start(one.opened.asking.ask(FIRST))
    await _until(lambda: one.opened.asking.rows.value)


async def running(one: Driven) -> None:
    """A run is amid its rows."""
    await _begun(one)
    await _until(lambda: _rows_done(one.opened) >= _ROWS)


async def waiting_for_the_person(one: Driven) -> None:
    """A run rests (WAITING_USER)."""
    await _begun(one)
    await one.opened.running.pause()
    await _until(lambda: one.opened.running.paused)


async def dialog_open(one: Driven) -> None:
    """The settings lie over the window."""
    found = next(each for each in one.window.findChildren(QAction) if each.objectName() == "file.settings")
    found.trigger()
    await _until(QApplication.activeModalWidget)


async def exporting(one: Driven) -> None:
    """Sound is being made for a file."""
    await project_open(one)
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def progress(_share: float, _text: str) -> None:
        loop.call_soon_threadsafe(begun.set)

    one.start(one.desktop.export("wav", one.file, progress, lambda: False))
    await begun.wait()


async def playing(one: Driven) -> None:
    """The song is heard."""
    await project_open(one)
    await one.opened.playback.play()
    await _until(lambda: one.opened.playback.state.value.playing)


async def closing(one: Driven) -> None:
    """It was closed by its cross and ends."""
    one.window.close()


STATES: dict[str, Callable[[Driven], Awaitable[None]]] = {
    made.__name__: made
    for made in (
        start_page, project_open, project_opening, proposed, planning, model_streaming, running, waiting_for_the_person,
        dialog_open, exporting, playing, closing,
    )
}
FIRST_FRAME, OPENING = "before_the_first_frame", "before_it_is_filled"


def main(state: str, file: Path) -> int:
    """The exit status of the window."""
    attach, begin, show = MainWindow.attach, Desktop.begin, front.show_first_frame
    attached: list[tuple[MainWindow, Kit]] = []

    def shown(app: QApplication, window: MainWindow) -> None:
        if state == FIRST_FRAME:
            _say(state)
        show(app, window)
        if state == OPENING:
            _say(state)

    def attached_to(self: MainWindow, desktop: Desktop, kit: Kit, make: ViewFactories) -> None:
        attach(self, desktop, kit, make)
        attached.append((self, kit))

    async def drive(one: Driven) -> None:
        await STATES[state](one)
        _say(state)

    async def begun(self: Desktop) -> OpenProject:
        opened = await begin(self)
        [(window, kit)] = attached
        if state in STATES:
            kit.tasks.start(drive(Driven(window, self, kit, opened, file)), "window")
        return opened

    front.show_first_frame = shown
    MainWindow.attach, Desktop.begin = attached_to, begun  # type: ignore[method-assign]
    sys.argv[1:] = []
    return entry()


async def _begun(one: Driven) -> None:
    """A run of the first request."""
    await one.opened.asking.ask(FIRST)
    proposal = one.opened.reviewing.proposal.value
    assert proposal is not None
    one.start(one.opened.asking.approving.run(proposal.plan.hash))
    await _until(lambda: one.opened.running.busy)


def _rows_done(opened: OpenProject) -> int:
    live = opened.running.live.value
    return 0 if live is None else sum(row.state.ended for row in live.rows.values())


async def _until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(_LOOK_EVERY)


def _say(state: str) -> None:
    sys.stdout.write(f"{state}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
