"""Bandleader's window as a process that brings itself into the middle of something, and says so on stdout.

`python driven_window.py proposed|running|planning|exporting FILE`, where FILE is what an export would write.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.desktop.desktop import Desktop
from app.ui.kit.context import Kit
from app.ui.shell.main_window import MainWindow
from app.window.entry import open_window

if TYPE_CHECKING:
    from app.desktop.open_project import OpenProject
    from app.ui.shell.views import ViewFactories

FIRST = "compose a 32 bar song with drums, bass, keys, strings and a lead"
SECOND = "make the whole song an ambient piece, 40 bars at 84 BPM"
_LOOK_EVERY = 0.02
_ROWS = 2


def main(what: str, file: Path) -> int:
    """The exit status of the window."""
    attach, begin = MainWindow.attach, Desktop.begin
    kits: list[Kit] = []

    def attached(self: MainWindow, desktop: Desktop, kit: Kit, make: ViewFactories) -> None:
        attach(self, desktop, kit, make)
        kits.append(kit)

    async def begun(self: Desktop) -> OpenProject:
        opened = await begin(self)
        kits[0].tasks.start(_drive(self, opened, kits[0], what, file), "window")
        return opened

    MainWindow.attach, Desktop.begin = attached, begun  # type: ignore[method-assign]
    return open_window()


async def _drive(desktop: Desktop, opened: OpenProject, kit: Kit, what: str, file: Path) -> None:
    await opened.asking.ask(FIRST)
    if what != "proposed":
        proposal = opened.reviewing.proposal.value
        assert proposal is not None
        running = kit.tasks.start(opened.asking.run(proposal.plan.hash), "window")
        if what == "running":
            await _until(lambda: _rows_done(opened) >= _ROWS)
        else:
            await running
    if what == "planning":
        kit.tasks.start(opened.asking.ask(SECOND), "window")
        await _until(lambda: opened.asking.busy)
    elif what == "exporting":
        begun = asyncio.Event()
        kit.tasks.start(desktop.export("wav", file, lambda *_: begun.set(), lambda: False), "window")
        await begun.wait()
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def _rows_done(opened: OpenProject) -> int:
    live = opened.running.live.value
    return 0 if live is None else sum(row.state.ended for row in live.rows.values())


async def _until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(_LOOK_EVERY)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
