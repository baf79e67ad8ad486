"""A part phrase: what the noun phrase of a part that comes in says of it, as one value."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.added_part_words import Material, Strokes
from agent.composer.understanding.wishes import Wish
from agent.song.key import Key


class PartPhrase(Struct, frozen=True):
    """How a part to be added plays. `loud` and `register` are steps from the usual, `pan` is -1 (left) to 1.

    It plays `plays` in the rhythm `strokes`, on the `beats` of the bar (from 1), or every `step` quarter notes (0: not
    said); `held` notes last until the next stroke. With `of` it doubles that part at `semitones`; it lies `above` or
    `below` another part; a drone is on the tonic of `key`. With `leads` it plays in the bar before its place.
    `velocity`, that of a dynamic mark, counts before `loud`.
    """

    plays: Material = ""
    strokes: Strokes = ""
    beats: tuple[Annotated[int, Meta(ge=1, le=16)], ...] = ()
    step: Annotated[float, Meta(ge=0, le=4)] = 0.0
    held: bool | None = None
    loud: Annotated[int, Meta(ge=-2, le=2)] = 0
    velocity: Annotated[int, Meta(ge=1, le=127)] | None = None
    register: Annotated[int, Meta(ge=-2, le=2)] = 0
    pan: Annotated[float, Meta(ge=-1, le=1)] | None = None
    key: Key | None = None
    leads: bool = False
    of: Wish | None = None
    semitones: Annotated[int, Meta(ge=-36, le=36)] = 0
    above: Wish | None = None
    below: Wish | None = None

    @property
    def says(self) -> bool:
        """Whether any field of the phrase is set."""
        return self != PartPhrase()

    @property
    def timed(self) -> bool:
        """Whether the phrase says when the part strikes."""
        return bool(self.strokes or self.beats or self.step)
