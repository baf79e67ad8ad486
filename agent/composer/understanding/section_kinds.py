"""Kinds of sections: which names mean the same stretch of a piece, and how such a stretch usually is."""

from __future__ import annotations

from msgspec import Struct

_RETURNS = frozenset({"again", "repeat"})
_BRIDGES = ("bridge", "middle eight", "middle 8")


class SectionKind(Struct, frozen=True):
    """A kind of section: its names, usual energy (0 to 1) and theme, whether it stands at an edge of the form, or is a
    peak.

    With `sings` it always has a melody.
    """

    words: tuple[str, ...]
    energy: float
    theme: str
    edge: str = ""
    peak: bool = False
    sings: bool = False


_KINDS = (
    SectionKind(("intro", "introduction", "opening", "prelude"), 0.28, "a", "first"),
    SectionKind(("pre", "prechorus", "lift"), 0.6, "c"),
    SectionKind(("build", "buildup", "rise", "riser"), 0.58, "b"),
    SectionKind(("chorus", "refrain", "hook"), 0.85, "b", peak=True),
    SectionKind(("drop", "climax", "peak"), 0.95, "b", peak=True),
    SectionKind(("breakdown", "break"), 0.25, "c"),
    SectionKind(("bridge", "middle"), 0.45, "c"),
    SectionKind(("interlude",), 0.4, "c"),
    SectionKind(("solo",), 0.68, "a", sings=True),
    SectionKind(("outro", "ending", "coda", "end"), 0.35, "a", "last"),
    SectionKind(("verse", "strophe", "theme", "groove", "head"), 0.5, "a"),
)
_OTHER = SectionKind((), 0.5, "a")


def same_kind(one: str, other: str) -> bool:
    """Whether two section names are equal or of one kind ("Verse 2" and "Strophe")."""
    first, second = (" ".join(name.casefold().rstrip("0123456789 ").split()) for name in (one, other))
    kind = kind_of(first)
    return first == second or (bool(kind.words) and kind is kind_of(second))


def stem_of(name: str) -> str:
    """A section's name without its number or word of repetition: "Verse 2" and "Verse again" give "Verse"."""
    words = name.split()
    while len(words) > 1 and (words[-1].isdecimal() or words[-1].casefold() in _RETURNS):
        words.pop()
    return " ".join(words)


def kind_of(name: str) -> SectionKind:
    """The kind of a section by its casefolded name; one without words if it is of no known kind."""
    words = name.replace("-", " ").split()
    return next((kind for kind in _KINDS if set(kind.words) & {*words, "".join(words)}), _OTHER)


def is_called(name: str, charted: str) -> bool:
    """Whether a section of that name is the one that a chart calls `charted`; the B of AABA is a bridge."""
    letter = "B" if charted.casefold() in _BRIDGES else charted
    return same_kind(charted, name) or same_kind(letter, name)
