"""The words about the rows of a plan that waits: what `resources/language/LANGUAGE_refining.toml` holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases

Saying = Literal[
    "only", "not", "unchanged", "stays", "also", "instead", "wrong", "longer", "shorter", "starts", "ends",
    "degree",
]
"""What a fragment says of its values, places and parts; `stays` and `unchanged` together exclude a place."""


class AmendingWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases of remarks that change one value, place or part of what a plan was asked for.

    `starts` ("make it") begin a clause, unless a word of `leading` stands before them; `closing` ("yes") ends one.
    `sayings` are what a clause says of a value or place ("wrong", "stays"). `filler` says nothing, `placing` ("in")
    begins places, `common` words ("make") do not identify a task, and what follows `reasons` ("because") after a
    complaint is ignored. `placed` is a request with braces for a place.
    """

    starts: Phrases
    leading: Phrases
    closing: Phrases
    reasons: Phrases
    filler: Phrases
    placing: Phrases
    common: Phrases
    sayings: dict[Saying, Phrases]
    placed: str


class RefiningWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases of remarks about the rows of a plan.

    `leave` removes rows, and so does `holding` ("keep") before something `unchanged` ("as it was"); `only` removes all
    others, `agreed` keeps them, `degrees` set their intensity. `others` ("the rest") are all rows not named. `counted`
    ("row") stands before a row's number and after one of `ordinals`; `about` names what belongs to the whole song (its
    tempo). `of_plan` names the plan itself, `filler` says nothing, `breaks` divide clauses. A clause that begins with
    `statements` but not with `wishes` asks for nothing.
    """

    contractions: dict[str, str]
    breaks: Phrases
    statements: Phrases
    wishes: Phrases
    of_plan: Phrases
    leave: Phrases
    unchanged: Phrases
    holding: Phrases
    only: Phrases
    agreed: Phrases
    others: Phrases
    filler: Phrases
    ordinals: dict[str, Annotated[int, Meta(ge=-1, le=9)]]
    counted: Phrases
    about: dict[Literal["tempo", "key", "meter", "loudness"], Phrases]
    degrees: dict[str, Annotated[float, Meta(gt=0, le=4)]]
    amending: AmendingWords


def without_plan(said: str, language: RefiningWords) -> str:
    """The remark without phrases such as "from the plan", which are implied; unchanged if nothing else would be
    left."""
    phrases = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in language.of_plan)
    return re.sub(rf"\s+(?:{phrases})\b", "", said, flags=re.IGNORECASE).strip() or said


def without_measure(words: Sequence[str], language: RefiningWords) -> list[str]:
    """The words of a clause without the comparison before a phrase for "unchanged": "as loud as they are" becomes "as
    they are"."""
    unchanged = [tuple(phrase.split()) for phrase in (*language.unchanged, *language.amending.sayings["unchanged"])]
    kept = list(words)
    for at in range(len(kept) - 2):
        rest = tuple(kept[at + 2 :])
        if any(phrase[0] == kept[at] and len(phrase) > 1 and rest[: len(phrase)] == phrase for phrase in unchanged):
            return kept[:at] + kept[at + 2 :]
    return kept
