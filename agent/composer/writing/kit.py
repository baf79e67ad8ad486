"""The drum kit: which pitch each drum is, and where a kit has it instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import structs

from agent.composer.styles import Drum
from agent.composer.tones import Tone
from agent.song.palette import Instrument

PITCHES: dict[Drum, int] = {
    "kick": 36, "rim": 37, "snare": 38, "clap": 39, "hat": 42, "pedal": 44, "open": 46, "ride": 51, "bell": 53,
    "crash": 49, "splash": 55, "tom_low": 45, "tom_mid": 47, "tom_high": 50, "tambourine": 54, "cowbell": 56,
    "shaker": 82, "conga_high": 62, "conga_low": 64, "bongo_high": 60, "bongo_low": 61, "claves": 75,
    "triangle": 81, "cabasa": 69, "surdo_mute": 86, "surdo_open": 87,
}
"""The General MIDI pitch of each drum."""
_FIFTH = 7
_TOMS: tuple[Drum, ...] = ("tom_low", "tom_mid", "tom_high")


def key_of(drum: Drum, kit: Instrument) -> int:
    """The MIDI key on which the kit has this drum; that of General MIDI unless it differs."""
    return dict(kit.drums).get(PITCHES[drum], PITCHES[drum])


def on_own_keys(tones: Iterable[Tone], kit: Instrument, tonic_at: Callable[[int], int]) -> list[Tone]:
    """The strokes on the keys of this kit. If it has kettledrums for toms, the low one is tuned to the tonic and the
    others to its fifth; `tonic_at` gives the tonic's pitch class at a tick."""
    moved = dict(kit.drums)

    def own(tone: Tone) -> int:
        tuned = kit.kettledrums
        if tone.pitch in moved or tuned is None or not tuned[0] <= tone.pitch <= tuned[1]:
            return moved.get(tone.pitch, tone.pitch)
        above = 0 if tone.pitch <= PITCHES["tom_low"] else _FIFTH
        alike = range(tuned[0] + (tonic_at(tone.start) + above - tuned[0]) % 12, tuned[1] + 1, 12)
        return min(alike, key=lambda pitch: abs(pitch - tone.pitch))

    return [structs.replace(tone, pitch=own(tone)) for tone in tones]


def on_general_keys(tones: Iterable[Tone], kit: Instrument, tonic_at: Callable[[int], int]) -> list[Tone]:
    """The strokes of this kit on General MIDI keys. Its kettledrums become toms: tonic low, fifth middle, others by
    pitch. `tonic_at` gives the tonic's pitch class (0 to 11) at a tick."""
    drums = {key: drum for drum, key in reversed(kit.drums)}

    def general(tone: Tone) -> int:
        tuned = kit.kettledrums
        if tone.pitch in drums or tuned is None or not tuned[0] <= tone.pitch <= tuned[1]:
            return drums.get(tone.pitch, tone.pitch)
        above = (tone.pitch - tonic_at(tone.start)) % 12
        height = (tone.pitch - tuned[0]) * len(_TOMS) // (tuned[1] + 1 - tuned[0])
        return PITCHES[_TOMS[{0: 0, _FIFTH: 1}.get(above, height)]]

    return [structs.replace(tone, pitch=general(tone)) for tone in tones]


def on_keys_of(
    tones: Iterable[Tone], was: Instrument | None, kit: Instrument, tonic_at: Callable[[int], int]
) -> list[Tone]:
    """The strokes of the kit `was` (None: General MIDI) on the keys of `kit`, drum by drum; kettledrums correspond to
    toms, tuned to the tonic and its fifth. `tonic_at` gives the tonic's pitch class (0 to 11) at a tick."""
    general = on_general_keys(tones, was, tonic_at) if was is not None and was.is_kit else list(tones)
    return on_own_keys(general, kit, tonic_at)
