"""Entrances: where in a song a new part plays, so that it comes and goes with the form."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.changing.hearing.listening import SongAnalysis, sections_heard
from agent.composer.styles import Role
from agent.composer.writing.frame import Scene
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.sounding import sounding

_FEW = 3
"""Sections from which a part may rest in some of them."""
_FROM: dict[Role, float] = {
    "drums": 0.45, "bass": 0.35, "chords": 0.0, "pad": 0.0, "arp": 0.7, "percussion": 0.7, "lead": 0.55,
    "counter": 0.6, "texture": 0.75,
}
"""The energy, as a share of the strongest section's, from which a part of each role plays."""
_LATE: tuple[Role, ...] = ("chords", "pad")
"""Roles that wait until the second section of a longer form."""
_RISE = 0.12
_LOW, _HIGH = 0.3, 0.9


class SectionEnergy(Struct, frozen=True):
    """A section, from `start` to `end` in ticks, with its energy relative to the strongest section, 0 to 1."""

    name: str
    start: int
    end: int
    energy: float


def stretches_of(song: Song, palette: Palette) -> tuple[SectionEnergy, ...]:
    """The song's sections in order of time, without overlaps; the detected ones if it has none."""
    notes = sounding(song)
    found: list[SectionEnergy] = []
    for section in sorted(sections_heard(song, palette), key=lambda one: one.start):
        start, end = int(section.start), min(int(section.end), int(song.bar_map.start_of(song.bars + 1)))
        if end > start and (not found or start >= found[-1].end):
            weight = sum(note.velocity for note in notes if start <= note.start < end)
            found.append(SectionEnergy(section.name, start, end, weight / (end - start)))
    most = max((one.energy for one in found), default=0.0)
    return tuple(replace(one, energy=one.energy / most if most else 0.0) for one in found)


def entrances(role: Role, stretches: tuple[SectionEnergy, ...]) -> tuple[SectionEnergy, ...]:
    """The sections of `stretches` in which a new part of this role plays: all in a short form, else those with enough
    energy, at least one."""
    if len(stretches) < _FEW:
        return stretches
    chosen = [one for one in stretches if one.energy >= _FROM[role]]
    if role in _LATE and len(chosen) == len(stretches) > _FEW:
        chosen = chosen[1:]
    return tuple(chosen) or (max(stretches, key=lambda one: one.energy),)


def rising(stretches: tuple[SectionEnergy, ...]) -> tuple[SectionEnergy, ...]:
    """The sections of `stretches` that are followed by one of clearly more energy."""
    pairs = pairwise(stretches)
    return tuple(one for one, following in pairs if following.energy >= one.energy + _RISE)


def with_energies(heard: SongAnalysis, stretches: tuple[SectionEnergy, ...]) -> tuple[Scene, ...]:
    """The scenes of the song `heard` with their energy taken from the sections (`stretches`) that they lie in."""
    scenes = []
    for scene in heard.scenes:
        found = [one for one in stretches if one.start <= scene.start < one.end]
        energy = _LOW + (_HIGH - _LOW) * found[0].energy if found else scene.energy
        scenes.append(replace(scene, energy=round(energy, 3)))
    return tuple(scenes)
