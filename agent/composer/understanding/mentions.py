"""Mentions: the parts of the song and the players that a list of both names, however they are called."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from agent.composer.assigning_words import AssigningWords
from agent.composer.phrase_sets import PhraseSet, phrase_set
from agent.composer.tokens import folded_tokens, phrase_tokens
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.part_traits import phrase_at, words_at
from agent.composer.understanding.plain_words import EQUALS
from agent.composer.understanding.wishes import Wish

_SHORTEST = 3
"""Letters of the shortest word that an ending may follow."""


class Mention(Struct, frozen=True):
    """A part of the song (`is_part`), a player who could take a part (`is_player`), or possibly either, named by the
    items `first` to `last` (not included).

    It is `apart` if a sign or conjunction separates it from the mention before, `linked` if a word such as "to" or
    "has" does.
    """

    wish: Wish
    first: int
    last: int
    is_part: bool
    is_player: bool
    apart: bool = True
    linked: bool = False


class MentionReader:
    """Finds mentions of parts ("the tune") and players ("the flute") in requests about one song."""

    def __init__(self, lexicon: Lexicon, words: AssigningWords) -> None:
        self._lexicon = lexicon
        self._another = phrase_set(words.another)
        self._alike = words.alike
        self._letters = words.letters
        self._links = PhraseSet((*map(folded_tokens, words.links), (EQUALS,)))
        added = lexicon.words.added
        self._colours = phrase_set(added.colours if added is not None else ())
        self._afresh = frozenset(lexicon.words.grammar.afresh)
        self._joins = frozenset((*lexicon.words.grammar.joins, "/", "+"))

    def at(self, items: Sequence[Item], at: int) -> Mention | None:
        """The mention that begins at an item, articles skipped; None for none."""
        if at >= len(items) or items[at].kind != "word":
            return None
        other = phrase_at(items, at, self._another)
        first = at
        at += other
        while not self._named(items, at) and (length := phrase_at(items, at, self._colours)):
            at += length
        named = self._named(items, at) if at < len(items) else None
        if named is not None:
            end, wish = at + named[0], named[1]
            both = self._lexicon.both_at(wish, words_at(items, end)) if end < len(items) and not other else None
            end, wish = (end + both[0], both[1]) if both is not None else (end, wish)
            player = bool(wish.instruments or wish.families) and both is None and not wish.pieces
            new = player and first > 0 and items[first - 1].text in self._afresh and not self._lexicon.has_already(wish)
            is_part = self._lexicon.has(wish) and not (other or new)
            if player and wish.whole_role and (is_part or not wish.instruments):
                player = False
            return Mention(wish, first, end, is_part, player) if is_part or player else None
        return self._lettered(items, at) if not other else None

    def _named(self, items: Sequence[Item], at: int) -> tuple[int, Wish] | None:
        words = words_at(items, at)
        found = self._lexicon.wish_at(words, 0) if words else None
        technique = self._lexicon.standing.techniques.longest_at(words, 0) if words else None
        if technique is not None and technique[1].plays and (found is None or technique[0] > found[0]):
            plays = self._lexicon.wish_at(phrase_tokens(technique[1].plays), 0)
            found = (technique[0], plays[1]) if plays is not None else found
        return found or self._alike_at(words)

    def _alike_at(self, words: Sequence[str]) -> tuple[int, Wish] | None:
        """What is only near to an instrument: "choir-ish"."""
        for ending in self._alike if words else ():
            stem = words[0].removesuffix(ending)
            found = self._lexicon.wish_at([stem], 0) if stem != words[0] and len(stem) >= _SHORTEST else None
            if found is not None and (found[1].instruments or found[1].families):
                return 1, structs.replace(found[1], tracks=())
        return None

    def _lettered(self, items: Sequence[Item], at: int) -> Mention | None:
        """Voices by their letters, where the song has them: "S", "SA"; an article is none."""
        text = items[at].text if at < len(items) else ""
        if not text or not set(text) <= self._letters.keys():
            return None
        wishes = [self._lexicon.wish_at([self._letters[letter]], 0) for letter in text]
        known = [one[1] for one in wishes if one is not None and one[1].tracks]
        following = items[at + 1] if at + 1 < len(items) else None
        ends = following is None or following.kind != "word" or following.text in self._joins
        ends = ends or set(following.text if following is not None else "") <= self._letters.keys()
        if len(known) != len(text) or not (ends or len(text) > 1 or phrase_at(items, at + 1, self._links)):
            return None
        tracks = tuple(track for wish in known for track in wish.tracks)
        label = " and ".join(wish.label for wish in known)
        wish = known[0] if len(known) == 1 else Wish(label, tracks=tracks)
        return Mention(wish, at, at + 1, is_part=True, is_player=False)
