"""The order of stages of a new piece, and the sentences behind them that are about all of it again."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from msgspec.structs import replace

from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.gathered import RequestFindings
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.mark_joining import StageMark
from agent.composer.understanding.stage_phrases import StagePhrases
from agent.composer.understanding.stage_places import merged
from agent.composer.understanding.stage_reading import StageRead, StageWords

_ENDS = frozenset(".;!?")
_ACTS = ("enters", "leaves", "everyone", "builds", "fades", "layered", "faster", "slower", "returns")


class WholeSentences:
    """Tells whether sentences after the stages of a piece are about the whole piece again."""

    def __init__(self, tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, book: StagePhrases) -> None:
        self._tokens = list(tokens)
        self._spoken = list(spoken)
        self._lexicon = lexicon
        self._book = book
        grammar = lexicon.words.grammar
        self._light = frozenset({
            *grammar.skip, *grammar.empty, *grammar.joins, *grammar.light, *lexicon.words.places.articles, ",", "in",
            "at", "key", "of", "tempo", "is", "it", "please",
        })

    def begins(self, at: int, end: int) -> bool:
        """Whether the sentence after the sign at token `at` is about the whole piece: it only states a key, tempo or
        length (". D minor"), or lists players. It is read up to token `end` (not included)."""
        first = at + 1
        last = next((k for k in range(first, end) if self._tokens[k] in _ENDS), end)
        return first < last and (self._only_figures(first, last) or self._lists_players(first, last))

    def ends_so(self, at: int, end: int, least: int) -> bool:
        """Whether only figures follow the comma at token `at`, at least `least` of them: ", 3/4, 24 bars, moderato". It
        is read up to token `end` (not included)."""
        first = at + 1
        last = next((k for k in range(first, end) if self._tokens[k] in _ENDS), end)
        return first < last and self._figures(first, last) >= least

    def _only_figures(self, first: int, last: int) -> bool:
        """Whether it says a key, a tempo or a length and nothing else: ". D minor"."""
        return self._figures(first, last) > 0

    def _figures(self, first: int, last: int) -> int:
        """How many figures stand between two tokens; 0 where anything else does."""
        figures = Figures(self._spoken[:last], self._tokens[:last], self._lexicon)
        found, at = 0, first
        while at < last:
            taken = figures.take(at)
            pace = self._lexicon.sense(self._tokens, at, "tempo")
            setting = self._lexicon.standing.settings.longest_at(self._tokens, at)
            said = pace[0] if pace is not None else setting[0] if setting is not None else 0
            if not (taken or said) and self._tokens[at] not in self._light:
                return 0
            found += bool(taken)
            at += max(1, taken or said)
        return found

    def _lists_players(self, first: int, last: int) -> bool:
        """Whether it only lists who plays, behind a sentence that names the players of its stages."""
        stage = next((k for k in range(first - 2, -1, -1) if self._tokens[k] in _ENDS), -1) + 1
        at = first - 1
        named = [k for k in range(first, last) if self._lexicon.wish_at(self._tokens, k) is not None]
        own = any(self._lexicon.wish_at(self._tokens, k) is not None for k in range(stage, at))
        told = ("everyone", "returns")
        own = own or any(self._book.length(name, self._tokens, k) for name in told for k in range(stage, at))
        acts = any(self._book.length(name, self._tokens, k) for name in _ACTS for k in range(first, last))
        listed = "," in self._tokens[first:last] or any(
            word in self._lexicon.words.grammar.joins for word in self._tokens[first:last]
        )
        return len(named) > 1 and named[0] <= first + 1 and own and listed and not acts


_SOFT = 60
"""Velocity up to which a beginning is soft."""


def breaks_silence(before: CourseStage, stage: CourseStage) -> bool:
    """Whether `stage` names players right after a silent stage (`before`): only they play then."""
    return before.motion == "silent" and bool(stage.enters) and not (stage.everyone or stage.alone)


def in_order(read: list[StageRead]) -> list[StageRead]:
    """The stages as read, sorted by the bars at which they begin, if each after the first states one; those of the same
    bar are merged."""
    told = len(read) > 2 and all(one.stage.from_bar or one.stretch.mark.kind == "lasting" for one in read[1:])
    if not told:
        return read
    result = [read[0]]
    for one in sorted(read[1:], key=lambda one: one.stage.from_bar):
        begun = result[-1].stage.from_bar
        first = one.stage.from_bar == 0 and begun == 0 and result[-1].stretch.head
        result[-1:] = [merged(result[-1], one)] if begun == one.stage.from_bar > 1 or first else [result[-1], one]
    return result


def from_the_start(read: list[StageRead]) -> list[StageRead]:
    """The stages in order, as read. If the first begins later than bar 1 an empty stage is inserted before it; an empty
    stage before one in bar 1 is left out."""
    if len(read) > 1 and read[1].stage.from_bar == 1 and not (read[0].stage.says_something or read[0].stage.bars):
        return read[1:]
    if not read or read[0].stage.from_bar < 2:
        return read
    begin = read[0].stretch.begin
    opening = StageWords(StageMark("opening", begin, begin), begin, begin)
    return [StageRead(opening, CourseStage(), frozenset(), RequestFindings(), read[0].figures), *read]


def stages_told(read: Sequence[StageRead]) -> list[StageRead]:
    """Of the stages those that describe something; if an empty one was marked as the last stage, the next one is."""
    kept: list[StageRead] = []
    last = False
    for one in read:
        if one.is_stage:
            kept.append(replace(one, stage=structs.replace(one.stage, last=one.stage.last or last)))
            last = False
        else:
            last = one.stage.last
    return _with_rest(_grown(kept))


def _grown(read: list[StageRead]) -> list[StageRead]:
    """The stages, of which a soft beginning and a growth of which no moment is told are one: it grows all the way."""
    result: list[StageRead] = []
    for one in read:
        before = result[-1] if len(result) == 1 else None
        soft = before.stage.level if before is not None else None
        if before is None or soft is None or soft > _SOFT or not _only_grows(one):
            result.append(one)
            continue
        bare = structs.replace(before.stage, level=None, moods=(), enters=(), pace=None)
        if bare.says_something or before.stage.bars or before.stage.seconds:
            result.append(one)
            continue
        stage = structs.replace(
            before.stage, level=None, begins=soft, moods=(), pace=None, motion="builds", last=one.stage.last
        )
        own = before.own | set(range(one.stretch.begin, one.stretch.end))
        result[-1] = replace(before, stage=stage, owned=before.owned | one.owned, own=frozenset(own))
    return result


def _only_grows(one: StageRead) -> bool:
    """Whether all that a stage says is that the music grows."""
    stage = one.stage
    timed = stage.bars or stage.seconds or one.stretch.mark.timed
    leads = one.stretch.mark.kind in ("motion", "following")
    return leads and stage.motion == "builds" and not timed and not structs.replace(
        stage, motion="", level=None
    ).says_something


def _with_rest(read: list[StageRead]) -> list[StageRead]:
    """The stages with one that goes on as it comes where only "the first 8 bars", or they and the last, are told of."""
    if read and read[-1].stretch.mark.kind == "middle":
        # behind the middle it goes on as before
        end = read[-1].stretch.end
        again = StageRead(
            StageWords(
                StageMark("returns", end, end), end, end
            ), CourseStage(returns=True), frozenset(), RequestFindings(),
            read[0].figures,
        )
        return [*read, again]
    if not read or read[0].stretch.mark.kind != "edge" or read[0].stage.last:
        return read
    if len(read) > 1 and not (len(read) == 2 and read[1].stretch.mark.kind == "edge"):
        return read
    mark = StageMark("following", read[0].stretch.end, read[0].stretch.end)
    rest = StageRead(
        StageWords(mark, mark.end, mark.end), CourseStage(), frozenset(), RequestFindings(), read[0].figures
    )
    return [read[0], rest, *read[1:]]


def goes_on(marks: Sequence[StageMark], stages: Sequence[CourseStage]) -> bool:
    """Whether the stages describe more than a single moment. `marks` are where the request begins them.

    After a mere list of sections a tempo, key or mood is that of the whole piece: "verse 16, chorus 16, 120 BPM".
    """
    if len(stages) < 2:
        return bool(stages) and bool(stages[0].drift or stages[0].motion in ("builds", "layered"))
    if any(stage.from_bar for stage in stages) or any(mark.cell for mark in marks):
        return True
    if all(mark.kind == "section" for mark in marks) and not any(stage.says_something for stage in stages[:-1]):
        last = stages[-1]
        return last.names_players or bool(last.level or last.motion or last.returns)
    return any(stage.says_something for stage in stages)


def opens(mark: StageMark) -> bool:
    """Whether a mark begins the first stage, so that all before it is about the whole piece."""
    return mark.kind in ("opening", "section", "lasting") or (mark.kind == "label" and mark.number == 1) or (
        mark.kind == "edge" and not mark.last
    )
