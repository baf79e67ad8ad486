"""Naming: which sections are meant by a word that none of them is called, such as the chorus of "Haze, All in"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.time.form import weight
from agent.song.song import Section, Song

_FULL = 0.88
"""Share of the strongest section's weight from which another is as strong."""


def meant_by(word: str, sections: Sequence[Section], song: Song) -> list[Section]:
    """The sections that a form word means by how they sound, where none bears that name; empty where none fits, and for
    fewer than three sections.

    "Intro" is the first, "outro" the last, "chorus" or "drop" the fullest, "break" or "bridge" the thinnest in between,
    "build" what leads to a chorus, "verse" the rest.
    """
    if len(sections) < 3:
        return []
    first, *inner, last = sorted(sections, key=lambda section: section.start)
    weights = {section.id: weight(song, section.start, section.end) for section in sections}
    strongest = max(weights.values())
    full = [section for section in (first, *inner, last) if weights[section.id] >= _FULL * strongest]
    rest = [section for section in inner if section not in full]
    barest = min(rest, key=lambda section: weights[section.id], default=None)
    match word.casefold():
        case "intro":
            return [first] if first not in full else []
        case "outro":
            return [last]
        case "quietest part":
            return [min(sections, key=lambda section: weights[section.id])]
        case "loudest part":
            return [max(sections, key=lambda section: weights[section.id])]
        case "middle part":
            return inner
        case "chorus" | "drop":
            return full
        case "break" | "breakdown" | "bridge":
            return [barest] if barest is not None else []
        case "build" | "pre-chorus":
            starts = {section.start for section in full}
            return [section for section in rest if section.end in starts]
        case "verse":
            return [section for section in rest if section is not barest or len(rest) == 1]
        case _:
            return []
