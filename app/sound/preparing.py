"""The threads behind a player of a project: one makes tracks ready to be heard, one measures whole songs."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from threading import Thread

from agent.message import msg
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from app.sound.ab_source import ABSource, MixKey
from app.sound.errors import RenderCancelledError, SoundError
from app.sound.measuring import Measured, measured
from app.sound.playback_state import PlaybackState
from app.sound.processed import CHUNK
from app.sound.render_cache import RenderCache
from app.sound.renderer import Cancelled, PlacedPart
from app.sound.track_work import TrackWork

AHEAD = 4
"""Chunks from the playhead on (2.7 s) that are rendered before all others."""
QUIET_FOR = 0.5
"""Seconds without a change after which a song is measured."""
REMEMBERED = 8
"""Number of cached measurements, so that undo and a plan shown again have their level at once."""

_TELL_EVERY = 0.2
_AHEAD_FOR_EACH = 4
"""Parts that are given at once for each process to render ahead: of different tracks, as each loads its samples."""

Span = tuple[int, int | None]
"""Chunks from the first number to before the second (None: to the last)."""


class Preparing(Thread):
    """A thread that renders chunks, always the most urgent first.

    Work longer than some 20 ms is dropped when something else becomes urgent, and done again later. The chunk at the
    playhead is never dropped: otherwise it would stay silent as long as a drag sends one edit after another."""

    def __init__(self, stage: PlaybackState, render_cache: RenderCache) -> None:
        super().__init__(name="bandleader-prepare", daemon=True)
        self._stage = stage
        self._render_cache = render_cache
        self._published = 0.0
        self._looking_ahead = ThreadPoolExecutor(1, "bandleader-ahead")
        self._ahead: Future[None] = Future()
        self._ahead.set_result(None)
        self._ahead_since = 0
        self._in_need = False
        self.start()

    def run(self) -> None:
        """Work until the stage is closed."""
        try:
            self._work()
        finally:
            self._looking_ahead.shutdown()

    def _work(self) -> None:
        rested = False
        while not self._stage.closed:
            with self._stage.lock:
                work = self._next()
                if work is not None:
                    rested = False
                elif rested:
                    self._wait()
                    rested = False
                    continue
                else:
                    work, rested = self._resting(), True
            work()

    def _resting(self) -> Callable[[], None]:
        """Tell that all is made; what is left to do is to forget what no song shows, which needs no lock."""
        self._stage.publish()
        self._stage.told()
        used = {key for side in self._stage.sides.values() for key in side.wet_keys()}
        return partial(self._render_cache.trim, used)

    def _wait(self) -> None:
        if not self._stage.closed:
            self._stage.lock.notify_all()
            self._stage.lock.wait()

    def _next(self) -> Callable[[], None] | None:
        """The most urgent piece of work: know what changed, then what is heard next, then all else."""
        order = self._stage.order
        for side in order:
            track = side.stale()
            if track is not None and side.song is not None:
                return self._resolving(side, side.song, track)
        head, overtaken = self._stage.player.heard // CHUNK, self._overtaken()
        works = {side: [work for _, work in side.works() if not work.done] for side in order}
        for side in order:
            for number in range(head, head + AHEAD):
                wanting = [work for work in works[side] if work.wants(number)]
                if wanting:
                    cancelled = self._closed if side is order[0] and number == head else overtaken
                    return self._making(wanting, partial(wanting[0].bring, number, cancelled), (number, number + 1))
        for side in order:
            if works[side]:
                return self._making(works[side], partial(works[side][0].proceed, head, overtaken), (head, None))
        return None

    def _render_together(self, works: Sequence[TrackWork], span: Span) -> None:
        """If the first of several tracks lacks a part of some chunks, render one of each of the next at the same
        time."""
        if not _lacking(works[:1], span, 1):
            return
        self._in_need = span[1] is not None
        try:
            parts = _lacking(works, span, self._render_cache.together)
            self._render_cache.render_together(parts, self._closed, self._overtaken())
        except RenderCancelledError:
            raise
        except SoundError:
            # Whose fault it is shows when each is rendered alone.
            return
        finally:
            self._in_need = False

    def _render_ahead(self, works: Sequence[TrackWork], span: Span) -> None:
        """Let parts of tracks be rendered while the chunks of another one are made, until something is urgent. After
        one that failed, which is told when its track is reached, no more are until something changes."""
        if not self._ahead.done() or (self._ahead.exception() is not None and self._stage.changes == self._ahead_since):
            return
        overtaken = self._overtaken()
        parts = _lacking(works, span, _AHEAD_FOR_EACH * self._render_cache.together)

        def render() -> None:
            with suppress(RenderCancelledError):
                self._render_cache.render_together(parts, lambda: self._in_need or overtaken())

        if parts:
            self._ahead_since = self._stage.changes
            self._ahead = self._looking_ahead.submit(render)

    def _closed(self) -> bool:
        return self._stage.closed

    def _overtaken(self) -> Cancelled:
        """Whether, from now on, something else has become urgent."""
        stage, changes = self._stage, self._stage.changes
        return lambda: stage.closed or stage.changes != changes

    def _resolving(self, side: ABSource, song: Song, track: Track) -> Callable[[], None]:
        def resolve() -> None:
            try:
                work = self._render_cache.work(song, track, self._before(side, song, track))
            except Exception as error:
                with self._stage.lock:
                    side.failed.add(track.id)
                    self._stage.fail(error)
                return
            with self._stage.lock:
                if side.song is song:
                    side.adopt(track, work)
                    # What was made before, as after an undo, has nothing left to make that would tell of it.
                    if not work.wants(self._stage.player.heard // CHUNK):
                        self._stage.publish()

        return resolve

    def _before(self, side: ABSource, song: Song, track: Track) -> TrackWork | None:
        """What the track sounded like so far: on this side, else on the other."""
        with self._stage.lock:
            other = next(one for one in self._stage.order if one is not side)
            before = side.before(track)
            if before is None and other.song is not None and other.song.tempos == song.tempos:
                before = other.before(track)
            return before

    def _making(
        self, works: Sequence[TrackWork], act: Callable[[], bool], span: Span
    ) -> Callable[[], None]:
        """Do `act` for the first of several tracks, which wants these chunks."""
        work, urgent = works[0], span[1] is not None

        def make() -> None:
            try:
                self._render_together(works, span)
                if not urgent:
                    self._render_ahead(works[1:], span)
                heard = act()
            except RenderCancelledError:
                return
            except Exception as error:
                with self._stage.lock:
                    for side in self._stage.order:
                        side.failed |= {name for name, one in side.works() if one is work}
                    self._stage.fail(error)
                return
            now = time.monotonic()
            if heard and (urgent or work.done or now - self._published > _TELL_EVERY):
                with self._stage.lock:
                    self._stage.publish()
                if now - self._published > _TELL_EVERY:
                    self._published = now
                    self._stage.told()

        return make


def _lacking(works: Sequence[TrackWork], span: Span, most: int) -> list[PlacedPart]:
    """The first part of each track that was never rendered, of at most so many tracks."""
    each = (next(work.lacking(*span), None) for work in works)
    return list(islice((placed for placed in each if placed is not None), most))


class Measuring(Thread):
    """A thread that measures each side once it is rendered and has not changed for a moment."""

    def __init__(self, stage: PlaybackState, palette: Palette) -> None:
        super().__init__(name="bandleader-measure", daemon=True)
        self._stage = stage
        self._palette = palette
        self._known: OrderedDict[MixKey, Measured] = OrderedDict()
        self.start()

    def run(self) -> None:
        """Measure until the stage is closed."""
        while not self._stage.closed:
            with self._stage.lock:
                side = self._next()
                if side is None:
                    continue
                song, key, deck = side.song, side.key, side.deck(frozenset(), {}, None)
            assert deck is not None

            def check(side: ABSource = side, song: Song | None = song) -> None:
                if self._stage.closed or side.song is not song:
                    raise RenderCancelledError(msg("the song has changed"))

            try:
                result = self._known.get(key) or measured(deck, self._palette, check)
            except RenderCancelledError:
                continue
            except Exception as error:
                result = Measured(deck.level, None, deck.end)
                with self._stage.lock:
                    self._stage.fail(error)
            self._keep(side, song, key, result)

    def _next(self) -> ABSource | None:
        """The next side to measure; waits, with the lock held, when there is none yet."""
        for side in self._stage.order:
            if side.song is not None and side.ready and side.key != side.measured_key:
                quiet = self._stage.changed_at + QUIET_FOR - time.monotonic()
                if quiet <= 0 or side.key in self._known:
                    return side
                self._stage.lock.wait(quiet)
                return None
        if not self._stage.closed:
            self._stage.lock.wait()
        return None

    def _keep(self, side: ABSource, song: Song | None, key: MixKey, result: Measured) -> None:
        self._known[key] = result
        self._known.move_to_end(key)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        with self._stage.lock:
            if side.song is song:
                side.measured, side.measured_key = result, key
                self._stage.publish()
        self._stage.told()
