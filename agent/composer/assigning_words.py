"""The words in which the parts of a song are given to players, as values."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Phrases


class AssigningWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The phrases with which the parts of a song are given to players ("give the tune to the flute").

    `links` stand between part and player ("to the"), `takes` between player and part ("plays"); `verbs` ask for it, and
    those of `handing` ("pass") may refer to a part by a pronoun. `nouns` ("patch") may follow either, `passing` words
    ("respectively") are skipped. `instead` ("rather than") leads to the player who is replaced; `another` ("second")
    means one more of a kind. `arranging` ("score") the `whole` ("it") for a `group` ("for a") gives the parts to an
    ensemble, `minus` some players. `keeping` ("don't change") with `notes`, or `colour_only` ("no new notes") or a word
    of `sounding` ("patch"), changes the sound alone. `alike` are endings of what only resembles an instrument ("-ish").
    `letters` are choir voices ("s"). `same_line` ("the same tune") means what a removed part played; after a verb of
    `naming` ("rename") no part is given away.
    """

    links: Phrases
    takes: Phrases
    verbs: Phrases
    handing: Phrases
    nouns: Phrases
    passing: Phrases
    instead: Phrases
    another: Phrases
    arranging: Phrases
    group: Phrases
    whole: Phrases
    minus: Phrases
    naming: Phrases
    keeping: Phrases
    notes: Phrases
    colour_only: Phrases
    sounding: Phrases
    alike: Phrases
    letters: dict[str, str]
    same_line: Phrases = ()
