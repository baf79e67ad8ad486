"""An answer: a musician's sentences, the facts in them, and what they point at."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from agent.song.ids import IterationId, RunId, TrackId


class Fact(Struct, frozen=True):
    """A named value that the answer states; `unit` is BPM, dB, LUFS, bars, s, … ("" for none)."""

    name: str
    value: str | int | float | bool
    unit: str = ""


class BarsLink(Struct, frozen=True, tag_field="kind", tag="bars"):
    """Bars of the song, from 1, both ends included."""

    first: int
    last: int


class TrackLink(Struct, frozen=True, tag_field="kind", tag="track"):
    """A link to a track of the song."""

    track: TrackId
    name: str


class RowLink(Struct, frozen=True, tag_field="kind", tag="row"):
    """A link to the row `step` of a plan: of the waiting plan, or of that of `run` if it is set. `number` is the row's
    number as shown, from 1."""

    step: str
    number: int
    run: RunId | None = None


class VersionLink(Struct, frozen=True, tag_field="kind", tag="version"):
    """A link to a version of the song; `number` is its number in the history, from 1."""

    version: IterationId
    number: int


class RunLink(Struct, frozen=True, tag_field="kind", tag="run"):
    """A link to a run."""

    run: RunId


class CommandLink(Struct, frozen=True, tag_field="kind", tag="command"):
    """A command line that does what the answer is about."""

    command: str


Link: TypeAlias = BarsLink | TrackLink | RowLink | VersionLink | RunLink | CommandLink


class Answer(Struct, frozen=True):
    """The text of an answer, the facts that it states, and links to what it is about."""

    text: str
    facts: tuple[Fact, ...] = ()
    links: tuple[Link, ...] = ()
