"""What a song measures like: density, lengths, cover, pitch content."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.theory import key_finding
from agent.theory.key_finding import FoundKey
from agent.theory.pitch import in_scale
from agent.theory.sounding import Sounding, pitched, sounding, strokes


def onsets_per_bar(song: Song) -> float:
    """Note starts (drums too, every note of a chord counts) for each bar of the song; 0 for an empty song."""
    return per_bar(len(sounding(song)), song.bars)


def per_bar(count: float, bars: int) -> float:
    """The count divided by the number of bars; 0 without bars."""
    return count / bars if bars else 0.0


def attacks_per_bar(song: Song) -> float:
    """Different moments at which any note starts, for each bar of the song."""
    return per_bar(len(strokes(sounding(song))), song.bars)


def mean_note_beats(song: Song, kits: Collection[TrackId] = ()) -> float:
    """Mean length in beats of the notes outside `kits`; 0 when there are none."""
    return mean_beats(pitched(song, kits))


def mean_beats(notes: Sequence[Sounding]) -> float:
    """Mean length of notes in beats; 0 without any."""
    return sum(note.beats for note in notes) / len(notes) if notes else 0.0


def mean_pitch(notes: Sequence[Sounding]) -> float:
    """Mean MIDI pitch of notes; 0 without any."""
    return sum(note.pitch for note in notes) / len(notes) if notes else 0.0


def mean_velocity(notes: Sequence[Sounding]) -> float:
    """Mean velocity of notes, 1-127; 0 without any."""
    return sum(note.velocity for note in notes) / len(notes) if notes else 0.0


def percussion_hits(song: Song, percussive: Collection[TrackId]) -> int:
    """The number of notes on the tracks in `percussive`."""
    return len(sounding(song, percussive))


def sustained_share(song: Song, tracks: Collection[TrackId], *, needed: float = 0.5) -> float:
    """Share of the song's bars, 0-1, in which notes of `tracks` sound for at least `needed` of the bar."""
    held = _merged(sounding(song, tracks))
    covered, first = 0, 0
    for bar in range(1, song.bars + 1):
        start, end = song.bar_map.span(bar, bar)
        while first < len(held) and held[first][1] <= start:
            first += 1
        at, sounds = first, 0
        while at < len(held) and held[at][0] < end:
            sounds += min(end, held[at][1]) - max(start, held[at][0])
            at += 1
        covered += sounds >= needed * (end - start)
    return covered / song.bars if song.bars else 0.0


def pitch_histogram(song: Song, kits: Collection[TrackId] = ()) -> tuple[float, ...]:
    """Beats sounded by each pitch class from C to B, outside `kits`."""
    return histogram(pitched(song, kits))


def histogram(notes: Iterable[Sounding]) -> tuple[float, ...]:
    """Beats sounded by each pitch class from C to B."""
    weights = [0.0] * 12
    for note in notes:
        weights[note.pitch % 12] += note.beats
    return tuple(weights)


def key_of(song: Song, kits: Collection[TrackId] = ()) -> FoundKey:
    """The key that the notes outside `kits` suggest; the song's own key is not looked at."""
    return key_finding.find_key(pitch_histogram(song, kits))


def key_fit(notes: Sequence[Sounding], key: Key, borrowed: Collection[int] = ()) -> float:
    """Share of notes (by count, 0-1) whose pitch class is in the key or in `borrowed`; 1 without notes."""
    if not notes:
        return 1.0
    allowed = {pc for pc in range(12) if in_scale(key, pc)} | {pc % 12 for pc in borrowed}
    return sum(note.pitch % 12 in allowed for note in notes) / len(notes)


def _merged(notes: Iterable[Sounding]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for note in notes:
        if spans and note.start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], note.end))
        else:
            spans.append((note.start, note.end))
    return spans
