"""Small SoundFonts that are made here: one sound each, a steady tone of a frequency."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

RATE = 48_000


def tone_font(hertz: float = 1000.0, presets: Sequence[tuple[int, int]] = ((0, 0),)) -> bytes:
    """A SoundFont in which every key of every preset (bank, program) sounds at the same frequency."""
    wave = np.sin(2 * np.pi * hertz * np.arange(RATE) / RATE) * 12_000
    samples = wave.astype("<i2").tobytes() + bytes(92)
    rows = [_preset(b"tone", program, bank, number) for number, (bank, program) in enumerate(presets)]
    count = len(presets)
    tables = {
        b"phdr": b"".join(rows) + _preset(b"EOP", 0, 0, count),
        b"pbag": b"".join(struct.pack("<HH", number, 0) for number in range(count + 1)),
        b"pmod": bytes(10),
        b"pgen": struct.pack("<HH", 41, 0) * count + bytes(4),
        b"inst": _name(b"tone") + struct.pack("<H", 0) + _name(b"EOI") + struct.pack("<H", 1),
        b"ibag": struct.pack("<HHHH", 0, 0, 3, 0),
        b"imod": bytes(10),
        # the tone goes round, at one pitch whatever the key
        b"igen": struct.pack("<HHHHHH", 54, 1, 56, 0, 53, 0) + bytes(4),
        b"shdr": _name(b"tone") + struct.pack("<IIIIIBbHH", 0, RATE, 0, RATE, RATE, 60, 0, 0, 1)
        + _name(b"EOS") + bytes(26),
    }
    pdta = b"pdta" + b"".join(_chunk(name, body) for name, body in tables.items())
    info = b"INFO" + _chunk(b"ifil", struct.pack("<HH", 2, 1)) + _chunk(b"INAM", b"tone\0\0")
    body = _chunk(b"LIST", info) + _chunk(b"LIST", b"sdta" + _chunk(b"smpl", samples)) + _chunk(b"LIST", pdta)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"sfbk" + body


def _preset(name: bytes, program: int, bank: int, bag: int) -> bytes:
    return _name(name) + struct.pack("<HHH", program, bank, bag) + bytes(12)


def _name(name: bytes) -> bytes:
    return name.ljust(20, b"\0")


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)
