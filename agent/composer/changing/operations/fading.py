"""Fading: parts, or all of them, come out of silence or go into it."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta

from agent.composer.changing.mix.lanes import bent
from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import bar_line
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.sentences import counted, share, told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.song import Song
from agent.song.track import Track

_HALVING = 10.0
"""Decibels by which something sounds half as loud."""
_SILENT, _LOUDEST = -96.0, 24.0
_STEPS = 16
_USUAL = ((32, 8), (12, 4), (4, 2))
"""Bars of a fade nobody measured, by the bars of the song."""
_BEFORE = 4
"""Bars of a fade that leads into a section."""
_VELOCITY_OF_DB = 40.0


class Fade(Operation, frozen=True):
    """Fade a part (`wish` None: everything) in or out over `bars` (0: the usual length), at the edge of the scope.

    With `onward` a fade-out starts at the scope's beginning; a fade `into` a section lies before that section.
    """

    of_mix = True
    way: Literal["in", "out"]
    wish: Wish | None = None
    bars: Annotated[int, Meta(ge=0, le=9999)] = 0
    onward: bool = False
    into: tuple[Place, ...] = ()

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        who = f"{self.wish.label} " if self.wish is not None else ""
        over = f" over {counted(self.bars, 'bar')}" if self.bars else ""
        into = f" before {told_place(self.into[0])}" if self.into else ""
        return f"{who}fade {self.way}{over}{into}{share(amount)}"


def fade(stage: Stage, operation: Fade) -> None:
    """Write volume automation that rises or falls evenly to the ear; outside the fade the level stays. Raises `Blocked`
    if locked bars lie within it."""
    tracks = [track for track in stage.free(operation.wish) if track.note_count]
    before = stage.song
    for span in _spans(operation, stage):
        for track in tracks:
            start, stop = _stretch(operation, span, stage.song, track if stage.whole and not operation.into else None)
            if stage.sketch.guard.open_spans(start, stop) != ((start, stop),):
                raise Blocked(msg("locked bars lie within the fade"))
            if operation.wish is not None and operation.wish.pieces:
                _struck(stage, operation, track, start, stop)
            elif any(clip.start < stop and clip.end > start for clip in track.clips):
                _lane(stage, operation, track.id, start, stop)
    if stage.song == before:
        what = operation.wish.label if operation.wish is not None else "anything"
        raise Blocked(msg("nothing of {what} plays there", what=what) if operation.wish else msg("nothing plays there"))


def _spans(operation: Fade, stage: Stage) -> Sequence[Span]:
    """The scope, or what lies before the sections that the fade leads into."""
    if not operation.into:
        return stage.spans
    bars, spans = stage.song.bar_map, each_span(operation.into, stage.sketch.before, stage.palette)
    ends = [stage.sketch.placed(*span)[0] for span in spans]
    length = operation.bars or _BEFORE
    found = [(int(bars.start_of(max(1, bars.bar_at(end) - length))), end) for end in ends if end > 0]
    if not found:
        raise Blocked(msg("nothing leads into that"))
    return found


def _stretch(operation: Fade, span: Span, song: Song, track: Track | None) -> Span:
    """The whole bars over which a fade goes, within its span; with a `track` at the edge of what that one plays."""
    bars = song.bar_map
    low, high = span
    if track is not None and operation.wish is not None:
        low, high = max(low, int(track.clips[0].start)), min(high, int(track.end))
    start = int(bars.start_of(bars.bar_at(low)))
    stop = bar_line(song, high)
    if start >= stop:
        return span
    first, last = bars.bar_at(start), bars.bar_at(stop - 1)
    usual = next((length for least, length in _USUAL if song.bars >= least), 1)
    length = operation.bars or (usual if track is not None else last - first + 1)
    # what is stated may reach beyond "the end", but not beyond the song
    length = min(length, song.bars + 1 - first if operation.way == "in" or operation.onward else last)
    if operation.way == "in" or operation.onward:
        return start, int(bars.start_of(first + length))
    return int(bars.start_of(last + 1 - length)), stop


def _gain(operation: Fade, along: float, amount: float) -> float:
    """Decibels where a share of the fade is over: loudness, as it is heard, goes in a line."""
    heard = 1 - min(1.0, amount) * (along if operation.way == "out" else 1 - along)
    return _HALVING * log2(heard) if heard > 0.001 else 2 * _SILENT


def _lane(stage: Stage, operation: Fade, track_id: str, start: int, stop: int) -> None:
    track = next(track for track in stage.song.tracks if track.id == track_id)
    guard, end = stage.sketch.guard, int(stage.song.end)
    ticks = [start + (stop - 1 - start) * step // _STEPS for step in range(_STEPS + 1)]
    gains = [(at, _gain(operation, step / _STEPS, stage.amount)) for step, at in enumerate(ticks)]
    if operation.way == "in" and start > 0 and not guard.closed(start - 1):
        gains.insert(0, (start - 1, 0.0))
    if operation.way == "out" and stop < end:
        gains = gains if not guard.closed(stop) else gains[:-1]
        gains.append((stop if not guard.closed(stop) else stop - 1, 0.0))
    lane = next((one for one in track.automation if one.target == "volume_db"), None)
    made = bent("volume_db", lane, track.volume_db, gains, _SILENT, _LOUDEST)
    if made != lane:
        stage.sketch.automate(track.id, made, f"fades {operation.way}, evenly to the ear")


def _struck(stage: Stage, operation: Fade, track: Track, start: int, stop: int) -> None:
    """Single drums of a kit share its fader: their strokes get softer and softer instead."""
    assert operation.wish is not None
    pitches = pitches_of(operation.wish.pieces)

    def softer(tone: Tone) -> Tone:
        if tone.pitch not in pitches:
            return tone
        gain = _gain(operation, (tone.start - start) / (stop - start), stage.amount)
        velocity = round(tone.velocity * 10 ** (gain / _VELOCITY_OF_DB))
        return Tone(tone.start, tone.pitch, tone.length, max(1, min(127, velocity)))

    stage.sketch.each_clip(
        track, [(start, stop)], lambda tones, _: [softer(tone) for tone in tones], f"fading {operation.way}",
        "the strokes alone, as they share the drums' track",
    )


def _read(filled: Filled) -> tuple[Fade, ...]:
    within = filled.value("within")
    onward = isinstance(within, PlaceRef) and within.relation == "since"
    bars = int(filled.number("bars") or 0)
    way: Literal["in", "out"] = "in" if filled.words.sign > 0 else "out"
    ahead = filled.value("ahead")
    into = ahead.places if isinstance(ahead, PlaceRef) else ()
    return tuple(Fade(way, wish, bars, onward, into) for wish in filled.each)


def _asks(served: Served, operation: Fade, _: StyleBook) -> list[Ask]:
    """The silent bar of the fade is softer than it was."""
    bars, asks = served.song.bar_map, []
    places = served.places() if not served.remade and served.moved is None and not operation.into else []
    for first, last in places[:3]:
        span = (int(bars.start_of(first)), int(bars.start_of(last + 1)))
        tracks = list(served.song.tracks) if operation.wish is None else served.parts(operation.wish)[:4]
        measure = "velocity" if operation.wish is not None and operation.wish.pieces else "level"
        for track in tracks[:1] if operation.wish is None else tracks:
            start, stop = _stretch(operation, span, served.song, track if served.task.scope.whole else None)
            bar = bars.bar_at(start) if operation.way == "in" else bars.bar_at(stop - 1)
            if operation.wish is None:
                asks.append(Ask(served.words, served.rows, measure, "lower", None, (bar, bar)))
                continue
            name = f"{measure}:{served.named(track)}"
            if served.figure(f"notes:{served.named(track)}", (bar, bar)):
                asks.append(Ask(served.words, served.rows, name, "lower", None, (bar, bar)))
    return asks or served.plain()


KINDS = (OperationKind(Fade, 14, fade, MappingProxyType({"fade": SlotReading(_read)}), _asks),)
