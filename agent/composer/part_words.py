"""The words for the parts of a song as values: by where they lie, who sings and what the others do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from agent.composer.piece_words import Name, Phrases
from agent.song.palette import Family

Attribute = Literal["higher", "lower", "louder", "quieter", "sparser", "denser", "any"]
"""How a new part plays; "any" only colours it."""


class PartWords(Struct, frozen=True, forbid_unknown_fields=True):
    """What people call the parts of a song beside their names and instruments.

    `top`, `bottom`, `inner` and `outer` need one of `nouns`, or of `many`, behind them. `voice` is who sings: a
    choir, or a track with a word of `singing` in its name; `singers` are that voice where no track is called so.
    `women` and `men` are the tracks called as in `women_called` and `men_called`. `backing` is all but who leads.
    `sung` is what the voice that leads sings, of several the one that is not called as in `second_called`.
    `leading` words change nothing before a part, `trailing` ones behind it, nor `qualities` before an instrument.
    Between a word of `relative` and one of `playing` a part is what it plays: "what the tenor sang".
    `all_but` begin what is left out. `attributes` before a new instrument say how it plays. `sections` are
    instruments that hold all players of their family. `keyboards` name whatever keyboard there is. `kind` stands behind
    what the instrument of one part alone is called: "the fingered one"; beside a word of `of_chords` "one" is a note.
    `lines` are what a part has that is the part itself, "the flute's melody", and `being` says what one is.
    """

    nouns: Phrases
    many: Phrases
    top: Phrases
    bottom: Phrases
    inner: Phrases
    outer: Phrases
    right_hand: Phrases
    left_hand: Phrases
    both_hands: Phrases
    voice: Phrases
    singing: Phrases
    sung: Phrases
    second_called: Phrases
    singers: Phrases
    women: Phrases
    men: Phrases
    women_called: Phrases
    men_called: Phrases
    backing: Phrases
    all: Phrases
    leading: Phrases
    trailing: Phrases
    relative: Phrases
    playing: Phrases
    all_but: Phrases
    qualities: Phrases
    attributes: dict[Attribute, Phrases]
    sections: Phrases
    keyboards: Phrases
    keyboard_families: tuple[Family, ...]
    keyboard_instruments: Phrases
    kind: Phrases
    lines: Phrases
    being: Name
    belongings: Phrases
    """What a part has that is turned and no part: "the flute's volume"."""
    of_chords: Phrases
