"""Gaps of the event loop while the real window plans, runs, renders and plays: the longest and the 99th percentile.

A gap is the time between two turns of a task that asks for one every millisecond, less that millisecond. What
the loop's own thread worked in one of them is told beside it: the rest is other threads and other programs. The peer is
the same window at rest, in the same run.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import qasync
from PySide6.QtWidgets import QApplication

from agent.plan.document import Plan
from agent.plan.plan import Step
from app.bootstrap import open_desktop
from app.paths import find_paths
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Choice, Theme
from app.ui.shell.looks import Looks
from app.ui.shell.main_window import MainWindow
from app.viewmodels.desktop import Desktop
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import ErrorReporter
from app.window.garbage import Garbage
from app.window.idleness import Idleness, at_work
from app.window.life import short_turns
from app.window.views import view_factories

COMPOSE = "a calm lofi song in D minor at 82 bpm with drums, bass, electric piano and a soft lead, 24 bars"
AMBIENT = "Recompose this sequence to be more ambient and atmospheric"
LONG = ("slow and calm " * 2000)[:20_000]
_TURN = 0.001
_REST = 2.0
_EVENTS = 2000


class Watch:
    """Measures the gaps while something goes on."""

    def __init__(self) -> None:
        self._gaps: list[float] = []
        self._own = 0.0

    async def during(self, name: str, work: Awaitable[object]) -> float:
        """Print the gaps of a piece of work; returns the longest in milliseconds."""
        self._gaps, self._own = [], 0.0
        watching = asyncio.ensure_future(self._watch())
        await asyncio.sleep(_TURN)
        began = time.perf_counter()
        await work
        took = time.perf_counter() - began
        watching.cancel()
        gaps = sorted(self._gaps) or [0.0]
        worst, nearly = gaps[-1] * 1000, gaps[int(len(gaps) * 0.99)] * 1000
        print(f"{name:<34} {took * 1000:8.0f} ms   longest gap {worst:6.1f} ms   99 %: {nearly:6.1f} ms"
              f"   own work {self._own * 1000:6.1f} ms")
        return worst

    async def _watch(self) -> None:
        before, worked = time.perf_counter(), time.thread_time()
        while True:
            await asyncio.sleep(_TURN)
            now, work = time.perf_counter(), time.thread_time()
            self._gaps.append(now - before - _TURN)
            self._own = max(self._own, work - worked)
            before, worked = now, work


async def measure(opened: OpenProject) -> None:
    """All phases of the loop."""
    watch = Watch()
    await watch.during("at rest", asyncio.sleep(_REST))
    await watch.during("first plan (new piece)", _settled(opened.asking.ask(COMPOSE)))
    await watch.during("its run", _settled(_run(opened)))
    await watch.during("sound made ready", asyncio.sleep(_REST * 3))
    await watch.during("second plan (change)", _settled(opened.asking.ask(AMBIENT)))
    await watch.during("its run", _settled(_run(opened)))
    await opened.playback.play()
    await watch.during("playing", asyncio.sleep(_REST))
    await opened.playback.stop()
    await watch.during("undo", _settled(opened.versions.undo()))
    await watch.during("a whole render", opened.studio.renderer.render(opened.workspace.song))
    await watch.during("a request of 20,000 characters", _settled(opened.asking.ask(LONG)))
    for rows in (200, 2000):
        await watch.during(f"a plan of {rows:,} rows shown", _show_large(opened, rows))
        await watch.during(f"one of {rows:,} rows rejected", _decided(opened.reviewing.reject([f"c{rows // 3}"])))
        await watch.during("and taken back", _decided(opened.reviewing.undo()))
        opened.reviewing.discard()
        await asyncio.sleep(0.5)
    await measure_runs(opened, watch)


async def measure_runs(opened: OpenProject, watch: Watch) -> None:
    """Runs that tell much: of clips, and of small rows whose events come as fast as they can be stored."""
    await _show_large(opened, 200)
    await watch.during("a run of 200 rows", _settled(_run(opened)))
    await _put_up(opened, _faders(opened, _EVENTS // 2))
    await watch.during("its 2,000 events arrive", _settled(_run(opened)))
    print(f"{'':<34} {len(opened.events.lines):,} events are shown")


async def _settled(work: Awaitable[object]) -> None:
    """The work, and the window's following it."""
    await work
    await asyncio.sleep(0.5)


async def _decided(work: Awaitable[object]) -> None:
    """A decision, with the judging that follows it and the window's following that."""
    await work
    await asyncio.sleep(1.0)


async def _show_large(opened: OpenProject, rows: int) -> None:
    await _put_up(opened, _large(opened, rows))


async def _put_up(opened: OpenProject, plan: Plan) -> None:
    await opened.reviewing.put_up(await opened.studio.planning.judge(plan, opened.workspace.song))
    await asyncio.sleep(1.0)


def _faders(opened: OpenProject, rows: int) -> Plan:
    """Rows that do as little as a row can."""
    track = opened.workspace.song.tracks[0].id
    steps = tuple(
        Step(f"v{i}", "update_track", {"track_id": track, "volume_db": -(i % 40) - 0.5}, group=f"Part {i // 50}")
        for i in range(rows)
    )
    return Plan(steps, opened.workspace.record.id, opened.workspace.revision, request="many small rows")


def _large(opened: OpenProject, rows: int) -> Plan:
    notes = [{"n": 60 + i % 12, "s": i * 0.5, "d": 0.5, "v": 80} for i in range(8)]
    track = Step("t1", "create_track", {"name": "Large", "instrument": "pad_warm"})
    clips = tuple(
        Step(f"c{i}", "create_midi_clip",
             {"track_id": "{{t1.track_id}}", "start_time": 4 * i, "duration": 4, "notes": notes},
             group=f"Part {i // 50}")
        for i in range(rows - 1)
    )
    record = opened.workspace.record
    return Plan((track, *clips), record.id, opened.workspace.revision, request="many rows")


async def switch(desktop: Desktop, theme: Theme) -> None:
    """Phases beyond one project: another theme, another project."""
    watch = Watch()
    before = desktop.opened.value
    assert before is not None
    await watch.during("another theme", _choose(theme, "light"))
    await watch.during("and back", _choose(theme, "dark"))
    await watch.during("a new project", desktop.new())
    await watch.during("opening a project", _open(desktop, before.workspace.project))


async def _choose(theme: Theme, choice: Choice) -> None:
    theme.turn(choice)
    await asyncio.sleep(0.5)


async def _open(desktop: Desktop, project: str) -> None:
    await desktop.open(project)
    await asyncio.sleep(1.0)


async def _run(opened: OpenProject) -> None:
    proposal = opened.reviewing.proposal.value
    assert proposal is not None
    await opened.asking.approving.run(proposal.judged.plan.hash)


@asynccontextmanager
async def the_window(app: QApplication, home: Path) -> AsyncIterator[tuple[MainWindow, Desktop, Theme]]:
    """The real window over a home of its own, with a project open in it."""
    paths = replace(find_paths(), data=home, cache=home / "cache", logs=home / "logs")
    troubles = ErrorReporter(paths)
    kit = Kit(Theme(app, "dark"), Tasks(troubles), troubles)
    window = MainWindow(kit.theme, Looks("dark"))
    window.resize(1600, 1000)
    window.show()
    desktop = open_desktop(paths, troubles)
    window.attach(desktop, kit, view_factories())
    await desktop.begin()
    idleness = Idleness(window, partial(at_work, desktop))
    garbage = Garbage(app, idleness.idle)
    assert desktop.opened.value is not None
    try:
        yield window, desktop, kit.theme
    finally:
        garbage.end()
        window.detach()
        await kit.tasks.close()
        await desktop.close()
        window.close()


async def phases(app: QApplication, home: Path) -> None:
    """All that is measured."""
    async with the_window(app, home) as (_, desktop, theme):
        assert desktop.opened.value is not None
        await measure(desktop.opened.value)
        await switch(desktop, theme)


def run(work: Callable[[QApplication, Path], Coroutine[object, object, None]]) -> int:
    """Do it on a window's event loop with a home of its own."""
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    with tempfile.TemporaryDirectory() as home, short_turns():
        loop.run_until_complete(work(app, Path(home)))
    loop.close()
    return 0


def main() -> int:
    """Print the gaps."""
    return run(phases)


if __name__ == "__main__":
    raise SystemExit(main())
