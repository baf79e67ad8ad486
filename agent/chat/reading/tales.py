"""Talk with a tale: thanks, a greeting or praise, and what somebody tells beside it, which wants nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.chat.reading.beside import SmallTalkReader
from agent.chat.reading.clauses import split_at_pauses
from agent.chat.reading.language import Language
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.naming import names_in
from agent.chat.reading.parts import Parts
from agent.chat.reading.phrases import PAUSES
from agent.chat.reading.reactions import reaction_at, reactions_covering

MERE = frozenset({"thanks", "who", "greeting", "bye", "praise", "feeling", "approve"})
"""Reactions that ask for nothing."""
_KINDLY = frozenset({"thanks", "greeting", "bye", "praise"})
_OPENING = frozenset({"greeting", "bye"})
"""Reactions that are none within a clause: my wife says hello."""
_GRATEFUL = frozenset({"thanks", "praise"})
_FEW = 2
"""Tokens that are no wish of their own beside a tale: long day, them altos."""


class Tales(Struct, frozen=True):
    """Recognises sentences that thank, greet or praise and tell a story besides, but ask for nothing."""

    _lookup: Lookup
    _language: Language
    _parts: Parts
    _beside: SmallTalkReader

    def reactions(self, tokens: tuple[str, ...]) -> frozenset[str]:
        """The kinds of reactions in a sentence that holds nothing else but stories and asides; empty otherwise."""
        stretches, kinds = self._cut(tokens)
        plain = self._reacting_parts(tokens)
        if plain or not kinds & _KINDLY:
            return plain
        grateful = bool(kinds & _GRATEFUL)
        told = [self.tells(one, grateful=grateful) for one in stretches]
        beside = all(tale or self._is_mere(one) for tale, one in zip(told, stretches, strict=True))
        return kinds if beside and (any(told) or not told) else frozenset()

    def tells(self, tokens: tuple[str, ...], *, grateful: bool = False) -> bool:
        """Whether every clause only tells what happened or how somebody feels, at least one with a verb ("my band
        played all night"). About the music they may only say who plays it, or with `grateful` what it did to people
        ("it made her cry")."""
        parts = [part for part in split_at_pauses(tokens) if not self._laughs(part)]
        told = [self._is_told(part, grateful=grateful) for part in parts]
        return any(told) and all(tale or self._is_mere(part) for tale, part in zip(told, parts, strict=True))

    def _cut(self, tokens: tuple[str, ...]) -> tuple[list[tuple[str, ...]], frozenset[str]]:
        """The stretches between reactions that want nothing, and these."""
        stretches: list[tuple[str, ...]] = []
        kinds: set[str] = set()
        begin = at = 0
        while at < len(tokens):
            kind, length = reaction_at(tokens, at, self._language)
            opens = at == 0 or tokens[at - 1] in PAUSES
            if kind not in MERE or (kind in _OPENING and not opens and length < _FEW):
                at += 1
                continue
            kinds.add(kind)
            stretches.append(tokens[begin:at])
            begin = at = at + length
        stretches.append(tokens[begin:])
        empty = (PAUSES, self._language.reactions["filler"], self._language.shape["they"])
        kept = [one for one in stretches if not all(any(token in words for words in empty) for token in one)]
        return kept, frozenset(kinds)

    def _reacting_parts(self, tokens: tuple[str, ...]) -> frozenset[str]:
        """The reactions of a sentence each of whose parts between commas reacts, or wants nothing."""
        kinds: set[str] = set()
        for part in split_at_pauses(tokens):
            found = reactions_covering(names_in(part, self._lookup), self._language)
            beside = self._parts.is_aside(part) or self._beside.wants_nothing(part)
            if not found and (not beside or self._is_of_part(part)):
                return frozenset()
            kinds |= found
        return frozenset(kinds) if kinds <= MERE else frozenset()

    def _is_of_part(self, tokens: tuple[str, ...]) -> bool:
        """my drums vanished: what is told is told of a part, and not of people."""
        return tokens[0] in self._language.asides["first"] and names_in(tokens, self._lookup).at("track", 1) is not None

    def _laughs(self, tokens: tuple[str, ...]) -> bool:
        return bool(reactions_covering(names_in(tokens, self._lookup), self._language) & MERE)

    def _is_told(self, tokens: tuple[str, ...], *, grateful: bool) -> bool:
        """Whether a clause tells: by a verb of what was, or by the person that it begins with."""
        words, shape = self._language.asides, self._language.shape
        plain = self._beside.plain(tokens)
        if not plain or shape["suggests"].at(plain) or self._measures(plain):
            return False
        places = range(len(plain))
        if grateful and any(words["effects"].at(plain, at) for at in places):
            return True
        past = not shape["doing"].at(plain) and any(words["past"].at(plain, at) for at in places[1:])
        wants = any(token in shape["wanting"] for token in plain)
        return (past or self._parts.is_aside(plain)) and not wants and self._names_people_only(plain)

    def _measures(self, tokens: tuple[str, ...]) -> bool:
        """Whether something is too much or too little; "too" at the end is "as well"."""
        plain = tokens[:-1] if tokens[-1] == "too" else tokens
        return any(self._language.asides["measures"].at(plain, at) for at in range(len(plain)))

    def grumbles(self, tokens: tuple[str, ...]) -> bool:
        """Whether the tokens complain about the program without naming music or giving an order ("this is useless")."""
        found = self._language.asides["grumbling"].find(tokens) is not None
        return found and not self._beside.names_music(tokens) and not self._language.shape["doing"].at(tokens)

    def only_told(self, sentences: Sequence[tuple[str, ...]]) -> bool:
        """Whether the clauses only tell a story of somebody's own: at least one in the past tense, and none with "it"
        as subject, which could be the song."""
        parts = [part for one in sentences for part in split_at_pauses(one)]
        words = self._language.asides
        own = any(words["first"].at(part, at) or "me" in part for part in parts for at in range(len(part)))
        song = (words["ofsongs"], self._language.shape["they"])
        if not own or any(part[0] in song[1] or any(token in song[0] for token in part) for part in parts):
            return False
        past = any(words["past"].at(part, at) for part in parts for at in range(1, len(part)))
        told = [self._is_told(part, grateful=False) for part in parts]
        rest = [part for tale, part in zip(told, parts, strict=True) if not tale]
        return past and any(told) and all(self._beside.wants_nothing(part) for part in rest)

    def _is_mere(self, tokens: tuple[str, ...]) -> bool:
        """Whether a few words without a verb wish for nothing."""
        words, shape = self._language.asides, self._language.shape
        wished = any(one.find(tokens) is not None for one in (shape["pieces"], words["measures"], shape["wanting"]))
        orders = shape["doing"].at(tokens) or shape["suggests"].at(tokens)
        few = len([token for token in tokens if token not in shape["they"]]) <= _FEW
        return few and not wished and not orders and "something" not in tokens and self._names_people_only(tokens)

    def _names_people_only(self, tokens: Sequence[str]) -> bool:
        people = self._language.asides["people"]
        return not self._beside.names_music(tuple(token for token in tokens if token not in people))

