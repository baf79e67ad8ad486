"""Doubling: a part is played along with, an interval apart or by another instrument."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.operations.adding import new_track, style_for
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.lines import fits, handed_over, moved
from agent.composer.changing.parts.second_voice import add_voice, along, sound_of
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.operations import Beat, Double
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.writing.instruments import default_part
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.palette import Instrument
from agent.song.track import Track

_SOFTER = 0.86
_ROOM = 0.8
"""Share of the notes that must lie in the range of what doubles."""


def double(stage: Stage, operation: Double) -> None:
    """Add a softer track that doubles the part `operation.wish` at an interval, panned to the other side; for drums a
    percussion track is added instead. Raises `Blocked` if the part is missing or plays nothing in the stage's spans."""
    meant = tracks_of(operation.wish, stage.song, stage.palette)
    if not meant:
        raise Blocked(msg("the song has no {wish}", wish=operation.wish.label))
    roles = stage.roles()
    layered = False
    for track in (stage.song.track(one) for one in meant):
        if roles[track.id] not in RHYTHMIC:
            _along(stage, track, operation)
        elif not layered:
            layered = True
            _layer(stage)


def _layer(stage: Stage) -> None:
    style = style_for(stage)
    part = style.part_for("percussion") or default_part("percussion", "Percussion", ())
    new_track(stage, structs.replace(part, why="a second layer over the drums"), style, stage.dice)


def _along(stage: Stage, track: Track, operation: Double) -> None:
    tones = sorted(
        Tone(clip.start + n.start, n.pitch, n.duration, n.velocity) for clip in track.clips for n in clip.notes
        if stage.inside(clip.start + n.start)
    )
    if not tones:
        raise Blocked(msg("{wish} plays nothing there", wish=operation.wish.label))
    tones = _low(tones) if operation.lowest else tones
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    own = known.get(track.instrument)
    sound = sound_of(stage, track, operation.by)
    by = _interval(operation, tones, sound, same=sound == own)
    key = stage.heard().key
    line = [moved(tone, by, key) for tone in tones]
    line = [tone for tone in line if sound.low <= tone.pitch <= sound.high]
    line = handed_over(line, own.family if own else None, sound.family, stage.spans[-1][1])
    softened = [structs.replace(tone, velocity=max(1, round(tone.velocity * _SOFTER))) for tone in line]
    words = _words(by, sound, same=sound == own)
    passages = along(stage, track, softened, f"as {track.name}, {words}")
    add_voice(stage, track, sound, passages, f"{track.name} double", f"doubles {track.name} {words}")


def _low(tones: Sequence[Tone]) -> list[Tone]:
    """The bass of a part: at each attack the lowest note, where it lies in the lower half of what the part plays."""
    lowest: dict[int, Tone] = {}
    for tone in tones:
        if tone.start not in lowest or tone.pitch < lowest[tone.start].pitch:
            lowest[tone.start] = tone
    middle = median(tone.pitch for tone in tones)
    return [tone for _, tone in sorted(lowest.items()) if tone.pitch <= middle]


def _interval(operation: Double, tones: Sequence[Tone], sound: Instrument, *, same: bool) -> int:
    """Semitones between the two: those that were asked for, else the octave (or unison) with most room."""
    if operation.semitones:
        if fits(tones, operation.semitones, sound) >= _ROOM:
            return operation.semitones
        other = operation.semitones - 12 if operation.semitones > 0 else operation.semitones + 12
        if other and fits(tones, other, sound) >= _ROOM:
            return other
        raise Blocked(msg("{sound} has no notes there", sound=sound.label.lower()))
    options = (12, -12) if same else (0, 12, -12, 24, -24)
    best = max(options, key=lambda by: (fits(tones, by, sound) >= _ROOM, -options.index(by)))
    if fits(tones, best, sound) < _ROOM:
        raise Blocked(msg("{sound} has no room above or below it", sound=sound.label.lower()))
    return best


def _words(by: int, sound: Instrument, *, same: bool) -> str:
    names = {0: "in unison", 12: "an octave up", -12: "an octave down", 24: "two octaves up", -24: "two octaves down"}
    apart = names.get(by) or f"{abs(by)} semitones {'up' if by > 0 else 'down'}"
    return apart if same else f"{apart} on {sound.label.lower()}"


def _read(filled: Filled) -> tuple[Operation, ...]:
    """A part played along with; the drums alone are doubled in time."""
    stated = bool(filled.words.variant) or filled.value("steps") is not None
    if filled.by is None and not stated and all(wish.role == "drums" for wish in filled.parts):
        return (Beat("double"),) if filled.parts else ()
    if filled.words.variant == "lowest":
        return tuple(Double(wish, filled.by, lowest=True) for wish in filled.parts)
    own = 12 if filled.words.variant == "octave" else 0
    steps = int(filled.number("steps") or own) * filled.direction
    return tuple(Double(wish, filled.by, steps) for wish in filled.parts)


def _asks(served: Served, _: Double, _styles: StyleBook) -> list[Ask]:
    """One more track with the same line."""
    return served.ask("tracks" if served.task.scope.whole else "notes", "higher")


KINDS = (
    OperationKind(
        Double, 9, double,
        MappingProxyType({"double": SlotReading(_read, frozenset({"part"}))}), _asks, makes_tracks=True,
    ),
)
