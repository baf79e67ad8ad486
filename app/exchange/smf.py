"""The bytes of a standard MIDI file as timed messages.

Decoded here because a file of others must never run past its chunk, kill the program or cost gigabytes:
chunks are measured before they are read, alien ones are skipped, and odd meta events stay bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from agent.message import msg
from app.exchange.errors import ExchangeError

MAX_EVENTS = 3_000_000
END_OF_TRACK = 0x2F
_SMPTE_TEMPO = 120
"""Files timed in seconds are laid on this tempo."""


@dataclass(slots=True)
class RawTrack:
    """A track: channel messages (tick, status, two data bytes), meta events (tick, type, bytes), the number of system
    exclusive messages (`exclusive`), and the tick of its end."""

    messages: list[tuple[int, int, int, int]] = field(default_factory=list)
    metas: list[tuple[int, int, bytes]] = field(default_factory=list)
    exclusive: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Smf:
    """A MIDI file of type 0 or 1 (`kind`). `timed`: its ticks are fractions of a second (SMPTE), so that tempo events
    have no effect."""

    kind: int
    ticks_per_quarter: Fraction
    timed: bool
    tracks: tuple[RawTrack, ...]


def read_smf(data: bytes, name: str) -> Smf:
    """Decode a file, with or without a RIFF envelope; `ExchangeError` with `name` for anything malformed."""
    if data[:4] == b"RIFF" and data[8:12] == b"RMID":
        data = data[max(0, data.find(b"MThd")) :]
    if not data:
        raise unreadable(name, "the file is empty")
    if data[:4] != b"MThd" or len(data) < 14:
        raise unreadable(name, "it does not begin with a MIDI header")
    kind, count, division = (int.from_bytes(data[i : i + 2], "big") for i in (8, 10, 12))
    if kind > 1:
        raise unreadable(name, f"it is of type {kind}; types 0 and 1 hold one song")
    quarter, timed = _quarter(division, name)
    chunks = _track_chunks(data, name)
    if len(chunks) < max(1, count):
        raise unreadable(name, f"it announces {count} tracks and holds {len(chunks)}")
    tracks: list[RawTrack] = []
    budget = MAX_EVENTS
    for number, chunk in enumerate(chunks, 1):
        tracks.append(_track(chunk, f"track {number}", name, budget))
        budget -= len(tracks[-1].messages) + len(tracks[-1].metas)
    return Smf(kind, quarter, timed, tuple(tracks))


def unreadable(name: str, why: str) -> ExchangeError:
    """The error for a file that cannot be imported; `name` is the file's, `why` the reason."""
    return ExchangeError(
        msg("cannot import {name}", name=name), why=why, fix=msg("export the file again, or try another one"),
    )


def _quarter(division: int, name: str) -> tuple[Fraction, bool]:
    if division & 0x8000:
        frames, parts = 256 - (division >> 8), division & 0xFF
        if frames not in (24, 25, 29, 30) or not parts:
            raise unreadable(name, "its time division is impossible")
        rate = Fraction(30_000, 1001) if frames == 29 else Fraction(frames)
        return rate * parts * 60 / _SMPTE_TEMPO, True
    if not division:
        raise unreadable(name, "its time division is zero")
    return Fraction(division), False


def _track_chunks(data: bytes, name: str) -> list[bytes]:
    found: list[bytes] = []
    at = 0
    while at + 8 <= len(data):
        kind, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "big")
        at += 8
        if at + length > len(data):
            if found and kind != b"MTrk":
                break
            raise unreadable(name, f"a chunk of {length:,} bytes is cut off after {len(data) - at:,}")
        if kind == b"MTrk":
            found.append(data[at : at + length])
        at += length
    return found


def _track(data: bytes, where: str, name: str, budget: int) -> RawTrack:
    track = RawTrack()
    at = now = running = 0
    try:
        while at < len(data):
            delta, at = _variable(data, at)
            now += delta
            status = data[at]
            if status >= 0x80:
                at += 1
            else:
                status = running
            if status == 0xFF:
                kind = data[at]
                at, body = _body(data, at + 1)
                if kind == END_OF_TRACK:
                    break
                track.metas.append((now, kind, body))
            elif status in (0xF0, 0xF7):
                at, _ = _body(data, at)
                track.exclusive += 1
            elif 0x80 <= status < 0xF0:
                running = status
                wide = not 0xC0 <= status < 0xE0
                first, second = data[at], data[at + 1] if wide else 0
                if first > 127 or second > 127:
                    raise ValueError(f"a data byte above 127 at byte {at}")
                track.messages.append((now, status, first, second))
                at += 1 + wide
            else:
                raise ValueError(f"no MIDI message at byte {at}")
            if len(track.messages) + len(track.metas) > budget:
                raise ValueError(f"more than {MAX_EVENTS:,} events")
    except IndexError:
        raise unreadable(name, f"{where} ends in the middle of an event") from None
    except ValueError as error:
        raise unreadable(name, f"{where}: {error}") from None
    track.end = now
    return track


def _variable(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for step in range(4):
        byte = data[at + step]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + step + 1
    raise ValueError(f"a length of more than four bytes at byte {at}")


def _body(data: bytes, at: int) -> tuple[int, bytes]:
    length, at = _variable(data, at)
    if at + length > len(data):
        raise IndexError
    return at + length, data[at : at + length]
