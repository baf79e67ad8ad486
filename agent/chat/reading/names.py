"""Names: what phrases of a sentence name of the song, the plan and the history, by slot and place."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

from agent.chat.messages import About
from agent.song.ids import SectionId, TrackId


@dataclass(frozen=True)
class NamedPhrase:
    """A phrase of `length` tokens and what it names; fields that do not apply are empty. `moment` is in seconds, `nth`
    an ordinal (-1: last)."""

    length: int
    tracks: tuple[TrackId, ...] = ()
    absent: str = ""
    sections: tuple[SectionId, ...] = ()
    absent_section: str = ""
    bars: tuple[int, int] | None = None
    row: int | None = None
    version: int | None = None
    style: str = ""
    format: str = ""
    number: int | None = None
    nth: int | None = None
    moment: float | None = None


@dataclass
class SentenceNames:
    """Everything that the tokens of a sentence name, by slot and token index."""

    tokens: tuple[str, ...]
    found: dict[tuple[str, int], NamedPhrase] = field(default_factory=dict)

    @cached_property
    def words(self) -> frozenset[str]:
        """The set of tokens."""
        return frozenset(self.tokens)

    def at(self, slot: str, start: int) -> NamedPhrase | None:
        """What the tokens from `start` on name in this slot of a pattern (such as a track or a style); None for
        nothing."""
        match slot:
            case "thing":
                return self.found.get(("track", start))
            case "place":
                return self.found.get(("bars", start)) or self.found.get(("section", start))
            case "rest":
                left = len(self.tokens) - start
                return NamedPhrase(left) if left else None
        return self.found.get((slot, start))

    def about(self, spent: Collection[int] = ()) -> About:
        """All that is named as one `About`; of overlapping phrases the longer counts, and phrases at the indices
        `spent` are left out."""
        taken: list[tuple[int, NamedPhrase]] = []
        until = 0
        for start in range(len(self.tokens)):
            if start in spent:
                continue
            here = [named for (slot, at), named in self.found.items() if at == start and slot in _TOLD]
            if start >= until and here:
                longest = max(here, key=lambda named: named.length)
                taken += [(start, named) for named in here if named.length == longest.length]
                until = start + longest.length
        names = [named for _, named in taken]
        return About(
            tracks=tuple(dict.fromkeys(track for one in names for track in one.tracks)),
            absent=tuple(dict.fromkeys(one.absent for one in names if one.absent)),
            sections=tuple(dict.fromkeys(section for one in names for section in one.sections)),
            absent_sections=tuple(dict.fromkeys(one.absent_section for one in names if one.absent_section)),
            bars=next((one.bars for one in names if one.bars is not None), None),
            rows=tuple(one.row for one in names if one.row is not None),
            versions=tuple(one.version for one in names if one.version is not None),
            styles=tuple(dict.fromkeys(one.style for one in names if one.style)),
            formats=tuple(dict.fromkeys(one.format for one in names if one.format)),
            moment=next((one.moment for one in names if one.moment is not None), None),
        )


_TOLD = ("track", "section", "bars", "row", "version", "style", "format")
