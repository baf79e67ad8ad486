"""Which instrument of the palette plays a MIDI program."""

from __future__ import annotations

from agent.song.palette import Instrument, Palette

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
