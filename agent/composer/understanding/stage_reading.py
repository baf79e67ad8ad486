"""Reading a stage: what the words of one stage of a new piece say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, get_args

from msgspec import Struct, structs

from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.course import CourseStage, Drift, Motion
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.gathered import RequestFindings
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.mark_joining import StageMark
from agent.composer.understanding.numbers import counted, number_at, steps_at
from agent.composer.understanding.section_kinds import kind_of
from agent.composer.understanding.settings import settings_in
from agent.composer.understanding.stage_phrases import StagePhrases
from agent.composer.understanding.walking import Walker
from agent.composer.understanding.wishes import Wish
from agent.song.key import Mode

MOTIONS: tuple[Motion, ...] = ("builds", "fades", "layered")
DRIFTS: tuple[Drift, ...] = ("faster", "slower")
_FORM = frozenset("ABCD")
"""Letters that name the parts of a form."""
_COUNTED = 4
"""Beats of a bar that people count."""
_NEAR = 3
_SIGNS = frozenset(",.;:!?")
"""Words between a player and what he does."""
_T = TypeVar("_T")
_W = TypeVar("_W", Motion, Drift)


class StageWords(Struct, frozen=True):
    """The words of one stage in the description of a new piece ("then 8 bars of strings"): its mark, and the tokens
    `start` to `end` (not included) that describe it.

    Those of a `head` are about the whole piece too.
    """

    mark: StageMark
    start: int
    end: int
    head: bool = False

    @property
    def begin(self) -> int:
        """The index of the stage's first token, its mark included."""
        return min(self.start, self.mark.start)


class StageRead(Struct, frozen=True):
    """A stage as read: its words (`stretch`), the stage, the tokens that were understood (`owned`), and what they said
    (`said` in words, `figures` in numbers). `own` are the tokens of a `head` that are about its stage alone."""

    stretch: StageWords
    stage: CourseStage
    owned: frozenset[int]
    said: RequestFindings
    figures: Figures
    own: frozenset[int] = frozenset()

    @property
    def is_stage(self) -> bool:
        """Whether the words describe anything, or give the stage a name, a length or a start."""
        stage = self.stage
        placed = stage.bars or stage.seconds or stage.from_bar or stage.from_seconds
        if stage.leaves and all(wish.pieces for wish in stage.leaves) and not (stage.alone or stage.enters):
            # single drums are taken out of a kit that is there
            return False
        return bool(stage.says_something or stage.name or placed or self.stretch.head)


class StageReader:
    """Reads the words of each stage in the description of one new piece ("first drums alone, after 8 bars the
    strings"); `tokens` are casefolded."""

    def __init__(self, tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, book: StagePhrases) -> None:
        self._tokens = list(tokens)
        self._spoken = list(spoken)
        self._lexicon = lexicon
        self._book = book
        self._linking = frozenset({*lexicon.words.grammar.skip, *lexicon.words.grammar.empty})
        self._beats = frozenset((*lexicon.words.places.beat, *lexicon.words.places.counts))
        self._each = frozenset(lexicon.words.course.each if lexicon.words.course is not None else ())
        self._alone = [phrase_tokens(phrase) for phrase in (*lexicon.words.alone, *lexicon.words.places.only)]

    def read(self, stretch: StageWords, number: int) -> StageRead:
        """Read the words `stretch` of the stage with this number (from 0)."""
        start, end, mark = stretch.start, stretch.end, stretch.mark
        tokens, spoken = self._tokens[start:end], self._spoken[start:end]
        figures = Figures(spoken, tokens, self._lexicon)
        figures.behind_section = mark.kind == "section" and start == mark.end
        acts = frozenset(at for name in ("enters", "leaves", "everyone") for at in self._book.spans(tokens, name)[1])
        said = self._walked(stretch, tokens, figures, acts)
        settings = settings_in(tokens, said.owned, self._lexicon)
        owned = {at + start for at in (*said.owned, *settings.tokens)} | set(range(mark.start, mark.end))
        level, used = self._level(tokens)
        motion, moved = self._moves(tokens, MOTIONS)
        drift, drifted = self._moves(tokens, DRIFTS)
        key, keyed = self._key(tokens)
        returns, back = self._book.spans(self._tokens[mark.start:end], "returns")
        back = {at + mark.start - start for at in back}
        sings, themed = self._book.spans(tokens, "theme")
        turns, turning = self._book.spans(tokens, "modulates")
        keyed |= turning if turns and (figures.tonic or figures.mode or key != (None, None)) else set()
        ends = self._book.spans(tokens, "closing")[1] if mark.kind == "section" and mark.last else set[int]()
        owned |= {at + start for at in (*ends, *used, *moved, *drifted, *keyed, *back, *themed)}
        # of a head and before a moment a length is none of the stage
        whole = stretch.head or mark.kind == "moment"
        lasts = self._lasting(tokens, start if stretch.head else None) if whole else None
        # one hit is over in a bar
        struck = int(mark.timed and self._book.spans(tokens, "strikes")[0])
        often = self._every(tokens) if motion == "layered" else None
        owned |= {at + start for at in often[0]} if often is not None else set()
        manners = self._manners(tokens) if mark.timed else frozenset[int]()
        owned -= {at + start for at in manners}
        lettered = returns and figures.mode is None and figures.tonic in _FORM and not stretch.head
        stage = CourseStage(
            name=mark.name or ("" if stretch.head else self._called(tokens)),
            bars=mark.bars or (lasts[1] if lasts else struck if whole else figures.bars or 0),
            seconds=mark.seconds or (0.0 if whole else figures.seconds or 0.0),
            from_bar=mark.from_bar, from_seconds=mark.from_seconds, level=level,
            motion="silent" if mark.kind == "silent" else motion or "", drift=drift or "",
            every=often[1] if motion == "layered" and often is not None else 0,
            bpm=None if stretch.head else figures.bpm, factor=1.0 if drift else said.tempo_factor,
            pace=None if manners else said.pace,
            # "the return of A" is no key
            tonic=None if stretch.head or lettered else figures.tonic,
            mode=key[1] or (None if stretch.head else figures.mode),
            steps=key[0], moods=tuple(said.moods), settings=settings.found, returns=returns, sings=sings,
            last=mark.last,
        )
        if stretch.head and not said.only and not self._left(tokens):
            named = _players((*said.wishes["wanted"], *said.wishes["mentioned"]))
            stage = structs.replace(stage, enters=tuple(dict.fromkeys(named)), settings=(), pace=None)
        else:
            stage, acted = self._with_players(stage, said, tokens, number, mark)
            together = self._book.spans(self._tokens[mark.start : mark.end], "everyone")[0]
            stage = structs.replace(stage, everyone=stage.everyone or together)
            owned |= {at + start for at in acted}
        stage = self._completed(stage, [tokens[at] for at in acts], figures)
        own = {at + start for at in lasts[0]} if lasts is not None else set()
        return StageRead(stretch, stage, frozenset(owned | own), said, figures, frozenset(own))

    def _completed(self, stage: CourseStage, acting: Sequence[str], figures: Figures) -> CourseStage:
        """The stage with what its players leave open: "fade out" of nobody is of all, a silence lasts as is said."""
        if not (stage.motion or stage.leaves) and any(word.startswith("fad") for word in acting):
            return structs.replace(stage, motion="fades")
        if stage.motion == "silent" and not (stage.seconds or stage.bars) and figures.seconds:
            return structs.replace(stage, seconds=figures.seconds)
        return stage

    def _walked(
        self, stretch: StageWords, tokens: list[str], figures: Figures, acts: frozenset[int]
    ) -> RequestFindings:
        """What the words of a stage gather; who plays "only from 0:30" is not alone then."""
        mark, start = stretch.mark, stretch.start
        # of "enters at 33" no tempo is told
        placed = range(mark.start - start, mark.end - start) if mark.timed and not mark.speaks else range(0)
        said = Walker(tokens, self._lexicon, figures, acts | frozenset(placed)).walk()
        late = mark.timed and mark.before and self._tokens[mark.start - 1] in self._lexicon.words.places.only
        return replace(said, only=False) if late else said

    def _lasting(self, tokens: Sequence[str], head: int | None) -> tuple[range, int] | None:
        """The bars that a stage is said to last, with their tokens: "32 bars. Solo violin for 8 bars, then".

        In a head, which begins at that token, they stand behind a player, in another clause than the length of the
        piece.
        """
        lead = self._lexicon.words.scoring
        found: list[tuple[range, int]] = []
        for at in range(len(tokens)):
            bars = counted(tokens, at, self._lexicon, ("bars",))
            if any(self._book.length("held", tokens, at - n) for n in (1, 2) if at >= n):
                # of "the last chord held for two bars" no stage lasts two
                continue
            if bars is not None and not (found and at in found[-1][0]):
                found.append((range(at, bars[0]), int(bars[1])))
        if not found:
            return None
        span, bars_said = found[-1]
        led = span[0] > 0 and tokens[span[0] - 1] in lead
        if head is None:
            return (span, bars_said) if led else None
        clause = span[0]
        while clause and tokens[clause - 1] not in _SIGNS:
            clause -= 1
        named = any(self._lexicon.wish_at(tokens, at) is not None for at in range(clause, span[0]))
        before = any(counted(self._tokens, at, self._lexicon, ("bars",)) is not None for at in range(head))
        apart = head + clause > 0 and (len(found) > 1 or led or before)
        last = any(token in _SIGNS for token in tokens[span[-1] + 1 : -1])
        return (span, bars_said) if named and apart and not last else None

    def _with_players(
        self, stage: CourseStage, said: RequestFindings, tokens: Sequence[str], number: int, mark: StageMark
    ) -> tuple[CourseStage, set[int]]:
        """The stage with who plays, comes in and goes."""
        enters, entering = self._book.spans(tokens, "enters")
        leaves, leaving = self._book.spans(tokens, "leaves")
        everyone, all_of_them = self._book.spans(tokens, "everyone")
        everybody = tuple(dict.fromkeys((*said.wishes["wanted"], *said.wishes["mentioned"])))
        tune = enters or mark.kind == "moment"
        named = tuple(_players(everybody)) or (everybody if tune else ())
        refused = tuple(said.wishes["refuse"])
        if mark.awaited:
            return structs.replace(stage, enters=refused or named), set()
        acted = {*entering, *leaving, *all_of_them}
        solo = [wish for wish in named if wish in self._solo(tokens)]
        if named and (stage.sings or solo):
            stage = structs.replace(stage, singers=tuple(solo) or named[-1:])
        left = tuple(wish for wish in named if wish in self._left(tokens))
        staying = named or refused
        if leaves and everyone and staying and self._excepts(tokens):
            # "everything drops out except the piano"
            return structs.replace(stage, alone=staying, everyone=False), acted
        if leaves and everyone and not staying and not enters and number:
            # "everything stops at bar 11"
            return structs.replace(stage, motion="silent", everyone=False), acted
        if left and (not enters or not number):
            stage = structs.replace(stage, alone=left, leaves=refused)
        elif said.only and named:
            stage = structs.replace(stage, alone=named, leaves=refused)
        elif leaves and (gone := self._going(tokens)):
            coming = tuple(wish for wish in named if wish not in gone) if enters else ()
            stage = structs.replace(stage, enters=coming, leaves=(*gone, *refused), everyone=everyone)
        elif number == 0 and named and not everyone:
            stage = structs.replace(stage, alone=named, leaves=refused, implied=True)
        else:
            stage = structs.replace(stage, enters=named, leaves=refused, everyone=everyone)
        return stage, acted

    def _every(self, tokens: Sequence[str]) -> tuple[range, int] | None:
        """Where is said after how many bars each layer comes in, and how many: "one part every 4 bars"."""
        for at in range(1, len(tokens)):
            if tokens[at - 1] not in self._each:
                continue
            bars = counted(tokens, at, self._lexicon, ("bars",))
            if bars is not None:
                return range(at - 1, bars[0]), max(1, int(bars[1]))
            beats = number_at(tokens, at, self._lexicon)
            if beats is not None and tokens[at + beats[0] : at + beats[0] + 1] and tokens[at + beats[0]] in self._beats:
                # "every 16 counts"
                return range(at - 1, at + beats[0] + 1), max(1, int(beats[1]) // _COUNTED)
        return None

    def _called(self, tokens: Sequence[str]) -> str:
        """The section that a counted stage is, where its clause ends with its name: "then an 8 bar halftime hook"."""
        bars = next((one for at in range(len(tokens)) if (one := counted(tokens, at, self._lexicon, ("bars",)))), None)
        if bars is None:
            return ""
        end = next((at for at in range(bars[0], len(tokens)) if tokens[at] in _SIGNS), len(tokens))
        named = ((at, self._lexicon.sense(tokens, at, "section")) for at in range(bars[0], end))
        found = next((one[1] for at, one in named if one is not None and at + one[0] == end), "")
        found = found or (tokens[end - 1] if end > bars[0] and kind_of(tokens[end - 1]).words else "")
        return found[:1].upper() + found[1:]

    def _manners(self, tokens: Sequence[str]) -> frozenset[int]:
        """Words of pace right before a player, who plays so: "a slow lead from bar 33" slows no band down."""
        return frozenset(
            at for at in range(len(tokens) - 1)
            if self._lexicon.sense(tokens, at, "tempo") and self._lexicon.wish_at(tokens, at + 1)
        )

    def _excepts(self, tokens: Sequence[str]) -> bool:
        """Whether a word such as "except" stands among the words."""
        course = self._lexicon.words.course
        return course is not None and any(word in course.excepting for word in tokens)

    def _solo(self, tokens: Sequence[str]) -> list[Wish]:
        """Players right behind a word that leaves them alone: "a solo cello"."""
        only = self._lexicon.words.bindings.only
        found = [self._lexicon.wish_at(tokens, at + 1) for at in range(len(tokens) - 1) if tokens[at] in only]
        return [wish[1] for wish in found if wish is not None]

    def _going(self, tokens: Sequence[str]) -> list[Wish]:
        """Players with such a verb right behind them: "the drums drop out"."""
        found: list[Wish] = []
        for at in range(len(tokens)):
            named = self._lexicon.wish_at(tokens, at)
            behind = range(at + named[0], min(at + named[0] + _NEAR, len(tokens))) if named is not None else range(0)
            if named is not None and any(self._book.length("leaves", tokens, place) for place in behind):
                found.append(named[1])
        return found

    def _left(self, tokens: Sequence[str]) -> list[Wish]:
        """Players right before such a word: "the piano alone"."""
        found: list[Wish] = []
        for at in range(len(tokens)):
            named = self._lexicon.wish_at(tokens, at)
            if named is None:
                continue
            end = at + named[0]
            while end < len(tokens) and (self._book.length("enters", tokens, end) or tokens[end] in self._linking):
                end += max(1, self._book.length("enters", tokens, end))
            if any(tuple(tokens[end : end + len(one)]) == one for one in self._alone):
                found.append(named[1])
        return found

    def _level(self, tokens: Sequence[str]) -> tuple[int | None, set[int]]:
        """The dynamic that was said last, and its tokens; one behind "never louder than" is none."""
        level, used = None, set[int]()
        at = 0
        while at < len(tokens):
            capped = self._book.length("at_most", tokens, at)
            found = longest(self._book.dynamics, tokens, at + capped)
            if capped and found is not None:
                at += capped + found[0]
                continue
            if found is None:
                at += 1
                continue
            negated = at > 0 and tokens[at - 1] in ("not", "too", "never", "less", "no", "without", "any")
            if not negated:
                level = found[1]
            used |= set(range(at, at + found[0]))
            at += found[0]
        return level, used

    def _moves(self, tokens: Sequence[str], ways: Sequence[_W]) -> tuple[_W | None, set[int]]:
        """The way in which a stage moves, and the tokens that say so."""
        for way in ways:
            for at in range(len(tokens)):
                length = self._book.length(str(way), tokens, at)
                if length:
                    return way, set(range(at, at + length))
        return None, set()

    def _key(self, tokens: Sequence[str]) -> tuple[tuple[int | None, Mode | None], set[int]]:
        """Semitones above the key of the piece and a mode: "up a minor third", "the relative minor"."""
        for at in range(len(tokens)):
            named = longest(self._book.keys, tokens, at)
            if named is not None:
                steps, mode = named[1]
                found: Mode | None = next((one for one in get_args(Mode) if one == mode), None)
                return (steps, found), set(range(at, at + named[0]))
            for name, way in (("up", 1), ("down", -1)):
                length = self._book.length(name, tokens, at)
                ahead = at + length
                interval = steps_at(tokens, ahead, self._lexicon) if length and ahead < len(tokens) else None
                if interval is not None:
                    return (way * interval[1], None), set(range(at, interval[0]))
        return (None, None), set()



def _players(wishes: Sequence[Wish]) -> list[Wish]:
    """Those that can play: "the theme" is what they play."""
    return [wish for wish in wishes if not (wish.whole_role and wish.role == "lead")]


def longest(table: Mapping[tuple[str, ...], _T], tokens: Sequence[str], at: int) -> tuple[int, _T] | None:
    """Length and value of the longest phrase of the table that begins at token `at`; None for none."""
    for length in range(min(4, len(tokens) - at), 0, -1):
        value = table.get(tuple(tokens[at : at + length]))
        if value is not None:
            return length, value
    return None
