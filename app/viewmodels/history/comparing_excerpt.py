"""What part of a comparison is heard: one track alone, and the bars in which it differs, again and again."""

from __future__ import annotations

from agent.song.ids import TrackId
from app.studio.observable import Observable
from app.viewmodels.history.comparing import Comparison, DifferingTrack
from app.viewmodels.history.difference_sound import beside_of
from app.viewmodels.transport.playback import Playback


class Excerpt:
    """Loop and solo of the transport while versions are compared; `close` restores those from before, unless the person
    has changed them meanwhile."""

    def __init__(self, comparison: Comparison, playback: Playback) -> None:
        self._comparison = comparison
        self._playback = playback
        self._solo_before = playback.solo.value
        self._solo_ours = playback.solo.value
        self._loop_before = self._loop_ours = playback.state.value.loop, playback.state.value.looping
        self.changed: Observable[None] = Observable()
        """Emitted when the loop or the soloed track has changed."""
        self._silencers = (
            playback.state.changed.listen(lambda _: self.changed.emit(None)),
            playback.solo.changed.listen(lambda _: self.changed.emit(None)),
        )

    @property
    def looping(self) -> bool:
        """Whether playback loops."""
        return self._playback.state.value.looping

    @property
    def bars(self) -> tuple[int, int] | None:
        """First and last bar of the loop; None without one."""
        loop = self._playback.state.value.loop
        marks = self._comparison.b.bar_map
        return None if loop is None else (marks.bar_at(loop[0]), marks.bar_at(loop[1] - 1))

    def repeat(self, bars: tuple[int, int] | None) -> None:
        """Loop these bars (inclusive); None ends looping."""
        marks = self._comparison.b.bar_map
        span = None if bars is None else (marks.start_of(bars[0]), marks.start_of(bars[1] + 1))
        self._playback.set_loop(span or self._playback.state.value.loop, span is not None)
        self._loop_ours = self._playback.state.value.loop, self._playback.state.value.looping

    def is_alone(self, track: TrackId | None) -> bool:
        """Whether only this track is soloed."""
        return track is not None and self._playback.solo.value == _alone(track)

    def hear_alone(self, track: TrackId | None) -> None:
        """Solo this track in whatever is played; None ends the solo."""
        self._solo_ours = frozenset() if track is None else _alone(track)
        self._playback.solo.set(self._solo_ours)

    def close(self) -> None:
        """Restore loop and solo from before."""
        for silence in self._silencers:
            silence()
        playback = self._playback
        if playback.solo.value == self._solo_ours:
            playback.solo.set(self._solo_before)
        if (playback.state.value.loop, playback.state.value.looping) == self._loop_ours:
            playback.set_loop(*self._loop_before)


def differing_bars(comparison: Comparison, track: DifferingTrack | None) -> tuple[int, int] | None:
    """First and last bar in which notes of a track differ; with None, or if none of its notes do, those of all tracks;
    None if no notes differ."""
    spans = [one.bars for one in ((track,) if track is not None and track.bars else comparison.tracks) if one.bars]
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def _alone(track: TrackId) -> frozenset[TrackId]:
    """The track, and the one beside it on which its removed notes sound."""
    return frozenset((track, beside_of(track)))
