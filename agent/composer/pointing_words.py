"""Words that point at a song that is there, or stand before a piece that is not."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Phrases


class PointingWords(Struct, frozen=True, forbid_unknown_fields=True):
    """By what a request for no named song tells whether it is about one.

    `definite` words stand before what exists, `pronouns` for it, and `comparing` ones against it; `indefinite` words
    stand before a piece, `anything` for it, and `pieces` are words for one beside those of `goals.works`. A piece does
    not stand behind words of `within` ("in a song"), and a pronoun behind `apart` is another's ("and it", "of it").
    """

    definite: Phrases = ()
    pronouns: Phrases = ()
    comparing: Phrases = ()
    indefinite: Phrases = ()
    anything: Phrases = ()
    pieces: Phrases = ()
    within: Phrases = ()
    apart: Phrases = ()
