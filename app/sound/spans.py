"""Where the parts of a track sound, found by time and not by asking each of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from app.sound.part import GRID, LONGEST_TAIL, SAMPLE_RATE
from app.sound.renderer import PlacedPart

_TAIL = int(LONGEST_TAIL * SAMPLE_RATE)


class Spans:
    """Finds the parts of a track that sound in a range of frames. `lengths` are known lengths in frames by cache key;
    until `learn`, a part is assumed to be as long as it may be."""

    def __init__(self, parts: Sequence[PlacedPart], lengths: Mapping[str, int]) -> None:
        self._lengths = dict(lengths)
        self._parts = parts
        self._order = sorted(range(len(parts)), key=lambda place: parts[place].frame)
        self._frames = [parts[place].frame for place in self._order]
        self._last = {placed.key: placed for placed in sorted(parts, key=lambda one: one.frame)}
        """The last place at which each sounds."""
        self._longest = max((self._length(placed) for placed in self._last.values()), default=0)
        self.end = self._measured()
        """Frame behind which all is silent."""

    @property
    def lengths(self) -> Mapping[str, int]:
        """Known lengths in frames by cache key."""
        return self._lengths

    def learn(self, key: str, frames: int) -> None:
        """Set the length in frames of the part with this cache key, which was rendered."""
        last = self._last.get(key)
        before = 0 if last is None else self.of(last)[1]
        self._lengths[key] = frames
        if last is None:
            return
        self._longest = max(self._longest, frames)
        after = last.frame + frames
        if after >= self.end:
            self.end = after
        elif before == self.end:
            self.end = self._measured()

    def of(self, placed: PlacedPart) -> tuple[int, int]:
        """(first frame, end) of a part in the song; the part may belong to another track."""
        return placed.frame, placed.frame + self._length(placed)

    def between(self, start: int, end: int) -> Iterator[PlacedPart]:
        """The parts that overlap the frames from `start` to `end`, in their own order, in which they must be added
        up."""
        first, last = bisect_left(self._frames, start - self._longest), bisect_left(self._frames, end)
        for place in sorted(self._order[first:last]):
            placed = self._parts[place]
            if placed.frame + self._length(placed) > start:
                yield placed

    def _length(self, placed: PlacedPart) -> int:
        known = self._lengths.get(placed.key)
        return placed.part.events[-1][0] * GRID + _TAIL if known is None else known

    def _measured(self) -> int:
        return max((self.of(placed)[1] for placed in self._last.values()), default=0)
