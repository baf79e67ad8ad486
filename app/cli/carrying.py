"""Carrying out a run at a terminal: events as lines of progress."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import assert_never

from agent.session import events as ev
from app.cli.output import Output
from app.studio.run_view import RunView
from app.studio.studio import Studio


async def carried(studio: Studio, output: Output, work: Callable[[], Awaitable[RunView]]) -> RunView:
    """Do the work of a run, telling its events on stderr."""
    silence = studio.runs.events.listen(lambda event: _tell(event, output))
    try:
        return await work()
    finally:
        silence()


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
        case (
            ev.RunCreated() | ev.AgentThinking() | ev.PlanGenerated() | ev.PlanApproved() | ev.RowApproved()
            | ev.EditsApproved() | ev.ModelUsed() | ev.RunStarted() | ev.StepStarted() | ev.StepDone()
            | ev.CancelRequested() | ev.PauseRequested() | ev.RunPaused() | ev.RunProposed() | ev.IterationSaved()
            | ev.RunCompleted() | ev.RunFailed() | ev.RunCancelled() | ev.RunRolledBack()
        ):
            pass
        case _:
            assert_never(event)
