"""The words in which a part that comes in is described, as values: what it plays, how, where in pitch and how loud."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases

Material = Literal["", "line", "chords", "roots", "drone", "arpeggio", "pulse", "roll", "counter", "lead", "double"]
"""What an added part plays on the song's chords, from weakest to strongest: one long note per chord, chords, roots, a
drone, broken chords, a repeated note, a roll, a counter-melody, a melody, or a doubling of another part; "" if not
said."""
Strokes = Literal["", "beats", "one", "backbeats", "offbeats"]
"""The beats at which a part strikes; "" if not said."""


class PartTrait(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A property of a part to be added, and the phrases (`words`) for it; fields not set say nothing about it.

    `plays` is its material, `strokes` its rhythm, `step` the time between strokes in quarter notes; `held` notes last
    until the next. `loud` and `register` are steps from the usual, -2 to 2; `pan` runs from -1 (left) to 1. With
    `leads` the part starts before the place named and leads up to it.
    """

    words: Phrases
    plays: Material = ""
    strokes: Strokes = ""
    step: Annotated[float, Meta(ge=0, le=4)] = 0.0
    held: bool | None = None
    loud: Annotated[int, Meta(ge=-2, le=2)] = 0
    register: Annotated[int, Meta(ge=-2, le=2)] = 0
    pan: Annotated[float, Meta(ge=-1, le=1)] | None = None
    leads: bool = False


class AddedPartWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The phrases around the properties of a part to be added ("a soft bass line on the root notes from bar 5").

    Whether it is new: `openers` ("stick in") and `indefinite` articles add a part, `definite` ones name an existing
    part. Describing it: `passing` words are skipped, `strongly` ("very") doubles the trait behind it, `slightly`
    ("quite") changes nothing, `nouns` ("line") may follow its instrument, `by` ("on the") leads to its instrument,
    `colours` ("fat") say how it sounds and ask for nothing. Relations: `entering` ("coming in") leads to the place
    where it starts, `doubling` to a part of the song, as do `above`, `below`, `softer` ("softer than") and `against`;
    `on` leads to beat numbers. `narrowing` words ("only") begin a limit that must be understood. `families` are
    adjectives of instrument families ("string"). `sounds` are instruments for words that mean several parts in a song
    that has them ("sub").
    """

    openers: Phrases
    indefinite: Phrases
    definite: Phrases
    passing: Phrases
    strongly: Phrases
    slightly: Phrases
    nouns: Phrases
    by: Phrases
    entering: Phrases
    doubling: Phrases
    above: Phrases
    below: Phrases
    against: Phrases
    softer: Phrases
    narrowing: Phrases
    on: Phrases
    colours: Phrases
    sounds: dict[str, str]
    families: dict[str, str]
    traits: tuple[PartTrait, ...]
