"""The words about the rows of a plan that waits: what `resources/language/LANGUAGE_refining.toml` holds."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases


class RefiningWords(Struct, frozen=True, forbid_unknown_fields=True):
    """`leave` says that rows go, as `holding` does before something `unchanged`; `only` that the others go; `agreed`
    that they stay, and `degrees` how far they shall go. `others` are all rows that are not named. `counted` stand
    before the number of a row, and behind one of `ordinals`; `about` names what belongs to the song as a whole.
    `filler` says nothing, `breaks` part clauses; a clause that begins with `statements`, but not with `wishes`, wants
    nothing."""

    contractions: dict[str, str]
    breaks: Phrases
    statements: Phrases
    wishes: Phrases
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
