"""Voices: the tracks of a song as an operation works on their notes, and the safe way to write them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from agent.composer.changing.hearing.around import Around
from agent.composer.changing.hearing.feel_heard import Feel
from agent.composer.changing.hearing.grid import Grid
from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.stage import Stage
from agent.composer.dice import Dice
from agent.composer.styles import RHYTHMIC, Drum, Role
from agent.composer.tones import SHORTEST, Tone
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.kit import PITCHES
from agent.song.chord import Chord
from agent.song.clip import Clip
from agent.song.key import Key
from agent.song.track import Track

Change = Callable[[list[Tone], Clip], Sequence[Tone]]

_EARLY = 120
"""Ticks by which a note may be early and still belong to where it was."""


class Voice(Struct, frozen=True):
    """A track to be changed: its role, the pitch range of its instrument (`low` to `high`), the song's analysis
    (`heard`) and the notes of the other pitched tracks (`around`).

    `pieces` are the only pitches of a kit to be changed (empty: all); `dice` are the random choices for this track.
    """

    track: Track
    role: Role
    low: int
    high: int
    heard: SongAnalysis
    grid: Grid
    around: Around
    dice: Dice
    pieces: frozenset[int] = frozenset()

    @property
    def key(self) -> Key:
        return self.heard.key

    @property
    def rhythmic(self) -> bool:
        """Whether the track's pitches are drums."""
        return self.role in RHYTHMIC

    def chord_at(self, at: int) -> Chord | None:
        """The chord heard at a tick; None if none is heard."""
        return next((span.chord for span in self.heard.chords if span.start <= at < span.end), None)

    def fits(self, pitch: int) -> bool:
        """Whether the pitch is in the instrument's range."""
        return self.low <= pitch <= self.high


def voices_of(stage: Stage, wish: Wish | None = None) -> list[Voice]:
    """The unlocked tracks that `wish` names (None: all), each as a `Voice`. Raises `Blocked` where there are none."""
    heard = stage.heard()
    grid = Grid(stage.song, Feel(heard.frame.swing, heard.frame.swing_ticks))
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    pitched = [track.id for track in stage.song.tracks if heard.roles[track.id] not in RHYTHMIC]
    pieces = frozenset(PITCHES[piece] for piece in _pieces(wish))
    voices = []
    for track in stage.free(wish):
        instrument = known.get(track.instrument)
        low, high = (instrument.low, instrument.high) if instrument is not None else (0, 127)
        others = Around(stage.song, [other for other in pitched if other != track.id])
        dice = stage.dice.of(f"notes {track.id}")
        voices.append(Voice(track, heard.roles[track.id], low, high, heard, grid, others, dice, pieces))
    return voices


def tell(voices: Sequence[Voice], voice: Voice, tones: Sequence[Tone]) -> None:
    """Add the new notes of one voice to what the other voices are checked against, so that none gets a note that
    clashes with them. Drums are skipped."""
    for other in voices:
        if other is not voice and not voice.rhythmic:
            for tone in tones:
                other.around.add(tone)


def rewrite(stage: Stage, voice: Voice, change: Change, verb: str, why: str) -> None:
    """Apply `change` to a voice's notes that begin within the stage's spans, clip by clip; other notes are neither
    changed nor cut.

    `verb` and `why` word the plan's row.
    """

    def safe(tones: list[Tone], clip: Clip) -> Sequence[Tone]:
        meant = [tone for tone in tones if not voice.pieces or tone.pitch in voice.pieces]
        rest = [tone for tone in tones if tone not in meant]
        if not meant:
            return tones
        fixed = [note for note in _all(clip) if not stage.inside(note.start) or stage.sketch.guard.closed(note.start)]
        return clear_of([*(_within(tone, stage, clip) for tone in change(meant, clip)), *rest], fixed)

    stage.sketch.each_clip(stage.song.track(voice.track.id), stage.spans, safe, verb, why)


def _within(tone: Tone, stage: Stage, clip: Clip) -> Tone:
    """The tone, moved to the edge of its clip or span where a hand was a little early or late."""
    if stage.inside(tone.start) and clip.start <= tone.start < clip.end:
        return tone
    edges = [max(start, int(clip.start)) for start, end in stage.spans if end > clip.start and start < clip.end]
    near = min(edges, key=lambda edge: abs(edge - tone.start), default=tone.start)
    if 0 < near - tone.start <= _EARLY:
        return Tone(near, tone.pitch, max(SHORTEST, tone.end - near), tone.velocity)
    return tone


def clear_of(tones: Sequence[Tone], fixed: Sequence[Tone]) -> list[Tone]:
    """The tones without those that begin while a fixed tone of their pitch sounds; others are cut where a fixed one
    begins."""
    by_pitch: dict[int, list[Tone]] = {}
    for tone in fixed:
        by_pitch.setdefault(tone.pitch, []).append(tone)
    clear = []
    for tone in tones:
        same = by_pitch.get(tone.pitch, ())
        begins = [other.start for other in same if other.start >= tone.start]
        length = min([tone.length, *(start - tone.start for start in begins)])
        if length >= min(SHORTEST, tone.length) and not any(other.start <= tone.start < other.end for other in same):
            clear.append(Tone(tone.start, tone.pitch, length, tone.velocity))
    return clear


def louder(tone: Tone, factor: float) -> Tone:
    """The tone with its velocity multiplied by `factor` and kept within 1 to 127; a factor other than 1 changes it by
    at least 1 where possible."""
    velocity = round(tone.velocity * factor)
    if velocity == tone.velocity and factor != 1:
        velocity += 1 if factor > 1 else -1
    return Tone(tone.start, tone.pitch, tone.length, max(1, min(127, velocity)))


def _all(clip: Clip) -> list[Tone]:
    return [Tone(clip.start + n.start, n.pitch, n.duration, n.velocity) for n in clip.notes]


def _pieces(wish: Wish | None) -> tuple[Drum, ...]:
    return wish.pieces if wish is not None else ()
