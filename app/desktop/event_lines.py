"""What happened in a run as lines: a group, the kind in words, the row and item that it is about, one short text."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from agent.plan.plan import Json
from agent.session import events as ev
from agent.session.report_words import one_line
from app.desktop.figures import counted, number
from app.desktop.moments import second_of
from app.storage.records import Event as StoredEvent
from app.words import later

_MOST_INPUTS = 6
_LONGEST = 200


class EventGroup(StrEnum):
    """What an event is about, for filters."""

    RUN = later("Run")
    ROWS = later("Steps")
    TROUBLE = later("Trouble")
    MODEL = later("Model")


class EventLine(Struct, frozen=True):
    """One event. `step` is the id of its row and `item` the place in a fan-out, empty and -1 for none.

    `text` is one line without hidden characters; `body` is what was stored, as JSON.
    """

    number: int
    at: str
    kind: str
    group: EventGroup
    what: str
    step: str = ""
    item: int = -1
    text: str = ""
    body: str = "{}"

    @property
    def time(self) -> str:
        """The moment of the day, in local time: 14:32:05."""
        return second_of(self.at)


_WHAT: Mapping[type[Any], tuple[EventGroup, str]] = {
    ev.RunCreated: (EventGroup.RUN, "Request"),
    ev.AgentThinking: (EventGroup.MODEL, "Planning"),
    ev.PlanGenerated: (EventGroup.RUN, "Plan made"),
    ev.PlanApproved: (EventGroup.RUN, "Plan approved"),
    ev.RowApproved: (EventGroup.ROWS, "Step approved anew"),
    ev.RunStarted: (EventGroup.RUN, "Run started"),
    ev.Executing: (EventGroup.RUN, "Steps to run"),
    ev.StepStarted: (EventGroup.ROWS, "Started"),
    ev.StepProgress: (EventGroup.ROWS, "Progress"),
    ev.SubStepDone: (EventGroup.MODEL, "Call of the model"),
    ev.ModelUsed: (EventGroup.MODEL, "Model used"),
    ev.EditsApproved: (EventGroup.ROWS, "Edits approved"),
    ev.StepDone: (EventGroup.ROWS, "Done"),
    ev.StepFailed: (EventGroup.TROUBLE, "Failed"),
    ev.StepSkipped: (EventGroup.ROWS, "Skipped"),
    ev.StepNotRun: (EventGroup.TROUBLE, "Not run"),
    ev.Retrying: (EventGroup.TROUBLE, "Tried again"),
    ev.CancelRequested: (EventGroup.RUN, "Stop wanted"),
    ev.PauseRequested: (EventGroup.RUN, "Pause wanted"),
    ev.RunPaused: (EventGroup.RUN, "Run paused"),
    ev.RunProposed: (EventGroup.RUN, "Waits for approval"),
    ev.IterationSaved: (EventGroup.RUN, "Iteration saved"),
    ev.RunCompleted: (EventGroup.RUN, "Run completed"),
    ev.RunFailed: (EventGroup.TROUBLE, "Run ended badly"),
    ev.RunCancelled: (EventGroup.RUN, "Run stopped"),
    ev.RunRolledBack: (EventGroup.RUN, "Rolled back"),
}
_STATES = {"needs_review": "Needs you", "partial": "Done in part", "not_run": "Not run"}


def event_line(stored: StoredEvent) -> EventLine:
    """A stored event as a line; one that this program does not know is told as it is stored."""
    event = _read(stored)
    if event is None:
        words = stored.kind.replace("_", " ").capitalize()
        return EventLine(
            stored.number, stored.at, stored.kind, EventGroup.RUN, one_line(words), text=one_line(stored.body),
            body=stored.body,
        )
    group, what = _WHAT[type(event)]
    if isinstance(event, ev.StepFailed):
        what = _STATES.get(event.state, what)
    if isinstance(event, ev.SubStepDone) and not event.ok:
        group, what = EventGroup.TROUBLE, "Call refused"
    return EventLine(
        stored.number, stored.at, stored.kind, group, what, getattr(event, "step", ""), getattr(event, "item", -1),
        one_line(_text(event)), stored.body,
    )


def item_name(inputs: Json) -> str:
    """What an item of a loop is, by its inputs: "machine studio-3"; one line, empty where they tell nothing."""
    if not isinstance(inputs, dict):
        return ""
    plain = [(name, value) for name, value in inputs.items() if isinstance(value, str | int | float) and value != ""]
    said = [f"{name.replace('_', ' ')} {value}" for name, value in plain[:_MOST_INPUTS]]
    return one_line(", ".join(said))


def _read(stored: StoredEvent) -> ev.Event | None:
    try:
        fields = msgspec.json.decode(stored.body)
        return msgspec.convert({**fields, "kind": stored.kind}, ev.Event)  # type: ignore[no-any-return]
    except (msgspec.MsgspecError, TypeError, UnicodeDecodeError):
        return None


def _text(event: ev.Event) -> str:
    match event:
        case ev.RunCreated(request=text) | ev.AgentThinking(text=text):
            return text
        case ev.PlanGenerated(steps=steps, planner=planner):
            return f"{counted(steps, 'step')} by {planner}" if planner else counted(steps, "step")
        case ev.PlanApproved(by=by) | ev.RowApproved(by=by) | ev.EditsApproved(by=by):
            return f"by {by}"
        case ev.RunStarted(resumed=resumed):
            return "taken up again" if resumed else ""
        case ev.Executing(rows=count):
            return counted(count, "step")
        case ev.StepStarted(tool=tool, inputs=inputs):
            name = item_name(inputs)
            return f"{tool}: {name}" if name else tool
        case ev.StepProgress(share=share, text=text):
            return f"{share:.0%} {text}".strip()
        case ev.SubStepDone(tool=tool, told=told):
            return f"{tool}: {told}" if told else tool
        case ev.ModelUsed(tokens=tokens, calls=calls):
            return f"{counted(tokens, 'token')} in {counted(calls, 'call')}"
        case ev.StepDone(result=result):
            return _short(result)
        case ev.Retrying(attempt=attempt, seconds=seconds, reason=reason):
            return f"try {attempt + 1} in {number(seconds, 1)} s: {reason}"
        case ev.RunFailed(state=state, reason=reason):
            return f"{state}: {reason}" if reason else state
        case ev.StepFailed() | ev.StepSkipped() | ev.StepNotRun() | ev.RunProposed():
            return event.reason
        case ev.RunPaused(left=left):
            return f"{counted(left, 'step')} left; the run holds the song"
        case ev.IterationSaved(iteration=iteration) | ev.RunRolledBack(iteration=iteration):
            return f"iteration {iteration}"
        case ev.RunCompleted(done=done) | ev.RunCancelled(done=done):
            return f"{counted(done, 'step')} done"
    return ""


def _short(result: Json) -> str:
    """The beginning of a result; all of it is in the event as JSON."""
    if result is None:
        return ""
    return item_name(result) or msgspec.json.encode(result)[:_LONGEST].decode("utf-8", "replace")
