"""Words that point at a song that is there, or stand before a piece that is not."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Phrases


class PointingWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases that tell whether a request without a named song is about an existing one.

    `definite` words ("the") stand before what exists, `pronouns` ("it") for it, `comparing` ones ("louder") relate to
    it. `indefinite` words ("a") stand before a new piece, `anything` ("something") for it, `pieces` ("cue") are words
    for one besides `goals.works`. After `within` ("in a song") a piece is not what is asked for, and after `apart`
    ("and it") a pronoun refers to something else.
    """

    definite: Phrases = ()
    pronouns: Phrases = ()
    comparing: Phrases = ()
    indefinite: Phrases = ()
    anything: Phrases = ()
    pieces: Phrases = ()
    within: Phrases = ()
    apart: Phrases = ()
