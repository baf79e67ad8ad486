"""The messages of one channel in one track of a MIDI file by what they mean, and what plays a program."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

from agent.song.palette import Instrument, Palette
from app.exchange import controllers as cc
from app.exchange.raw_notes import RawNote
from app.exchange.smf import RawTrack

Values = list[tuple[int, float]]
"""Raw ticks and values, in order of time."""
_KNOWN = frozenset({cc.BANK, 32, cc.VOLUME, cc.PAN, cc.PEDAL, cc.EXPRESSION, cc.MODULATION})
_PARAMETER = frozenset({cc.RPN, cc.RPN_FINE, cc.DATA, cc.DATA_FINE, 98, 99})
_QUIET = frozenset({cc.SOUND_OFF, cc.NOTES_OFF})
_NO_PARAMETER = (127, 127)


@dataclass(slots=True)
class ChannelEvents:
    """Notes and settings of one channel of a track, in the file's own ticks. `controls` are by controller number;
    `lost` counts what a song cannot hold, by its description; `unfinished` counts notes without an end."""

    strokes: list[RawNote] = field(default_factory=list)
    programs: Values = field(default_factory=list)
    controls: dict[int, Values] = field(default_factory=lambda: defaultdict(list))
    bends: Values = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    unfinished: int = 0


def channel_events(track: RawTrack) -> dict[int, ChannelEvents]:
    """The events of a track by channel (0 to 15); notes without an end last to the end of the track."""
    readers: dict[int, _Reader] = {}
    for at, status, first, second in track.messages:
        channel = status & 0x0F
        if channel not in readers:
            readers[channel] = _Reader(ChannelEvents())
        readers[channel].read(at, status >> 4, first, second)
    for reader in readers.values():
        reader.strand.unfinished = reader.open_notes
        reader.release_all(track.end)
    return {channel: readers[channel].strand for channel in sorted(readers)}


class _Reader:
    """Follows a channel through time: open notes, and the registered parameter being set."""

    def __init__(self, strand: ChannelEvents) -> None:
        self.strand = strand
        self._open: dict[int, deque[tuple[int, int]]] = defaultdict(deque)
        self._parameter = _NO_PARAMETER
        self._range = 2.0

    @property
    def open_notes(self) -> int:
        return sum(len(started) for started in self._open.values())

    def read(self, at: int, kind: int, first: int, second: int) -> None:
        if kind == 0x9 and second:
            self._open[first].append((at, second))
        elif kind in (0x8, 0x9):
            if self._open[first]:
                self._release(first, at)
        elif kind == 0xB:
            self._control(at, first, second)
        elif kind == 0xC:
            self.strand.programs.append((at, first))
        elif kind == 0xE:
            position = (second << 7 | first) - 8192
            self.strand.bends.append((at, cc.wheel_to_bend(position, self._range)))
            self.strand.lost["bends of more than an octave: read as one of an octave"] += cc.passes_range(
                position, self._range
            )
        else:
            self.strand.lost["aftertouch messages"] += 1

    def release_all(self, at: int) -> None:
        for pitch, started in sorted(self._open.items()):
            for _ in range(len(started)):
                self._release(pitch, at)

    def _release(self, pitch: int, at: int) -> None:
        start, velocity = self._open[pitch].popleft()
        self.strand.strokes.append((start, pitch, at, velocity))

    def _control(self, at: int, control: int, value: int) -> None:
        if control in _QUIET:
            self.release_all(at)
        elif control in _PARAMETER:
            self._set_parameter(control, value)
        elif control in _KNOWN:
            self.strand.controls[control].append((at, value))
        elif control != cc.RESET:
            self.strand.lost[f"messages of controller {control}"] += 1

    def _set_parameter(self, control: int, value: int) -> None:
        if control == cc.RPN:
            self._parameter = (value, self._parameter[1])
        elif control == cc.RPN_FINE:
            self._parameter = (self._parameter[0], value)
        elif control in (98, 99):
            self._parameter = _NO_PARAMETER
        elif self._parameter != (0, 0):
            self.strand.lost["messages of registered parameters"] += 1
        elif control == cc.DATA:
            self._range = float(value)
        else:
            self._range = int(self._range) + value / 100


_XG_DRUM_BANK = 127


def is_drums(channel: int, bank: int) -> bool:
    """Whether notes are drums: on channel 10 (number 9), or with the drum bank of XG files."""
    return channel == 9 or bank == _XG_DRUM_BANK


def instrument_for(palette: Palette, program: int, bank: int, *, drums: bool) -> Instrument | None:
    """The instrument with that program and bank, else the nearest; None where there are none of its kind.

    Nearest means the same program in another bank, then the nearest number in the same General MIDI group of
    eight, then the nearest number. For drums: the same kit, else the kit next below.
    """
    kind = [instrument for instrument in palette.instruments if instrument.is_kit == drums]
    if drums:
        return min(kind, key=lambda kit: (kit.program > program, abs(kit.program - program)), default=None)
    return min(
        kind,
        key=lambda one: (
            one.program != program,
            one.bank != bank,
            one.bank,
            one.program // 8 != program // 8,
            abs(one.program - program),
        ),
        default=None,
    )
