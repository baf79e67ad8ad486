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
"""What a fragment says of its values, places and parts; `stays` and `unchanged` together take a place back."""


class AmendingWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of remarks that change one value, place or part of what a plan was asked for.

    `starts` begin a clause of their own, but for behind one of `leading`, and one of `closing` ends it. `filler` says
    nothing, `placing` begin places, and by `common` words no task is known. `reasons` begin what
    stands behind a complaint. `placed` is a request that takes a place in its braces.
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
    """`leave` says that rows go, as `holding` does before something `unchanged`; `only` that the others go; `agreed`
    that they stay, and `degrees` how far they shall go. `others` are all rows that are not named. `counted` stand
    before the number of a row, and behind one of `ordinals`; `about` names what belongs to the song as a whole.
    `of_plan` names the plan itself, `filler` says nothing, `breaks` part clauses; a clause that begins with
    `statements`, but not with `wishes`, wants nothing."""

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
    """A remark without "from the plan": that is what it is about anyway. What is nothing else stays as it is."""
    phrases = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in language.of_plan)
    return re.sub(rf"\s+(?:{phrases})\b", "", said, flags=re.IGNORECASE).strip() or said


def without_measure(words: Sequence[str], language: RefiningWords) -> list[str]:
    """The words of a clause without the measure in what stays unchanged: "as loud as they are" is "as they are"."""
    unchanged = [tuple(phrase.split()) for phrase in (*language.unchanged, *language.amending.sayings["unchanged"])]
    kept = list(words)
    for at in range(len(kept) - 2):
        rest = tuple(kept[at + 2 :])
        if any(phrase[0] == kept[at] and len(phrase) > 1 and rest[: len(phrase)] == phrase for phrase in unchanged):
            return kept[:at] + kept[at + 2 :]
    return kept
