"""Reading a course: the stages of a new piece, each with what its own words say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct, structs

from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.gathered import RequestFindings
from agent.composer.understanding.layout import Layout
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.likened_refusals import likened_refusal
from agent.composer.understanding.lone_openings import all_behind, opening_apart
from agent.composer.understanding.mark_joining import StageMark
from agent.composer.understanding.numbers import counted, number_at, seconds_at
from agent.composer.understanding.stage_marks import MarkScan
from agent.composer.understanding.stage_order import (
    WholeSentences,
    breaks_silence,
    from_the_start,
    goes_on,
    in_order,
    opens,
    stages_told,
)
from agent.composer.understanding.stage_phrases import StagePhrases
from agent.composer.understanding.stage_places import awaited, in_form, lettered, within_first
from agent.composer.understanding.stage_reading import DRIFTS, MOTIONS, StageReader, StageWords, longest
from agent.composer.understanding.wishes import Wish

MOST_STAGES, MOST_WORDS = 24, 1_500
_ENDS, _SENTENCES = frozenset(".;!?:"), frozenset(".!?")
_CLAUSE = 30
"""Most words of a clause that is looked at."""
_FIGURES = 2
"""From so many figures on at its end a sentence is about the whole piece."""
_BAND = 3
"""From so many players on a list behind the last stage names the band."""
_NEAR = 4
"""Words of a clause among which a refusal stands."""
_CAP = 4
"""By how much a note may be louder than the dynamic that nothing is to be louder than."""


class Course(Struct, frozen=True):
    """The stages that a request describes for a new piece, in order ("first drums alone, after 8 bars the strings"),
    with indices of tokens.

    `tokens` belong to stages and say nothing of the whole piece; `owned` are all that were understood, `acts` those
    about how the music develops. `loudest` is the velocity limit of all notes. `said` and `figures` are the findings in
    each stage's words, `spans` their token ranges.
    """

    stages: tuple[CourseStage, ...] = ()
    tokens: frozenset[int] = frozenset()
    owned: frozenset[int] = frozenset()
    acts: frozenset[int] = frozenset()
    loudest: int | None = None
    said: tuple[RequestFindings, ...] = ()
    figures: tuple[Figures, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def later(self) -> frozenset[int]:
        """Indices of the stages' tokens if the first stage does not say who plays, as its band is then more than the
        players named in later stages; otherwise empty."""
        named = bool(self.stages) and self.stages[0].names_players and not any(one.everyone for one in self.stages)
        return frozenset() if named else self.tokens


def course_of(tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, layout: Layout) -> Course:
    """The course that casefolded tokens describe; without stages if they describe none, or only name sections. `spoken`
    are the same tokens as written, `layout` the sections that they name."""
    if lexicon.words.course is None:
        return Course()
    return _CourseReader(tokens[:MOST_WORDS], spoken[:MOST_WORDS], lexicon, layout).course()


class _CourseReader:
    """Reads the course of one request."""

    def __init__(self, tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, layout: Layout) -> None:
        self._tokens = list(tokens)
        self._spoken = list(spoken)
        self._lexicon = lexicon
        self._layout = layout
        scan = MarkScan(tokens, spoken, lexicon, layout)
        self._book: StagePhrases = scan.book
        self._whole = WholeSentences(tokens, spoken, lexicon, scan.book)
        self._counted = scan.counted()
        self._refusing = frozenset({*lexicon.words.groups["no"], *lexicon.words.bindings.refuse})
        marks = scan.marks()
        self._labels = {at: mark for mark in marks if mark.kind == "label" for at in range(mark.start, mark.end)}
        self._only_in = self._restricted()
        self._narrowed = frozenset(at for *_, start, end in self._only_in for at in range(start, end))
        self._marks = [mark for mark in marks if mark.start not in self._narrowed]

    def course(self) -> Course:
        """All of it."""
        loudest, capped = self._loudest()
        reader = StageReader(self._tokens, self._spoken, self._lexicon, self._book)
        stretches = self._stretches()[: 2 * MOST_STAGES]
        parted = opening_apart(stretches, self._tokens, self._lexicon, reader)
        read = [reader.read(stretch, number) for number, stretch in enumerate(parted or stretches)]
        read = stages_told(all_behind(read) if parted else read)[:MOST_STAGES]
        read = awaited(in_form(within_first(from_the_start(in_order(read))), self._layout))
        stages = [self._narrow(one.stage) for one in read]
        layered, layers = self._book.spans(self._tokens, "layered")
        if layered and stages and not any(stage.motion == "layered" for stage in stages):
            stages[0] = structs.replace(stages[0], motion="layered")
        stages = [
            structs.replace(stage, alone=stage.enters, enters=()) if breaks_silence(before, stage) else stage
            for before, stage in zip((CourseStage(), *stages), stages, strict=False)
        ]
        if sum(bool(stage.enters) for stage in stages[1:]) > 1:
            # "one after the other: first drums, 4 bars later bass" tells itself when
            stages = [structs.replace(stage, motion="") if stage.motion == "layered" else stage for stage in stages]
        for_good = self._book.spans(self._tokens, "everywhere")[1]
        if not goes_on([one.stretch.mark for one in read], stages):
            return Course(owned=frozenset({*capped, *for_good}), acts=frozenset(capped), loudest=loudest)
        owned = {at for one in read for at in one.owned}
        owned |= {*lettered(self._layout), *self._narrowed, *self._counted, *capped, *layers, *for_good}
        own = [one.stretch for one in read if not one.stretch.head]
        tokens = {at for stretch in own for at in range(stretch.begin, stretch.end)} | self._narrowed
        tokens |= {at for one in read for at in one.own}
        said, figures = tuple(one.said for one in read), tuple(one.figures for one in read)
        spans = tuple((one.stretch.begin, one.stretch.end) for one in read)
        return Course(
            tuple(stages), frozenset(tokens), frozenset(owned), self._acts() | capped, loudest, said, figures, spans
        )

    def _acts(self) -> frozenset[int]:
        names = (*MOTIONS, *DRIFTS, "enters", "leaves", "everyone")
        return frozenset(at for name in names for at in self._book.spans(self._tokens, name)[1])

    def _narrow(self, stage: CourseStage) -> CourseStage:
        """The stage without players who only play in others."""
        for wish, section, *_ in self._only_in:
            if stage.name == section:
                stage = structs.replace(stage, enters=(*stage.enters, wish))
            else:
                stage = structs.replace(stage, leaves=(*stage.leaves, wish))
        return stage

    def _stretches(self) -> list[StageWords]:
        marks = self._marks
        if not marks:
            whole = StageMark("opening", 0, 0)
            return [StageWords(whole, 0, len(self._tokens), head=True)]
        found: list[StageWords] = []
        listed = self._listed()
        first = marks[0]
        if not opens(first):
            end = first.start - first.before
            begin = self._sentence(end)
            found.append(StageWords(StageMark("opening", begin, begin), begin, end, head=True))
        for mark, following in zip(marks, [*marks[1:], None], strict=True):
            end = following.start - following.before if following is not None else len(self._tokens)
            start = mark.start - mark.before if mark.before or mark.speaks else mark.end
            if mark in listed:
                end = self._list_end(mark.end, end)
            end = mark.end if mark.awaited else self._without_refusals(mark.end, self._of_sentence(mark, end))
            found.append(StageWords(mark, start, self._without_band(mark.end, end) if following is None else end))
        return found

    def _of_sentence(self, mark: StageMark, end: int) -> int:
        """Where a stage ends of which its own sentence says nothing more: at its stop."""
        stop = next((at for at in range(mark.end, end) if self._tokens[at] in _SENTENCES), end)
        silent = all(self._tokens[at] == "," for at in range(mark.end, stop))
        return stop if mark.kind == "following" and silent and not mark.before else end

    def _list_end(self, start: int, end: int) -> int:
        """Where a list of sections ends: at a full stop, or a comma behind which no "with" one player follows."""
        words = self._lexicon.words
        going_on = {*words.bindings.add, *words.bindings.only, *words.grammar.joins, *words.grammar.breaks}
        stop = next((at for at in range(start, end) if self._tokens[at] in _SENTENCES), end)
        comma = next((at for at in range(start, stop) if self._tokens[at] == ","), stop)
        if comma + 1 >= stop:
            return stop
        players = sum(self._lexicon.wish_at(self._tokens, at) is not None for at in range(comma, stop))
        added = self._tokens[comma + 1] in words.bindings.add and players > 1
        return comma if added or self._tokens[comma + 1] not in going_on else stop

    def _listed(self) -> list[StageMark]:
        """Sections that stand in a list, behind another one: a sentence behind the list is about the piece."""
        glue = frozenset({",", *self._lexicon.words.grammar.joins, *self._lexicon.words.places.articles})
        return [
            mark for before, mark in pairwise(self._marks)
            if before.kind == mark.kind == "section"
            and all(token in glue for token in self._tokens[before.end : mark.start])
        ]

    def _without_refusals(self, start: int, end: int) -> int:
        """Where a stage ends: sentences behind it that only refuse speak of the whole piece, as does "of any kind"."""
        for at in range(start, end):
            if at in self._narrowed:
                return at
            if self._tokens[at] not in (*_SENTENCES, ","):
                continue
            ended = self._tokens[at] in _SENTENCES
            if ended and (self._whole.begins(at, end) or likened_refusal(self._tokens, at + 1)):
                return at
            if self._tokens[at] == "," and self._whole.ends_so(at, end, _FIGURES):
                return at
            if self._tokens[at] == "," and self._in_clause("throughout", at + 1, end):
                # ", drums and bass throughout" is all of the piece
                return at
            if self._tokens[at] == "," and self._keys_all(at + 1, end):
                # ", F minor" at the very end
                return at
            if self._tokens[at] == "," and self._names_style(at + 1, end):
                # ", chiptune at 120" is all of the piece
                return at
            parted = self._tokens[at] in _SENTENCES or self._for_good(at, end)
            words = self._tokens[at + 1 : min(end, at + 1 + _CLAUSE)]
            if self._tokens[at] in (*_SENTENCES, ",") and self._book.length("of_all", self._tokens, at + 1):
                return at
            near = self._book.length("near", words, 0) if words else 0
            length = seconds_at(words, near, self._lexicon) or counted(words, near, self._lexicon, ("bars",))
            if near and length is not None and end == len(self._tokens):
                # ", about 24 bars" behind the last stage is the length of the piece
                return at
            if self._tokens[at] == "," and length is not None and self._names_nobody(at + 1 + length[0]):
                # ", 128 bars" at the very end
                return at
            lasts = any(seconds_at(words, place, self._lexicon) is not None for place in range(len(words)))
            if self._tokens[at] in _SENTENCES and lasts and not self._book.spans(words, "enters")[0]:
                return at
            short = self._tokens[at] in _SENTENCES and len(words) <= _NEAR + 1
            if parted and any(word in self._refusing or (short and word.isdecimal()) for word in words[:_NEAR]):
                return at
        return end

    def _without_band(self, begin: int, end: int) -> int:
        """Where the last stage ends before a list of players alone, who are the band of the piece."""
        grammar = self._lexicon.words.grammar
        articles = self._lexicon.words.places.articles
        glue = {",", *grammar.joins, *articles, *grammar.light, *grammar.skip, *grammar.empty}
        for first in range(begin + 1, end):
            if self._tokens[first - 1] not in (",", *_ENDS):
                continue
            if self._tokens[first - 1] in _SENTENCES and self._is_band(first, end):
                return first - 1
            at, named = first, 0
            while at < end and self._tokens[at] not in _SENTENCES:
                wish = self._lexicon.wish_at(self._tokens, at)
                number = number_at(self._tokens, at, self._lexicon) if wish is None else None
                described = at + 1 < end and self._lexicon.wish_at(self._tokens, at + 1) is not None
                if wish is None and number is None and self._tokens[at] not in glue and not described:
                    break
                named += wish is not None
                at += wish[0] if wish is not None else number[0] if number is not None else 1
            if named >= _BAND and (at >= end or self._tokens[at] in _SENTENCES):
                return first - 1
        return end

    def _is_band(self, first: int, end: int) -> bool:
        """Whether a sentence of its own names so many players that it is the band, and no one of them comes or goes."""
        last = next((at for at in range(first, end) if self._tokens[at] in _SENTENCES), end)
        players = (self._lexicon.wish_at(self._tokens, at) for at in range(first, last))
        labels = {wish[1].label for wish in players if wish is not None}
        moves = ("enters", "leaves", "everyone", "builds", "fades", "theme")
        acting = any(self._book.length(name, self._tokens, at) for name in moves for at in range(first, last))
        return len(labels) >= _BAND and not acting

    def _names_nobody(self, at: int) -> bool:
        """Whether no sign and no player follows a length, so that it is that of the piece: "32 bars in D minor"."""
        rest = range(at, len(self._tokens))
        return all(
            self._tokens[k] not in (",", *_ENDS) or k == len(self._tokens) - 1 for k in rest
        ) and not any(self._lexicon.wish_at(self._tokens, k) for k in rest)

    def _restricted(self) -> list[tuple[Wish, str, int, int]]:
        """Players who are only to play in some sections, and the tokens that say so: "reese bass only in the drops"."""
        found: list[tuple[Wish, str, int, int]] = []
        places = self._lexicon.words.places
        at = 0
        while at < len(self._tokens):
            player = self._lexicon.wish_at(self._tokens, at)
            end = at + player[0] if player is not None else at
            if player is None or end + 2 >= len(self._tokens) or self._tokens[end] not in places.only:
                at += 1
                continue
            end += 1
            while end < len(self._tokens) and self._tokens[end] in (*places.within, *places.articles):
                end += 1
            section = self._lexicon.sense(self._tokens, end, "section") if end < len(self._tokens) else None
            label = self._labels.get(end)
            if label is not None:
                found.append((player[1], label.name, at, label.start))
            elif section is not None:
                found.append((player[1], section[1], at, end + section[0]))
            at = end
        return found

    def _for_good(self, at: int, end: int) -> bool:
        """Whether a clause says that it holds everywhere."""
        end = min(end, at + 1 + _CLAUSE)
        last = next((k for k in range(at + 1, end) if self._tokens[k] in _SENTENCES), end)
        return any(self._book.length("everywhere", self._tokens, k) for k in range(at + 1, last))

    def _names_style(self, at: int, end: int) -> bool:
        """Whether a clause that begins at a token names a style and nobody who plays."""
        found = False
        while at < end and self._tokens[at] not in (*_ENDS, ","):
            if self._lexicon.wish_at(self._tokens, at) is not None:
                return False
            found = found or self._lexicon.sense(self._tokens, at, "style") is not None
            at += 1
        return found

    def _keys_all(self, at: int, end: int) -> bool:
        """Whether a clause is nothing but a key, ends the request, and is the only key in it."""
        figures = Figures(list(self._spoken), list(self._tokens), self._lexicon)
        key = figures.key_at(at) if at < end == len(self._tokens) else None
        if key is None or any(token.isalnum() for token in self._tokens[at + key[0] :]):
            return False
        return all(figures.key_at(k) is None for k in range(at - 1) if self._tokens[k].isalpha())

    def _in_clause(self, name: str, at: int, end: int) -> bool:
        """Whether a clause that begins at a token holds a phrase of a list."""
        while at < end and self._tokens[at] not in (*_ENDS, ","):
            if self._book.length(name, self._tokens, at):
                return True
            at += 1
        return False

    def _sentence(self, end: int) -> int:
        """Where the sentence that ends before a token begins."""
        at = end - 1
        if at > 0 and self._tokens[at] in _ENDS:
            at -= 1
        while at > 0 and self._tokens[at - 1] not in _ENDS:
            at -= 1
        return max(0, at)

    def _loudest(self) -> tuple[int | None, set[int]]:
        for at in range(len(self._tokens)):
            length = self._book.length("at_most", self._tokens, at)
            level = longest({**self._book.dynamics, **self._book.limits}, self._tokens, at + length) if length else None
            if level is not None:
                return level[1] + _CAP, set(range(at, at + length + level[0]))
        return None, set()
