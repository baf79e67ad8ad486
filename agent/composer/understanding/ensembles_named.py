"""Named ensembles: all parts of a song are given to the players of a group, highest to highest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from agent.composer.assigning_words import AssigningWords
from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import phrase_set
from agent.composer.styles import RHYTHMIC
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Filling, FormFit
from agent.composer.understanding.numbers import number_at
from agent.composer.understanding.part_traits import phrase_at, words_at
from agent.composer.understanding.wishes import Wish

SCORED = OperationWords(operation="replace", forms=("{part} {players}",), variant="scored")
"""The entry for giving the song's parts to a group of players."""
_MOST = 12
"""Players of one kind."""


class EnsembleReader:
    """Finds in requests about one song for which group of players it is to be arranged: "score it for string
    quartet"."""

    def __init__(self, lexicon: Lexicon, words: AssigningWords) -> None:
        self._lexicon = lexicon
        self._arranging, self._group = phrase_set(words.arranging), phrase_set(words.group)
        self._joins = frozenset((*lexicon.words.grammar.joins, *lexicon.words.grammar.either))
        self._between = self._joins.union(lexicon.words.grammar.skip)
        self._whole, self._minus = phrase_set(words.whole), phrase_set(words.minus)

    def read(
        self, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]]
    ) -> dict[int, FormFit[OperationWords]]:
        """The matched patterns (by the item where they begin), with those of arrangements ("score it for string
        quartet") added."""
        made = dict(finds)
        at = 0
        while at < len(items):
            read = self._arranged(items, at)
            if read is None or any(first < at < found.end for first, found in made.items()):
                at += 1
                continue
            end, players = read
            made = {first: found for first, found in made.items() if not at <= first < end}
            everything = Wish("everything", tracks=self._lexicon.pitched)
            fillings = (Filling("part", (everything,), at, at), Filling("players", players, at, end))
            made[at] = FormFit(end, SCORED, fillings, max(1, end - at))
            at = end
        return dict(sorted(made.items()))

    def _arranged(self, items: Sequence[Item], at: int) -> tuple[int, tuple[Wish, ...]] | None:
        """End and players of an arrangement that begins at an item."""
        verb = phrase_at(items, at, self._arranging)
        if not verb:
            return None
        at += verb
        at += phrase_at(items, at, self._whole)
        lead = phrase_at(items, at, self._group)
        found = self._lexicon.standing.ensembles.longest_at(words_at(items, at + lead), 0) if lead else None
        if found is None:
            return self._players(items, at + lead) if lead else None
        end = at + lead + found[0]
        named = [self._lexicon.wish_at(word.split(), 0) for word in found[1].players]
        players = [one[1] for one in named if one is not None]
        end, players = self._without(items, end, players)
        if not players or len(named) != len(found[1].players):
            return None
        end, beat = self._beat(items, end)
        return end, (*players, *beat)

    def _players(self, items: Sequence[Item], at: int) -> tuple[int, tuple[Wish, ...]] | None:
        """End and players of a list of two or more: "flute, violin and cello", "four trombones"."""
        players: list[Wish] = []
        end = at
        while at < len(items):
            words = words_at(items, at)
            number = number_at(words, 0, self._lexicon)
            several = number is not None and 1 <= number[1] <= _MOST and number[1] == int(number[1])
            length = number[0] if number is not None and several else 0
            count = int(number[1]) if number is not None and several else 1
            found = self._lexicon.wish_at(words, length)
            if found is None or not found[1].instruments or found[1].whole_role or found[1].pieces:
                break
            players += [structs.replace(found[1], tracks=())] * count
            end = at = at + length + found[0]
            while at < len(items) and (items[at].kind == "comma" or items[at].text in self._joins):
                at += 1
        end, beat = self._beat(items, end)
        players += beat
        return (end, tuple(players)) if len(players) > 1 else None

    def _beat(self, items: Sequence[Item], end: int) -> tuple[int, tuple[Wish, ...]]:
        """The drums or percussion of the song, where they are named behind the players: "and drums"."""
        at = end
        while at < len(items) and (items[at].kind == "comma" or items[at].text in self._between):
            at += 1
        found = self._lexicon.wish_at(words_at(items, at), 0) if at > end else None
        if found is None or found[1].role not in RHYTHMIC or found[1].pieces or not self._lexicon.has(found[1]):
            return end, ()
        return at + found[0], (found[1],)

    def _without(self, items: Sequence[Item], end: int, players: list[Wish]) -> tuple[int, list[Wish]]:
        """The players that are left where some are named who do not play."""
        at = end + (end < len(items) and items[end].kind == "comma")
        length = phrase_at(items, at, self._minus)
        gone = self._lexicon.wish_at(words_at(items, at + length), 0) if length else None
        if gone is None or self._lexicon.has_already(gone[1]):
            return end, players
        return at + length + gone[0], [one for one in players if one.label != gone[1].label]
