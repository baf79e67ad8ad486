"""How people type and what they say beside what they ask for, as the files of a language hold it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases


class Typing(Struct, frozen=True, forbid_unknown_fields=True):
    """Colloquial spellings and abbreviations, and the plain words that they mean.

    `plain` maps what is typed to plain words; "" for expletives, "," for what separates two items. `signs` are the
    words for a plus and a minus before a number. `alike` are pairs of letters that sound alike, for misspellings;
    `likened` are endings of words that say what something resembles ("rock-ish"). `described` has the noun that is
    meant if a player's name follows an adjective: "vibe" for "summer vibes".
    """

    plain: dict[str, Annotated[str, Meta(max_length=60)]]
    signs: dict[str, Annotated[str, Meta(max_length=20)]]
    alike: tuple[Annotated[str, Meta(min_length=2, max_length=2)], ...]
    likened: Phrases = ()
    described: dict[str, Annotated[str, Meta(max_length=20)]] = {}


class AsideWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases of clauses that ask for nothing: about people, reasons, feelings, what others said.

    `phrases` ask for nothing wherever they stand. A clause is an aside if it begins with one of `persons` ("I"), with
    one of `owners` ("my") and a noun that is no part (or one of `people` before one of `states`), with one of `past`,
    or with one of `pointing` ("it is") without an order after it; `openers` may precede these. It is none if it has a
    word of `wishing`, unless that leads to one of `activities` ("sing"). What somebody `says` is read as if it stood
    alone. A part that `be` what is in `judging` ("bug me") is complained about; `praise` asks for no change. `limited`
    ("is just") begins a description. `idle` words say nothing where only they were not understood. A subject after
    `linking` ("when") begins no new clause, `leading` words ("so") precede an order. `pieces` name the music as a
    whole. In requests for a new piece a clause after `purposes` says why, `circumstances` before an unknown word say
    where, and what follows `reasons` does not describe the piece.
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
    """Phrases that ask for what is complained about: "the bass much too loud, on purpose"."""
    own: Phrases = ()
    """Phrases before what people play themselves, which asks for no part: "I do the tune myself on guitar"."""
    pieces: Phrases = ()
    purposes: Phrases = ()
    circumstances: Phrases = ()
    reasons: Phrases = ()
