"""The words in which the parts of a song are given to players, as values."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Phrases


class AssigningWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How parts and players are put side by side.

    `links` stand between the two, `takes` between a player and what he is given, which asks for it as `verbs` do;
    those of `handing` may point back at the part that was named.
    `nouns` may stand behind either and `passing` words anywhere.
    Behind `instead` stands who is heard no more, behind `another` a player of whose kind there is one already.
    `arranging` the `whole` for a `group` hands the parts to players who have a name together, `minus` some of them.
    `keeping` the `notes`, or `colour_only`, says that nothing but the sound changes, and so does a word of `sounding`.
    `alike` are endings of what is only near to an instrument. `letters` are the voices of a choir.
    `same_line` points, behind a part that is taken out, at what it played; behind `naming` verbs nobody gets a part.
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
