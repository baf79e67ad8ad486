"""Reading note rules: the words of a new piece that limit its notes, and the tokens that say so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct, structs

from agent.composer.note_words import NoteWords
from agent.composer.styles import RHYTHMIC
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.choir_voices import choir_voices, in_voice
from agent.composer.understanding.closing_chords import closing_chord
from agent.composer.understanding.ending_chords import ending_chords
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.named_notes import named_notes_in
from agent.composer.understanding.note_pitches import NamedPitch, PitchNames
from agent.composer.understanding.note_rules import Close, Manner, NoteRules, Reach, Values
from agent.composer.understanding.phrases import Phrases
from agent.composer.understanding.wishes import Wish
from agent.song.time import PPQ

_ENDS = frozenset(".;!?:")
_SIGNS = frozenset(",.;!?:()")
_REACH = 7
"""Words between a refusing word and the direction that it forbids."""
_NEAR = 3
_LOOSE = frozenset(("it", "them", "everything", "all", "mostly", "mainly", "largely", "well", "just", "always"))
"""Words between one of staying and a limit: "keep it mostly below middle C"."""
_TONIC = re.compile(r"[A-G](?:#|b)?")
_MIDDLE_C = 60
_CLOSES: tuple[Close, ...] = ("bare_fifth", "big_chord", "on_tonic", "abrupt", "loops")
_FAR = 4
"""Words between a major chord and what says that it is the last."""
_FLAGS = ("single", "white", "diatonic", "octave", "five_fingers", "both_hands", "steady", "static", "power")


class _Listed(Struct, frozen=True):
    """Note values that are named together: their ticks, and the tokens `start` to `end`."""

    ticks: tuple[int, ...]
    start: int
    end: int


def note_rules_of(
    tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon
) -> tuple[NoteRules, frozenset[int]]:
    """The limits on notes that casefolded tokens state, and the indices of the tokens that state them; `spoken` are the
    same tokens as written."""
    words = lexicon.words.notes
    if words is None:
        return NoteRules(), frozenset()
    return _Reader(tokens, spoken, lexicon, words).read()


class _Reader:
    """Walks over one request, once for each kind of rule."""

    def __init__(
        self, tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, words: NoteWords
    ) -> None:
        self._tokens = list(tokens)
        self._lexicon = lexicon
        self._words = words
        tables = ("values", "voices", "chord_traits")
        lists = {name: getattr(words, name) for name in words.__struct_fields__ if name not in tables}
        self._phrases = Phrases({**lists, "values": words.values}, tokens)
        self._pitches = PitchNames(spoken, tokens, self._phrases, words)
        self._ticks = {
            tuple(t.casefold() for t in phrase_tokens(name)): int(beats * PPQ) for name, beats in words.values.items()
        }
        self._refusing = frozenset(words.refusing)
        self._glue = frozenset({",", "or", "/", *lexicon.words.grammar.joins, *lexicon.words.places.articles})
        self._staying = frozenset(words.staying)
        self._modal = frozenset(words.modal)
        self._spoken = list(spoken)
        self._voices = choir_voices(tokens, lexicon, words)
        self._used: set[int] = set()

    def read(self) -> tuple[NoteRules, frozenset[int]]:
        """All of them."""
        rules = self._phrased(NoteRules())
        rules = structs.replace(rules, reaches=tuple(self._reaches(five=rules.five_fingers)))
        named, naming = named_notes_in(self._tokens, self._spoken, self._lexicon, self._phrases)
        self._used |= naming
        rules = structs.replace(rules, named=named)
        return self._valued(rules), frozenset(self._used)

    def _phrased(self, rules: NoteRules) -> NoteRules:
        for name in _FLAGS:
            if self._take(name):
                rules = structs.replace(rules, **{name: True})
        right, left = self._take("right_hand"), self._take("left_hand")
        if right != left:
            rules = structs.replace(rules, hand="right" if right else "left")
        if self._take("easiest"):
            rules = structs.replace(rules, ease="easiest")
        if self._take("easy") and not rules.ease:
            rules = structs.replace(rules, ease="easy")
        if self._take("waves"):
            rules = structs.replace(rules, waves=True)
        rules = structs.replace(rules, manners=tuple(self._manners()))
        final, used = closing_chord(self._tokens, self._phrases, self._words)
        self._used |= used
        ending, used = ending_chords(self._tokens, self._spoken, self._phrases)
        self._used |= used
        rules = structs.replace(rules, final=final, ending=ending)
        closes = [name for name in _CLOSES if self._take(name)]
        close: Close | None = closes[0] if closes else None
        close = "major_chord" if self._ends_in_major() else close
        # "so no ending, no final chord": one thing, said often
        return rules if close is None else structs.replace(rules, close=close, steady=rules.steady or close == "loops")

    def _manners(self) -> Iterator[Manner]:
        """Who plays how: "a piano that plays almost nothing", "horn stabs"."""
        for span in self._phrases.spans("stabbing"):
            at = span[-1] + 1
            named = self._lexicon.wish_at(self._tokens, at) if at < len(self._tokens) else None
            if named is not None and named[1].role not in RHYTHMIC:
                self._used |= set(span)
                yield Manner("stabs", named[1])
        for span in self._phrases.spans("few"):
            first = range(span[-1] + 1, min(span[-1] + 1 + _NEAR, len(self._tokens)))
            player = next((k for k in first if self._is_player(k)), len(self._tokens))
            named = self._lexicon.wish_at(self._tokens, player) if player < len(self._tokens) else None
            noun = player + named[0] if named is not None else len(self._tokens)
            if named is not None and noun < len(self._tokens) and self._phrases.length("few_notes", noun):
                self._used |= set(span) | {noun}
                yield Manner("sparse", named[1])
        kinds: tuple[Literal["sparse", "stabs"], ...] = ("sparse", "stabs")
        for kind in kinds:
            for span in self._phrases.spans(kind):
                wish = self._first_player(range(span[0] - 1, max(-1, span[0] - 1 - _NEAR), -1))
                if wish is not None and not (kind == "stabs" and wish.role in RHYTHMIC):
                    self._used |= set(span)
                    yield Manner(kind, wish)

    def _take(self, name: str) -> bool:
        found = self._phrases.spans(name)
        for span in found:
            led = max((n for n in range(1, 4) if self._phrases.length("last", span[0] - n) == n), default=0)
            # "finish with a big final chord"
            led = led if name in _CLOSES else 0
            self._used |= set(range(span[0] - led, span[-1] + 1))
        return bool(found)

    def _ends_in_major(self) -> bool:
        """Whether the last chord is to be major: "with a major chord at the end", "the last chord should be major"."""
        for span in self._phrases.spans("major_chord"):
            first, last = span[0], span[-1] + 1
            while first > max(0, span[0] - _FAR) and self._tokens[first - 1] not in _SIGNS:
                first -= 1
            end = last
            while end < min(len(self._tokens), last + _FAR) and self._tokens[end] not in _SIGNS:
                end += 1
            before, after = self._phrases.spans("final", first, span[0]), self._phrases.spans("final", last, end)
            keyed = span[0] > 0 and _TONIC.fullmatch(self._spoken[span[0] - 1]) is not None
            if (before or after) and not keyed:
                # "ends in A major" names a key
                self._used |= set(range(before[0][0] if before else span[0], after[0][-1] + 1 if after else last))
                return True
        return False

    def _reaches(self, *, five: bool) -> list[Reach]:
        found: list[Reach] = []
        at = 0
        while at < len(self._tokens):
            reach = self._bound(at) or self._between(at, five=five)
            if reach is not None:
                found.append(reach[1])
            at = reach[0] if reach is not None else at + 1
        return found

    def _bound(self, at: int) -> tuple[int, Reach] | None:
        """"Nothing above d2", "must not be taken above the E flat", "stays below C5", "highest note is G5"."""
        for name, high in (("over", True), ("under", False), ("within_over", True), ("within_under", False)):
            length = self._phrases.length(name, at)
            named = self._pitches.at(at + length) if length else None
            start = self._refused(at)
            if named is not None and (named.bare or named.lifted) and self._voices:
                named = in_voice(named, self._whose(at if start is None else start, named.end), high=high)
            if named is None or named.bare:
                continue
            if name in ("over", "under") and start is None:
                near = range(at - 1, max(-1, at - 1 - _NEAR), -1)
                back = next((k for k in near if self._tokens[k] not in _LOOSE), -1)
                if back < 0 or self._tokens[back] not in self._staying:
                    continue
                # "stays below C5" forbids what is above
                start, high = back, not high
            begin = at if start is None else start
            wish = self._whose(begin, named.end)
            self._used |= {k for k in range(begin, named.end) if not self._is_player(k)} | self._for_player(named.end)
            self._used |= self._voiced(wish, begin, named.end)
            bound = named.pitch
            spared = self._spared(named.end)
            wish = wish if spared is None or wish != spared[1] else None
            self._used |= set(range(named.end, spared[0])) if spared is not None else set()
            reach = Reach(
                wish=wish, either=named.either, spared=spared[1] if spared is not None else None,
                **{"high" if high else "low": bound},
            )
            return spared[0] if spared is not None else named.end, reach
        return None

    def _spared(self, at: int) -> tuple[int, Wish] | None:
        """Whom a limit right before a token does not mean, and where that ends: "apart from the piano"."""
        length = self._phrases.length("sparing", at) if at < len(self._tokens) else 0
        first = at + length
        first += first < len(self._tokens) and self._tokens[first] in self._lexicon.words.places.articles
        named = self._lexicon.wish_at(self._tokens, first) if length and first < len(self._tokens) else None
        return (first + named[0], named[1]) if named is not None else None

    def _between(self, at: int, *, five: bool) -> tuple[int, Reach] | None:
        """"Between low G and C5", "C4 to G4", "(so C to G)" of a hand that stays."""
        pair = self._pitches.pair(at)
        if pair is not None and (five or self._introduced(at)):
            self._used |= {at}
            return pair[0], _reach(NamedPitch(at, pair[1], bare=True), NamedPitch(at, pair[2], bare=True))
        low = self._pitches.at(at)
        length = self._phrases.length("to", low.end) if low is not None else 0
        high = self._pitches.at(low.end + length) if low is not None and length else None
        if low is None or high is None or low.end + length + 1 > high.end:
            return None
        placed = not low.bare and (not high.bare or self._phrases.length("rising", low.end) > 0)
        introduced = self._introduced(at)
        if not (introduced or five or placed) or (low.bare and high.bare and not (introduced or five)):
            return None
        reach = _reach(low, high, self._whose(at, high.end))
        if reach.low is None or reach.high is None or reach.low >= reach.high:
            return None
        begin = at - self._before(at)
        self._used |= set(range(begin, high.end))
        return high.end, reach

    def _introduced(self, at: int) -> bool:
        return self._before(at) > 0

    def _before(self, at: int) -> int:
        """How many tokens right before one introduce a range."""
        for back in range(1, 5):
            if at >= back and self._phrases.length("between", at - back) == back:
                return back
        return 0

    def _refused(self, at: int) -> int | None:
        """The refusing word of the same clause before a direction."""
        for back in range(at - 1, max(-1, at - 1 - _REACH), -1):
            if self._tokens[back] in _SIGNS:
                return None
            if self._tokens[back] in self._refusing:
                return back - (back > 0 and self._tokens[back - 1] in self._modal)
        return None

    def _is_player(self, at: int) -> bool:
        return at not in self._voices and self._lexicon.wish_at(self._tokens, at) is not None

    def _whose(self, start: int, end: int) -> Wish | None:
        """The player of the clause: right before the limit, else right behind it, as in "for the flute"."""
        before = range(start - 1, max(-1, start - 1 - _REACH), -1)
        behind = range(start, min(end + _NEAR, len(self._tokens)))
        return self._first_player(before) or self._first_player(behind)

    def _first_player(self, places: range) -> Wish | None:
        """The first player at some places up to a sign; the tune is none."""
        for at in places:
            if self._tokens[at] in _SIGNS:
                return None
            if at in self._voices:
                return self._voices[at]
            named = self._lexicon.wish_at(self._tokens, at)
            if named is not None and not (named[1].whole_role and named[1].role == "lead"):
                return named[1]
        return None

    def _voiced(self, wish: Wish | None, begin: int, end: int) -> set[int]:
        """The tokens that name the voice of a limit, with what leads to it."""
        near = range(max(0, begin - _REACH), min(end + _NEAR, len(self._tokens)))
        found = {at for at in near if wish is not None and self._voices.get(at) == wish}
        return found | {at for one in found for at in range(min(one, end), max(one, begin))}

    def _for_player(self, end: int) -> set[int]:
        """The little words of "for the cornets" behind a limit."""
        return {end} if end + 1 < len(self._tokens) and self._tokens[end] in ("for", "in", "on") else set()

    def _valued(self, rules: NoteRules) -> NoteRules:
        at = 0
        while at < len(self._tokens):
            listed = self._list(at)
            if listed is None:
                at += 1
                continue
            rules = self._with(rules, listed)
            at = listed.end
        return rules

    def _list(self, at: int) -> _Listed | None:
        ticks: list[int] = []
        end = here = at
        while here < len(self._tokens):
            length = self._phrases.length("values", here)
            if not length:
                if not ticks or self._tokens[here] not in self._glue or here - end > 2:
                    break
                here += 1
                continue
            dotted = here > 0 and bool(self._phrases.length("dotted", here - 1))
            if dotted or (here + length < len(self._tokens) and self._tokens[here + length] == "="):
                break
            if self._phrases.length("last", here + length) and ticks:
                # "crotchets and minims, with a semibreve at the end"
                break
            value = self._ticks[tuple(self._tokens[here : here + length])]
            rest = self._phrases.length("rests", here + length)
            ticks += [value] if not rest else []
            end = here = here + length + rest
        return _Listed(tuple(sorted(set(ticks))), at, end) if ticks else None

    def _with(self, rules: NoteRules, one: _Listed) -> NoteRules:
        """The rules with what is said of listed values."""
        clause = self._clause(one)
        closing = self._beside("last", one, behind=True) or self._beside("last", one, behind=False)
        only = self._beside("only", one, behind=True) or self._beside("only", one, behind=False)
        refused = None if only else self._refused(one.start)
        if closing and len(one.ticks) == 1 and refused is None:
            self._own(range(one.start, one.end), closing)
            return structs.replace(rules, last=one.ticks[0])
        if refused is not None:
            quicker = any(self._phrases.length("quicker", at) for at in range(refused, one.start))
            if quicker or one.start - refused <= _NEAR:
                self._own(range(refused, one.end))
                shortest = one.ticks[0] if quicker else one.ticks[-1] * 2
                return structs.replace(rules, shortest=max(rules.shortest, shortest))
            return rules
        using = self._beside("using", one, behind=False)
        alone = all(at in clause[1] or one.start <= at < one.end for at in clause[0])
        if not (only or using or alone):
            return rules
        self._own(range(one.start, one.end), only, using)
        return structs.replace(rules, values=(*rules.values, Values(one.ticks, self._player_before(one))))

    def _own(self, *spans: range | None) -> None:
        self._used |= {at for span in spans if span is not None for at in span}

    def _clause(self, one: _Listed) -> tuple[range, set[int]]:
        """The tokens between the signs around values, and those of them that say nothing."""
        first = next((at + 1 for at in range(one.start - 1, -1, -1) if self._tokens[at] in _SIGNS), 0)
        last = next((at for at in range(one.end, len(self._tokens)) if self._tokens[at] in _SIGNS), len(self._tokens))
        grammar = self._lexicon.words.grammar
        light = {*grammar.skip, *grammar.empty, *grammar.joins, *grammar.light}
        return range(first, last), {at for at in range(first, last) if self._tokens[at] in light}

    def _beside(self, name: str, one: _Listed, *, behind: bool) -> range | None:
        """A phrase right behind values or right before them, articles between."""
        if behind:
            at = one.end
            while at < len(self._tokens) and self._tokens[at] in ("as", "for"):
                at += 1
            length = self._phrases.length(name, at)
            return range(one.end, at + length) if length else None
        end = one.start
        while end and self._tokens[end - 1] in ("a", "an", "the", "one", "be", "is", "should"):
            end -= 1
        for back in range(1, 5):
            if end >= back and self._phrases.length(name, end - back) == back:
                return range(end - back, one.start)
        return None

    def _player_before(self, one: _Listed) -> Wish | None:
        """The player right before values: "the bass in minims", "strings hold whole notes"."""
        return self._first_player(range(one.start - 1, max(-1, one.start - 2 - _NEAR), -1))


def _reach(low: NamedPitch, high: NamedPitch, wish: Wish | None = None) -> Reach:
    """The range between two pitches; a letter without an octave lies next to the other, or above middle C."""
    bottom = low.pitch
    if low.bare and high.bare:
        bottom = _MIDDLE_C + (low.pitch - _MIDDLE_C) % 12
    elif low.bare:
        bottom = high.pitch - ((high.pitch - low.pitch) % 12 or 12)
    top = high.pitch if not high.bare else bottom + ((high.pitch - bottom) % 12 or 12)
    return Reach(wish=wish, low=bottom, high=top, either=low.either and high.either)
