"""Stage marks: where a request says that a stage of a new piece begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.understanding.cell_marks import cell_mark
from agent.composer.understanding.clocks import awaited_mark, clock_mark
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.layout import Layout
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.mark_joining import MarkKind, StageMark, completes, joined
from agent.composer.understanding.numbers import counted, number_at, seconds_at
from agent.composer.understanding.senses import Sense
from agent.composer.understanding.stage_phrases import stage_phrases

_SIGNS = frozenset(",.;:!?")
_LONGEST = 6
_FIRST, _LAST, _BEFORE = 1, -1, 3
_RANGE = "–"
"""What stands between two figures that were written with a dash."""
_FURTHEST, _CLAUSE = 400, 8
"""Highest number that is read as a bar without that word, and words before it that may say so."""
_LABELLED = 12
"""Highest number of a stage."""


_LETTERS = tuple("ABCDEFGH")
_NOTE = re.compile(r"[A-G][#b]?")
_COMING = ("enters", "everyone")
"""What says that somebody comes in, so that a number behind it is a bar."""
_BEHIND = ("moment", "middle")
"""Kinds of marks of which all may be said before them."""
_WHOLE = ("label", "section", "edge", "lasting")
"""Kinds of marks that may be all that is said of a stage."""


class MarkScan:
    """Finds where a request for a new piece begins to describe each stage: "first drums alone, after 8 bars the
    strings". `tokens` are casefolded, `spoken` the same tokens as written; `layout` are the sections that it names."""

    def __init__(self, tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, layout: Layout) -> None:
        course = lexicon.words.course
        assert course is not None
        self.book = stage_phrases(course)
        self._tokens = tokens
        self._spoken = spoken
        self._lexicon = lexicon
        words = lexicon.words
        self._glue = frozenset({*_SIGNS, *words.grammar.joins, *words.places.articles, *words.bindings.add})
        self._parting = frozenset({*self._glue, *words.grammar.breaks, *words.grammar.heads, *words.goals.compose})
        self._breaking = frozenset({*words.grammar.breaks, *words.grammar.joins})
        self._leading = frozenset({*words.places.within, *words.places.articles})
        # a lone section without a length only happens to be named
        self._listed = len(layout.places) > 1 or any(place.bars for place in layout.places)
        self._sections = {place.start: place for place in layout.places}
        self._letters = self._lettered()

    def counted(self) -> frozenset[int]:
        """Indices of tokens that only count stages or refer to one: "in two phases", "the theme of phase 1"."""
        found: set[int] = set()
        for at in range(len(self._tokens)):
            number = number_at(self._tokens, at, self._lexicon)
            length = self.book.length("labels", self._tokens, at + number[0]) if number is not None else 0
            label = self._label(at)
            if number is not None and length:
                found |= set(range(at, at + number[0] + length))
            elif label is not None:
                found |= set(range(label.start, label.end))
        return frozenset(found)

    def marks(self) -> list[StageMark]:
        """All marks in order; marks without a word between them are joined."""
        found: list[StageMark] = []
        labels: set[int] = set()
        at = 0
        while at < len(self._tokens):
            mark = cell_mark(self._tokens, at, found, self._lexicon) or self._mark(at)
            if mark is not None and mark.kind == "returns" and self._tells_story(mark.start):
                at = mark.end
                continue
            if mark is None or (mark.kind == "label" and mark.number in labels):
                # "the theme of phase 1" begins no phase
                at += 1 if mark is None else mark.end - at
                continue
            if mark.number == 1 and found and found[-1].kind == "returns" and at - found[-1].end <= _BEFORE:
                # "come back to the first part"
                found[-1] = replace(found[-1], end=mark.end)
                at = mark.end
                continue
            if self._ends_section(found, mark):
                found[-1] = replace(found[-1], last=True)
                at = mark.end
                continue
            if mark.kind == "motion" and not self._after_another(found, mark):
                at = mark.start + 1
                continue
            labels |= {mark.number} if mark.kind == "label" else set()
            close = bool(found) and all(token in self._glue for token in self._tokens[found[-1].end : at])
            whole = close and (found[-1].kind in _WHOLE or (found[-1].kind in _BEHIND and found[-1].before > 0))
            if close and (not whole or completes(found[-1], mark)):
                found[-1] = joined(found[-1], mark)
            else:
                found.append(mark)
            at = max(mark.end, at + 1)
        return found

    def _ends_section(self, found: Sequence[StageMark], mark: StageMark) -> bool:
        """Whether "at the end" only says where a section stands that its clause names: "a breakdown at the end"."""
        if mark.kind != "closing" or not found or found[-1].kind != "section" or mark.end >= len(self._tokens):
            return False
        between = self._tokens[found[-1].end : mark.start]
        return self._tokens[mark.end] in _SIGNS and not any(word in _SIGNS for word in between)

    def _after_another(self, found: Sequence[StageMark], mark: StageMark) -> bool:
        """Whether a stage was told of before a word such as "builds", so that it begins another."""
        begin = found[-1].end if found else 0
        told = range(begin, mark.start)
        names = ("builds", "fades", "enters")
        loud = any(tuple(self._tokens[at : at + n]) in self.book.dynamics for at in told for n in (1, 2))
        acting = [at for at in told if any(self.book.length(name, self._tokens, at) for name in names)]
        # of "strings creep in under it and build" they build who come in
        joins = self._lexicon.words.grammar.joins
        same = mark.start > 0 and self._tokens[mark.start - 1] in joins and not loud and acting and not any(
            token in _SIGNS for token in self._tokens[acting[-1] : mark.start]
        )
        return loud or (bool(acting) and not same)

    def _mark(self, at: int) -> StageMark | None:
        return (
            self._label(at) or self._section(at) or self._edge(at) or self._span(at)
            or clock_mark(self._tokens, at, self._lexicon) or awaited_mark(self._tokens, at, self._lexicon)
            or self._moment(at) or self._bare(at) or self._lasting(at)
            or self._phrase(at)
        )

    def _label(self, at: int) -> StageMark | None:
        """"Phase 2", "part two", "second part"."""
        if at in self._letters:
            start, end, number = self._letters[at]
            return StageMark("label", start, end, self._spoken[end - 1], number)
        skip = self._tokens[at] in self._lexicon.words.places.articles and at + 1 < len(self._tokens)
        first = at + skip
        ordinal = self._lexicon.sense(self._tokens, first, "ordinal")
        if ordinal is not None:
            noun = first + ordinal[0]
            length = self.book.length("labels", self._tokens, noun) if noun < len(self._tokens) else 0
            number = int(ordinal[1])
            if not length or (at and self._tokens[at - 1] in self._lexicon.words.scoring):
                # "for the first time"
                return None
            return self._named(at, noun + length, number)
        length = self.book.length("labels", self._tokens, first)
        number_said = number_at(self._tokens, first + length, self._lexicon) if length else None
        if not length or skip or number_said is None or not 1 <= number_said[1] <= _LABELLED:
            return None
        end = first + length + number_said[0]
        if end < len(self._tokens) and self._lexicon.sense(self._tokens, end, "unit") is not None:
            return None
        return self._named(at, end, int(number_said[1]))

    def _lettered(self) -> dict[int, tuple[int, int, int]]:
        """Stages that are called A, B and so on, by their first token: "A without drums, B with drums"."""
        found: dict[int, tuple[int, int, int]] = {}
        for at, word in enumerate(self._spoken):
            if word not in _LETTERS:
                continue
            named = at > 0 and self.book.length("labels", self._tokens, at - 1) == 1
            start = at - named
            behind = self._tokens[at + 1] if at + 1 < len(self._tokens) else ""
            begins = not start or self._tokens[start - 1] in _SIGNS or self._tokens[start - 1] in self._parting
            begins = begins or self.book.length("following", self._tokens, start - 1) == 1
            tells = behind == ":" or self.book.length("telling", self._tokens, at + 1) > 0 if behind else False
            if begins and (tells or (named and behind in _SIGNS)):
                found[start] = (start, at + 1, _LETTERS.index(word) + 1)
        order = [number for _, _, number in found.values()]
        return found if len(order) > 1 and order == list(range(1, len(order) + 1)) else {}

    def _named(self, start: int, end: int, number: int) -> StageMark:
        articles = self._lexicon.words.places.articles
        words = [word for word in self._spoken[start:end] if word.casefold() not in articles]
        name = " ".join(words)
        before = self._players_before(start) if self._enters_before(start) else 0
        return StageMark("label", start, end, name[:1].upper() + name[1:], number, last=number == _LAST, before=before)

    def _section(self, at: int) -> StageMark | None:
        place = self._sections.get(at) if self._listed else None
        if place is not None and len(place.name) == 1 and (self._letters or len(self._tokens[at]) > 1):
            # of ABA more is told where its letters stand alone, or of its bridge
            return None
        # "chorus C" names its key
        if place is None or (not place.bars and _NOTE.fullmatch(" ".join(self._spoken[place.end : place.end + 1]))):
            return None
        start = place.start
        while start and self._tokens[start - 1] not in self._parting:
            # "a quiet piano intro": what stands before its name says how it is
            start -= 1
        inner = range(place.start, place.end)
        speaks = any(self._lexicon.sense(self._tokens, token, "thing") is not None for token in inner if token != at)
        before = place.start - start
        return StageMark("section", place.start, place.end, place.name, bars=place.bars, before=before, speaks=speaks)

    def _edge(self, at: int) -> StageMark | None:
        """"The first 8 bars", "for the last two bars"."""
        first = at
        while first < min(len(self._tokens), at + _BEFORE) and self._tokens[first] in self._leading:
            first += 1
        ordinal = self._lexicon.sense(self._tokens, first, "ordinal")
        if ordinal is None or int(ordinal[1]) not in (_FIRST, _LAST):
            return None
        length = self._length(first + ordinal[0])
        if length is None:
            return None
        end, bars, seconds = length
        back = at
        while back and self._tokens[back - 1] not in _SIGNS and self._tokens[back - 1] not in self._breaking:
            # "no drums for the first 8 bars"
            back -= 1
        return StageMark("edge", at, end, bars=bars, seconds=seconds, last=int(ordinal[1]) == _LAST, before=at - back)

    def _moment(self, at: int) -> StageMark | None:
        """"After thirty seconds", "at bar 9", "after the first 8 bars"."""
        length = self.book.length("moments", self._tokens, at)
        if not length and not self._comes_at_bar(at):
            return None
        if at and self._tokens[at - 1] in self._lexicon.words.places.before:
            return None
        before = self._players_before(at) or self._key_before(at)
        first = at + length
        first += self.book.length("near", self._tokens, first) if first < len(self._tokens) else 0
        after = self._tokens[at] in self._lexicon.words.places.after
        said = self._length(first)
        long = said is not None and self._tokens[said[0] : said[0] + 1] == ["long"]
        if said is not None and not long and (after or said[2]):
            end, bars, seconds = said
            from_bar = bars + 1 if bars else 0
            return StageMark("moment", at, end, from_bar=from_bar, from_seconds=seconds, before=before)
        unit = self._lexicon.sense(self._tokens, first, "unit") if first < len(self._tokens) else None
        number = number_at(self._tokens, first + 1, self._lexicon) if unit is not None and unit[1] == "bars" else None
        if number is None:
            return None
        end = first + 1 + number[0]
        end += end < len(self._tokens) and self._tokens[end] in self._lexicon.words.places.onward
        return StageMark("moment", at, end, from_bar=int(number[1]), before=before)

    def _span(self, at: int) -> StageMark | None:
        """"Bars 1-8", "in bars 9 to 16"."""
        first = at + (self._tokens[at] in self._lexicon.words.places.within)
        unit = self._lexicon.sense(self._tokens, first, "unit") if first < len(self._tokens) else None
        begin = number_at(self._tokens, first + 1, self._lexicon) if unit is not None and unit[1] == "bars" else None
        sign = first + 1 + begin[0] if begin is not None else len(self._tokens)
        ranged = sign < len(self._tokens) and (
            self._tokens[sign] == _RANGE or self.book.length("spans", self._tokens, sign) == 1
        )
        stop = number_at(self._tokens, sign + 1, self._lexicon) if ranged else None
        if begin is None or stop is None or not 1 <= begin[1] <= stop[1]:
            return None
        bar, before = int(begin[1]), self._players_before(at)
        kind: MarkKind = "moment" if bar > 1 else "lasting"
        bars = int(stop[1]) - bar + 1
        return StageMark(kind, at, sign + 1 + stop[0], bars=bars, from_bar=bar if bar > 1 else 0, before=before)

    def _bare(self, at: int) -> StageMark | None:
        """"Enters at 5", "drop at 65", "from 17 onwards": a number alone that can only be a bar."""
        length = self.book.length("moments", self._tokens, at)
        number = number_at(self._tokens, at + length, self._lexicon) if length else None
        if number is None or number[1] != int(number[1]) or not 1 < number[1] <= _FURTHEST:
            return None
        end = at + length + number[0]
        behind = self._tokens[end] if end < len(self._tokens) else "."
        onward = behind in self._lexicon.words.places.onward
        if not (onward or behind in _SIGNS or behind in self._breaking or behind in self._lexicon.words.bindings.add):
            return None
        clause = range(max(0, at - _CLAUSE), at)
        first = next((k + 1 for k in reversed(clause) if self._tokens[k] in _SIGNS), clause.start)
        enters = any(self.book.length(name, self._tokens, k) for k in range(first, at) for name in _COMING)
        named = any(place.end == at for place in self._sections.values())
        before = self._players_before(at)
        # no tempo is told with "from": "pads from 33"
        since = before > 0 and self._tokens[at] == "from"
        if not (onward or enters or named or since or self._follows_entrance(first, at)):
            return None
        return StageMark("moment", at, end + onward, from_bar=int(number[1]), before=before)

    def _follows_entrance(self, first: int, at: int) -> bool:
        """Whether only a player stands before a number, behind an entrance: ", pad at 25"."""
        player = self._lexicon.wish_at(self._tokens, first) if first < at else None
        said = range(max(0, first - _CLAUSE), max(0, first - 1))
        entered = any(self.book.length("enters", self._tokens, k) for k in said)
        return player is not None and first + player[0] == at and entered

    def _enters_before(self, at: int) -> bool:
        """Whether a verb of coming in stands a word or two before a label: "a flute that enters only in part two"."""
        return any(self.book.length("enters", self._tokens, place) for place in range(max(0, at - _BEFORE), at))

    def _clause(self, at: int) -> int:
        """Where the clause of a token begins."""
        while at and self._tokens[at - 1] not in _SIGNS and self._tokens[at - 1] not in self._breaking:
            at -= 1
        return at

    def _players_before(self, at: int) -> int:
        """How many tokens before a moment tell who comes in at it: "the strings follow after 8 bars"."""
        back = self._clause(at)
        named = any(
            self._lexicon.wish_at(self._tokens, place) is not None or self.book.length("everyone", self._tokens, place)
            for place in range(back, at)
        )
        return at - back if named else 0

    def _manner_before(self, at: int) -> int:
        """How many tokens before a moment say how loud or how fast it is then."""
        back = self._clause(at)
        names = ("builds", "fades", "faster", "slower", "paces")
        told = range(back, at)
        loud = any(tuple(self._tokens[k : k + n]) in self.book.dynamics for k in told for n in (1, 2))
        moves = any(self.book.length(name, self._tokens, k) for name in names for k in told)
        return at - back if loud or moves else 0

    def _comes_at_bar(self, at: int) -> bool:
        """Whether a verb of coming in leads to a bar: "the harp enters bar 9"."""
        unit = self._lexicon.sense(self._tokens, at, "unit")
        coming = any(self.book.length("enters", self._tokens, at - n) == n for n in (1, 2) if at >= n)
        return coming and unit is not None and unit[1] == "bars"

    def _key_before(self, at: int) -> int:
        """How many tokens before the middle say how it is: "the trio in G major in the middle", "gets faster in it"."""
        back = self._clause(at)
        figures = Figures(list(self._spoken), list(self._tokens), self._lexicon)
        keyed = any(figures.key_at(k) is not None for k in range(back, at) if self._tokens[k].isalpha())
        keyed = keyed or any(tuple(self._tokens[k : k + n]) in self.book.keys for k in range(back, at) for n in (2, 3))
        senses: tuple[Sense, ...] = ("mood", "tempo")
        felt = any(self._lexicon.sense(self._tokens, k, sense) for k in range(back, at) for sense in senses)
        return at - back if keyed or felt else self._players_before(at) or self._manner_before(at)

    def _tells_story(self, at: int) -> bool:
        """Whether somebody is spoken of in the clause before a token."""
        course = self._lexicon.words.course
        return course is not None and any(word in course.people for word in self._tokens[self._clause(at) : at])

    def _lasting(self, at: int) -> StageMark | None:
        """"8 bars of solo piano", where players or a dynamic follow; "8 bars of lofi" is all of a piece."""
        said = self._length(at)
        if said is None or not said[1] or said[0] + 1 >= len(self._tokens):
            return None
        if any(self.book.length("held", self._tokens, at - n) for n in (1, 2) if at >= n):
            # "the last chord held for two bars"
            return None
        words = self._lexicon.words.bindings
        end = said[0] + (self._tokens[said[0]] in (*words.joins, *words.add))
        match = self._lexicon.find(self._tokens, end)
        senses = match.senses if match is not None else {}
        described = {"thing", "instrument", "mood"} & set(senses) or senses.get("binding") == "only"
        stop = next((k for k in range(end, len(self._tokens)) if self._tokens[k] in _SIGNS), len(self._tokens))
        # "16 bars of dreamy synth pop" is all of a piece
        styled = any(self._lexicon.sense(self._tokens, k, "style") is not None for k in range(end, stop))
        plays = not ("mood" in senses and styled) and "style" not in senses and described
        everyone = self.book.length("everyone", self._tokens, end) > 0
        alone = senses.get("binding") == "only" and self._plays(end + 1)
        return StageMark("lasting", at, end, bars=said[1]) if everyone or alone or (end > said[0] and plays) else None

    def _plays(self, at: int) -> bool:
        """Whether a player is named at a token, perhaps behind an article."""
        at += at < len(self._tokens) and self._tokens[at] in self._lexicon.words.places.articles
        return at < len(self._tokens) and self._lexicon.wish_at(self._tokens, at) is not None

    def _length(self, at: int) -> tuple[int, int, float] | None:
        """Where a length ends, its bars and its seconds."""
        if at >= len(self._tokens):
            return None
        lasts = seconds_at(self._tokens, at, self._lexicon)
        if lasts is not None:
            return lasts[0], 0, lasts[1]
        bars = counted(self._tokens, at, self._lexicon, ("bars",))
        return (bars[0], int(bars[1]), 0.0) if bars is not None and bars[1] >= 1 else None

    def _phrase(self, at: int) -> StageMark | None:
        kinds: tuple[MarkKind, ...] = ("closing", "opening", "middle", "following", "silent", "returns")
        begins = not at or self._tokens[at - 1] in _SIGNS | self._breaking
        ends = {kind: self.book.length(kind, self._tokens, at) for kind in kinds}
        for kind in kinds[:3] if begins else ():
            ends[kind] = max(ends[kind], self.book.length(f"{kind}_names", self._tokens, at))
        kind = max(kinds, key=lambda one: ends[one])
        if not ends[kind]:
            moves = any(self.book.length(name, self._tokens, at) for name in ("builds", "fades"))
            return StageMark("motion", at, at) if moves else None
        end = at + ends[kind]
        # "piano alone at first"
        set_off = end >= len(self._tokens) or self._tokens[end] in _SIGNS or self._tokens[end] in self._breaking
        before = self._players_before(at) if set_off and kind == "opening" else 0
        if set_off and kind in ("opening", "closing"):
            # "very loud at the end"
            before = before or self._manner_before(at)
        if set_off and kind == "middle":
            before = self._key_before(at)
        return StageMark(kind, at, end, last=kind == "closing", before=before)
