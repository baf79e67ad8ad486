"""What sounds around a note: the other tracks, and whether a pitch would rub against them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from agent.composer.tones import Tone
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.sounding import sounding

_CELL = 3840


class Around:
    """The notes of some pitched tracks, for checks against clashes. Two notes clash ("rub") at a semitone or a minor
    ninth."""

    def __init__(self, song: Song, tracks: Collection[TrackId]) -> None:
        self._cells: dict[int, list[Tone]] = defaultdict(list)
        for note in sounding(song, tracks):
            self.add(Tone(note.start, note.pitch, note.end - note.start, note.velocity))

    def add(self, tone: Tone) -> None:
        """Add a note to those that are checked against."""
        for cell in range(tone.start // _CELL, (tone.end - 1) // _CELL + 1):
            self._cells[cell].append(tone)

    def over(self, start: int, end: int) -> list[Tone]:
        """The notes that sound between two ticks. An overlap at either edge does not count if it is at most 60 ticks,
        or a quarter of the stretch if that is less."""
        slack = min(60, (end - start) // 4)
        cells = range(start // _CELL, max(start, end - 1) // _CELL + 1)
        found = [
            tone for cell in cells for tone in self._cells.get(cell, ())
            if tone.start < end - slack and tone.end > start + slack
        ]
        return list(dict.fromkeys(found))

    def rubs(self, pitch: int, start: int, end: int) -> bool:
        """Whether the pitch would clash with a note between two ticks: a semitone or a minor ninth apart."""
        return rubs(pitch, (tone.pitch for tone in self.over(start, end)))

    def lowest(self, start: int, end: int) -> int | None:
        """The lowest pitch that sounds between two ticks; None without notes."""
        return min((tone.pitch for tone in self.over(start, end)), default=None)


def rubs(pitch: int, others: Iterable[int]) -> bool:
    """Whether a pitch is a semitone or a minor ninth from one of the others."""
    return any(abs(pitch - other) in (1, 13) for other in others)
