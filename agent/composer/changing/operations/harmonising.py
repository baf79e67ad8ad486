"""Harmonising: a second voice in thirds, sixths or octaves, within the key and over the song's chords."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Annotated

from msgspec import Meta, structs

from agent.composer.changing.hearing.listening import top_line
from agent.composer.changing.notes.seconds import harmony
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.lines import fits, handed_over
from agent.composer.changing.parts.second_voice import add_voice, along, sound_of
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.palette import Instrument
from agent.song.track import Track

_NAMES = {2: "thirds", 3: "fourths", 4: "fifths", 5: "sixths", 7: "octaves", 9: "tenths", 14: "double octaves"}
_SOFTER = 0.86
_ROOM = 0.8
"""Share of the notes that must lie in the range of what plays the second voice."""
_THIRDS = 2


class Harmonise(Operation, frozen=True):
    """Add a second voice to a part, `steps` scale steps above or below (`up` None: where there is room).

    `inside` writes it into the part's own clips, `by` gives it to another instrument; else it gets a track with the
    part's instrument.
    """

    wish: Wish
    steps: Annotated[int, Meta(ge=1, le=14)] = _THIRDS
    up: bool | None = None
    by: Wish | None = None
    inside: bool = False

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        where = "" if self.up is None else " above" if self.up else " below"
        said = f"{self.wish.label} in {_NAMES.get(self.steps, f'{self.steps} steps')}{where}"
        return said + (f", with {self.by.label}" if self.by else "")


def harmonise(stage: Stage, operation: Harmonise) -> None:
    """Write a softer second voice to each pitched part that the wish means. Raises `Blocked` if the song has no such
    part."""
    roles = stage.roles()
    meant = [t for t in tracks_of(operation.wish, stage.song, stage.palette) if roles[t] not in RHYTHMIC]
    if not meant:
        raise Blocked(msg("the song has no {wish} to harmonise", wish=operation.wish.label))
    before = stage.song
    for track in meant:
        _second(stage, stage.song.track(track), operation)
    if stage.song is before:
        raise Blocked(msg("{wish} plays nothing there", wish=operation.wish.label))


def _second(stage: Stage, track: Track, operation: Harmonise) -> None:
    tones = top_line(
        Tone(clip.start + n.start, n.pitch, n.duration, n.velocity) for clip in track.clips for n in clip.notes
        if stage.inside(clip.start + n.start)
    )
    if not tones:
        return
    sound = sound_of(stage, track, operation.by)
    steps = _steps(stage, tones, sound, operation)
    line = _line(stage, tones, steps)
    line = [structs.replace(t, velocity=max(1, round(t.velocity * _SOFTER))) for t in line if _has(sound, t)]
    words = f"in {_NAMES.get(operation.steps, 'parallel')} {'above' if steps > 0 else 'below'}"
    if operation.inside:
        _into(stage, track, line, words)
        return
    families = {one.name: one.family for one in stage.palette.instruments}
    line = handed_over(line, families.get(track.instrument), sound.family, stage.spans[-1][1])
    passages = along(stage, track, line, f"with {track.name}, {words}, on the chords of the song")
    add_voice(stage, track, sound, passages, f"{track.name} harmony", f"goes with {track.name} {words}")


def _into(stage: Stage, track: Track, line: Sequence[Tone], words: str) -> None:
    own = {(tone.start, tone.pitch) for tone in line}

    def joined(tones: list[Tone], _: object) -> list[Tone]:
        starts = {tone.start for tone in tones}
        here = {(tone.start, tone.pitch) for tone in tones}
        return [*tones, *(t for t in line if t.start in starts and (t.start, t.pitch) in own - here)]

    if track.id in stage.sketch.guard.tracks:
        raise Blocked(msg("{track} is locked or kept", track=track.name))
    stage.sketch.each_clip(track, stage.spans, joined, words, "a second voice in the same part")


def _steps(stage: Stage, tones: Sequence[Tone], sound: Instrument, operation: Harmonise) -> int:
    """Signed steps: where it was asked for, else below, so that the tune stays on top; above where that is too low."""
    if operation.up is not None:
        options = [operation.steps if operation.up else -operation.steps]
        # a voice that the instrument does not have there sounds an octave away
        options.append(options[0] - 7 if operation.up else options[0] + 7)
    else:
        options = [-operation.steps, operation.steps]
        if stage.roles().get(tracks_of(operation.wish, stage.song, stage.palette)[0]) == "bass":
            options.reverse()
    for steps in options:
        if steps and fits(_line(stage, tones, steps), 0, sound) >= _ROOM:
            return steps
    raise Blocked(msg("{sound} has no notes there", sound=sound.label.lower()))


def _line(stage: Stage, tones: Sequence[Tone], steps: int) -> list[Tone]:
    heard = stage.heard()
    return harmony(
        tones, steps, heard.key,
        lambda at: next((span.chord for span in heard.chords if span.start <= at < span.end), None),
    )


def _has(sound: Instrument, tone: Tone) -> bool:
    return sound.low <= tone.pitch <= sound.high


def _read(filled: Filled) -> tuple[Operation, ...]:
    steps = int(filled.number("degrees") or _THIRDS)
    variant = filled.words.variant
    up = True if "above" in variant else False if "below" in variant else None
    melody = thing_wish(filled.lexicon.words.thing("melody"))
    wishes = tuple(wish for wish in filled.parts if wish != filled.by) or (melody,)
    return tuple(Harmonise(wish, steps, up, filled.by, "inside" in variant) for wish in wishes)


def _asks(served: Served, operation: Harmonise, _: StyleBook) -> list[Ask]:
    if operation.inside:
        return served.of_parts(operation.wish, "notes_per_attack", "higher")
    return served.ask("tracks" if served.task.scope.whole else "notes", "higher")


KINDS = (OperationKind(Harmonise, 9, harmonise, MappingProxyType({"harmonise": SlotReading(_read)}), _asks),)
