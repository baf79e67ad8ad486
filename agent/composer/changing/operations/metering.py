"""Metering: the song, or a stretch of it, in another meter, bar for bar."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from types import MappingProxyType
from typing import Literal, cast

from msgspec import Struct, structs

from agent.composer.changing.hearing.listening import tones_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.metre import Laying, accompanied, drummed, laying, tune
from agent.composer.styles import RHYTHMIC, Role, StyleBook
from agent.composer.tones import SHORTEST, STEP, Tone, tidy
from agent.composer.understanding.operations import Remeter
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.writing.meters import groups
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip, Note, in_order
from agent.song.ids import NoteId
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks, distinct_meters, distinct_tempos
from agent.song.track import Point, Track

_Laid = Callable[[list[Tone], int, Laying, int], list[Tone]]


class _Bars(Struct, frozen=True):
    """Where each bar lay and lies: starts before and after, and how it is laid (None: as it was)."""

    old: tuple[int, ...]
    new: tuple[int, ...]
    lays: tuple[Laying | None, ...]

    def index(self, at: int) -> int:
        """The bar that holds a tick."""
        return max(0, min(len(self.lays) - 1, bisect_right(self.old, at) - 1))

    def placed(self, at: int, *, closing: bool = False) -> int:  # noqa: ARG002
        """Where a tick of the song before now is."""
        bar = self.index(at)
        lay, within = self.lays[bar], at - self.old[bar]
        if lay is None:
            return self.new[bar] + within
        beyond = max(0, within - lay.old * STEP)
        return self.new[bar] + round(lay.place(within - beyond)) + beyond


def remeter(stage: Stage, operation: Remeter) -> None:
    """Lay every bar into a bar of the new meter: melodies keep their notes on strong beats, drums and chords keep their
    pulse. Raises `Blocked` for a meter that is there already or unplayable."""
    song = stage.song
    meter = (operation.beats, operation.unit)
    bars = _bars(stage, meter)
    if all(lay is None for lay in bars.lays):
        raise Blocked(msg("it is in {beats}/{unit} already", beats=operation.beats, unit=operation.unit))
    if operation.beats * 16 % operation.unit or not 2 <= operation.beats * 16 // operation.unit <= 64:
        raise Blocked(msg("{beats}/{unit} is no meter to play in", beats=operation.beats, unit=operation.unit))
    roles = stage.roles()
    tracks = tuple(_track(track, roles[track.id], bars, stage) for track in song.tracks)
    changed = structs.replace(
        song, tracks=tracks, meters=_meters(song, bars, meter), tempos=_tempos(song, bars),
        sections=_sections(song, bars),
    )
    stage.sketch.move(changed, bars, f"laid into {operation.beats}/{operation.unit}")


def _bars(stage: Stage, meter: tuple[int, int]) -> _Bars:
    song, bar_map = stage.song, stage.song.bar_map
    old, new, lays, at = [], [], [], 0
    for number in range(1, song.bars + 1):
        start, end = bar_map.span(number, number)
        now = bar_map.meter_at(start)
        full = end - start == now.bar_length
        whole = full and now.bar_length == sum(groups(now.beats, now.unit)) * STEP
        changes = whole and (now.beats, now.unit) != meter and (stage.whole or stage.inside(int(start)))
        lay = laying((now.beats, now.unit), meter) if changes else None
        old.append(int(start))
        new.append(at)
        lays.append(lay)
        at += lay.new * STEP if lay is not None else int(end - start)
    return _Bars((*old, int(bar_map.start_of(song.bars + 1))), (*new, at), tuple(lays))


def _meters(song: Song, bars: _Bars, meter: tuple[int, int]) -> tuple[MeterChange, ...]:
    changes = []
    for number, lay in enumerate(bars.lays):
        now = song.bar_map.meter_at(bars.old[number])
        beats, unit = meter if lay is not None else (now.beats, now.unit)
        changes.append(MeterChange(Ticks(bars.new[number]), beats, unit))
    starts = {change.at: change for change in changes}
    return distinct_meters(list(starts.values()))


def _tempos(song: Song, bars: _Bars) -> tuple[TempoChange, ...]:
    placed = {bars.placed(change.at): change.bpm for change in song.tempos}
    return distinct_tempos([TempoChange(Ticks(at), bpm) for at, bpm in placed.items()])


def _sections(song: Song, bars: _Bars) -> tuple[Section, ...]:
    moved = []
    for section in song.sections:
        start, end = bars.placed(section.start), bars.placed(section.end)
        moved.append(structs.replace(section, start=Ticks(start), duration=Ticks(max(1, end - start))))
    return tuple(sorted(moved, key=lambda section: (section.start, section.id)))


def _track(track: Track, role: Role, bars: _Bars, stage: Stage) -> Track:
    lay: _Laid = drummed if role in RHYTHMIC else tune if role in ("lead", "counter", "pad") else accompanied
    clips = [made for clip in track.clips if (made := _clip(clip, lay, bars, stage)) is not None]
    lanes = tuple(
        structs.replace(
            lane,
            points=tuple({bars.placed(p.at): Point(Ticks(bars.placed(p.at)), p.value) for p in lane.points}.values()),
        )
        for lane in track.automation
    )
    return structs.replace(track, clips=tuple(sorted(clips, key=lambda c: (c.start, c.id))), automation=lanes)


def _clip(clip: Clip, lay: _Laid, bars: _Bars, stage: Stage) -> Clip | None:
    start, end = bars.placed(clip.start), bars.placed(clip.end)
    if all(one is None for one in bars.lays[bars.index(clip.start):bars.index(clip.end - 1) + 1]):
        return structs.replace(clip, start=Ticks(start))
    by_bar: dict[int, list[Tone]] = {}
    for tone in tones_of(clip):
        number = bars.index(tone.start)
        following = bars.old[number + 1]
        # a note a little before the bar line belongs to the bar behind it
        if following - tone.start <= STEP // 4 and number + 1 < len(bars.lays) and tone.end - following > STEP // 4:
            number += 1
        by_bar.setdefault(number, []).append(tone)
    tones: list[Tone] = []
    for number, inside in by_bar.items():
        laid, old, new = bars.lays[number], bars.old[number], bars.new[number]
        if laid is None:
            tones += [Tone(t.start - old + new, t.pitch, t.length, t.velocity) for t in inside]
        else:
            tones += _bar_laid(inside, lay, number, laid, bars)
    clean = tidy(tones, start, max(end, start + 1))
    if not clean and clip.notes:
        return None
    notes = [
        Note(NoteId(stage.sketch.new_id("n")), t.pitch, Ticks(t.start - start), Ticks(t.length), t.velocity)
        for t in clean
    ]
    return structs.replace(clip, start=Ticks(start), duration=Ticks(max(1, end - start)), notes=in_order(notes))


def _bar_laid(tones: list[Tone], lay: _Laid, number: int, laid: Laying, bars: _Bars) -> list[Tone]:
    """The notes that belong to a bar, laid; those that last into later bars last until where they ended."""
    old, new, end = bars.old[number], bars.new[number], bars.old[number + 1]
    cut = [Tone(t.start, t.pitch, max(SHORTEST, min(t.end, end) - t.start), t.velocity) for t in tones]
    made = lay(cut, old, laid, new)
    until = {tone.pitch: bars.placed(tone.end) for tone in tones if tone.end > end}
    last = {tone.pitch: tone.start for tone in made if tone.pitch in until}
    return [
        Tone(t.start, t.pitch, max(t.length, until[t.pitch] - t.start), t.velocity)
        if t.pitch in until and t.start == last[t.pitch] else t
        for t in made
    ]


def _read(filled: Filled) -> tuple[Remeter, ...]:
    beats, unit = cast("tuple[int, Literal[2, 4, 8]]", filled.value("meter"))
    return (Remeter(beats, unit),)


def _asks(served: Served, operation: Remeter, _: StyleBook) -> list[Ask]:
    if not served.task.scope.whole:
        return served.plain()
    meter = f"{operation.beats}/{operation.unit}"
    return [Ask(meter, served.by("set_time_signature"), "meter", "equals", meter)]


KINDS = (
    OperationKind(
        Remeter, 1, remeter, MappingProxyType({"meter": SlotReading(_read, frozenset({"meter"}))}), _asks,
        moves_bars=lambda _: True, removes=lambda _: True,
    ),
)
