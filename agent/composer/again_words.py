"""Words by which something is said again: to put a figure right, to insist on it, or to gloss an order."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Phrases


class AgainWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases with which a request corrects itself or says something twice.

    `correcting` words stand before a figure that is wrong ("128, not 130"), `contrasting` ones behind it, before the
    right one; `rebuffs` say no to what was said before ("no, 120"), `insisting` words lead to what was meant ("I said
    120"). `glossing` words begin brackets that only repeat the order before them ("(like a shuffle)"); `glossed` are
    orders that the words in such brackets may complete: with "move it" the brackets "(8va)" say "move it 8va".
    """

    correcting: Phrases = ()
    contrasting: Phrases = ()
    rebuffs: Phrases = ()
    insisting: Phrases = ()
    glossing: Phrases = ()
    glossed: Phrases = ()
