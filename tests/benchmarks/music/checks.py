"""What a request asks for, as values: words that bind, measures that must move, and what must stay itself."""

from __future__ import annotations

from math import inf
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.song.key import Mode
from agent.song.palette import Family
from tests.benchmarks.music.excerpts import Span

Kind = Literal["binding", "measure", "identity"]


class Bpm(Struct, frozen=True, tag=True):
    """The tempo, exactly, from start to end."""

    value: float


class InKey(Struct, frozen=True, tag=True):
    """Tonic and mode, stated by the song and true of most of its notes."""

    tonic: str
    mode: Mode


class InMode(Struct, frozen=True, tag=True):
    """One of these modes, on whatever tonic."""

    modes: tuple[Mode, ...]


class InMeter(Struct, frozen=True, tag=True):
    """The meter, from start to end."""

    beats: int
    unit: int


class BarCount(Struct, frozen=True, tag=True):
    """The number of bars, exactly."""

    value: int


class Lasts(Struct, frozen=True, tag=True):
    """The seconds without tails, within 5 %."""

    seconds: float


class Has(Struct, frozen=True, tag=True):
    """Some instrument of these families, or one of these instruments, plays."""

    families: tuple[Family, ...] = ()
    instruments: tuple[str, ...] = ()


class Lacks(Struct, frozen=True, tag=True):
    """No instrument of these families plays a note."""

    families: tuple[Family, ...]


class OnlyPlays(Struct, frozen=True, tag=True):
    """Every note is played by these families, and each `needed` one plays."""

    families: tuple[Family, ...]
    needed: tuple[Family, ...] = ()


class Titled(Struct, frozen=True, tag=True):
    """The song's name."""

    name: str


class SectionRow(Struct, frozen=True, tag=True):
    """The sections in order; a name must be found in the section's own. `bars`, where given, are their lengths."""

    names: tuple[str, ...]
    bars: tuple[int, ...] = ()


class Kept(Struct, frozen=True, tag=True):
    """Tracks by name, byte for byte as they were."""

    tracks: tuple[str, ...]


class KeepsNotes(Struct, frozen=True, tag=True):
    """The notes of these tracks (none: of all that are there), while their sound may change."""

    tracks: tuple[str, ...] = ()


class Locked(Struct, frozen=True, tag=True):
    """What a lock, written as a person writes it, freezes; the brief carries the lock too."""

    text: str


class Same(Struct, frozen=True, tag=True):
    """A figure that was asked to stay as it is (within `slack` of it)."""

    figure: str
    slack: float = 0.0


class Shifts(Struct, frozen=True, tag=True):
    """A figure is changed by exactly so much (within 0.1)."""

    figure: str
    by: float


class PlayedBy(Struct, frozen=True, tag=True):
    """The notes of an old track are now played by this family."""

    track: str
    family: Family


class InStyle(Struct, frozen=True, tag=True):
    """The plan says that it is in this style, and the tempo is one of it unless another was stated."""

    style: str
    any_tempo: bool = False


class Blend(Struct, frozen=True, tag=True):
    """Both styles are heard: none of them is among what the plan ignores, and each gives an instrument."""

    styles: tuple[str, str]


class Moves(Struct, frozen=True, tag=True):
    """A figure goes up or down by an amount that counts; `at_most` and `at_least` are shares of before.

    Measured in the bars of `within`, where given.
    """

    figure: str
    goal: Literal["lower", "higher", "at_most", "at_least"]
    share: float = 1.0
    within: tuple[Span, ...] = ()


class Reaches(Struct, frozen=True, tag=True):
    """A figure of the result is at least this, and at most that."""

    figure: str
    value: float
    most: float = inf


class Than(Struct, frozen=True, tag=True):
    """A figure of the result against that of another request to the same song with the same seed."""

    request: str
    figure: str
    goal: Literal["lower", "higher"]


class Milder(Struct, frozen=True, tag=True):
    """The figure moves clearly less (by a tenth) than another request to the same song moves it."""

    request: str
    figure: str


class RootsChange(Struct, frozen=True, tag=True):
    """At least this share of the bars (of `within`) gets another chord root or chord."""

    share: float
    within: tuple[Span, ...] = ()


class Varies(Struct, frozen=True, tag=True):
    """The notes of these bars change, but not all of them."""

    within: tuple[Span, ...]


class StyleHeard(Struct, frozen=True, tag=True):
    """The tempo is one of the style (or stated), most notes are played by its families, drums as it has them."""

    style: str
    any_tempo: bool = False


class SoundsOnlyIn(Struct, frozen=True, tag=True):
    """New tracks of these families play inside these bars and nowhere else."""

    families: tuple[Family, ...]
    within: tuple[Span, ...]


class Grows(Struct, frozen=True, tag=True):
    """So many bars (None: some) are put in before bar `at` (0: at the end); they are not empty.

    `thin` ones have fewer notes a bar than the song had.
    """

    at: int
    bars: int | None = None
    thin: bool = False


class Shrinks(Struct, frozen=True, tag=True):
    """These bars go, and all others stay as they were."""

    gone: Span


class Doubled(Struct, frozen=True, tag=True):
    """Another track plays most of the onsets of this one, an octave apart or in unison."""

    track: str


class Melody(Struct, frozen=True, tag=True):
    """At least this much of the old melody is heard."""

    least: float = 0.5


class Roots(Struct, frozen=True, tag=True):
    """At least this share of the chord roots stays."""

    least: float = 0.7


class Untouched(Struct, frozen=True, tag=True):
    """These bars are byte-identical in notes, and nothing of the sound changes there."""

    spans: tuple[Span, ...]


Binding: TypeAlias = (
    Bpm | InKey | InMode | InMeter | BarCount | Lasts | Has | Lacks | OnlyPlays | Titled | SectionRow | Kept
    | KeepsNotes | Locked | Same | Shifts | PlayedBy | InStyle | Blend | SoundsOnlyIn
)
Measured: TypeAlias = (
    Moves | Reaches | Than | Milder | RootsChange | Varies | StyleHeard | Grows | Shrinks | Doubled
)
Identity: TypeAlias = Melody | Roots | Untouched
Check: TypeAlias = Binding | Measured | Identity

_MEASURED = (Moves, Reaches, Than, Milder, RootsChange, Varies, StyleHeard, Grows, Shrinks, Doubled)
_IDENTITY = (Melody, Roots, Untouched)


def kind_of(check: Check) -> Kind:
    """Under which head a check is counted."""
    if isinstance(check, _IDENTITY):
        return "identity"
    return "measure" if isinstance(check, _MEASURED) else "binding"


class NewPiece(Struct, frozen=True):
    """A request for a new piece; `beside` puts it among those that other programs are asked too."""

    words: str
    checks: tuple[Check, ...]
    beside: bool = False
    seed: int = 1


class Change(Struct, frozen=True):
    """A request for a change of one of the sample songs.

    `scope` are the only bars that may change. `checks` come on top of what every change is held to: its melody
    and its chord roots, unless the request asks otherwise.
    """

    song: str
    words: str
    checks: tuple[Check, ...]
    scope: tuple[Span, ...] = ()
    locks: tuple[str, ...] = ()
    melody: bool = True
    roots: bool = True
    seed: int = 1


Request: TypeAlias = NewPiece | Change
