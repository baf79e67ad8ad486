"""Assigning: parts of the song and the players that they are given to, side by side in any number and either order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.assigning_words import AssigningWords
from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import PhraseSet, phrase_set
from agent.composer.tokens import folded_tokens
from agent.composer.understanding.ensembles_named import SCORED, EnsembleReader
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Filling, FormFit
from agent.composer.understanding.mentions import Mention, MentionReader
from agent.composer.understanding.ownership import free_words
from agent.composer.understanding.part_traits import phrase_at
from agent.composer.understanding.plain_words import EQUALS
from agent.composer.understanding.wishes import Wish

_HEADED = OperationWords(operation="nothing", forms=("{part}",))
_GIVEN = OperationWords(operation="replace", forms=("{part} {by}",), variant="exact")
_SEGMENTS = 12
"""Segments between signs and joins that one list may span."""
_ROW = 2
"""Players of the shortest row that is given to as many parts."""
_ENDS = ("break", "aside")
_SOUNDS = (
    "replace", "mix", "mix_at", "keep", "spare", "nothing", "dynamic", "tempo", "tempo_by", "drift", "drift_at", "ease",
    "fade", "filter", "filter_moves", "mix_row",
)
"""Operations that leave pitches and rhythm alone."""
_SOUNDING = tuple(one for one in _SOUNDS if one not in ("keep", "spare", "nothing"))
"""Those of them that change something."""
_SET = ("four_parts",)
"""Operations whose words name voices and players of one setting."""
_MARKS = ("place", "amount")
_CLEAR = 6
"""Mentions in a list of which each may be read as a part or as a player."""


class _Pair(Struct, frozen=True):
    """Parts that one player gets, in the items `first` to `last` (not included)."""

    parts: tuple[Wish, ...]
    player: Wish
    first: int
    last: int


class AssigningReader:
    """Finds lists of parts and players ("tune to the flute, bass to the tuba") in requests about one song."""

    def __init__(self, lexicon: Lexicon, words: AssigningWords) -> None:
        self._lexicon = lexicon
        self._mentions = MentionReader(lexicon, words)
        self._ensembles = EnsembleReader(lexicon, words)
        self._links, self._verbs = phrase_set(words.links), phrase_set(words.verbs)
        self._handing, self._referring = phrase_set(words.handing), frozenset(lexicon.words.grammar.referring)
        self._takes = PhraseSet((*map(folded_tokens, words.takes), (EQUALS,)))
        self._nouns, self._passing = phrase_set(words.nouns), phrase_set(words.passing)
        self._instead, self._naming = phrase_set(words.instead), phrase_set(words.naming)
        self._keeping, self._notes = phrase_set(words.keeping), phrase_set(words.notes)
        self._colour_only, self._sounding = phrase_set(words.colour_only), frozenset(words.sounding)
        grammar = lexicon.words.grammar
        self._joins = frozenset((*grammar.joins, *grammar.either))
        self._limiting = frozenset(grammar.limiting)
        self._articles = frozenset(lexicon.words.places.articles)
        self._light = frozenset(grammar.light)

    def read(
        self, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]]
    ) -> dict[int, FormFit[OperationWords]]:
        """The matched patterns (by the item where they begin), with those of assignments ("tune to the flute, bass to
        the tuba") added where they explain a stretch that was not or not completely matched."""
        made = self._ensembles.read(items, {at: one for at, one in finds.items() if not self._uneven(one)})
        free = free_words([item.text for item in items], self._lexicon)
        segments = list(self._segments(items))
        number = 0
        while number < len(segments):
            taken = self._longest(items, segments, number, made, free)
            if taken is None:
                number += 1
                continue
            first, end, pairs = taken
            if any(made[at].payload.operation in _SET for at in made if first <= at < end):
                # "a four-part setting of the chords in the strings" hands over no part
                number += 1
                continue
            made = {at: found for at, found in made.items() if not first <= at < end}
            for pair in pairs:
                parts = Filling("part", pair.parts, pair.first, pair.first)
                fillings = (parts, Filling("by", pair.player, pair.last, pair.last))
                made[pair.first] = FormFit(pair.last, _GIVEN, fillings, max(1, pair.last - pair.first))
            number = next((k for k, one in enumerate(segments) if one[0] >= end), len(segments))
        if any(found.payload is _GIVEN for found in made.values()):
            # the list says who of the group plays what
            made = {
                at: replace(found, payload=_HEADED) if found.payload is SCORED else found for at, found in made.items()
            }
        return self._kept(items, dict(sorted(made.items())))

    def _uneven(self, found: FormFit[OperationWords]) -> bool:
        """Whether a form gives parts to players one by one who are not as many."""
        players, parts = found.value("players"), found.value("part")
        if found.payload.variant != "row" or not isinstance(players, tuple) or not isinstance(parts, tuple):
            return False
        tracks = [one for part in parts if isinstance(part, Wish) for one in self._lexicon.one_by_one(part)]
        return len(players) not in (len(parts), len(tracks))

    def _kept(
        self, items: Sequence[Item], finds: dict[int, FormFit[OperationWords]]
    ) -> dict[int, FormFit[OperationWords]]:
        """The finds, where nothing but a sound is to change as such, and with the words that say so."""
        made = {at: self._as_sound(items, at, found) for at, found in finds.items()}
        at = 0
        while at < len(items) and all(found.payload.operation in _SOUNDS for found in finds.values()):
            length = phrase_at(items, at, self._keeping)
            length += phrase_at(items, at + length, self._notes) if length else 0
            noted = length and phrase_at(items, at, self._keeping) < length
            length = length if noted else phrase_at(items, at, self._colour_only)
            if length and any(found.payload.operation in _SOUNDING for found in made.values()):
                made = {
                    first: _exact(found) for first, found in made.items() if not at <= first < at + length
                }
                made[at] = FormFit(at + length, _HEADED, (), 1)
            at += length or 1
        return dict(sorted(made.items()))

    def _as_sound(self, items: Sequence[Item], at: int, found: FormFit[OperationWords]) -> FormFit[OperationWords]:
        said = any(item.text in self._sounding for item in items[at : found.end + 1])
        return _exact(found) if said else found

    def _segments(self, items: Sequence[Item]) -> Iterator[tuple[int, int]]:
        first = 0
        for at in range(len(items) + 1):
            if at == len(items) or items[at].kind in ("comma", "stop", *_ENDS) or items[at].text in self._joins:
                if at > first:
                    yield first, at
                first = at + 1

    def _longest(
        self, items: Sequence[Item], segments: Sequence[tuple[int, int]], number: int,
        finds: Mapping[int, FormFit[OperationWords]], free: frozenset[int],
    ) -> tuple[int, int, list[_Pair]] | None:
        first = segments[number][0]
        if self._names(items, first):
            return None
        for last in range(min(len(segments), number + _SEGMENTS) - 1, number - 1, -1):
            end = segments[last][1]
            whole = not any(
                item.kind in _ENDS or (item.kind == "stop" and item.text != ":") for item in items[first:end]
            )
            cut = any(at < first < found.end or at < end < found.end for at, found in finds.items())
            if not whole or cut or not self._is_open(items, first, end, finds, free):
                continue
            if pairs := self._pairs(items, first, end, free):
                return first, end, pairs
        return None

    def _names(self, items: Sequence[Item], first: int) -> bool:
        """Whether the sentence that goes on at an item names tracks: "call the tracks RH and LH bass"."""
        begin = next((at + 1 for at in range(first - 1, -1, -1) if items[at].kind in ("stop", *_ENDS)), 0)
        return any(phrase_at(items, at, self._naming) for at in range(begin, first + 1))

    def _is_open(
        self, items: Sequence[Item], first: int, end: int, finds: Mapping[int, FormFit[OperationWords]],
        free: frozenset[int],
    ) -> bool:
        """Whether something of a stretch was not read, or as something else than who plays."""
        inside = [(at, found) for at, found in finds.items() if first <= at < end]
        owned = {at for start, found in inside for at in range(start, found.end)}
        unread = any(
            items[at].kind == "word" and at not in owned and at not in free and items[at].text not in self._light
            for at in range(first, end)
        )
        twice = self._given_twice([found for _, found in inside])
        other = any(found.payload.operation not in ("replace", "add") for _, found in inside)
        return unread or twice or other or any(self._adds_again(found) for _, found in inside)

    def _adds_again(self, found: FormFit[OperationWords]) -> bool:
        """Whether parts that the song has are taken for new ones: "put soprano" of "put soprano and alto on …"."""
        wishes = found.value("part") if found.payload.operation == "add" else None
        return isinstance(wishes, tuple) and all(isinstance(one, Wish) and self._lexicon.has(one) for one in wishes)

    def _given_twice(self, finds: Sequence[FormFit[OperationWords]]) -> bool:
        """Whether forms give one track to two players, so that one of them is misread."""
        parts = [found.value("part") for found in finds if found.payload.operation == "replace"]
        wishes = [part for many in parts if isinstance(many, tuple) for part in many if isinstance(part, Wish)]
        given = [track for wish in wishes for track in self._lexicon.meant(wish)]
        return len(given) != len(set(given))

    def _pairs(self, items: Sequence[Item], first: int, end: int, free: frozenset[int]) -> list[_Pair]:
        """The pairs of a stretch, none where a word of it is strange or it could be read in two ways."""
        mentions, asked, apart, linked, at = list[Mention](), False, True, False, first
        while at < end:
            item = items[at]
            if item.kind in ("comma", "stop", *_MARKS) or item.text in self._joins:
                colon = item.kind == "stop" and bool(mentions) and mentions[-1].last == at
                asked, linked = asked or colon, linked or colon
                apart = apart or item.kind not in _MARKS
                at += 1
                continue
            if item.kind != "word":
                return []
            if length := phrase_at(items, at, self._instead):
                asked, linked, gone = True, True, self._mentions.at(items, at + length)
                if mentions and gone is not None and len(mentions) > 1 and gone.is_part:
                    at = gone.last
                else:
                    at += length
                continue
            if item.text.isdecimal() and items[at - 1].text in self._articles:
                # "snare on the 3" names a beat, "horn 3" a player
                return []
            if (mention := self._mentions.at(items, at)) is not None and mention.last <= end:
                if not self._repeats(mention, mentions, apart=apart):
                    mentions.append(replace(mention, apart=apart, linked=linked))
                at, apart, linked = mention.last, False, False
                continue
            asks = max(phrase_at(items, at, self._takes), phrase_at(items, at, self._verbs))
            link = phrase_at(items, at, self._links)
            passed = max(asks, link) or phrase_at(items, at, self._nouns) or phrase_at(items, at, self._passing)
            asked, linked = asked or (asks > 0 and asks >= link), linked or max(asks, link) > 0
            if not passed and (at not in free or item.text in self._limiting):
                return []
            at += passed or 1
        if asked and len(mentions) == 1 and mentions[0].is_player and (named := self._pointed(items, first, end)):
            return [_Pair(named, mentions[0].wish, first, end)]
        pairs = self._of(items, mentions, first, end)
        # "a choir on the chords" may as well be one more part
        sure = asked or len(pairs) > 1 or (pairs and mentions[0].wish in pairs[0].parts)
        return pairs if sure or any(map(self._of_all, pairs)) else []

    def _of_all(self, pair: _Pair) -> bool:
        """Whether one player gets all that has pitches, so that he can be no further part."""
        given = {track for wish in pair.parts for track in self._lexicon.meant(wish)}
        return len(given) > 1 and given >= set(self._lexicon.pitched)

    def _pointed(self, items: Sequence[Item], first: int, end: int) -> tuple[Wish, ...]:
        """The part that is named last before a stretch which only points back at it: "and hand it to a cello"."""
        if not any(phrase_at(items, at, self._handing) for at in range(first, end)):
            return ()
        if not any(items[at].text in self._referring for at in range(first, end)):
            return ()
        before = (self._mentions.at(items, at) for at in range(first - 1, -1, -1))
        parts = (one.wish for one in before if one is not None and one.is_part and one.last <= first)
        return tuple(wish for wish in (next(parts, None),) if wish is not None)

    def _repeats(self, mention: Mention, before: Sequence[Mention], *, apart: bool) -> bool:
        """Whether a part behind its player is only named once more: "the piano by a harp for both hands"."""
        if apart or not before or not before[-1].is_player or not mention.is_part:
            return False
        named = {track for one in before if one.is_part for track in self._lexicon.meant(one.wish)}
        return bool(named) and set(self._lexicon.meant(mention.wish)) <= named

    def _of(self, items: Sequence[Item], mentions: Sequence[Mention], first: int, end: int) -> list[_Pair]:
        """The mentions as pairs, in the one way in which they can be read; parts are what else could be players."""
        if rows := _in_rows(mentions, first, end):
            return rows
        unclear = [n for n, one in enumerate(mentions) if one.is_part and one.is_player]
        if len(mentions) < 2 or len(unclear) > _CLEAR:
            return []
        for parts in product((True, False), repeat=len(unclear)):
            chosen = dict(zip(unclear, parts, strict=True))
            kinds = [chosen.get(n, one.is_part) for n, one in enumerate(mentions)]
            groups = _grouped(kinds)
            if groups and all(_beside(mentions, parts, player) for parts, player in groups):
                return self._made(items, mentions, groups, first, end)
        return []

    def _made(
        self, items: Sequence[Item], mentions: Sequence[Mention], groups: Sequence[tuple[list[int], int]], first: int,
        end: int,
    ) -> list[_Pair]:
        begins = [min(*parts, player) for parts, player in groups]
        starts = [first, *(mentions[at].first for at in begins[1:])]
        made = []
        for number, (parts, player) in enumerate(groups):
            last = starts[number + 1] if number + 1 < len(groups) else end
            while last > starts[number] and (
                items[last - 1].kind in ("comma", "stop") or items[last - 1].text in self._joins
            ):
                last -= 1
            wishes = tuple(dict.fromkeys(mentions[at].wish for at in parts))
            made.append(_Pair(wishes, mentions[player].wish, starts[number], last))
        given = [wish for pair in made for wish in pair.parts]
        return made if len(given) == len(set(given)) else []


def _in_rows(mentions: Sequence[Mention], first: int, end: int) -> list[_Pair]:
    """A row of players and, behind one word that links them, as many parts, or the other way round: "oboe, clarinet,
    horn for S A T"."""
    half = len(mentions) // 2
    linked = [number for number, one in enumerate(mentions) if one.linked and number]
    if half < _ROW or len(mentions) != 2 * half or linked != [half]:
        return []
    for parts, players in ((mentions[:half], mentions[half:]), (mentions[half:], mentions[:half])):
        wishes = [one.wish for one in parts]
        if all(one.is_part for one in parts) and all(one.is_player for one in players) and len({*wishes}) == half:
            starts = [first, *(one.first for one in mentions[1:half]), end]
            ends = [one.last for one in mentions[: half - 1]] + [end]
            return [
                _Pair((part.wish,), player.wish, starts[n], ends[n])
                for n, (part, player) in enumerate(zip(parts, players, strict=True))
            ]
    return []


def _beside(mentions: Sequence[Mention], parts: Sequence[int], player: int) -> bool:
    """Whether a group stands apart from the one before, and nothing but a word for it parts its two sides."""
    second = mentions[player if player > parts[0] else parts[0]]
    return mentions[min(*parts, player)].apart and (second.linked or not second.apart)


def _exact(found: FormFit[OperationWords]) -> FormFit[OperationWords]:
    """A find of who plays, as one that changes no note."""
    plain = found.payload.operation == "replace" and found.payload.variant in ("", "onto")
    return replace(found, payload=structs.replace(found.payload, variant="exact")) if plain else found


def _grouped(kinds: Sequence[bool]) -> list[tuple[list[int], int]]:
    """The numbers of the parts of each player, and the player's: parts come first in all groups, or in none."""
    groups: list[tuple[list[int], int]] = []
    waiting: list[int] = []
    player = -1
    for number, is_part in enumerate(kinds):
        if kinds[0]:
            if is_part:
                waiting.append(number)
            elif waiting:
                groups.append((waiting, number))
                waiting = []
            else:
                return []
        elif is_part:
            waiting.append(number)
        else:
            if player >= 0 and not waiting:
                return []
            if player >= 0:
                groups.append((waiting, player))
            player, waiting = number, []
    if kinds and not kinds[0]:
        if not waiting:
            return []
        groups.append((waiting, player))
        waiting = []
    return [] if waiting else groups
