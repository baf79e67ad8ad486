"""The words in which a part that comes in is described, as values: what it plays, how, where in pitch and how loud."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases

Material = Literal["", "line", "chords", "roots", "drone", "arpeggio", "pulse", "roll", "counter", "lead", "double"]
"""What a part plays on the chords of a song, weakest first: one long note a chord, chords, roots, one note throughout,
broken chords, one note struck again, a roll, a second voice, a tune, or what another part plays; empty: not said."""
Strokes = Literal["", "beats", "one", "backbeats", "offbeats"]
"""The places of the bar at which it strikes; empty where they are not said."""


class PartTrait(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What phrases say of a part that comes in.

    `loud` and `register` are steps from the usual, at most two. `step` is the distance of strokes in quarter notes,
    `pan` the place from -1 (left) to 1. `held` notes last until the next.
    What `leads` plays before its place.
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
    """The words around the traits of a part that comes in.

    `openers` ask for it; an `indefinite` word makes it a new one without them, a `definite` one names what is there.
    `passing` words may stand between traits. `strongly` doubles the trait behind it, `slightly` changes nothing.
    `nouns` may follow its instrument, `by` leads to the instrument of what is named by what it plays. `entering`
    stands before the place from which it plays on, `doubling` before a part of the song; `above` and `below` too,
    which alone say nothing, as `against` does; `softer` than one too. `on` leads to beats by their numbers. `colours`
    say how it sounds, and are nobody's order.
    `narrowing` words begin a limit that must be understood. `families` are named by their nouns as adjectives.
    `sounds` are the instruments of new parts whose words mean more than one in a song that has them.
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
