"""Filling: drum fills before what follows, and grooves without them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from types import MappingProxyType
from typing import Literal, cast

from agent.composer.changing.hearing.listening import sections_heard, tones_of
from agent.composer.changing.notes.fills import FillKind, holds_fill, length_of, with_fill, without_fill
from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.notes.voices import Voice, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.material import taken
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone, outside
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Edge, Operation, Place, Scope
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip

_NAMES: dict[FillKind, str] = {"fill": "drum fill", "roll": "snare roll", "toms": "tom fill"}
_PHRASE, _LONG_PHRASE = 4, 8
"""Bars of a phrase; a song without sections has a fill after the longer one, where it is that long."""


class Fill(Operation, frozen=True):
    """A drum fill of this `kind` ("fill", "roll", "toms") right before each place of `before`, and at the end of each
    of `ending`.

    With neither: once in each phrase or section (`each`), else at the end of the scope. It uses only the drums `only`,
    if given, and never those `without`.
    """

    of_kit = True

    kind: FillKind = "fill"
    each: Literal["", "phrase", "section"] = ""
    before: tuple[Place, ...] = ()
    ending: tuple[Place, ...] = ()
    only: tuple[Wish, ...] = ()
    without: tuple[Wish, ...] = ()

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        said = ("small " if amount < 1 else "big " if amount > 1 else "") + _NAMES[self.kind]
        named = [p for p in self.ending if not (self.each and isinstance(p, Edge))]
        where = " before " + " and ".join(map(told_place, self.before)) if self.before else ""
        where += " in " + " and ".join(map(told_place, named)) if named else ""
        where += f" at the end of each {self.each}" if self.each else ""
        limits = [f", {how} {' and '.join(one.label for one in drums)}" for how, drums in (
            ("only", self.only), ("without", self.without),
        ) if drums]
        return f"a {said}{where}{''.join(limits)}"


class NoFills(Operation, frozen=True):
    """Replace the drum fills in the scope by the groove."""

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return "no drum fills"


def fill(stage: Stage, operation: Fill) -> None:
    """Replace the hands of the groove by a fill before each place that `operation` names; kick and pedal go on,
    existing fills stay."""
    kits = _kits(stage)
    ends = sorted(at for at in set(_ends(stage, operation)) if stage.inside(at - 1))
    before = stage.song
    for voice in kits:
        for at in ends:
            _into(stage, voice, operation, at)
    if stage.song is before:
        there = any(_bar_of(voice, at)[1] for voice in kits for at in ends)
        raise Blocked(msg("there is a fill already") if there else msg("the drums do not play there"))


def no_fills(stage: Stage, _: NoFills) -> None:
    """Replace each bar with a fill by the nearest bar without one. Raises `Blocked` if nothing changes."""
    before = stage.song
    bars = stage.song.bar_map
    every = [tuple(map(int, bars.span(bar, bar))) for bar in range(1, stage.song.bars + 1)]
    for voice in _kits(stage):
        tones = [tone for clip in voice.track.clips for tone in tones_of(clip)]
        plain = without_fill(tones, cast("list[tuple[int, int]]", every))

        def grooving(inside: list[Tone], clip: Clip, plain: dict[tuple[int, int], list[Tone]] = plain) -> list[Tone]:
            kept = [t for t in inside if not any(start <= t.start < end for start, end in plain)]
            new = [t for own in plain.values() for t in own if clip.start <= t.start < clip.end]
            return sorted([*kept, *new])

        spans = [bar for bar in plain if stage.inside(bar[0]) and stage.inside(bar[1] - 1)]
        stage.sketch.each_clip(stage.song.track(voice.track.id), spans, grooving, "without fills", "no fills, as asked")
    if stage.song is before:
        raise Blocked(msg("the drums play no fill there"))


def _kits(stage: Stage) -> list[Voice]:
    kits = [voice for voice in voices_of(stage) if voice.role == "drums" and voice.track.note_count]
    if not kits:
        raise Blocked(msg("the song has no drum kit that could play a fill"))
    return kits


def _ends(stage: Stage, operation: Fill) -> Iterable[int]:
    """The ticks at which fills end."""
    # the end of every eight bars, or of each phrase, is no place of its own
    counted = stage.every is not None or operation.each
    ending = tuple(p for p in operation.ending if not (counted and isinstance(p, Edge) and p.at == "end"))
    if not operation.before and not ending:
        return [at for start, end in stage.spans for at in _within(stage, operation, start, end)]
    found = [start for place in operation.before for start, _ in _spans(stage, place) if start]
    for place in ending:
        for start, end in _spans(stage, place):
            found += _within(stage, operation, start, end) if counted else [end]
    return found


def _within(stage: Stage, operation: Fill, start: int, end: int) -> list[int]:
    """Where fills end in a stretch: after every so many bars, phrases or sections; else at its end."""
    bars, sections = stage.song.bar_map, sections_heard(stage.song, stage.palette)
    inside = [(max(start, int(s.start)), min(end, int(s.end))) for s in sections if s.start < end and s.end > start]
    if stage.every is not None:
        return _counted(stage, start, end, stage.every)
    if operation.each == "phrase":
        return [at for low, high in inside or [(start, end)] for at in [*_counted(stage, low, high, _PHRASE), high]]
    whole = stage.whole and (start, end) == stage.spans[0]
    if operation.each == "section" or (whole and len(inside) > 1):
        # nothing comes after the end of the song
        return [high for _, high in inside if high < int(bars.start_of(stage.song.bars + 1))]
    if whole:
        return _counted(stage, start, end, _LONG_PHRASE) or _counted(stage, start, end, _PHRASE) or [end]
    return [end]


def _counted(stage: Stage, start: int, end: int, every: int) -> list[int]:
    bars = stage.song.bar_map
    first, last = bars.bar_at(start), bars.bar_at(end - 1)
    return [int(bars.start_of(bar + 1)) for bar in range(first + every - 1, last + 1, every)]


def _spans(stage: Stage, place: Place) -> list[tuple[int, int]]:
    """The spans of a place as it now lies, sections that follow each other apart."""
    spans = spans_of(Scope((place,)), stage.sketch.before, stage.palette)
    starts = {int(section.start) for section in sections_heard(stage.sketch.before, stage.palette)}
    apart = []
    for start, end in spans:
        cuts = [start, *sorted(at for at in starts if start < at < end), end]
        apart += [stage.sketch.placed(*pair) for pair in pairwise(cuts)]
    return apart


def _bar_of(voice: Voice, at: int) -> tuple[tuple[int, int], bool]:
    """The bar that ends at a tick, and whether it holds a fill."""
    start, end = voice.grid.bar(at - 1)
    return (start, end), holds_fill(taken(voice.track, start, end), start, end)


def _into(stage: Stage, voice: Voice, operation: Fill, at: int) -> None:
    kind = operation.kind
    (start, end), there = _bar_of(voice, at)
    track = stage.song.track(voice.track.id)
    bar = end - start
    # out of a rest a fill leads to drums that come in
    usual = taken(track, max(0, start - 3 * bar), at) or taken(track, at, at + 4 * bar)
    beat = taken(track, start, at)
    begin = at - length_of(kind, stage.amount, voice.grid, start, end)
    if there or end != at or not (beat or taken(track, at, at + bar)):
        return
    new = _limited(operation, with_fill(kind, beat, usual, begin, at, voice.grid))
    how = f"with a {_NAMES[kind]}", "leads into what follows"
    for clip in track.clips:
        low, high = max(begin, int(clip.start)), min(at, int(clip.end))
        if low < high:
            kept = outside(stage.sketch.tones(clip), [(low, high)])
            stage.sketch.rewrite(clip.id, [*kept, *(tone for tone in new if low <= tone.start < high)], *how)
    if not any(clip.start < at and clip.end > begin for clip in track.clips):
        stage.sketch.add_clip(track.id, "Fill", start, at, new, how[1])


def _limited(operation: Fill, tones: list[Tone]) -> list[Tone]:
    """The strokes of a fill on the drums that it may have."""
    only, without = (
        pitches_of([piece for wish in drums for piece in wish.pieces]) for drums in (operation.only, operation.without)
    )
    return [tone for tone in tones if (not only or tone.pitch in only) and tone.pitch not in without]


def _read(filled: Filled) -> tuple[Operation, ...]:
    refs = [ref for ref in filled.found.all("target") if isinstance(ref, PlaceRef)]
    # "at the end of the verse" is the verse's end
    ends = [ref for ref in refs if ref.places and isinstance(ref.places[0], Edge) and ref.places[0].at == "end"]
    refs = [ref for ref in refs if ref not in ends] or refs
    # "where the chorus starts" is right before it
    ahead = [ref for ref in refs if ref.relation == "before" or ref.into or ref.starting]
    before = tuple(p for ref in ahead for p in ref.places)
    ending = tuple(p for ref in refs if ref not in ahead for p in ref.places)
    words = filled.words
    return (Fill(cast("FillKind", words.variant or "fill"), words.each, before, ending),)


def _asks(served: Served, _: Fill, _styles: StyleBook) -> list[Ask]:
    return served.ask("fills", "higher")


def _asks_none(served: Served, _: NoFills, _styles: StyleBook) -> list[Ask]:
    return served.ask("fills", "lower")


KINDS = (
    OperationKind(Fill, 13, fill, MappingProxyType({"fill": SlotReading(_read)}), _asks, recurs=True),
    OperationKind(
        NoFills, 13, no_fills, MappingProxyType({"no_fills": SlotReading(lambda _: (NoFills(),))}), _asks_none,
        removes=lambda _: True,
    ),
)
