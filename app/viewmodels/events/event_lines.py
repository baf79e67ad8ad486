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
from app.i18n import lazy, tr, trn
from app.storage.records import Event as StoredEvent
from app.viewmodels.plan.row_states import item_name
from app.viewmodels.texts.figures import number
from app.viewmodels.texts.moments import second_of

_LONGEST = 200


class EventGroup(StrEnum):
    """What an event is about, for filters."""

    RUN = lazy("Run")
    ROWS = lazy("Steps")
    TROUBLE = lazy("Trouble")
    MODEL = lazy("Model")


class EventLine(Struct, frozen=True):
    """One event of a run: its `number` there, time `at` (ISO 8601, UTC), stored `kind`, and `what` happened in words.
    `step` is the id of its row and `item` the index in a loop; empty and -1 for none. `text` is one line without hidden
    characters; `body` is the stored JSON."""

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
        """The time of day in local time: 14:32:05."""
        return second_of(self.at)


_WHAT: Mapping[type[Any], tuple[EventGroup, str]] = {
    ev.RunCreated: (EventGroup.RUN, lazy("Request")),
    ev.AgentThinking: (EventGroup.MODEL, lazy("Planning")),
    ev.PlanGenerated: (EventGroup.RUN, lazy("Plan made")),
    ev.PlanApproved: (EventGroup.RUN, lazy("Plan approved")),
    ev.RowApproved: (EventGroup.ROWS, lazy("Step approved anew")),
    ev.RunStarted: (EventGroup.RUN, lazy("Run started")),
    ev.Executing: (EventGroup.RUN, lazy("Steps to run")),
    ev.StepStarted: (EventGroup.ROWS, lazy("Started")),
    ev.StepProgress: (EventGroup.ROWS, lazy("Progress")),
    ev.SubStepDone: (EventGroup.MODEL, lazy("Call of the model")),
    ev.ModelUsed: (EventGroup.MODEL, lazy("Model used")),
    ev.EditsApproved: (EventGroup.ROWS, lazy("Edits approved")),
    ev.StepDone: (EventGroup.ROWS, lazy("Done")),
    ev.StepFailed: (EventGroup.TROUBLE, lazy("Failed")),
    ev.StepSkipped: (EventGroup.ROWS, lazy("Skipped")),
    ev.StepNotRun: (EventGroup.TROUBLE, lazy("Not run")),
    ev.Retrying: (EventGroup.TROUBLE, lazy("Tried again")),
    ev.CancelRequested: (EventGroup.RUN, lazy("Stop wanted")),
    ev.PauseRequested: (EventGroup.RUN, lazy("Pause wanted")),
    ev.RunPaused: (EventGroup.RUN, lazy("Run paused")),
    ev.RunProposed: (EventGroup.RUN, lazy("Waits for approval")),
    ev.IterationSaved: (EventGroup.RUN, lazy("Iteration saved")),
    ev.RunCompleted: (EventGroup.RUN, lazy("Run completed")),
    ev.RunFailed: (EventGroup.TROUBLE, lazy("Run ended badly")),
    ev.RunCancelled: (EventGroup.RUN, lazy("Run stopped")),
    ev.RunRolledBack: (EventGroup.RUN, lazy("Rolled back")),
}
_STATES = {"needs_review": lazy("Needs you"), "partial": lazy("Done in part"), "not_run": lazy("Not run")}


def event_line(stored: StoredEvent) -> EventLine:
    """A stored event as a line; one of a kind that this program does not know is shown as stored."""
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
        group, what = EventGroup.TROUBLE, lazy("Call refused")
    return EventLine(
        stored.number, stored.at, stored.kind, group, tr(what), getattr(event, "step", ""), getattr(event, "item", -1),
        one_line(_text(event)), stored.body,
    )


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
            said = trn("{count:,} step", "{count:,} steps", steps)
            return tr("{steps} by {planner}", steps=said, planner=planner) if planner else said
        case ev.PlanApproved(by=by) | ev.RowApproved(by=by) | ev.EditsApproved(by=by):
            return tr("by {by}", by=tr("in advance") if by.startswith("in advance") else by)
        case ev.RunStarted(resumed=resumed):
            return tr("taken up again") if resumed else ""
        case ev.Executing(rows=count):
            return trn("{count:,} step", "{count:,} steps", count)
        case ev.StepStarted(tool=tool, inputs=inputs):
            name = item_name(inputs)
            return f"{tool}: {name}" if name else tool
        case ev.StepProgress(share=share, text=text):
            return f"{share:.0%} {text}".strip()
        case ev.SubStepDone(tool=tool, told=told):
            return f"{tool}: {told}" if told else tool
        case ev.ModelUsed(tokens=tokens, calls=calls):
            used = trn("{count:,} token", "{count:,} tokens", tokens)
            return trn("{tokens} in {count:,} call", "{tokens} in {count:,} calls", calls, tokens=used)
        case ev.StepDone(result=result):
            return _short(result)
        case ev.Retrying(attempt=attempt, seconds=seconds, reason=reason):
            return tr("try {attempt} in {seconds} s: {reason}", attempt=attempt + 1,
                      seconds=number(seconds, 1), reason=reason)
        case ev.RunFailed(state=state, reason=reason):
            return f"{state}: {reason}" if reason else state
        case ev.StepFailed() | ev.StepSkipped() | ev.StepNotRun() | ev.RunProposed():
            return event.reason
        case ev.RunPaused(left=left):
            return trn("{count:,} step left; the run holds the song", "{count:,} steps left; the run holds the song",
                       left)
        case ev.IterationSaved(iteration=iteration) | ev.RunRolledBack(iteration=iteration):
            return tr("iteration {iteration}", iteration=iteration)
        case ev.RunCompleted(done=done) | ev.RunCancelled(done=done):
            return trn("{count:,} step done", "{count:,} steps done", done)
    return ""


def _short(result: Json) -> str:
    """The beginning of a result; all of it is in the event as JSON."""
    if result is None or result == {}:
        return ""
    return item_name(result) or msgspec.json.encode(result)[:_LONGEST].decode("utf-8", "replace")
