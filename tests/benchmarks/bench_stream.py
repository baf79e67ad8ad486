"""The window while a model writes a plan of 4,000 notes: gaps of the event loop, the first row, and how fast it stops.

Each of the real SDKs reads the answer in pieces of seven characters from a scripted server in a process of its own,
as fast as the loopback brings them. The peer is the same window at rest, in the same run.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from bench_gaps import Watch, run, the_window
from PySide6.QtWidgets import QApplication

from app.studio.models import KINDS, Kind, ProviderSettings
from app.ui.plan.pages import DraftTable
from app.ui.shell.main_window import MainWindow
from app.viewmodels.desktop import Desktop
from app.viewmodels.open_project import OpenProject

CLIPS, NOTES, STOPS = 40, 100, 5
SERVER = Path(__file__).resolve().parent.parent / "support" / "model_server_process.py"
_LOOK = 0.001
_PATIENCE = 120.0


def answer() -> str:
    """A plan of 4,000 notes: a track, and clips of 100 notes."""
    rows = [_row("s1", "create_track", {"name": "Keys", "instrument": "piano"})]
    for clip in range(CLIPS):
        notes = [{"n": 48 + (i * 7 + clip) % 30, "s": i * 0.32, "d": 0.25, "v": 60 + i % 40} for i in range(NOTES)]
        where = {"track_id": "{{s1.track_id}}", "start_time": 32 * clip, "duration": 32}
        rows.append(_row(f"s{clip + 2}", "create_midi_clip", {**where, "notes": notes}))
    return json.dumps({"analysis": "many notes", "musical_reasoning": "as asked", "steps": rows})


def _row(step: str, tool: str, inputs: dict[str, object]) -> dict[str, object]:
    return {"id": step, "tool": tool, "title": f"{tool} {step}", "group": "", "why": "", "inputs": inputs}


@contextmanager
def _server() -> Iterator[dict[Kind, str]]:
    """The base URL of each kind."""
    command = [sys.executable, str(SERVER)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(answer()) + "\n")
        process.stdin.flush()
        yield cast("dict[Kind, str]", json.loads(process.stdout.readline()))
        process.communicate()


class Stream:
    """What is measured with one provider."""

    def __init__(self, form: Kind, window: MainWindow, opened: OpenProject, watch: Watch) -> None:
        self._form = form
        self._opened = opened
        self._watch = watch
        # The table takes its first rows by a reset, later ones by insertions.
        cast("DraftTable", window.findChild(DraftTable)).model.modelReset.connect(self._first_rows)
        self._first: float | None = None

    async def plans(self, words: str) -> float:
        """A whole plan; returns the longest gap while it streams in milliseconds."""
        opened, began, self._first = self._opened, time.perf_counter(), None
        asking = asyncio.ensure_future(opened.asking.ask(f"{words} by {self._form}"))
        worst = await self._watch.during(f"{self._form}: the answer streams", self._until_rows(CLIPS + 1))
        await self._watch.during(f"{self._form}: judged and shown", _settled(asking))
        proposal = opened.reviewing.proposal.value
        assert proposal is not None, opened.conversation.entries[-1]
        assert len(proposal.plan.steps) == CLIPS + 1
        assert self._first is not None
        print(f"{self._form}: first row in the plan table after {(self._first - began) * 1000:.0f} ms")
        opened.asking.approving.discard()
        return worst

    async def stops(self) -> float:
        """Stopped in the middle, again and again; returns the longest that it took in milliseconds.

        A stop has taken effect when nothing is planned any more; the window's painting comes after that.
        """
        took: list[float] = []
        painted: list[float] = []
        ended = self._opened.asking.doing
        for number in range(STOPS):
            asking = asyncio.ensure_future(self._opened.asking.ask(f"to be stopped, {number}, by {self._form}"))
            await self._until_rows(CLIPS // 2)
            began = time.perf_counter()
            silence = ended.changed.listen(lambda _, began=began: took.append((time.perf_counter() - began) * 1000))
            self._opened.asking.stop()
            await asking
            silence()
            painted.append((time.perf_counter() - began) * 1000)
            assert len(took) == number + 1
            assert self._opened.reviewing.proposal.value is None
        middle, shown = statistics.median(took), statistics.median(painted)
        print(f"{self._form}: stopped {STOPS} times, median {middle:.1f} ms, longest {max(took):.1f} ms;"
              f" shown after {shown:.1f} ms")
        return max(took)

    def _first_rows(self) -> None:
        self._first = self._first or time.perf_counter()

    async def _until_rows(self, count: int) -> None:
        asking = self._opened.asking
        async with asyncio.timeout(_PATIENCE):
            while not (asking.busy and asking.rows.value >= count):
                await asyncio.sleep(_LOOK)


async def _settled(work: asyncio.Future[None]) -> None:
    await work
    await asyncio.sleep(0.5)


async def measure(app: QApplication, home: Path) -> None:
    """All phases."""
    with _server() as urls:
        # Taken out of the environment when the window opens, as a person's keys are.
        os.environ.update({"ANTHROPIC_API_KEY": "sk-loopback", "OPENAI_API_KEY": "sk-loopback"})
        async with the_window(app, home) as (window, desktop, _):
            await _phases(window, desktop, urls)


async def _phases(window: MainWindow, desktop: Desktop, urls: dict[Kind, str]) -> None:
    opened, models, watch = desktop.opened.value, desktop.studio.models, Watch()
    assert opened is not None
    await asyncio.sleep(1.0)
    await watch.during("at rest", asyncio.sleep(2.0))
    gaps: list[float] = []
    stops: list[float] = []
    for form in KINDS:
        await models.keep(ProviderSettings(form, base_url=urls[form], model="any"))
        await models.choose(form)
        await watch.during(f"{form}: first use of its SDK", models.test(form))
    for form in KINDS:
        await models.choose(form)
        stream = Stream(form, window, opened, watch)
        gaps.append(await stream.plans("four thousand notes"))
        stops.append(await stream.stops())
        gaps.append(await stream.plans("four thousand notes after the stops"))
    print(f"longest gap while an answer streams {max(gaps):.1f} ms (at most 50)")
    print(f"longest stop {max(stops):.1f} ms (at most 10)")


if __name__ == "__main__":
    raise SystemExit(run(measure))
