"""Following a run that is carried out anywhere: its events, a line each, until it has ended."""

from __future__ import annotations

import msgspec

from agent.session.cancellation import Cancellation
from agent.song.ids import RunId
from app.cli.carrying import status_of_run
from app.cli.errors import CANCELLED
from app.cli.output import Document, Output
from app.storage.records import Event
from app.studio.studio import Studio


async def follow(run: RunId, studio: Studio, output: Output, cancellation: Cancellation) -> int:
    """Print stored events and new ones until the run has ended; returns the exit status of that end.

    With `--json` every line on stdout is a JSON document. Ctrl-C stops the following, not the run."""
    last = 0
    await studio.runs.show(run)
    async with studio.runs.watch() as watch:
        while True:
            state, events = await studio.runs.news(run, last)
            for event in events:
                last = event.number
                output.line(event_shape(event), event_line(event))
            if state.ended:
                return status_of_run(state)
            if cancellation.requested():
                return CANCELLED
            await watch.wait(cancellation)


def event_shape(event: Event) -> Document:
    """An event as JSON document."""
    return {"number": event.number, "kind": event.kind, "at": event.at, **msgspec.json.decode(event.body)}


def event_line(event: Event) -> tuple[str, str]:
    """An event as text: number, time and kind, and the beginning of its body."""
    return f"{event.number:4} {event.at[11:23]} {event.kind} ", event.body[:120]
