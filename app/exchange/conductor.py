"""The first track of a MIDI file: name, tempo, meter, key and sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import cast, get_args

from mido import MetaMessage

from agent.song.key import Key, Mode
from agent.song.song import Song
from agent.theory.pitch import signature_class
from app.exchange.texts import to_meta

DEFAULT_SIGNATURE = "C"
"""What many programs write without meaning it."""
_SLOWEST = 0xFFFFFF
"""The longest quarter note that the format can say, in microseconds: 3.58 BPM."""
_MINUTE = 60_000_000
_MAJOR = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
_MINOR = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B")
_MINOR_MODES = frozenset({"minor", "dorian", "phrygian", "locrian", "harmonic_minor", "melodic_minor"})
_KEY_TEXT = re.compile(r"Key: ([A-G][#b]?) ([a-z_]+)")


def conductor(song: Song) -> Iterator[tuple[int, int, MetaMessage]]:
    """(tick, rank, message) of the song's tempos, meters, key, name and sections; at the same tick lower ranks come
    first."""
    yield 0, 0, MetaMessage("track_name", name=to_meta(song.name))
    signature = signature_name(song.key)
    yield 0, 0, MetaMessage("key_signature", key=signature)
    if key_of_signature(signature) != song.key or signature == DEFAULT_SIGNATURE:
        yield 0, 0, MetaMessage("text", text=key_text(song.key))
    for meter in song.meters:
        unit = _power_of_two(meter.unit)
        yield meter.at, 0, MetaMessage("time_signature", numerator=meter.beats, denominator=unit)
    for change in song.tempos:
        yield change.at, 0, MetaMessage("set_tempo", tempo=bpm_to_microseconds(change.bpm))
    for section in song.sections:
        yield section.start, 1, MetaMessage("marker", text=to_meta(section.name))


def frame_losses(song: Song) -> Iterator[str]:
    """Sentences about tempos, meters and sections that a MIDI file cannot store as they are."""
    if any(change.bpm * _SLOWEST < _MINUTE for change in song.tempos):
        yield "tempos below 3.58 BPM: written as 3.58"
    if any(meter.unit != _power_of_two(meter.unit) for meter in song.meters):
        yield "meters whose unit is no power of two: written with the next smaller one"
    ordered = sorted(song.sections, key=lambda section: section.start)
    if any(a.end != b.start for a, b in pairwise(ordered)):
        yield "where sections end: a marker lasts until the next"


SHORTEST_QUARTER = _MINUTE // 999
"""Microseconds of a quarter note below which a tempo is faster than a song can have."""


def bpm_to_microseconds(bpm: float) -> int:
    """The length of a quarter note in microseconds, 1 to 16,777,215, as MIDI stores a tempo."""
    return max(1, min(_SLOWEST, round(_MINUTE / bpm)))


def microseconds_to_bpm(length: int) -> float:
    """The roundest tempo, 1 to 999 BPM, that MIDI stores as a quarter note of `length` microseconds; 0 counts as the
    fastest."""
    exact = min(999.0, _MINUTE / max(1, length))
    for digits in range(6):
        bpm = round(exact, digits)
        if bpm >= 1 and bpm_to_microseconds(bpm) == length:
            return bpm
    return max(1.0, exact)


def signature_name(key: Key) -> str:
    """The key signature nearest to a key, as mido names it: a mode has the signature of its relative."""
    major = signature_class(key)
    flat = "b" in key.tonic and major == 6
    if key.mode in _MINOR_MODES:
        minor = (major + 9) % 12
        return "Ebm" if flat else f"{_MINOR[minor]}m"
    return "Gb" if flat else _MAJOR[major]


def key_of_signature(name: str) -> Key:
    """The major or minor key of a key signature's name in mido."""
    return Key(name[:-1], "minor") if name.endswith("m") else Key(name, "major")


def key_text(key: Key) -> str:
    """A text event that states a key exactly, for modes and for a C major that is meant."""
    return f"Key: {key.tonic} {key.mode}"


def key_from_text(text: str) -> Key | None:
    """The key that `key_text` wrote, None for any other text."""
    found = _KEY_TEXT.fullmatch(text)
    if found is None or found[2] not in get_args(Mode):
        return None
    return Key(found[1], cast("Mode", found[2]))


def _power_of_two(unit: int) -> int:
    return 1 << (unit.bit_length() - 1)
