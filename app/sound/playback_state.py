"""What a player of a project and its threads share: two songs, the mix player, and a lock around them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from threading import Condition
from typing import Literal

from agent.errors import BandleaderError
from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks
from app.sound.ab_source import ABSource
from app.sound.deck import Deck, Faders, Mixer
from app.sound.errors import SoundError
from app.sound.part import frame_at
from app.sound.player import MixPlayer, moved
from app.sound.processed import CHUNK

SideName = Literal["song", "plan"]
""""song" for the song as it is, "plan" for what the plan would make of it."""


class PlaybackState:
    """The state that the player's threads share: both sides and the player. `lock` guards everything but the player,
    which never waits; it is notified when there may be new work."""

    def __init__(
        self, palette: Palette, told: Callable[[], None], failed: Callable[[Exception], None]
    ) -> None:
        self.lock = Condition()
        self.sides: dict[SideName, ABSource] = {"song": ABSource(palette), "plan": ABSource(palette)}
        self.player = MixPlayer(told)
        self.told = told
        self.closed = False
        self.changed_at = 0.0
        """When a song was shown last, by the monotonic clock."""
        self.changes = 0
        """How often something else became urgent: another song, side or place."""
        self._failed = failed
        self._failures: set[str] = set()
        self._wished: SideName = "song"
        self._solo: frozenset[TrackId] = frozenset()
        self._faders: Faders = {}
        self._mixer = Mixer(CHUNK)

    def show(self, name: SideName, song: Song | None) -> None:
        """Set a side to another version of its song; None: no song."""
        with self.lock:
            if song is self.sides[name].song:
                return
            heard = self.listened
            try:
                self.sides[name].show(song)
            except SoundError as error:
                self.fail(error)
            self.changed_at = time.monotonic()
            self.changes += 1
            if heard != self.listened or (self.player.playing and self.sides[heard].fresh_master):
                self._publish_warm()
            else:
                self.publish()
            self.lock.notify_all()

    def mix(self, solo: frozenset[TrackId], faders: Faders) -> None:
        """Set the soloed tracks, and the faders being dragged."""
        with self.lock:
            self._solo, self._faders = solo, faders
            self.publish()

    def listen(self, name: SideName) -> None:
        """Switch to a side from the next block on."""
        with self.lock:
            heard, self._wished = self.listened, name
            if heard != self.listened:
                self._publish_warm()
            self.changes += 1
            self.lock.notify_all()

    def play(self, at: Ticks) -> None:
        """Play from a tick, and retry what failed before."""
        with self.lock:
            self._failures.clear()
            for side in self.sides.values():
                side.failed.clear()
            self.player.jump(self._frame(at), playing=False)
            self._publish_warm()
            self.player.jump(self._frame(at), playing=True)
            self.changes += 1
            self.lock.notify_all()

    def seek(self, at: Ticks) -> None:
        """Move the playhead to a tick."""
        with self.lock:
            self.player.jump(self._frame(at), playing=self.player.playing)
            self.changes += 1
            self.lock.notify_all()

    @property
    def listened(self) -> SideName:
        """The side that is heard: the chosen one, or "song" if that has no song."""
        return self._wished if self.sides[self._wished].song is not None else "song"

    @property
    def order(self) -> tuple[ABSource, ABSource]:
        """Both sides, first the one that is heard."""
        return self.sides[self.listened], self.sides["plan" if self.listened == "song" else "song"]

    @property
    def share(self) -> float | None:
        """Share (0-1) of the sound of the heard side that is ready; None when all is."""
        with self.lock:
            return self.sides[self.listened].share

    def publish(self) -> None:
        """Hand the player a deck of what can be heard now; to be called with the lock held."""
        self.player.want(replace(self.player.wanted, deck=self._deck()))

    def fail(self, error: Exception) -> None:
        """Report an error, unless the same was reported since the last play; to be called with the lock held."""
        what = error.what if isinstance(error, BandleaderError) else repr(error)
        if what not in self._failures:
            self._failures.add(what)
            self._failed(error)

    def close(self) -> None:
        """Let the threads end."""
        with self.lock:
            self.closed = True
            self.lock.notify_all()

    def _deck(self) -> Deck | None:
        """What is heard. Of two sides the shorter one goes on in silence until the longer one ends: a person who goes
        from one to the other stays at the same place, also where one of them has nothing."""
        side, other = self.order
        deck = side.deck(self._solo, self._faders, other if self.listened == "plan" else None)
        if deck is None or other.song is None:
            return deck
        return replace(deck, end=max(deck.end, moved(other.end, other.song, deck.song)))

    def _publish_warm(self) -> None:
        """As `publish`, with master effects that know what stands before the playhead."""
        deck = self._deck()
        if deck is not None:
            deck = self.sides[self.listened].warm_master(self._mixer, deck, self.player.heard)
        self.player.want(replace(self.player.wanted, deck=deck))

    def _frame(self, at: Ticks) -> int:
        song = self.sides[self.listened].song
        return 0 if song is None else frame_at(song, at)
