"""How people type and what they say beside what they ask for, as the files of a language hold it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases


class Typing(Struct, frozen=True, forbid_unknown_fields=True):
    """What is typed where a plain word is meant.

    `plain` gives the words that are meant for what is typed: "" for what only colours a sentence, "," for what stands
    between two. `alike` are pairs of letters that are taken for each other by ear, `likened` endings
    of words that say what something is like: "rock-ish".
    """

    plain: dict[str, Annotated[str, Meta(max_length=60)]]
    signs: dict[str, Annotated[str, Meta(max_length=20)]]
    """The words for a plus and a minus before a number."""
    alike: tuple[Annotated[str, Meta(min_length=2, max_length=2)], ...]
    likened: Phrases = ()
    described: dict[str, Annotated[str, Meta(max_length=20)]] = {}
    """What is meant by the name of a player behind a word that describes it: "summer vibes" by "vibe"."""


class AsideWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How a clause is told that asks for nothing: who somebody is, why, how it feels, what others said.

    `phrases` ask for nothing wherever they stand. A clause is an aside that begins with somebody of `persons`, with one
    of the `owners` and a noun of no part (or one of `people`, before one of `states`), with one of `past`, or with
    one of `pointing` and no order behind it; unless it holds a word of `wishing` that does not lead to one of
    `activities`, what people do themselves. What somebody `says` counts as if nobody said it. A part that `is` what
    one of `judging` says is judged, and one of `praise` asks for nothing of it. `openers` may stand before all of
    these. What is `limited` is described. Words of `idle` say nothing where they alone are left over of a clause that
    was understood. A subject behind one of `linking` begins no clause of its own; `leading` words before an order do.
    `pieces` name the music as a whole. Behind one of `purposes` a clause of a new piece says why, and behind one of
    `circumstances` before a strange word where, which is no music; behind one of `reasons` nothing is said of what the
    piece is like.
    """

    phrases: Phrases
    openers: Phrases
    persons: Phrases
    owners: Phrases
    people: Phrases
    states: Phrases
    past: Phrases
    pointing: Phrases
    says: Phrases
    wishing: Phrases
    activities: Phrases
    be: Phrases
    judging: Phrases
    praise: Phrases
    limited: Phrases
    idle: Phrases
    linking: Phrases
    leading: Phrases
    deliberate: Phrases = ()
    """Say that what is called wrong is to be so: "the bass much too loud, on purpose"."""
    own: Phrases = ()
    """Lead to what people play themselves, of which nothing is spoken: "I do the tune myself on guitar"."""
    pieces: Phrases = ()
    purposes: Phrases = ()
    circumstances: Phrases = ()
    reasons: Phrases = ()
