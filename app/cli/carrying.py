"""Carrying out a run at a terminal: events as lines of progress."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import assert_never

from agent.plan.ledger import StepState
from agent.session import events as ev
from agent.session.pace import Pace
from agent.session.report_words import one_line
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.cli.errors import CANCELLED, OK, UNFINISHED
from app.cli.output import Output
from app.storage.errors import StorageError
from app.studio.running.run_view import RunView
from app.studio.studio import Studio

_NOT_ALL = 0.99
"""Largest share shown for a run that has not ended; 1 would end the progress line."""
_MINUTES = 90.0
"""Seconds from which on a remaining time is shown in minutes."""


async def carried(
    studio: Studio, output: Output, work: Callable[[], Awaitable[RunView]], run: RunId | None = None
) -> RunView:
    """Await the work of a run and return its result; events are printed on stderr, and with `run` also the progress of
    that run."""
    with told_on_the_way(studio, output, None if run is None else await studio.runs.show(run)):
        try:
            return await work()
        except StorageError:
            with suppress(StorageError):
                if run is not None and (await studio.runs.show(run)).state is RunState.RUNNING:
                    output.note(f"what is done of the run is kept; when it can: bandleader runs resume {run}")
            raise


@contextmanager
def told_on_the_way(studio: Studio, output: Output, view: RunView | None = None) -> Iterator[None]:
    """Context in which events of runs carried out by this process are printed on stderr; with `view` also that run's
    progress."""
    far = None if view is None else _HowFar(view, output)

    def tell(event: ev.Event) -> None:
        # Two figures in turns on one line could not be read: where the run's is told, a row's is not.
        if far is None or not isinstance(event, ev.StepProgress):
            _tell(event, output)

    silencers = [studio.runs.events.listen(one) for one in (tell, far.hear if far else None) if one is not None]
    try:
        yield
    finally:
        output.clear()
        for silence in silencers:
            silence()


class _HowFar:
    """How far a run is and how long it may still take, wherever that can be overwritten."""

    def __init__(self, view: RunView, output: Output) -> None:
        self._output = output
        items: dict[str, int] = {}
        for item in view.items:
            if item.state is StepState.DONE:
                items[item.step] = items.get(item.step, 0) + 1
        ended = [row.step for row in view.rows if row.state.ended and row.state is not StepState.NOT_RUN]
        self._pace = Pace(view.plan.steps, ended, items)
        self._titles = {step.id: step.title or step.id for step in view.plan.steps}

    def hear(self, event: ev.Event) -> None:
        now = monotonic()
        self._pace.hear(event, now)
        if isinstance(event, ev.StepStarted | ev.StepProgress | ev.StepDone):
            standing = self._pace.whole(now)
            told = f": {event.text}" if isinstance(event, ev.StepProgress) and event.text else ""
            what = one_line(f"{self._titles.get(event.step, event.step)}{told}")
            self._output.progress(min(standing.share, _NOT_ALL), what, _time_left(standing.seconds_left))


def _time_left(seconds: float | None) -> str:
    if seconds is None or seconds < 1:
        return ""
    return f", about {seconds:.0f} s left" if seconds < _MINUTES else f", about {seconds / 60:.0f} min left"


def _tell(event: ev.Event, output: Output) -> None:
    match event:
        case ev.Executing(rows=rows):
            output.note(f"running {rows} approved rows")
        case ev.StepProgress(share=share, text=text):
            output.progress(share, text)
        case ev.SubStepDone(step=step, number=number, tool=tool, ok=ok, told=told):
            refused = "" if ok else f" refused: {told:.160}"
            output.note(f"{step}, call {number}: {tool}{refused}")
        case ev.StepFailed(step=step, reason=reason, state="needs_review"):
            output.note(f"{step} needs you: {reason}", "yellow")
        case ev.StepFailed(step=step, reason=reason):
            output.note(f"{step} failed: {reason}", "red")
        case ev.StepSkipped(step=step, reason=reason) | ev.StepNotRun(step=step, reason=reason):
            output.note(f"{step} not done: {reason}", "yellow")
        case ev.Retrying(step=step, seconds=seconds, reason=reason):
            output.note(f"{step} is tried again in {seconds:g} s: {reason}", "yellow")
        case ev.CancelRequested():
            output.note("another program asked this run to stop", "yellow")
        case ev.PauseRequested():
            output.note("another program asked this run to pause", "yellow")
        case (
            ev.RunCreated() | ev.AgentThinking() | ev.PlanGenerated() | ev.PlanApproved() | ev.RowApproved()
            | ev.EditsApproved() | ev.ModelUsed() | ev.RunStarted() | ev.StepStarted() | ev.StepDone()
            | ev.RunPaused() | ev.RunProposed() | ev.IterationSaved()
            | ev.RunCompleted() | ev.RunFailed() | ev.RunCancelled() | ev.RunRolledBack()
        ):
            pass
        case _:
            assert_never(event)


def status_of_run(state: RunState) -> int:
    """The exit status for a run in this final state."""
    if state is RunState.COMPLETED:
        return OK
    return CANCELLED if state is RunState.CANCELLED else UNFINISHED
