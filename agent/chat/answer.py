"""An answer: a musician's sentences, the facts in them, and what they point at."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from agent.song.ids import IterationId, RunId, TrackId


class Fact(Struct, frozen=True):
    """A named value; `unit` is BPM, dB, LUFS, bars, s, … and empty where there is none."""

    name: str
    value: str | int | float | bool
    unit: str = ""


class BarsLink(Struct, frozen=True, tag_field="kind", tag="bars"):
    """Bars of the song, from 1, both ends included."""

    first: int
    last: int


class TrackLink(Struct, frozen=True, tag_field="kind", tag="track"):
    """A track of the song."""

    track: TrackId
    name: str


class RowLink(Struct, frozen=True, tag_field="kind", tag="row"):
    """A row of a plan: of the waiting one, or of the run that is named. `number` counts from 1."""

    step: str
    number: int
    run: RunId | None = None


class VersionLink(Struct, frozen=True, tag_field="kind", tag="version"):
    """A version of the song."""

    version: IterationId
    number: int


class RunLink(Struct, frozen=True, tag_field="kind", tag="run"):
    """A run."""

    run: RunId


class CommandLink(Struct, frozen=True, tag_field="kind", tag="command"):
    """What one types at the command line to have it done."""

    command: str


Link: TypeAlias = BarsLink | TrackLink | RowLink | VersionLink | RunLink | CommandLink


class Answer(Struct, frozen=True):
    """What is said, and what it rests on."""

    text: str
    facts: tuple[Fact, ...] = ()
    links: tuple[Link, ...] = ()
