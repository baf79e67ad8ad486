"""Scoring: whether the players that a new piece names are its whole band, and who they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.phrase_sets import PhraseSet, phrase_set
from agent.composer.styles import RHYTHMIC
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import number_at
from agent.composer.understanding.wishes import Wish

_MOST = 12
"""Most players of a band, and most of a kind."""
_REACH = 4
"""Words between "for" and the first player: "for my Year 7 descant recorders"."""
_LIST = 3
"""From so many named players on they are a band, whatever the style's."""
_COUNTED = 2
"""More players of a kind than these are a band beside a style too: "four saxophones, funky"."""
_RANGES = ("–", "-", "—", "bar", "bars")
_ENDS = (".", ";", "!", "?", ":")


class Scoring(Struct, frozen=True):
    """The whole band that a new piece names, one wish for each player; empty if the named players only join the style's
    band. `tokens` are those that name them.

    `displaced` are wishes that words for choir voices would mean otherwise (a tenor saxophone), and that do not count
    here.
    """

    players: tuple[Wish, ...] = ()
    tokens: frozenset[int] = frozenset()
    displaced: tuple[Wish, ...] = ()


class _Named(Struct, frozen=True):
    """Players of one kind as named: the tokens `start` to `end`, and whether "for" introduces them."""

    wishes: tuple[Wish, ...]
    start: int
    end: int
    scored: bool
    group: bool = False


def scoring_of(
    tokens: Sequence[str], lexicon: Lexicon, refused: Collection[Wish], passed: Collection[int] = (), *,
    styled: bool, only: bool, staged: Collection[int] = (),
) -> Scoring:
    """The band that casefolded tokens name, without players `refused`; tokens `passed` name nobody ("the band kicks
    in").

    Tokens name a band if they name a group ("string quartet"), score the piece with "for", say `only`, list three or
    more players, or two without a style (`styled` false). With a style a list at the tokens `staged`, which describe
    single stages, does not count.
    """
    scan = _Scan(tokens, lexicon, refused, styled=styled)
    found = [one for one in scan.told() if one.start not in passed]
    only = only or any(scan.closes(one.end) for one in found) or (len(found) > 1 and scan.shuts())
    players = [wish for one in found for wish in one.wishes]
    if any(one.group for one in found):
        # the texture of a choir is no effect
        players = [wish for wish in players if set(wish.families) != {"fx"}]
        sung = [wish for one in found if one.group for wish in one.wishes if "choir" in wish.families]
        # the choir is its voices
        players = [wish for wish in players if wish in sung or not sung or "choir" not in wish.families]
    if any(wish.role == "drums" and not wish.pieces for wish in players):
        # the hi-hats are played by who plays the drums
        players = [wish for wish in players if not wish.pieces]
    players = [wish for wish in players if not _of_others(wish, players)]
    kinds = list(dict.fromkeys(wish.label for wish in players))
    pitched = [wish for wish in players if wish.role not in RHYTHMIC]
    most = 1 if not styled else _COUNTED
    several = any(len(one.wishes) > most and not one.group for one in found)
    sure = any(one.scored or one.group for one in found) or only or several
    listing = {wish.label for one in scan.mentions if one.start not in staged for wish in one.wishes}
    several_sing = len({wish.label for wish in pitched}) > 1
    listed = len(kinds) >= _LIST and (not styled or (len(listing) >= _LIST and several_sing))
    if not pitched or not (sure or listed or (not styled and len(kinds) > 1)):
        return Scoring()
    voices = [one for one in found if one.group and any("choir" in wish.families for wish in one.wishes)]
    said = [lexicon.wish_at(tokens, at) for one in voices for at in range(one.start, one.end)]
    return Scoring(
        _numbered(players[:_MOST]), frozenset(at for one in found for at in range(one.start, one.end)),
        tuple(wish[1] for wish in said if wish is not None and "choir" not in wish[1].families),
    )


def _of_others(wish: Wish, players: Sequence[Wish]) -> bool:
    """Whether a player is only the kind of two others that are named: "tuned percussion: a xylophone and a marimba"."""
    own = set(wish.instruments)
    members = {one.label for one in players if one.instruments and set(one.instruments) < own}
    return len(own) > 1 and len(members - {wish.label}) > 1


class _Scan:
    """Walks once over the tokens of a request."""

    def __init__(self, tokens: Sequence[str], lexicon: Lexicon, refused: Collection[Wish], *, styled: bool) -> None:
        self._tokens = tokens
        self._styled = styled
        self.mentions: list[_Named] = []
        """Everyone as often as he is named."""
        players = lexicon.words.players
        self._closing = phrase_set(players.closing)
        self._shutting = phrase_set(players.shutting)
        self._offering = phrase_set(players.offering)
        self._beneath = phrase_set(players.beneath)
        self._closed = next((at for at in range(len(tokens)) if self._length(self._closing, at)), -1)
        self._lexicon = lexicon
        self._refused = {wish.label for wish in refused}
        self._scoring = frozenset(lexicon.words.scoring)
        self._alone = phrase_set(lexicon.words.alone)
        self._adding = frozenset(lexicon.words.bindings.add)
        self._articles = frozenset((*lexicon.words.places.articles, *lexicon.words.grammar.afresh))
        self._glue = frozenset({
            ",", *lexicon.words.grammar.joins, *lexicon.words.grammar.afresh, *lexicon.words.places.articles,
            *lexicon.words.bindings.joins, *lexicon.words.bindings.add,
        })

    def told(self) -> list[_Named]:
        """Everyone who is named and not refused; of a group whose players are all told behind it only those: "a jazz
        trio with guitar, bass and drums"."""
        found = self.found()
        if not found or not found[0].group or any(one.group for one in found[1:]):
            return found
        mentioned = list(self.mentions)
        behind = self.found(found[0].end)
        self.mentions = mentioned
        if len(found[0].wishes) < _LIST or len(found[0].wishes) != sum(len(one.wishes) for one in behind):
            return found
        return [replace(behind[0], start=found[0].start, scored=True), *behind[1:]]

    def found(self, begin: int = 0) -> list[_Named]:
        """Everyone who is named from a token on and not refused, in order."""
        found: list[_Named] = []
        at = begin
        while at < len(self._tokens):
            named = self._group(at) or self._player(at, found[-1] if found else None)
            if named is None:
                at += 1
                continue
            self.mentions.append(named)
            labels = {wish.label for other in found for wish in other.wishes}
            roles = {wish.role for other in found for wish in other.wishes}
            again = all(wish.label in labels or (wish.whole_role and wish.role in roles) for wish in named.wishes)
            if found and self._says_again(found[-1], named):
                found[-1] = replace(found[-1], end=named.end)
                at = named.end
                continue
            last = found[-1].end if found else -1
            instead = bool(found) and (self._is_other(last, named.start) or self._will_do(last, named))
            if self._says_how(found[-1:], named):
                # "drums with brushes"
                found[-1] = replace(found[-1], wishes=(*found[-1].wishes[:-1], *named.wishes), end=named.end)
                at = named.end
                continue
            if not again and not instead and not self._is_refused(named):
                found.append(named)
            at = named.end
        return found

    def closes(self, at: int) -> bool:
        """Whether what stands at a token says that the band is complete: ", that's it"."""
        while at < len(self._tokens) and self._tokens[at] in (",", ".", "and", "-"):
            at += 1
        return self._length(self._closing, at) > 0

    def shuts(self) -> bool:
        """Whether a clause says of all that was named that nobody else plays: "nothing else please"."""
        return any(
            self._length(self._shutting, at) and (not at or self._tokens[at - 1] in (",", *_ENDS))
            for at in range(len(self._tokens))
        )

    def _will_do(self, end: int, named: _Named) -> bool:
        """Whether a player is only named as one who may play instead of the last: "(vibraphone will do)"."""
        between = set(self._tokens[end : named.start]) - self._articles
        return between <= {"(", ",", "-"} and self._length(self._offering, named.end) > 0

    def _length(self, phrases: PhraseSet, at: int) -> int:
        return phrases.length(self._tokens, at)

    def _is_other(self, end: int, start: int) -> bool:
        """Whether "or" alone stands between two players: the first of them is taken."""
        between = [word for word in self._tokens[end:start] if word not in self._articles]
        return len(between) == 1 and between[0] in self._lexicon.words.alternatives

    def _says_again(self, before: _Named, named: _Named) -> bool:
        """Whether a group only says who the players before it are: "four saxophones (SATB)"."""
        between = self._tokens[before.end : named.start]
        several = len(before.wishes) == len(named.wishes) > 1
        return named.group and several and not any(word.isalpha() for word in between)

    def _says_how(self, before: Sequence[_Named], named: _Named) -> bool:
        """Whether drums that are named right behind others, with a little word between, say how these are played."""
        kit = all(one.role in RHYTHMIC and not one.pieces for one in (*named.wishes, *(n.wishes[-1] for n in before)))
        between = self._tokens[before[-1].end : named.start] if before else ()
        return bool(before) and kit and len(between) == 1 and between[0] in self._adding

    def _is_refused(self, named: _Named) -> bool:
        return all(wish.label in self._refused for wish in named.wishes)

    def _group(self, at: int) -> _Named | None:
        match = self._lexicon.standing.ensembles.longest_at(self._tokens, at)
        if match is None:
            return None
        other = any(word in match[1].styled for word in self._tokens)
        players_named = match[1].there if other else match[1].players
        wishes = [self._lexicon.wish_at(name.split(), 0) for name in players_named]
        players = [wish[1] for wish in wishes if wish is not None]
        called = match[1].called or tuple(one.label for one in players)
        named = tuple(structs.replace(one, label=name) for one, name in zip(players, called, strict=False))
        return _Named(named, at, at + match[0], scored=True, group=True)

    def _player(self, at: int, before: _Named | None) -> _Named | None:
        style = self._lexicon.sense(self._tokens, at, "style")
        match = self._lexicon.wish_at(self._tokens, at)
        if match is None or (style is not None and style[0] >= match[0]):
            return None
        if self._is_tune(match[1]) and not self._completes(at, match[1]):
            return None
        if self._tokens[at] in self._lexicon.words.goals.works:
            # "a lofi beat" is a piece, and no drums
            return None
        count, first = self._count(at)
        listed = before is not None and all(word in self._glue for word in self._tokens[before.end : at])
        scored = (listed and before is not None and before.scored) or self._is_scored(at, at + match[0])
        end = at + match[0]
        end += self._length(self._alone, end) or (0 if self._styled else self._length(self._beneath, end))
        size = self._lexicon.words.sizes.get(self._tokens[end]) if end < len(self._tokens) else None
        if size and count == 1 and not listed and not match[1].whole_role:
            # "a cello quartet"
            return _Named((match[1],) * size, first, end + 1, scored=True)
        return _Named((match[1],) * count, first, end, scored)

    def _completes(self, at: int, wish: Wish) -> bool:
        """Whether chords belong to a band that is complete with them: "drums, bass, stabby chords, that's it"."""
        behind = at < self._closed and not any(word in _ENDS for word in self._tokens[at : self._closed])
        return behind and wish.role in ("chords", "pad", "arp", "texture")

    def _is_tune(self, wish: Wish) -> bool:
        """Whether it is no player, but what one plays: the tune, chords, a second voice."""
        return (wish.role in ("lead", "chords", "counter", "texture", "arp", "pad") and not wish.families) or (
            wish.whole_role and wish.role == "lead"
        )

    def _count(self, at: int) -> tuple[int, int]:
        """How many of them, "two flutes", "3 trombones", and the first token that says so."""
        for back in (1, 2):
            if back > 1 and not self._tokens[at - 1].isalpha():
                break
            number = number_at(self._tokens, at - back, self._lexicon) if at >= back else None
            before = self._tokens[at - back - 1] if at > back else ","
            if back > 1 and self._tokens[at - 1] in self._scoring:
                # "in 6/8 for harp"
                break
            if before in (*_RANGES, "/") or (before.isalpha() and before not in self._glue | self._scoring):
                # "Year 7 recorders" are no seven, nor is the piano of "bars 1-8 piano" eight
                continue
            if back > 1 and not self._are_several(at):
                # "8 step bass" is one bass
                break
            if number is not None and number[1] == int(number[1]) and 1 < number[1] <= _MOST:
                beside = self._lexicon.find(self._tokens, at - 1) if back > 1 else None
                figures = self._lexicon.words.figures
                if back > 1 and figures is not None and self._tokens[at - 1] in figures.pages:
                    return 1, at
                return (int(number[1]), at - back) if beside is None or "unit" not in beside.senses else (1, at)
        return 1, at

    def _are_several(self, at: int) -> bool:
        """Whether the player at a token is named in the plural."""
        named = self._lexicon.wish_at(self._tokens, at)
        word = self._tokens[at + named[0] - 1] if named is not None else ""
        return word.endswith("s") and not word.endswith("ss")

    def _is_scored(self, start: int, end: int) -> bool:
        """Whether "on its own" follows a player, or "for" leads to it and no noun follows ("for guitar practice")."""
        if self._length(self._alone, end) or (not self._styled and self._length(self._beneath, end)):
            return True
        behind = self._tokens[end] if end < len(self._tokens) else "."
        noun = behind.isalpha() and self._lexicon.find(self._tokens, end) is None
        for at in range(start - 1, max(-1, start - 2 - _REACH), -1):
            if self._tokens[at] in _ENDS or self._tokens[at] == ",":
                return False
            if self._tokens[at] in self._scoring:
                return not noun
            if self._tokens[at] in self._adding:
                return False
        return False


def _numbered(players: Sequence[Wish]) -> tuple[Wish, ...]:
    """The players, with a number where there are several of a kind."""
    totals = {label: sum(wish.label == label for wish in players) for label in {wish.label for wish in players}}
    counts: dict[str, int] = {}
    result = []
    for wish in players:
        counts[wish.label] = counts.get(wish.label, 0) + 1
        many = totals[wish.label] > 1
        result.append(structs.replace(wish, label=f"{wish.label} {counts[wish.label]}") if many else wish)
    return tuple(result)
