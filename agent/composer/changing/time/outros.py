"""An outro made of a song's own bars: its last phrase lets go, and its last chord rings."""

from __future__ import annotations

from agent.composer.changing.hearing.listening import top_line
from agent.composer.changing.time.material import CRASH, HATS, KICK, mean_pitch, mean_velocity, ramped, taken, within
from agent.composer.changing.time.new_sections import Parts, Plot
from agent.composer.styles import RHYTHMIC
from agent.composer.tones import STEP, Tone
from agent.composer.writing.bass import nearest
from agent.song.chord import Chord
from agent.song.track import Track
from agent.theory.chords import diatonic
from agent.theory.voicing import voice


def outro(plot: Plot, close: int) -> Parts:
    """The notes of an outro by track: the last phrase once more, thinning out; from the tick `close` on the last chord
    is held.

    If `close` is the section's end, no chord is held, as the song's own ending follows.
    """
    parts: Parts = {}
    chord = _home(plot)
    for track in plot.tracks:
        role, own = plot.role(track), plot.own(track)
        until = min(close, plot.middle) if role in ("lead", "counter", "percussion", "texture", "arp") else close
        if role == "drums":
            light = [t for t in own if t.start < plot.middle or t.pitch in (*HATS, KICK)]
            own = [t for t in light if t.pitch != CRASH or t.start < plot.middle]
        tones = within(own, plot.at, until)
        if not tones and not own:
            continue
        tones = ramped(tones, plot.at, plot.end, 0.95, 0.7)
        parts[track.id] = [*tones, *_last(plot, track, chord, close)] if close < plot.end else tones
    return parts


def _home(plot: Plot) -> Chord:
    """The last chord of the song where that is home, else the chord on the tonic."""
    key = plot.heard.key
    last = plot.heard.chords[-1].chord if plot.heard.chords else None
    return last if last is not None and last.root == key.pitch_class else diatonic(key, 1)


def _last(plot: Plot, track: Track, chord: Chord, close: int) -> list[Tone]:
    """What a track ends on from `close` to the end of the section."""
    song = plot.heard.song
    usual = taken(track, max(0, int(song.end) - 8 * plot.bar), int(song.end))
    if not usual:
        return []
    role, level, centre = plot.role(track), int(mean_velocity(usual) * 0.85), mean_pitch(usual)
    length = plot.end - close
    if role in RHYTHMIC:
        hits = (KICK, CRASH) if role == "drums" else (usual[0].pitch,)
        return [Tone(close, pitch, 4 * STEP, level) for pitch in hits]
    if role == "bass":
        return [Tone(close, nearest(chord.lowest, centre, max(0, centre - 8), centre + 8), length, level)]
    if role in ("lead", "counter"):
        line = top_line(usual)
        options = [p for p in range(max(0, line[-1].pitch - 7), min(127, line[-1].pitch + 7) + 1) if p in chord]
        pitch = min(options, key=lambda p: (abs(p - line[-1].pitch) + (p % 12 != chord.root), p))
        return [Tone(close, pitch, length, level)]
    if role == "texture":
        return []
    together = max(2, min(4, round(len(usual) / len({tone.start for tone in usual}))))
    shape = voice(chord, centre, None, max(0, centre - 18), min(127, centre + 18), voices=max(3, together))
    return [Tone(close, pitch, length, max(1, level - 2 * order)) for order, pitch in enumerate(shape)]
