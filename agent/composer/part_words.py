"""The words for the parts of a song as values: by where they lie, who sings and what the others do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from agent.composer.piece_words import Name, Phrases
from agent.song.palette import Family

Attribute = Literal["higher", "lower", "louder", "quieter", "sparser", "denser", "any"]
"""How a new part plays; "any" words only describe it and change nothing."""


class PartWords(Struct, frozen=True, forbid_unknown_fields=True):
    """What people call the parts of a song besides their names and instruments.

    Position: `top`, `bottom`, `inner` and `outer` need one of `nouns` ("voice") or `many` ("voices") after them.
    Singers: `voice` is the choir or the track with a word of `singing` in its name; `singers` ("soprano") mean that
    voice where no track is called so; `sung` is what the lead voice sings, which is not a track called as in
    `second_called`; `women` and `men` are the tracks called as in `women_called` and `men_called`. Others: `backing` is
    all but the lead, `all_but` ("everything except") begins an exception, `sections` are instruments for whole
    families, `keyboards` any keyboard instrument.

    Phrases around a part: `leading` ones before it, `trailing` ones after it and `qualities` before an instrument
    change nothing; `attributes` before a new instrument say how it plays. Between `relative` and `playing` a part means
    what it plays ("what the tenor sang"). `kind` follows what one part's instrument is called ("the fingered one");
    after a word of `of_chords` it means a note. `lines` are what a part has that is the part itself ("the flute's
    melody"), and `being` says what one is.
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
    """Controls of a part, which are no parts themselves: "the flute's volume"."""
    of_chords: Phrases
