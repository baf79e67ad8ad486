"""What a changed song keeps of itself: its melody, its chord roots, and all that was not asked to change."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.harmony import bar_chords
from agent.theory.melody import melody_line, melody_track, similarity
from agent.theory.pitch import intervals
from agent.theory.sounding import Sounding, kit_tracks, percussive_tracks
from tests.benchmarks.music.excerpts import Span, strokes


def melody_kept(before: Song, after: Song, palette: Palette) -> float:
    """How much of the old melody is heard, 0-1: in the new one, or in whichever track carries it now.

    Counted in semitones, and in steps of the key, so that a change from minor to major alone takes nothing away.
    """
    singer = melody_track(before, palette)
    if singer is None:
        return 1.0
    old = melody_line(before, {singer})
    drums = percussive_tracks(after, palette)
    lines = [melody_line(after, {track.id}) for track in after.tracks if track.id not in drums and not track.mute]
    lines.append(melody_line(after, None, drums))
    steps = _in_steps(old, before.key)
    return max(max(similarity(old, line), similarity(steps, _in_steps(line, after.key))) for line in lines)


def roots_kept(before: Song, after: Song, palette: Palette) -> float:
    """Share of chord roots that stay, 0-1, each as a degree of its own song's key.

    Bar against bar, also at half and double time; where bars were put in or taken out or are of another length, in
    the best match that keeps the order. Of two songs that state their chords these count: what is heard of Dm7 without
    its root is F.
    """
    stated = bool(before.chords) and bool(after.chords)
    a, b = (_stated(song) if stated else degrees(song, palette) for song in (before, after))
    if not a or not b:
        return 1.0
    found = [_agree(a, b), _agree(a[::2], b), _agree(a, b[::2])]
    if len(a) != len(b) or before.bar_map.shape(1, 1)[0] != after.bar_map.shape(1, 1)[0]:
        common = _longest_common([x for x in a if x is not None], [y for y in b if y is not None])
        found.append(common / max(1, min(len(a), len(b))))
    return max(found)


def degrees(song: Song, palette: Palette) -> list[int | None]:
    """The chord root of each bar as twice its degree in the key (a semitone above it odd); None without pitches."""
    roots = bar_chords(song, kit_tracks(song, palette))
    return [None if chord is None else degree(chord.root, song.key) for chord in roots]


def _stated(song: Song) -> list[int | None]:
    """The degree of the chord that the song states at the beginning of each bar; None where it states none."""
    bars = song.bar_map
    starts = [bars.start_of(bar) for bar in range(1, song.bars + 1)]
    there = (next((one for one in song.chords if one.start <= start < one.end), None) for start in starts)
    return [None if one is None or one.chord is None else degree(one.chord.root, song.key) for one in there]


def degree(pitch: int, key: Key) -> int:
    """Twice the number of scale steps above the tonic, within an octave; notes between two steps are odd."""
    above = (pitch - key.pitch_class) % 12
    steps = sorted(intervals(key.mode))
    lower = max(index for index, step in enumerate(steps) if step <= above)
    return 2 * lower + (steps[lower] != above)


def outside_changed(before: Song, after: Song, old: Sequence[Span], new: Sequence[Span] | None = None) -> str:
    """What differs in bars that were not to change ("" for nothing): notes of any track, or the sound of old ones.

    `new` are the same bars where they lie afterwards, if they moved.
    """
    was, now = strokes(before, old), strokes(after, old if new is None else new)
    names = {track.id: track.name for track in (*before.tracks, *after.tracks)}
    differing = [names[TrackId(key)] for key in sorted(was.keys() | now.keys()) if was.get(key) != now.get(key)]
    if differing:
        return f"notes outside differ on {', '.join(differing)}"
    sounds = {track.id: _sound(after, track.id) for track in after.tracks}
    other = [t.name for t in before.tracks if t.id in sounds and sounds[t.id] != _sound(before, t.id)]
    if other:
        return f"the sound of {', '.join(other)} differs, also outside"
    if before.tempos[0].bpm != after.tempos[0].bpm or before.key != after.key:
        return "tempo or key differ, also outside"
    return ""


def _sound(song: Song, track_id: TrackId) -> object:
    track = song.track(track_id)
    chain = [(effect.name, effect.params, effect.enabled) for effect in track.effects]
    return track.instrument, track.volume_db, track.pan, track.mute, chain


def _in_steps(line: Sequence[Sounding], key: Key) -> tuple[Sounding, ...]:
    """The line with scale steps in place of semitones."""
    octaves = [(note.pitch - key.pitch_class) // 12 for note in line]
    return tuple(
        replace(note, pitch=7 * octave + degree(note.pitch, key) // 2)
        for note, octave in zip(line, octaves, strict=True)
    )


def _agree(a: Sequence[int | None], b: Sequence[int | None]) -> float:
    pairs = [(x, y) for x, y in zip(a, b, strict=False) if x is not None and y is not None]
    return sum(x == y for x, y in pairs) / len(pairs) if pairs else 0.0


def _longest_common(a: Sequence[int], b: Sequence[int]) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        above = row
        row = [0]
        for index, y in enumerate(b):
            row.append(above[index] + 1 if x == y else max(above[index + 1], row[index]))
    return row[-1]

