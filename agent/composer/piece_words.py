"""The words of new pieces as values: what they are for, who plays them, and how they go on in time."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.styles import Share
from agent.song.key import Mode

Phrases = tuple[Annotated[str, Meta(min_length=1, max_length=60)], ...]
Amount = Annotated[float, Meta(ge=-1, le=1)]
Pace = Literal["slow", "medium", "fast"]


class Traits(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of a piece's character, each from 0 to 1; None is not said. See `Character` of styles."""

    acoustic: Share | None = None
    energy: Share | None = None
    brightness: Share | None = None
    tension: Share | None = None
    formality: Share | None = None
    groove: Share | None = None
    play: Share | None = None


class Setting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a new piece is for or about, or how it is described: its traits, and what they mean for writing it.

    `lift` is added to the energy (-1 to 1) and `tempo` multiplies the tempo that a style would take; `pace` is a place
    in its range.
    """

    name: str
    words: Phrases
    traits: Traits
    mode: Mode | None = None
    pace: Pace | None = None
    tempo: Annotated[float, Meta(ge=0.5, le=2)] = 1.0
    lift: Amount = 0.0


class Ensemble(Struct, frozen=True, forbid_unknown_fields=True):
    """What a group of players is called, and who they are, by the words for each."""

    words: Phrases
    players: Phrases


class CourseWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How a new piece is said to go on in time.

    `labels` name a stage beside a number; `opening`, `middle`, `following` and `closing` begin one, as those called
    `_names` do at the beginning of a clause. `moments` before a length (with words that are `near` it) say when one
    begins, `returns` that the first comes again, `everywhere` that a refusal holds for all of it, `of_all` behind the
    last one that so does what follows. `enters` and `leaves` are what players do, `everyone` all of them; `theme` is
    the tune that was there. `builds` to `slower` say how a stage moves, `at_most` that nothing is louder than a
    dynamic; `up` and `down` lead to an interval. `dynamics` are velocities, `limits` those behind `at_most` alone,
    `keys` semitones above the tonic and the mode ("": that of the piece).
    """

    labels: Phrases
    opening: Phrases
    opening_names: Phrases
    middle_names: Phrases
    closing_names: Phrases
    middle: Phrases
    following: Phrases
    closing: Phrases
    moments: Phrases
    near: Phrases
    returns: Phrases
    everywhere: Phrases
    of_all: Phrases
    theme: Phrases
    enters: Phrases
    leaves: Phrases
    everyone: Phrases
    builds: Phrases
    fades: Phrases
    layered: Phrases
    silent: Phrases
    faster: Phrases
    slower: Phrases
    at_most: Phrases
    up: Phrases
    down: Phrases
    dynamics: dict[str, Annotated[int, Meta(ge=1, le=127)]]
    limits: dict[str, Annotated[int, Meta(ge=1, le=127)]]
    keys: dict[str, tuple[Annotated[int, Meta(ge=-12, le=12)], str]]
