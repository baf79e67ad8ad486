"""Darkening: chords that a major key borrows from its minor one, wherever the tune can be sung over them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.composer.changing.hearing.around import Around
from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.notes.leading import ChordChange, led
from agent.composer.changing.notes.substitutes import fits
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, Role
from agent.composer.tones import Tone
from agent.composer.writing.frame import ChordSpan
from agent.composer.writing.harmony import is_minor
from agent.song.chord import Chord, Quality
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.key import Key
from agent.theory.sounding import sounding

_FOLLOWING: tuple[Role, ...] = ("bass", "chords", "pad", "arp", "texture", "counter")
_SHADED: dict[tuple[int, str], Quality] = {
    (5, "maj"): "min", (5, "maj7"): "min7", (5, "6"): "min6", (5, "maj9"): "min9", (5, "add9"): "min",
    (2, "min"): "dim", (2, "min7"): "m7b5", (2, "7"): "m7b5", (2, "maj"): "dim",
}
"""What becomes of a chord so many semitones above the tonic of a major key: its fourth and second degrees."""
_EVERY = 4
"""Bars of which one chord at most is borrowed."""


def borrowings(stage: Stage) -> list[ChordChange]:
    """Changes of chords to those of the parallel minor key, where the melody fits them; empty for a song in minor.
    Locked bars are left out."""
    heard = stage.heard()
    if is_minor(heard.key.mode):
        return []
    fixed = _fixed(heard, stage)
    tune = [Tone(n.start, n.pitch, n.end - n.start, n.velocity) for n in sounding(stage.song, fixed)]
    spans = [span for span in heard.chords if stage.inside(span.start) and not stage.sketch.guard.closed(span.start)]
    return _turns(spans, tune, heard.key, _EVERY * heard.frame.bar)


def darkened(stage: Stage, turns: Sequence[ChordChange], verb: str) -> None:
    """Rewrite bass and chord parts for the changed chords `turns`; the melody stays. Does nothing without such parts.
    `verb` is what the plan's rows say of it ("dark")."""
    voices = [voice for voice in voices_of(stage) if voice.role in _FOLLOWING]
    if not voices:
        return
    around = Around(stage.song, _fixed(voices[0].heard, stage))
    for voice in sorted(voices, key=lambda one: _FOLLOWING.index(one.role)):

        def moved(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            return led(tones, voice, turns, around)

        rewrite(stage, voice, moved, verb, "a chord borrowed from minor, where the tune allows it")


def _fixed(heard: SongAnalysis, stage: Stage) -> list[TrackId]:
    """The pitched tracks that stay as they are: the tune, and what is locked or kept."""
    moving = {track.id for track in stage.free() if heard.roles[track.id] in _FOLLOWING}
    return [t for t, role in heard.roles.items() if t not in moving and role not in RHYTHMIC]


def _turns(spans: Sequence[ChordSpan], tune: Sequence[Tone], key: Key, apart: int) -> list[ChordChange]:
    """Where a chord is shaded: never twice within `apart` ticks, and only where the root then moves on."""
    turns: list[ChordChange] = []
    for span, after in pairwise([*spans, None]):
        assert span is not None
        new = _shaded(span.chord, key)
        moves = after is None or after.chord.root != span.chord.root
        if new is None or not moves or (turns and span.start - turns[-1].start < apart):
            continue
        over = [tone for tone in tune if tone.start < span.end and tone.end > span.start]
        fit = fits(new, over, span.start, span.end)
        if fit is not None and fit > 0.2:
            turns.append(ChordChange(span.start, span.end, span.chord, new))
    return turns


def _shaded(chord: Chord, key: Key) -> Chord | None:
    quality = _SHADED.get(((chord.root - key.pitch_class) % 12, chord.quality))
    return None if quality is None else Chord(chord.root, quality)
