"""The formats in which a song can be written."""

from __future__ import annotations

from typing import Literal, get_args

SoundFormat = Literal["mid", "wav", "flac", "ogg", "mp3", "stems"]
"""Formats that can be played: audio files, stems and MIDI."""
Format = Literal["mid", "wav", "flac", "ogg", "mp3", "stems", "chordpro", "leadsheet"]
FORMATS: tuple[Format, ...] = get_args(Format)
WRITTEN_AT_ONCE: frozenset[Format] = frozenset({"mid", "chordpro", "leadsheet"})
"""Formats that need no rendering of sound."""
