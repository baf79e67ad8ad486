"""The words in which one operation is asked for: as ordered forms, and as frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.piece_words import Amount, Forms, Name, Phrases
from agent.song.key import Mode


class OperationWords(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Forms in which one operation is asked for, and what they say beside their slots.

    `sign` is the direction (of a mix request also how far: 0 to 1). `weak` forms give way where their {part} begins
    another one ("just the drums louder"). `amount` is how far such a form goes by itself. `nothing` is understood and
    asks for nothing.
    """

    operation: Name
    forms: Forms
    sign: Amount = 1.0
    factor: Annotated[float, Meta(gt=0, le=8)] = 1.0
    amount: Annotated[float, Meta(gt=0, le=1.5)] = 1.0
    mood: Name = ""
    mode: Mode | None = None
    control: Literal["level", "pan", "reverb", "echo", "tone", "width", "punch", "drive"] = "level"
    how: Literal["simplify", "thicken", "humanize", "quantize", "vary"] = "vary"
    feel: Literal["half", "double"] = "half"
    weak: bool = False
    variant: str = ""
    """Which of its variants the operation takes; each operation names its own."""
    complaint: bool = False
    """Whether it says what is wrong: a wish, unless an order about the same says what is to be done."""
    each: Literal["", "phrase", "section"] = ""
    """Once in each of these."""


class ClauseFrame(OperationWords, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One operation as what a clause holds, in any order; its `forms` are cues: words in order, with anything between.

    The slots of `needs` must be there, those of `may` can be. A slot in `behind` stands right behind one of the words
    given, one in `apart` does not. `marks` are the kinds of marks that it may be narrowed by.
    """

    forms: tuple[Annotated[str, Meta(min_length=1, max_length=400)], ...]
    needs: Phrases = ()
    may: Phrases = ()
    behind: dict[str, Phrases] = {}
    apart: dict[str, Phrases] = {}
    marks: Phrases = ("place", "amount", "condition", "often")


class Inflection(Struct, frozen=True, forbid_unknown_fields=True):
    """How words are made from the `adjectives` behind a word of `comparing`, as "darker" and "darken" of "more dark".

    `endings` follow them, where a `silent` last letter falls away or the last letters change as `changes` says;
    `particles` make a verb of the bare word, as in "dry it out".
    """

    comparing: Phrases = ()
    adjectives: Phrases = ()
    endings: Phrases = ()
    silent: Phrases = ()
    changes: Mapping[str, str] = {}
    particles: Phrases = ()


class Framing(Struct, frozen=True, forbid_unknown_fields=True):
    """The frames of a language, words that are `passing` in a clause of theirs, and verbs as `light` as "make".

    `endings` may follow a word of a cue, in place of a last letter that is `silent`, and `participles` too behind a
    `passive` word; behind `universal` words a break
    begins what is left out, as in "all but".
    """

    passing: Phrases = ()
    light: Phrases = ()
    endings: Phrases = ()
    silent: Phrases = ()
    participles: Phrases = ()
    passive: Phrases = ()
    universal: Phrases = ()
    inflection: Inflection = Inflection()
    frames: tuple[ClauseFrame, ...] = ()
