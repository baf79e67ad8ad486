"""The form of a song for whoever moves it: its stretches, its peak, its ending, and names that are free."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import structs

from agent.composer.changing.hearing.listening import drum_tracks, sections_heard
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.material import ending_start
from agent.song.palette import Palette
from agent.song.song import Section, Song

_LOUD = 0.88
"""Share of the fullest section's weight from which another counts as a peak too."""
_NUMBERED = re.compile(r"(.*\S)\s+\d+")
_AGAIN = re.compile(r"(?<!\s)\s++(?:\d+|again)$", re.IGNORECASE)


def ending_of(stage: Stage) -> int:
    """The tick where the song's ending begins; the end of its last bar if it has no ending."""
    return ending_start(stage.song, drum_tracks(stage.song, stage.palette))


def free_section_name(song: Song, name: str, taken: set[str] | None = None) -> str:
    """The name, with the lowest free number if a section has it already: a copy of "Chorus" is "Chorus 2". `taken`
    replaces the song's names."""
    used = taken if taken is not None else {section.name for section in song.sections}
    if name not in used:
        return name
    found = _NUMBERED.fullmatch(name)
    base, number = (found[1] if found else name), 2
    while f"{base} {number}" in used:
        number += 1
    return f"{base} {number}"


def base_name(name: str) -> str:
    """A section's name without its number, in lower case ("Verse 2": "verse"); sections with the same one are repeats
    of each other."""
    return _AGAIN.sub("", name).casefold()


def numbered(before: Sequence[Section], sections: Sequence[Section], copies: Sequence[Section]) -> list[Section]:
    """All sections in order of time, copies included, with names for the copies. `before` are the song's sections
    before anything was copied.

    Where a name was numbered in order of time before ("Chorus", "Chorus 2"), all its sections are numbered anew; any
    other copy gets the lowest free number.
    """
    bases = {base_name(copied.name) for copied in copies}
    ordered = sorted([*sections, *copies], key=lambda section: (section.start, section.id))
    counted = {base for base in bases if _counts(before, base)}
    used = {section.name for section in before}
    fresh = {section.id for section in copies}
    times: dict[str, int] = {}
    named = []
    for section in ordered:
        base, name = base_name(section.name), section.name
        if base in counted:
            times[base] = times.get(base, 0) + 1
            found = _NUMBERED.fullmatch(name)
            name = _nth(found[1] if found else name, times[base], before)
        elif section.id in fresh:
            name = free_section_name(Song(), name, used)
        used.add(name)
        named.append(structs.replace(section, name=name))
    return named


def recounted(before: Sequence[Section], sections: Sequence[Section]) -> list[Section]:
    """The `sections` in their new order; those whose names were numbered in order of time `before` ("Verse", "Verse 2")
    are numbered anew."""
    times: dict[str, int] = {}
    named = []
    for section in sections:
        base = base_name(section.name)
        if not _counts(before, base):
            named.append(section)
            continue
        times[base] = times.get(base, 0) + 1
        found = _NUMBERED.fullmatch(section.name)
        name = _nth(found[1] if found else section.name, times[base], before)
        named.append(structs.replace(section, name=name))
    return named


def _counts(sections: Sequence[Section], base: str) -> bool:
    """Whether all sections of a name are numbered from one on, in order of time."""
    names = [section.name.casefold() for section in sections if base_name(section.name) == base]
    return names[:1] in ([base], [f"{base} 1"]) and all(
        name == f"{base} {number}" for number, name in enumerate(names[1:], 2)
    )


def _nth(stem: str, number: int, before: Sequence[Section]) -> str:
    """What the section of that number is called: the first one as the first one was, "Verse" or "Verse 1"."""
    first = f"{stem} 1"
    return f"{stem} {number}" if number > 1 or any(section.name == first for section in before) else stem


def instead_of_ending(song: Song, ending: int, close: int) -> int:
    """The tick where bars begin that can replace the ending (`ending` to `close`) when the song goes on behind it:
    those at the same place of an earlier section of that name, else those before the ending."""
    length, host = close - ending, section_at(song, ending - 1)
    if host is not None:
        offset = ending - host.start
        for section in song.sections:
            alike = section.id != host.id and base_name(section.name) == base_name(host.name)
            if alike and section.start + offset + length <= min(section.end, ending):
                return int(section.start + offset)
    return max(0, ending - length)


def section_at(song: Song, at: int) -> Section | None:
    """The section that holds a tick; of several the one that begins last; None if there is none."""
    holding = [section for section in song.sections if section.start <= at < section.end]
    return holding[-1] if holding else None


def peak_of(song: Song, palette: Palette, *, last: bool) -> int:
    """The tick where the first (with `last` the last) of the fullest sections begins; the song's middle if that would
    be its first bar."""
    bars = song.bar_map
    heard = sections_heard(song, palette)
    sections = [s for s in heard if s.start > 0 and bars.start_of(bars.bar_at(s.start)) == s.start]
    if sections:
        weights = {section.id: weight(song, section.start, section.end) for section in sections}
        most = max(weights.values())
        peaks = [section for section in sections if weights[section.id] >= _LOUD * most]
        # of neighbours that are all full the first is where the peak begins
        first = [s for s in peaks if not any(other.end == s.start for other in peaks)] or peaks
        return int((first[-1] if last else first[0]).start)
    half = song.bars // 2
    return int(bars.start_of(1 + (half - half % 4 if half >= 4 else half)))


def weight(song: Song, start: int, end: int) -> float:
    """How full the stretch from `start` to `end` is: the sum of the velocities that begin in it, per bar."""
    bars = song.bar_map
    total = sum(
        note.velocity
        for track, clip in song.clips() if not track.mute and clip.start < end and clip.end > start
        for note in clip.notes if start <= clip.start + note.start < end
    )
    return total / max(1, bars.bar_at(end - 1) - bars.bar_at(start) + 1)


def nameable(song: Song, palette: Palette) -> tuple[Section, ...]:
    """The sections detected in a song without any, to be named in it.

    Empty if the song has sections, or if a track stops within a detected one.
    """
    heard = sections_heard(song, palette)
    ends = {song.bar_map.count(section.end) for section in heard} | {song.bars, song.bars - 1}
    if song.sections or any(track.clips and song.bar_map.count(track.end) not in ends for track in song.tracks):
        return ()
    return heard
