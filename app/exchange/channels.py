"""Which MIDI channel each track plays on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.song.palette import Instrument
from agent.song.track import Track

DRUMS = 9
_MELODIC = tuple(channel for channel in range(16) if channel != DRUMS)
_ON_CHANNEL = frozenset({"volume_db", "pan", "pedal", "bend", "expression", "modulation"})


class Seat(Struct, frozen=True):
    """A channel (0-15, 9 is the drums) on a MIDI port."""

    port: int
    channel: int


def seats(tracks: Sequence[tuple[Track, Instrument]]) -> tuple[Seat, ...]:
    """One seat for each track, in order.

    A port has one channel for kits and fifteen for the rest. While they last, each track has its own. Then a
    track without automation sits with an earlier one of the same instrument, volume and pan, also without
    automation: it sounds the same. All others, and kits that differ, take the next port.
    """
    taken: list[Seat] = []
    shareable: dict[tuple[object, ...], Seat] = {}
    for track, instrument in tracks:
        sound = _sound(track, instrument)
        free = _free(taken, instrument)
        seat = free if free.port == 0 else shareable.get(sound, free) if sound else free
        if sound:
            shareable.setdefault(sound, seat)
        taken.append(seat)
    return tuple(taken)


def _sound(track: Track, instrument: Instrument) -> tuple[object, ...]:
    if any(lane.target in _ON_CHANNEL for lane in track.automation):
        return ()
    return (instrument.bank, instrument.program, track.volume_db, track.pan, track.mute)


def _free(taken: Sequence[Seat], instrument: Instrument) -> Seat:
    port = 0
    while True:
        for channel in (DRUMS,) if instrument.is_kit else _MELODIC:
            if (seat := Seat(port, channel)) not in taken:
                return seat
        port += 1
