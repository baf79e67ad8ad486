"""Words for harmony that are no forms of an operation."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Phrases


class HarmonyWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How chords are spoken: the ending of a symbol by what stands behind its letter, as "minor seventh" for `m7`.

    `sharp` and `flat` stand between the two. `each` stands behind the bars that every chord of a row lasts.
    """

    spoken: dict[str, str] = {}
    sharp: Phrases = ()
    flat: Phrases = ()
    each: Phrases = ()
