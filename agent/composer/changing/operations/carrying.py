"""Carrying: what a part plays in one place, it plays in another one too, or instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.notes.laying import lay
from agent.composer.changing.notes.reshape import fitted
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import called
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.material import taken, tiled
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.song import Song
from agent.song.track import Track

_ANOTHER_KEY = 0.75
"""Share of the bars whose chords lie the same interval apart, from which the target is in another key."""
Places = Annotated[tuple[Place, ...], Meta(min_length=1)]


class Carry(Operation, frozen=True):
    """Copy what a part (`wish` None: every part) plays in `source` to `target`; with `away` it is removed from the
    source."""

    source: Places
    target: Places
    wish: Wish | None = None
    away: bool = False

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        source, target = (" and ".join(map(told_place, places)) for places in (self.source, self.target))
        if self.wish is None:
            return f"{target} like {source}"
        return f"{self.wish.label} of {source} {'moved to' if self.away else 'in'} {target}"


def carry(stage: Stage, operation: Carry) -> None:
    """Copy the part's notes bar by bar from `operation.source` to `operation.target`, repeated if the target is longer.
    If the target is in another key all pitches are transposed, under other chords only the bass is. Raises `Blocked` if
    source and target are the same, differ in bar length, or nothing plays in the source."""
    before, song = stage.sketch.before, stage.song
    sources = [stage.sketch.placed(*span) for span in each_span(operation.source, before, stage.palette)]
    targets = [stage.sketch.placed(*span) for span in each_span(operation.target, before, stage.palette)]
    targets = [span for span in targets if not any(_meet(span, source) for source in sources)]
    if not targets:
        raise Blocked(msg("that is the same place"))
    heard, found = stage.heard(), False
    for track in stage.free(operation.wish):
        source = next((span for span in sources if _own(stage, operation, track, span)), None)
        if source is None and operation.wish is not None:
            continue
        for target in targets:
            found = True
            _lay(stage, operation, track, source or sources[0], target, heard)
        if operation.away and source is not None:
            _clear(stage, operation, track, source)
    if not found and operation.wish is not None:
        raise Blocked(msg("{wish} plays nothing in {song}", wish=operation.wish.label, song=called(song, *sources[0])))
    if stage.song == song:
        raise Blocked(msg("it is the same there already"))


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _is_meant(operation: Carry, tone: Tone) -> bool:
    pieces = operation.wish.pieces if operation.wish is not None else ()
    return not pieces or tone.pitch in pitches_of(pieces)


def _own(stage: Stage, operation: Carry, track: Track, span: Span) -> list[Tone]:
    """What the part plays in a stretch."""
    return [tone for tone in taken(stage.song.track(track.id), *span) if _is_meant(operation, tone)]


def _lay(stage: Stage, operation: Carry, track: Track, source: Span, target: Span, heard: SongAnalysis) -> None:
    bars = stage.song.bar_map
    if bars.meter_at(source[0]).bar_length != bars.meter_at(target[0]).bar_length:
        raise Blocked(msg("its bars have another length there"))
    length = source[1] - source[0]
    repeated = tiled(_own(stage, operation, track, source), source[0], length, *target)
    tones = _tuned(stage, track, repeated, source, target, heard)
    name = called(stage.song, *target)
    why = f"as in {called(stage.song, *source)}"
    lay(stage, track.id, target, tones, name, why, lambda tone: _is_meant(operation, tone))


def _tuned(
    stage: Stage, track: Track, tones: Sequence[Tone], source: Span, target: Span, heard: SongAnalysis
) -> Sequence[Tone]:
    """In another key all pitches move along; under other chords the bass plays their roots."""
    role = heard.roles.get(track.id)
    if role in RHYTHMIC or not tones:
        return tones
    length = source[1] - source[0]
    apart = {tone.start: _interval(heard, source[0] + (tone.start - target[0]) % length, tone.start) for tone in tones}
    common, count = Counter(apart.values()).most_common(1)[0]
    if count >= _ANOTHER_KEY * len(apart):
        apart = dict.fromkeys(apart, common)
    elif role != "bass":
        return tones
    if not any(apart.values()):
        return tones
    sound = next((one for one in stage.palette.instruments if one.name == track.instrument), None)
    low, high = (sound.low, sound.high) if sound is not None else (0, 127)
    moved = [Tone(t.start, max(0, min(127, t.pitch + apart[t.start])), t.length, t.velocity) for t in tones]
    return fitted(moved, low, high, heard.key)


def _interval(heard: SongAnalysis, was: int, now: int) -> int:
    """Semitones from the root that is heard at one tick to that at another, the shorter way."""
    roots = [next((span.chord.root for span in heard.chords if span.start <= at < span.end), None) for at in (was, now)]
    if roots[0] is None or roots[1] is None:
        return 0
    return (roots[1] - roots[0] + 6) % 12 - 6


def _clear(stage: Stage, operation: Carry, track: Track, span: Span) -> None:
    stage.sketch.each_clip(
        stage.song.track(track.id), [span],
        lambda tones, _: [tone for tone in tones if not _is_meant(operation, tone)], "resting", "plays elsewhere now",
    )


def _read(filled: Filled) -> tuple[Operation, ...]:
    source, target = filled.value("source"), filled.value("target")
    if not isinstance(source, PlaceRef) or not isinstance(target, PlaceRef):
        return ()
    away = filled.words.sign < 0
    return tuple(Carry(source.places, target.places, wish, away) for wish in filled.each)


def _asks(served: Served, operation: Carry, _: StyleBook) -> list[Ask]:
    """The rhythm of the source is found in the target, part by part."""
    song = served.song
    sources, targets = (each_span(places, song, served.palette) for places in (operation.source, operation.target))
    if served.moved is not None or served.remade or len(targets) > 1 or not targets:
        return served.plain()
    tracks = served.parts(operation.wish) if operation.wish is not None else list(song.tracks)
    asks = []
    for track in tracks[:4]:
        name = served.named(track)
        source = next((span for span in sources if served.figure(f"notes:{name}", _bars(song, span))), None)
        if source is not None:
            was, now = _bars(song, source), _bars(song, targets[0])
            count = min(was[1] - was[0], now[1] - now[0])
            was, now = (was[0], was[0] + count), (now[0], now[0] + count)
            asks.append(Ask(served.words, served.rows, f"same_rhythm:{name}", "at_least", 0.9, was, now))
    return asks or served.plain()


def _bars(song: Song, span: Span) -> tuple[int, int]:
    return song.bar_map.bar_at(span[0]), song.bar_map.bar_at(span[1] - 1)


KINDS = (
    OperationKind(
        Carry, 11, carry, MappingProxyType({"carry": SlotReading(_read, frozenset({"source"}))}), _asks,
        removes=lambda operation: operation.away or operation.wish is None,
    ),
)
