"""The words in which one operation is asked for: as ordered forms, and as frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.piece_words import Amount, Forms, Name, Phrases
from agent.song.key import Mode


class OperationWords(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Phrase patterns (`forms`) that ask for one operation, and the values that they imply beside their slots.

    `sign` is the direction, for mix requests also how far (-1 to 1). `amount` is how far the operation goes, 1 the
    usual. `factor`, `mood`, `mode`, `control`, `how` and `feel` are values for operations that have such a field;
    `variant` is read by each operation in its own way. With `each` it is done once in each phrase or section.

    `weak` patterns yield where their {part} begins another pattern ("just the drums louder"). A `complaint` ("too
    loud") is a wish unless an order about the same thing says what to do. The operation "nothing" is understood and
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
    complaint: bool = False
    each: Literal["", "phrase", "section"] = ""


class ClauseFrame(OperationWords, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An operation as the parts of a clause in any order. Its `forms` are cues: words in this order with anything
    between.

    The slots of `needs` must be present, those of `may` can be. A slot of `behind` must follow one of the words given,
    one of `apart` must not. `marks` are the kinds of phrases that may narrow it.
    """

    forms: tuple[Annotated[str, Meta(min_length=1, max_length=400)], ...]
    needs: Phrases = ()
    may: Phrases = ()
    behind: dict[str, Phrases] = {}
    apart: dict[str, Phrases] = {}
    marks: Phrases = ("place", "amount", "condition", "often")


class Inflection(Struct, frozen=True, forbid_unknown_fields=True):
    """How more words are formed from the `adjectives` after a word of `comparing`: "darker" and "darken" from "more
    dark".

    `endings` are appended; a `silent` last letter is dropped, and last letters change as `changes` says. `particles`
    make a verb of the bare word ("dry it out").
    """

    comparing: Phrases = ()
    adjectives: Phrases = ()
    endings: Phrases = ()
    silent: Phrases = ()
    changes: Mapping[str, str] = {}
    particles: Phrases = ()


class Framing(Struct, frozen=True, forbid_unknown_fields=True):
    """The clause frames of a language, `passing` words that a clause may hold besides, and `light` verbs ("make").

    A cue word may have one of `endings`, in place of a `silent` last letter, and after a `passive` word one of
    `participles`. After a `universal` word ("all") a contrasting word begins an exception ("all but").
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
