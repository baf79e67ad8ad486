"""Faders that keys move, until the song has them."""

from __future__ import annotations

from collections.abc import Callable

from agent.song.apply import apply_all
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track
from app.viewmodels.edits.clip_edits import HandEdit
from app.viewmodels.edits.keyed_mix import KeyedMix

ONE = TrackId("one")
NOW = (-6.0, 0.0)


class _Desk:
    """Hears previews, and lets edits wait until they are told to arrive."""

    def __init__(self) -> None:
        self.heard: list[tuple[float | None, float | None]] = []
        self.song = Song("S", tracks=(Track(ONE, "Bass", "piano_grand", volume_db=-6.0),))
        self.waiting: list[tuple[HandEdit, Callable[[], None]]] = []
        self.mix = KeyedMix(
            lambda _, volume, pan: self.heard.append((volume, pan)),
            lambda hand, settled: self.waiting.append((hand, settled)),
        )

    def arrive(self, *, refused: bool = False) -> None:
        """The edit that has waited longest is in the song."""
        hand, settled = self.waiting.pop(0)
        if not refused:
            self.song = apply_all(self.song, hand.edits)
        settled()

    @property
    def shown(self) -> tuple[float, float]:
        """Volume and pan as they are shown."""
        return self.mix.of(ONE, self.song.tracks[0].volume_db, self.song.tracks[0].pan)


def test_the_fader_stands_where_the_keys_left_it_until_the_song_has_it() -> None:
    desk = _Desk()
    desk.mix.nudge(ONE, NOW, volume=0.5)
    desk.mix.nudge(ONE, NOW, pan=0.1)
    assert desk.heard == [(-5.5, None), (-5.5, 0.1)]
    desk.mix.keep(desk.song)
    desk.mix.keep(desk.song)
    assert len(desk.waiting) == 1, "what is on its way is not sent again"
    assert desk.shown == (-5.5, 0.1)
    desk.arrive()
    assert desk.shown == (-5.5, 0.1)
    assert desk.song.tracks[0].volume_db == -5.5
    assert desk.heard[-1] == (None, None)


def test_keys_that_come_while_an_edit_is_on_its_way_are_heard_on() -> None:
    desk = _Desk()
    desk.mix.nudge(ONE, NOW, volume=0.5)
    desk.mix.keep(desk.song)
    desk.mix.nudge(ONE, NOW, volume=0.5)
    desk.arrive()
    assert desk.shown == (-5.0, 0.0)
    assert desk.heard[-1] == (-5.0, None)
    desk.mix.keep(desk.song)
    desk.arrive()
    assert desk.shown == (-5.0, 0.0)
    assert desk.heard[-1] == (None, None)


def test_a_refused_value_and_a_dropped_one_go_back() -> None:
    desk = _Desk()
    desk.mix.nudge(ONE, NOW, volume=0.5)
    assert desk.mix.drop()
    assert desk.shown == NOW
    assert not desk.mix.drop()
    desk.mix.nudge(ONE, NOW, volume=1.0)
    desk.mix.keep(desk.song)
    desk.mix.nudge(ONE, NOW, volume=1.0)
    assert desk.mix.drop()
    assert desk.shown == (-5.0, 0.0), "what was sent cannot be called back"
    desk.arrive(refused=True)
    assert desk.shown == NOW
    assert desk.heard[-1] == (None, None)
