"""The names of a song that choices are made with: its drums, its bass, its tune, its largest section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from string import Formatter

from agent.composer.asking_words import Offered
from agent.plan.planning import ClarifyingChoice
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track

_MOST = 4


def names_of(song: Song, palette: Palette) -> dict[str, str]:
    """The names of a song's main parts by what they are called in choices ("drums", "bass", …). A part is missing where
    the song lacks it or its name is ambiguous."""
    kits = {one.name for one in palette.instruments if one.is_kit}
    sounding = [track for track in song.tracks if track.note_count]
    pitched = sorted((track for track in sounding if track.instrument not in kits), key=_height)
    found: dict[str, Track | None] = {
        "drums": next((track for track in sounding if track.instrument in kits), None),
        "bass": next((track for track in sounding if _family(track, palette) == "bass"), None),
        "strings": next((track for track in sounding if _family(track, palette) == "strings"), None),
        "tune": pitched[-1] if len(pitched) > 1 else None,
    }
    called = Counter(track.name.casefold() for track in song.tracks)
    names = {what: one.name for what, one in found.items() if one is not None and called[one.name.casefold()] == 1}
    sections = Counter(one.name.casefold() for one in song.sections)
    single = [one for one in song.sections if sections[one.name.casefold()] == 1]
    if len(single) > 1:
        names["section"] = max(single, key=lambda one: one.end - one.start).name
    return names


def choices_of(offered: Sequence[Offered], names: dict[str, str], kept: str = "") -> tuple[ClarifyingChoice, ...]:
    """At most four of the choices `offered`, in order, whose parts exist in the song. `names` (see `names_of`) fills
    their braces; `kept` is appended to each request."""
    return tuple(_choices(offered, names, kept))[:_MOST]


def _choices(offered: Sequence[Offered], names: dict[str, str], kept: str) -> Iterator[ClarifyingChoice]:
    for one in offered:
        needed = {field for text in (one.label, one.request) for _, field, _, _ in Formatter().parse(text) if field}
        if one.absent not in names and needed <= names.keys():
            yield ClarifyingChoice(one.label.format_map(names), one.request.format_map(names) + kept)


def _height(track: Track) -> float:
    return fmean(note.pitch for clip in track.clips for note in clip.notes)


def _family(track: Track, palette: Palette) -> str:
    return next((one.family for one in palette.instruments if one.name == track.instrument), "")
