"""Steps that tests take with a real studio: a project, an approved run, a crash in the middle of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.session.cancellation import Cancellation
from agent.session.events import Event, StepDone
from agent.song.edits import SetTempo
from agent.song.ids import RunId
from app.paths import Paths, find_paths
from app.storage import runs
from app.storage.database import Transaction
from app.storage.records import Event as StoredEvent
from app.storage.records import Project, RunUpdate
from app.studio.running.run_view import RunView
from app.studio.studio import Studio


class Crash(Exception):
    """The program ends here."""


def paths_in(home: Path) -> Paths:
    """The folders of an installation in `home`."""
    return Paths(home, home / "cache", home / "logs", find_paths().resources)


def tracks(count: int, name: str = "Pad") -> tuple[Step, ...]:
    """Rows that make tracks."""
    return tuple(
        Step(f"s{n}", "create_track", {"name": f"{name} {n}", "instrument": "pad_warm"}) for n in range(count)
    )


async def approved(
    studio: Studio, project: Project, steps: tuple[Step, ...], *, queued: bool = False, **fields: Any
) -> RunId:
    """A run of these rows, approved by a person for the song as it is now."""
    stored = await studio.projects.find(project.id)
    stage = await studio.planning.stage(stored)
    plan = studio.planning.adopt(Plan(steps, request="more", **fields), stage)
    judged = await studio.planning.judge(plan, stage.song)
    approval = studio.session.approve(judged, judged.plan.hash, stage.revision)
    return await studio.runs.start(judged.plan, approval, stored, queued=queued)


async def carried_out(studio: Studio, project: Project, steps: tuple[Step, ...], **fields: Any) -> RunView:
    """The same, run to its end."""
    return await studio.runs.host.carry_out(await approved(studio, project, steps, **fields), Cancellation())


async def crashed(studio: Studio, run: RunId, rows: int) -> RunView:
    """Carry a run out until so many rows are stored, and no further."""
    numbers = count(1)
    with suppress(Crash), dying_after(lambda event: event.kind == "STEP_DONE" and next(numbers) >= rows):
        await studio.runs.host.carry_out(run, Cancellation())
    return await studio.runs.show(run)


@contextmanager
def dying_after(last: Callable[[StoredEvent], bool]) -> Iterator[None]:
    """Nothing of a run is stored any more after what holds the first such event, as if the program ended there."""
    record, over = runs.record, False

    def dying(transaction: Transaction, progress: RunUpdate) -> object:
        nonlocal over
        if over:
            raise Crash
        over = any(last(event) for event in progress.events)
        return record(transaction, progress)

    with mock.patch.object(runs, "record", dying):
        yield


def after(rows: int, act: Callable[[], None]) -> Callable[[Event], None]:
    """A listener that acts each time a row is done once so many are."""
    done = 0

    def listen(event: Event) -> None:
        nonlocal done
        done += isinstance(event, StepDone)
        if isinstance(event, StepDone) and done >= rows:
            act()

    return listen


def tempo(bpm: float) -> tuple[SetTempo, ...]:
    """An edit by hand."""
    return (SetTempo(bpm=bpm),)
