"""Room: a new part beside what plays already, in register, time, loudness, place and colour."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.changing.hearing.listening import SongAnalysis, tones_of
from agent.composer.styles import PartStyle, Role, Style
from agent.composer.tones import Tone
from agent.song.colors import COLORS, color_in_turn
from agent.song.palette import Instrument
from agent.song.song import Song
from agent.song.time import PPQ

_BELOW: tuple[Role, ...] = ("chords", "pad", "arp")
_MIDDLE: tuple[Role, ...] = ("drums", "bass", "lead")
_LOWEST, _QUIETEST, _LOUDEST = 50, -24.0, 3.0
_GAP = 9
"""Semitones from the middle of the tune down to the middle of a part under it."""
_RUBS = (1, 11)
_PLACES = (-0.35, 0.35, -0.6, 0.6)


def tune_of(heard: SongAnalysis) -> tuple[Tone, ...]:
    """The tones of all unmuted lead tracks, sorted."""
    leads = [track for track in heard.song.tracks if heard.roles[track.id] == "lead" and not track.mute]
    return tuple(sorted(tone for track in leads for clip in track.clips for tone in tones_of(clip)))


def beneath(part: PartStyle, instrument: Instrument, tune: Sequence[Tone]) -> PartStyle:
    """The part with its centre lowered to lie below the melody `tune`, as far as the instrument reaches; melodic roles
    stay."""
    if not tune or part.role not in (*_BELOW, "counter"):
        return part
    middle = sum(tone.pitch for tone in tune) // len(tune)
    wanted = min(part.centre, middle - _GAP)
    lowest = max(_LOWEST, instrument.low + 6)
    centre = max(lowest, min(wanted, instrument.high - 6))
    return structs.replace(part, centre=max(12, min(108, centre)))


def clear_of(tones: Sequence[Tone], tune: Sequence[Tone], heard: SongAnalysis) -> list[Tone]:
    """The tones with those that clash with a long note of the melody `tune` moved to a tone of the chord `heard` there,
    or dropped."""
    held = [tone for tone in tune if tone.length >= PPQ // 2]
    kept: list[Tone] = []
    for tone in tones:
        over = [other for other in held if _together(tone, other) >= min(tone.length, PPQ) // 2]
        if not _rubs(tone.pitch, over):
            kept.append(tone)
            continue
        chord = next((span.chord for span in heard.chords if span.start <= tone.start < span.end), None)
        options = [tone.pitch + by for by in (-1, 1, -2, 2, -3, 3)]
        free = [p for p in options if 0 <= p <= 127 and chord is not None and p in chord and not _rubs(p, over)]
        if free:
            kept.append(structs.replace(tone, pitch=free[0]))
    return kept


def level_for(part: PartStyle, style: Style, song: Song, amount: float) -> float:
    """The fader level in dB that relates to the song's faders as the part's does to its style's; lower for an `amount`
    below 1."""
    playing = [track.volume_db for track in song.tracks if track.note_count and not track.mute]
    usual = [one.volume_db for one in style.parts]
    around = sum(playing) / len(playing) if playing else sum(usual) / len(usual)
    level = around + part.volume_db - sum(usual) / len(usual) - 6 * (1 - min(1.0, amount))
    return round(max(_QUIETEST, min(_LOUDEST, level)), 1)


def place_for(part: PartStyle, song: Song) -> float:
    """A pan position (-1 to 1) away from the other tracks; drums, bass and melody keep their own."""
    if part.role in _MIDDLE:
        return part.pan
    taken = [track.pan for track in song.tracks if track.note_count]
    options = (part.pan, *_PLACES) if part.pan else _PLACES
    return max(options, key=lambda place: (min((abs(place - pan) for pan in taken), default=2.0) >= 0.2, -abs(place)))


def colour_for(part: PartStyle, song: Song) -> str:
    """The part's colour as hex; if a track has it already, the first free one of the standard colours."""
    taken = {track.color.upper() for track in song.tracks}
    free = [color for color in (part.color, *COLORS) if color.upper() not in taken]
    return free[0] if free else color_in_turn(len(song.tracks))


def _together(tone: Tone, other: Tone) -> int:
    return min(tone.end, other.end) - max(tone.start, other.start)


def _rubs(pitch: int, over: Sequence[Tone]) -> bool:
    return any(abs(pitch - other.pitch) % 12 in _RUBS for other in over)
