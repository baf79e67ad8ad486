"""Charted: a new piece over a chart, which gives its form, its length and the chords of every section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.styles import Role, SectionStyle
from agent.composer.tones import STEP
from agent.composer.understanding.asked_chart import AskedChart
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.understanding.section_kinds import is_called
from agent.composer.writing.frame import ChordSpan, Player, Scene
from agent.composer.writing.instruments import SUBSTITUTES, default_part
from agent.composer.writing.meters import groups
from agent.message import msg
from agent.plan.errors import PlanError
from agent.song.chord import Chord
from agent.song.chord_symbols import NO_CHORD
from agent.song.chord_symbols import chord as named
from agent.song.key import Key, Mode
from agent.song.palette import Palette
from agent.theory.charts.chart import Chart, ChartBar, ChartError, Meter, meter_changes, placed
from agent.theory.charts.keys import key_of_chords

_HARMONIC: tuple[Role, ...] = ("chords", "pad", "arp")
_WHOLE: tuple[Role, ...] = ("chords", "pad")
_TRIAD = 3
_LONGEST = 64
"""Most bars of a section."""
_PHRASE = 8
"""Bars of a chart without headings from which it is worth the sections of the style."""
_PART, _SHORT = "Part", "Theme"
"""What a stretch of a chart is called that has no heading."""


class Under(Struct, frozen=True):
    """The chart's bars under a section, repeated in a round, beginning with the bar of index `first`."""

    bars: tuple[ChartBar, ...]
    first: int = 0

    def meters(self, count: int) -> tuple[Meter, ...]:
        """The meters of the first `count` bars."""
        return tuple(self.bars[(self.first + at) % len(self.bars)].meter for at in range(count))


class Charted(Struct, frozen=True):
    """A parsed chart (`chart`) and how the request uses it (`asked`)."""

    asked: AskedChart
    chart: Chart

    @property
    def bars(self) -> int:
        """The number of the chart's bars, repeats written out."""
        return len(self.chart.bars)

    @property
    def gives_form(self) -> bool:
        """Whether the chart determines the length of a piece without a length asked for."""
        return self.asked.leads and not self.asked.goes_round

    def sections(self, bars: int) -> tuple[AskedSection, ...]:
        """The chart's sections for a piece of `bars` bars, the chart repeated as needed; empty if it has no
        headings."""
        if not self.chart.sections:
            return ()
        found: list[AskedSection] = []
        while (left := bars - sum(one.bars for one in found)) > 0:
            for one in self._headed():
                if left > 0:
                    found.append(AskedSection(one.name, min(one.bars, left)))
                    left -= one.bars
        return tuple(found)

    def in_rounds(self, sections: Sequence[SectionStyle]) -> tuple[SectionStyle, ...]:
        """The sections with their lengths rounded to whole rounds of a repeated row of chords; unchanged for any other
        chart."""
        if not self.asked.goes_round:
            return tuple(sections)
        each = self.bars
        rounds = (max(1, round(one.bars / each)) for one in sections)
        return tuple(
            structs.replace(one, bars=min(_LONGEST, many * each)) for one, many in zip(sections, rounds, strict=True)
        )

    def asked_sections(self, asked: tuple[AskedSection, ...], bars: int | None) -> tuple[AskedSection, ...]:
        """The sections of a piece: those `asked` for with their lengths in the chart, or those of the chart. `bars` is
        the length of the piece, None if open."""
        if len(asked) < 2 and self.gives_form and not self.chart.sections and self.bars < _PHRASE:
            return (AskedSection(_SHORT, bars or self.bars),)
        if len(asked) < 2:
            return asked or self.sections(bars if bars and self.gives_form else self.bars)
        found = tuple(one if one.bars else AskedSection(one.name, self._bars_of(one)) for one in asked)
        made = sum(one.bars for one in found)
        if bars is None or bars == made or not all(one.bars for one in found):
            return found
        # a length that is asked for is shared out by rounds of each section's own chords
        return tuple(AskedSection(one.name, one.bars * bars // made) for one in found) if bars % made == 0 else asked

    def _bars_of(self, asked: AskedSection) -> int:
        return next((one.bars for one in self.chart.sections if is_called(asked.name, one.name)), 0)

    def _headed(self) -> list[AskedSection]:
        found, at = list[AskedSection](), 1
        for one in self.chart.sections:
            found += [AskedSection(_PART, one.first - at)] * (one.first > at)
            found.append(AskedSection(one.name, one.bars))
            at = one.first + one.bars
        return [*found, *[AskedSection(_PART, self.bars + 1 - at)] * (at <= self.bars)]

    @property
    def states_meters(self) -> bool:
        """Whether the chart states a meter."""
        return self.chart.meter is not None or len(meter_changes(self.chart)) > 1

    def under(self, sections: Sequence[SectionStyle], *, by_name: bool) -> tuple[Under | None, ...]:
        """The chart's bars under each section, None for sections over chords of the style.

        With `by_name` each section is over the chart's section of the same name. Raises `PlanError` if a section of the
        chart has no section of that name in the piece.
        """
        bars, known = self.chart.bars, self.chart.sections
        if (not by_name and self.asked.leads) or not known:
            starts = [0, *accumulate(one.bars for one in sections)]
            return tuple(Under(bars, first) for first in starts[: len(sections)])
        owned = [next((one for one in known if is_called(section.name, one.name)), None) for section in sections]
        met = {one.name for one in owned if one is not None}
        lost = [one.name for one in known if one.name not in met]
        if lost:
            names = ", ".join(dict.fromkeys(section.name for section in sections))
            raise PlanError(
                msg("the piece has no section for the chords of {lost!r}", lost=lost[0]),
                why=msg("its sections are {names}", names=names),
                fix=msg("name the sections in the order in which they are played"),
            )
        own = [bars[one.first - 1 : one.first - 1 + one.bars] if one is not None else () for one in owned]
        return tuple(Under(each) if each else None for each in own)


def over(scenes: Sequence[Scene], under: Sequence[Under | None]) -> tuple[Scene, ...]:
    """The scenes with the chords of the chart's bars under their sections (None: unchanged), and without rests at their
    ends."""
    result: list[Scene] = []
    number = -1
    for scene in scenes:
        number += not scene.first
        own = under[number]
        result.append(scene if own is None else _over(scene, own.bars, own.first + scene.first))
    return tuple(result)


def _over(scene: Scene, bars: Sequence[ChartBar], first: int) -> Scene:
    return replace(scene, chords=spans_over(bars, first, scene), drop=0)


def charted(intent: Intent, meter: tuple[int, int], key: Key) -> Charted | None:
    """The chart of a request, parsed in `meter` and `key` unless it states its own; None if the request has none.
    Raises `PlanError` if the chart cannot be written."""
    if intent.chart is None:
        return None
    try:
        chart = intent.chart.read(key, meter)
    except ChartError as problem:
        raise PlanError(problem.said.what, why=problem.said.why, fix=problem.fix) from None
    if all(one == NO_CHORD for one in chart.symbols):
        raise PlanError(msg("the chart has no chord that sounds"), fix=msg("write for example: | C | Am7 D7 | G |"))
    return Charted(intent.chart, chart)


def spans_over(bars: Sequence[ChartBar], first: int, scene: Scene) -> tuple[ChordSpan, ...]:
    """The chords of a scene over the chart's bars, repeated in a round, beginning with the bar of index `first`."""
    begun: list[tuple[int, str]] = []
    starts = scene.bar_starts
    for number, (at, end) in enumerate(zip(starts, (*starts[1:], scene.end), strict=True)):
        bar = bars[(first + number) % len(bars)]
        meter = scene.meters[number % len(scene.meters)] if scene.meters else bar.meter
        begun += [(at + start, symbol) for start, symbol in _within(bar, end - at, meter)]
    if not begun or begun[0][0] > scene.start:
        begun.insert(0, (scene.start, _before(bars, first)))
    ends = [*(at for at, _ in begun[1:]), scene.end]
    sounding = next((named(symbol) for _, symbol in begun if symbol != NO_CHORD), Chord(0))
    spans: list[ChordSpan] = []
    for (start, symbol), end in zip(begun, ends, strict=True):
        silent = symbol == NO_CHORD
        sounding = sounding if silent else named(symbol)
        if end > start:
            spans.append(ChordSpan(start, end, sounding, symbol, silent))
    return tuple(spans)


def _within(bar: ChartBar, length: int, meter: Meter) -> Iterator[tuple[int, str]]:
    """Where the chords of a bar begin in one of another length and meter: on its beats, near to the same shares."""
    beats = (0, *accumulate(beat * STEP for beat in groups(*meter)[:-1]))
    for one in bar.chords:
        near = one.start * length // bar.length
        yield one.start if length == bar.length else min(beats, key=lambda beat: abs(beat - near)), one.symbol


def _before(bars: Sequence[ChartBar], first: int) -> str:
    """The chord that goes on over the start of a bar: the last before it, coming round."""
    for back in range(1, len(bars) + 1):
        chords = bars[(first - back) % len(bars)].chords
        if chords:
            return chords[-1].symbol
    return NO_CHORD


def with_harmony(parts: tuple[str, ...], players: Sequence[Player]) -> tuple[str, ...]:
    """The section's parts; if none of them plays chords, the first player of the band who does is added."""
    whole = [one.style.name for one in players if _whole(one)]
    harmonic = whole or [one.style.name for one in players if one.style.role in _HARMONIC and not one.style.builds]
    return (*parts, *harmonic[:1]) if not set(harmonic).intersection(parts) else parts


def chord_players(players: Sequence[Player], palette: Palette, *, open_: bool) -> tuple[Player, ...]:
    """The players, with at least one who plays whole chords, so that stated chords are heard.

    If nobody does, an `open_` band gets a pad, otherwise players without thirds get them.
    """
    players = tuple(map(_with_sevenths, players))
    if any(map(_whole, players)):
        return players
    made = tuple(replace(one, style=structs.replace(one.style, power=False)) for one in players)
    pad = default_part("pad", "Pad", ())
    sound = next((one for name in SUBSTITUTES["pad"] for one in palette.instruments if one.name == name), None)
    if any(map(_whole, made)) or not open_ or sound is None:
        return made
    return (*made, Player(structs.replace(pad, why="plays your chords"), sound))


def _with_sevenths(player: Player) -> Player:
    """A player of chords who has a voice for the seventh too."""
    voices = player.style.voices
    if player.style.role not in _WHOLE or voices != _TRIAD:
        return player
    return replace(player, style=structs.replace(player.style, voices=_TRIAD + 1))


def _whole(player: Player) -> bool:
    """Whether a player plays all of a chord that tells it from others."""
    part = player.style
    return part.role in _WHOLE and not part.power and not part.builds and (part.voices or _TRIAD) >= _TRIAD


def key_of_chart(asked: AskedChart, mode: Mode | None) -> Key:
    """The key that a chart states, otherwise the one found from its chords, preferably in `mode`; C for an unreadable
    chart."""
    try:
        chart = asked.read(None, (4, 4))
    except ChartError:
        return Key("C")
    return chart.key or key_of_chords(placed(chart), mode)
