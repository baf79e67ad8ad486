"""Ducking: a part makes room whenever another one strikes or sings, as a sidechain compressor does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Annotated

from msgspec import Meta, structs

from agent.composer.changing.hearing.grid import Grid
from agent.composer.changing.mix.lanes import bent
from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage, tracks_of
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.understanding.numbers import Decibels
from agent.composer.understanding.sentences import share
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.time import PPQ
from agent.song.track import Track

_DEPTH, _UNDER_A_LINE = 9.0, 5.0
"""Decibels of a dip under a drum, and under something that sings."""
_SHALLOWEST, _DEEPEST = 0.5, 48.0
"""Decibels that may be asked for."""
_ATTACK, _RECOVERY = 24, 840
"""Ticks before a stroke in which the level falls, and after it in which it is back: less than a beat."""
_BULGE = 0.35
"""What is left of the dip when half of the recovery is over."""
_KICKS = frozenset({35, 36})
_PUMPING = ("chords", "pad", "arp", "texture", "bass")
_LOW, _HIGH = -96.0, 24.0


class Duck(Operation, frozen=True):
    """Duck the level of a part (`wish` None: the accompaniment) by `depth` dB (None: the usual) whenever `by` plays;
    without `by` at each kick, or on each beat if there is no kick."""

    of_mix = True
    wish: Wish | None = None
    by: Wish | None = None
    depth: Annotated[float, Meta(gt=0, le=_DEEPEST)] | None = None

    def specifies(self, before: Operation, /) -> bool:
        return isinstance(before, Duck) and structs.replace(before, depth=self.depth) == self

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        who = self.wish.label if self.wish is not None else "the accompaniment"
        deep = f" by {self.depth:g} dB" if self.depth is not None else ""
        return f"{who} ducking under the {self.by.label if self.by is not None else 'kick'}{deep}{share(amount)}"


def duck(stage: Stage, operation: Duck) -> None:
    """Write volume automation that dips at each trigger and is back within a beat; where the part has no clip its level
    stays. Raises `Blocked` if there is nothing to duck or to duck under."""
    key = _key_tracks(stage, operation)
    if operation.wish is None:
        roles = stage.roles()
        tracks = tuple(track for track in stage.free() if roles[track.id] in _PUMPING and track not in key)
    else:
        tracks = tuple(track for track in stage.free(operation.wish) if operation.by is None or track not in key)
    if not tracks:
        raise Blocked(msg("nothing is left to make room"))
    before, dips = stage.song, _dips(stage, operation, key)
    for track in tracks:
        gains = _gains(track, dips, operation.depth, stage)
        if gains:
            lane = next((one for one in track.automation if one.target == "volume_db"), None)
            label = operation.by.label if operation.by is not None else "the kick"
            made = bent("volume_db", lane, track.volume_db, gains, _LOW, _HIGH)
            stage.sketch.automate(track.id, made, f"makes room under {label}")
    if stage.song == before:
        raise Blocked(msg("it plays nothing under which it could make room"))


def _key_tracks(stage: Stage, operation: Duck) -> tuple[Track, ...]:
    """The tracks that are listened to: those that are named, else the drums."""
    if operation.by is not None:
        found = tracks_of(operation.by, stage.song, stage.palette)
        if not found:
            raise Blocked(msg("the song has no {by}", by=operation.by.label))
        return tuple(stage.song.track(track) for track in found)
    roles = stage.roles()
    return tuple(track for track in stage.song.tracks if roles[track.id] in RHYTHMIC and not track.mute)


def _dips(stage: Stage, operation: Duck, key: Sequence[Track]) -> list[Span]:
    """Where the level is down: at each stroke, or while a line sounds."""
    roles = stage.roles()
    drums = operation.by is None or all(roles[track.id] in RHYTHMIC for track in key)
    if not drums:
        return _joined(sorted(_notes(key)))
    pitches = pitches_of(operation.by.pieces) if operation.by is not None and operation.by.pieces else _KICKS
    strokes = sorted({(start, start) for start, _ in _notes(key, pitches) if stage.inside(start)})
    if strokes or operation.by is not None:
        return strokes
    grid, bars = Grid(stage.song), stage.song.bar_map
    beats = (
        beat for start, stop in stage.spans for bar in range(bars.bar_at(start), bars.bar_at(stop - 1) + 1)
        for beat in grid.beats(bars.start_of(bar))
    )
    return [(beat, beat) for beat in beats if stage.inside(beat)]


def _notes(tracks: Sequence[Track], pitches: frozenset[int] = frozenset()) -> Iterator[Span]:
    for track in tracks:
        for clip in track.clips:
            for note in clip.notes:
                if not pitches or note.pitch in pitches:
                    yield int(clip.start + note.start), int(clip.start + note.end)


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Stretches of singing, over rests in which the level could not come back."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start <= joined[-1][1] + PPQ:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _gains(track: Track, dips: Sequence[Span], stated: float | None, stage: Stage) -> list[tuple[int, float]]:
    """The lane of one part as (tick, decibels): down at once, back before the next beat."""
    gains: list[tuple[int, float]] = []
    open_spans = [part for span in stage.spans for part in stage.sketch.guard.open_spans(*span)]
    for number, (start, end) in enumerate(dips):
        inside = next(((low, high) for low, high in open_spans if low <= start < high), None)
        if inside is None or not any(clip.start <= start < clip.end for clip in track.clips):
            continue
        depth = stated or (_DEPTH if start == end else _UNDER_A_LINE) * min(1.5, stage.amount)
        following = dips[number + 1][0] if number + 1 < len(dips) else inside[1]
        stop = min(inside[1], following - _ATTACK) if following < inside[1] else inside[1]
        gains += _dip(start, end, depth, max(inside[0], gains[-1][0] + 1 if gains else 0), stop)
    return gains


def _dip(start: int, end: int, depth: float, since: int, stop: int) -> Iterator[tuple[int, float]]:
    if start - _ATTACK >= since:
        yield start - _ATTACK, 0.0
    elif start:
        # nothing may move before it: the level falls right behind the stroke
        yield start, 0.0
        start += _ATTACK
    yield start, -depth
    end = min(end, stop - 2)
    if end > start:
        yield end, -depth
    last = max(start, end)
    recovery = min(_RECOVERY, stop - last - 1)
    if recovery > 1:
        yield last + recovery // 2, -depth * _BULGE
        yield last + recovery, 0.0


def _read(filled: Filled) -> tuple[Duck, ...]:
    return tuple(Duck(wish, filled.by, _depth(filled)) for wish in filled.each)


def _read_depth(filled: Filled) -> tuple[Duck, ...]:
    """How deep the dips are that were asked for right before: "4 dB of gain reduction"."""
    last = filled.last
    return (structs.replace(last, depth=_depth(filled)),) if isinstance(last, Duck) else ()


def _depth(filled: Filled) -> float | None:
    level = filled.value("decibels")
    return within(abs(level.value), _SHALLOWEST, _DEEPEST) if isinstance(level, Decibels) else None


def _asks(served: Served, operation: Duck, _: StyleBook) -> list[Ask]:
    return served.of_parts(operation.wish, "level", "lower")


KINDS = (OperationKind(Duck, 14, duck, MappingProxyType({
    "duck": SlotReading(_read), "duck_depth": SlotReading(_read_depth, frozenset({"decibels"}), follows=True),
}), _asks),)
