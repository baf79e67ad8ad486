"""Words for harmony that are no forms of an operation."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Phrases


class HarmonyWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How chords are spelled out in words: `spoken` maps what follows the letter to the ending of its symbol ("minor
    seventh": `m7`).

    `sharp` and `flat` stand between letter and ending. `each` ("per chord") follows the number of bars that every chord
    of a row lasts.
    """

    spoken: dict[str, str] = {}
    sharp: Phrases = ()
    flat: Phrases = ()
    each: Phrases = ()
