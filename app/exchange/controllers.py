"""How mix values are written as MIDI controllers and read back."""

from __future__ import annotations

from math import log10

SILENCE_DB = -96.0
BEND_RANGE = 12
"""Semitones that a full bend means in the files written here."""

BANK, MODULATION, DATA, VOLUME, PAN, EXPRESSION = 0, 1, 6, 7, 10, 11
DATA_FINE, PEDAL, RPN_FINE, RPN = 38, 64, 100, 101
SOUND_OFF, RESET, NOTES_OFF = 120, 121, 123


def volume_to_cc(decibels: float) -> int:
    """Controller 7 for a volume: the General MIDI curve dB = 40·log10(v / 127) solved for v; 0 dB is 127."""
    return 0 if decibels <= SILENCE_DB else max(0, min(127, round(127 * 10 ** (decibels / 40))))


def cc_to_volume(value: int) -> float:
    """dB of controller 7, 40·log10(v / 127) rounded to 0.01; 0 is silence (-96)."""
    return SILENCE_DB if value <= 0 else round(40 * log10(value / 127), 2)


def pan_to_cc(pan: float) -> int:
    """Controller 10 for a pan of -1 to 1: 64 is the centre, 1 and 127 the sides."""
    return max(0, min(127, round(64 + 63 * pan)))


def cc_to_pan(value: int) -> float:
    """Pan -1 to 1 of controller 10; 0 and 1 both mean hard left."""
    return max(-1.0, round((value - 64) / 63, 3))


def bend_to_wheel(semitones: float) -> int:
    """Wheel position (-8192 to 8191) of a bend at a range of 12 semitones."""
    return max(-8192, min(8191, round(semitones / BEND_RANGE * 8192)))


def passes_range(position: int, semitones: float) -> bool:
    """Whether a wheel position bends further than a song can store (12 semitones); a full bend of the wheel means
    `semitones`."""
    return abs(position / 8192 * semitones) > BEND_RANGE + 0.001


def wheel_to_bend(position: int, semitones: float) -> float:
    """Semitones of a wheel position where a full bend means `semitones`; limited to ±12."""
    return max(-12.0, min(12.0, round(position / 8192 * semitones, 3)))
