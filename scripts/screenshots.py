"""Pictures of the real window in its main states, dark and light. Argument: the folder that they go to.

The window works over a data folder of its own, offscreen; what it shows was composed, approved and run there.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import qasync
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from agent.plan.document import Plan
from agent.plan.plan import Step
from app.bootstrap import open_desktop
from app.paths import Paths, find_paths
from app.ui.history.panel import HistoryPanel
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Choice, Theme
from app.ui.shell.looks import Looks
from app.ui.shell.main_window import MainWindow
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.texts.troubles import ErrorReporter
from app.window.views import view_factories

SIZE = (1600, 1000)
COMPOSE = "A calm lo-fi song in D minor at 82 bpm with drums, bass, electric piano and a soft lead, 24 bars"
RECOMPOSE = "Recompose this sequence to be more ambient and atmospheric"
FINISH = (
    Step("s1", "set_tempo", {"bpm": 60}, title="Slow the song to 60 BPM", group="Frame"),
    Step("s2", "export_audio", {"format": "wav", "name": "night"}, title="Write the song to night.wav", group="Export"),
    Step("s3", "save_iteration", {"label": "Night version"}, title="Keep this as “Night version”", group="Export",
         after=("s2",)),
)
"""The second row fails where there is no SoundFont."""


class Photographer:
    """Takes the window through its states, once for each theme."""

    def __init__(self, folder: Path, window: MainWindow, opened: OpenProject, theme: Choice) -> None:
        self._folder = folder
        self._window = window
        self._opened = opened
        self._theme = theme

    async def take_all(self) -> None:
        """All pictures."""
        await self._take("first-run")
        await self._opened.asking.ask(COMPOSE)
        await self._approve()
        await self._opened.asking.ask(RECOMPOSE)
        self._opened.focus.step.set("s3")
        await self._take("plan-proposed")
        self._opened.focus.step.set(None)
        await self._running()
        await self._take("done")
        await self._compared()
        # Without a SoundFont the row that writes a sound file fails.
        os.environ["BANDLEADER_SOUNDFONT"] = str(self._folder / "no-soundfont.sf2")
        await self._failed()
        del os.environ["BANDLEADER_SOUNDFONT"]
        await self._take("failed-row")

    async def _take(self, name: str) -> None:
        await asyncio.sleep(0.6)
        self._save(name, self._window.grab())

    def _save(self, name: str, picture: QPixmap) -> None:
        path = self._folder / f"{name}-{self._theme}.png"
        if not picture.save(str(path)):
            raise OSError(f"{path} could not be written")
        print(path)

    async def _approve(self) -> None:
        proposal = self._opened.reviewing.proposal.value
        assert proposal is not None
        await self._opened.asking.approving.run(proposal.judged.plan.hash)

    async def _running(self) -> None:
        """The picture from the middle of the run."""
        seen: list[QPixmap] = []

        def look(live: LiveRun | None) -> None:
            if live is not None and live.running and not seen and live.ledger.done >= live.ledger.approved * 0.6:
                # Views follow one to a turn.
                for _ in range(20):
                    QApplication.processEvents()
                seen.append(self._window.grab())

        silence = self._opened.running.live.changed.listen(look)
        await self._approve()
        silence()
        self._save("running", seen[0])

    async def _compared(self) -> None:
        """The two newest versions compared, in the middle of the window."""
        panel = self._window.findChild(HistoryPanel)
        assert isinstance(panel, HistoryPanel)
        for one in self._opened.versions.iterations.value[:2]:
            panel.list.selectionModel().select(
                panel.model.index_of(one.id), QItemSelectionModel.SelectionFlag.Select
            )
        panel.compare_selected()
        page = panel.page
        assert page is not None
        while page.comparison is None:
            await asyncio.sleep(0.05)
        for _ in range(12):
            page.next_change()
        await asyncio.sleep(0.6)
        self._save("history-compare", self._window.grab())
        panel.close_comparison()

    async def _failed(self) -> None:
        opened = self._opened
        stage = await opened.studio.planning.stage(opened.workspace.record)
        plan = opened.studio.planning.adopt(Plan(FINISH, request="Slow it down and write a WAV"), stage)
        await opened.reviewing.put_up(await opened.studio.planning.judge(plan, stage.song))
        await self._approve()


async def photograph(folder: Path, theme: Theme) -> None:
    """All pictures of one theme, over a home of its own."""
    with tempfile.TemporaryDirectory() as home:
        paths = _paths(Path(home))
        troubles = ErrorReporter(paths)
        kit = Kit(theme, Tasks(troubles), troubles)
        window = MainWindow(theme, Looks(theme.choice))
        window.resize(*SIZE)
        window.show()
        desktop = open_desktop(paths, troubles)
        window.attach(desktop, kit, view_factories())
        await desktop.begin()
        opened = desktop.opened.value
        assert opened is not None
        try:
            await Photographer(folder, window, opened, theme.choice).take_all()
        finally:
            window.detach()
            await kit.tasks.close()
            await desktop.close()
            window.close()


def _paths(home: Path) -> Paths:
    return replace(find_paths(), data=home, cache=home / "cache", logs=home / "logs")


def main(words: list[str]) -> int:
    """Take the pictures of both themes."""
    folder = Path(words[0] if words else "docs/screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    themes: tuple[Choice, ...] = ("dark", "light")
    theme = Theme(app)
    for choice in themes:
        theme.choose(choice)
        loop.run_until_complete(photograph(folder, theme))
    loop.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
