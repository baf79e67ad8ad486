"""Slowing: a tempo that changes little by little, and chords that are held."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta, structs

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.pacing import FASTEST, SLOWEST
from agent.composer.changing.operations.repeating import MOST_BARS, bar_before, bar_line
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.operations import Retempo
from agent.composer.understanding.sentences import counted, share, told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.composer.understanding.tasks import Edge, Operation, Place, Scope
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip, Note, in_order
from agent.song.palette import Palette
from agent.song.song import Section, Song
from agent.song.time import PPQ, TempoChange, Ticks, distinct_tempos
from agent.song.track import Track

_USUAL = {"slower": 0.72, "faster": 1.2}
_LATE = {"slower": 1.6, "faster": 1.0}
"""How late in the stretch most of the change comes: a ritardando lingers at its end, an accelerando goes evenly."""
_TO_THE_END, _INTO = 4, 2
"""Bars of a ritardando at the end of the song, and of what leads into a section."""
_MOST = 16
"""Tempo changes of one stretch, at most."""
_HELD = 0.5
"""What a fermata leaves of the tempo while it lasts."""
_CHORD = 120
"""Ticks within which notes are one chord."""


class Drift(Operation, frozen=True):
    """Change the tempo gradually: by the usual amount, to `bpm`, or by a `factor`.

    It lasts for the scope, for its last `bars` bars (0: not limited), or for those before the section that it leads
    `into`. `start` is the tempo at its beginning (None: the present one).
    """

    way: Literal["slower", "faster"]
    bars: Annotated[int, Meta(ge=0, le=9999)] = 0
    bpm: float | None = None
    factor: float | None = None
    start: float | None = None
    into: tuple[Place, ...] = ()

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        to = f" to {self.bpm:g} BPM" if self.bpm is not None else ""
        over = f" over {counted(self.bars, 'bar')}" if self.bars else ""
        into = f" into {told_place(self.into[0])}" if self.into else ""
        return f"gradually {self.way}{to}{over}{into}{share(amount)}"


class Hold(Operation, frozen=True):
    """Hold the last chord longer, by `bars` or `beats` (0: not said); with a scope make a fermata on its last beat."""

    at_point = True

    bars: Annotated[int, Meta(ge=0, le=64)] = 0
    beats: Annotated[float, Meta(ge=0, le=64)] = 0

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        if self.beats:
            return f"hold the last chord {self.beats:g} beats longer"
        return "hold the last chord" + (f" for {counted(self.bars, 'bar')}" if self.bars else "") + share(amount)


def drift(stage: Stage, operation: Drift) -> None:
    """Write a few tempo changes a bar; behind the stretch the old tempo returns, unless an end tempo was stated. Raises
    `Blocked` if the request keeps the tempo.

    A single accelerando into a section keeps the tempo that it reaches.
    """
    if stage.intent.keep_tempo:
        raise Blocked(msg("the tempo is to stay"))
    before = stage.song
    stretches = _stretches(operation, stage.song, stage.palette, stage.spans, whole=stage.whole)
    arrives = operation.bpm is not None or (operation.way == "faster" and bool(operation.into))
    stays = arrives and len(stretches) == 1
    for start, stop in stretches:
        factor = _factor(operation, operation.start or stage.song.tempo_map.bpm(start), stage.amount)
        _bend(stage, operation, (start, stop), factor, stays=stays)
    if stage.song == before:
        raise Blocked(
            msg("it is as slow there as it can be already") if operation.way == "slower"
            else msg("it is as fast there as it can be already")
        )


def _stretches(
    operation: Drift, song: Song, palette: Palette, spans: Sequence[Span], *, whole: bool
) -> list[Span]:
    """The whole bars over which the tempo changes."""
    bars = song.bar_map
    if operation.into:
        starts = [span[0] for span in spans_of(Scope(operation.into), song, palette) if span[0] > 0]
        if not starts:
            raise Blocked(msg("nothing leads into that"))
        length = operation.bars or (_INTO if operation.way == "slower" else 2 * _INTO)
        spans = [(int(bars.start_of(max(1, bars.bar_at(at) - length))), bar_line(song, at)) for at in starts]
        return _some([span for span in spans if span[0] < span[1]])
    found = []
    for start, stop in spans:
        low, high = int(bars.start_of(bars.bar_at(start))), bar_line(song, stop)
        if low >= high:
            continue
        length = operation.bars or (min(_TO_THE_END, song.bars // 2) if whole and operation.way == "slower" else 0)
        first = max(bars.bar_at(low), bars.bar_at(high - 1) + 1 - length) if length else bars.bar_at(low)
        found.append((int(bars.start_of(first)), high))
    return _some(found)


def _some(spans: list[Span]) -> list[Span]:
    if not spans:
        raise Blocked(msg("that is less than a bar"))
    return spans


def _factor(operation: Drift, now: float, amount: float) -> float:
    if operation.bpm is not None:
        right = (operation.bpm < now) == (operation.way == "slower")
        if not right or operation.bpm == now:
            raise Blocked(msg("it is at {now:g} BPM already", now=now))
        return operation.bpm / now
    if operation.factor is not None:
        return operation.factor
    return max(0.1, 1 + (_USUAL[operation.way] - 1) * amount)


def _bend(stage: Stage, operation: Drift, span: Span, factor: float, *, stays: bool) -> None:
    song, (start, stop) = stage.song, span
    own = song.tempo_map
    set_off = operation.start / own.bpm(start) if operation.start is not None else 1.0
    ticks = sorted({*_steps(span), *(int(c.at) for c in song.tempos if start < c.at < stop)})
    changes = [change for change in song.tempos if change.at < start]
    count = len(ticks)
    for number, at in enumerate(ticks):
        along = ((number + 1) / count) ** _LATE[operation.way]
        bpm = own.bpm(at) * set_off * (1 + (factor - 1) * along)
        if operation.bpm is None:
            bpm = max(SLOWEST, min(FASTEST, bpm))
        elif number + 1 == count:
            bpm = operation.bpm
        changes.append(TempoChange(Ticks(at), _bounded(bpm)))
    if stays:
        changes += [structs.replace(c, bpm=_bounded(c.bpm * factor)) for c in song.tempos if c.at > stop]
        last = own.bpm(stop) * factor if operation.bpm is None else operation.bpm
        changes.append(TempoChange(Ticks(stop), _bounded(last)))
    else:
        changes += [change for change in song.tempos if change.at > stop]
        if stop < song.end:
            changes.append(TempoChange(Ticks(stop), own.bpm(stop)))
    why = "little by little slower" if operation.way == "slower" else "little by little faster"
    stage.sketch.retempo(distinct_tempos(changes), why)


def _steps(span: Span) -> list[int]:
    """Where the tempo changes: on beats of the stretch, not more often than need be."""
    start, stop = span
    beats = max(1, (stop - start) // PPQ)
    each = next((size for size in (1, 2, 4, 8, 16) if beats / size <= _MOST), max(1, beats // _MOST))
    return list(range(start, stop, each * PPQ))


def _bounded(bpm: float) -> float:
    return max(1.0, min(999.0, round(bpm, 1)))


def hold(stage: Stage, operation: Hold) -> None:
    """Lengthen the song's last chord; with a scope play its last beat at half the tempo."""
    song, roles = stage.song, stage.roles()
    close = int(song.bar_map.start_of(song.bars + 1))
    if stage.spans[-1][1] < close:
        _linger(stage, operation)
        return
    last = max((int(c.start + n.end) for t in song.tracks if roles[t.id] not in RHYTHMIC for c in t.clips
                for n in c.notes), default=0)
    longer = (operation.bars or 1) * bar_before(song, close)
    end = last + round(operation.beats * PPQ) if operation.beats else close + longer
    if song.bar_map.bar_at(end - 1) > MOST_BARS:
        raise Blocked(msg("a song of more than {most_bars} bars is too long", most_bars=MOST_BARS))
    tracks = tuple(
        track if roles[track.id] in RHYTHMIC or track not in stage.sketch.free_tracks()
        else _ringing(stage, track, last - bar_before(song, close), end)
        for track in song.tracks
    )
    if tracks == song.tracks:
        raise Blocked(msg("there is no last chord to hold"))
    sections = tuple(_reaching(section, close, max(close, end)) for section in song.sections)
    held = structs.replace(song, tracks=tracks, sections=sections)
    stage.sketch.become(held, "held longer", "the last chord rings on")


def _linger(stage: Stage, operation: Hold) -> None:
    if stage.intent.keep_tempo:
        raise Blocked(msg("the tempo is to stay"))
    song = stage.song
    for _, stop in stage.spans:
        at = bar_line(song, stop) - (operation.bars * bar_before(song, stop) if operation.bars else PPQ)
        if at < 0:
            raise Blocked(msg("that is less than a bar"))
        own = stage.song.tempo_map
        changes = [c for c in stage.song.tempos if c.at < at or c.at > bar_line(song, stop)]
        changes.append(TempoChange(Ticks(at), max(SLOWEST, round(own.bpm(at) * _HELD, 1))))
        if bar_line(song, stop) < song.end:
            changes.append(TempoChange(Ticks(bar_line(song, stop)), own.bpm(bar_line(song, stop))))
        stage.sketch.retempo(distinct_tempos(changes), "the last beat is held")


def _ringing(stage: Stage, track: Track, since: int, end: int) -> Track:
    """A track whose last notes, struck together and not before `since`, last until `end`."""
    clip = max(track.clips, key=lambda one: one.end, default=None)
    if clip is None or not clip.notes or clip.id in stage.sketch.guard.clips:
        return track
    latest = max(clip.start + note.start for note in clip.notes)
    if latest < since or stage.sketch.guard.closed(latest):
        return track
    notes = [_lasting(note, clip, latest, end) for note in clip.notes]
    longer = structs.replace(clip, duration=Ticks(end - clip.start), notes=in_order(notes))
    clips = tuple(longer if one.id == clip.id else one for one in track.clips)
    return structs.replace(track, clips=clips)


def _lasting(note: Note, clip: Clip, latest: int, end: int) -> Note:
    at = clip.start + note.start
    rings = at >= latest - _CHORD or clip.start + note.end > latest + _CHORD
    return structs.replace(note, duration=Ticks(end - at)) if rings else note


def _reaching(section: Section, close: int, end: int) -> Section:
    return structs.replace(section, duration=Ticks(end - section.start)) if section.end == close else section


def _read(filled: Filled) -> tuple[Operation, ...]:
    way: Literal["slower", "faster"] = "slower" if filled.words.sign < 0 else "faster"
    ahead, bpm = filled.value("ahead"), filled.number("bpm")
    tempi = [within(float(tempo), 1, 999) for tempo in filled.found.all("tempo") if isinstance(tempo, int | float)]
    bpm = tempi[-1] if tempi else bpm
    factor = None
    if filled.measure is not None and filled.measure.exact:
        factor = within(1 + filled.measure.factor * filled.direction, 0.1, 4.0)
    into = ahead.places if isinstance(ahead, PlaceRef) else ()
    start = tempi[0] if len(tempi) > 1 else None
    return (Drift(way, int(filled.number("bars") or 0), bpm, factor, start, into),)


def _read_at(filled: Filled) -> tuple[Operation, ...]:
    """What gets slower at the end of the song gets so little by little; anywhere else it is another tempo."""
    place = filled.value("within")
    ends = isinstance(place, PlaceRef) and all(isinstance(one, Edge) and one.at == "end" for one in place.places)
    return _read(filled) if ends else (Retempo(factor=filled.words.factor),)


def _read_hold(filled: Filled) -> tuple[Hold, ...]:
    return (Hold(min(64, int(filled.number("bars") or 0)), min(64.0, max(0.0, filled.number("number") or 0))),)


def _asks(served: Served, operation: Drift, _: StyleBook) -> list[Ask]:
    """The tempo of the last bar of each stretch."""
    song, whole = served.song, served.task.scope.whole
    if served.remade or served.moved is not None:
        return served.plain()
    places = served.places()
    spans = [(int(song.bar_map.start_of(a)), int(song.bar_map.start_of(b + 1))) for a, b in places]
    try:
        found = _stretches(operation, song, served.palette, spans, whole=whole)
    except Blocked:
        return served.plain()
    rows = served.by("set_tempo")
    lasts = [song.bar_map.bar_at(stop - 1) for _, stop in found[:3]]
    goal: Literal["lower", "higher"] = "lower" if operation.way == "slower" else "higher"
    return [Ask(served.words, rows, "tempo", goal, None, (bar, bar)) for bar in lasts]


def _asks_hold(served: Served, _: Hold, _styles: StyleBook) -> list[Ask]:
    return [Ask(served.words, served.rows, "seconds", "higher")]


KINDS = (
    OperationKind(
        Drift, 14, drift,
        MappingProxyType(
            {"drift": SlotReading(_read), "drift_at": SlotReading(_read_at, frozenset({"within"}))}
        ), _asks,
    ),
    OperationKind(Hold, 19, hold, MappingProxyType({"hold": SlotReading(_read_hold)}), _asks_hold),
)
