"""Wishes: instruments, roles and tracks that a request names."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from agent.composer.styles import RHYTHMIC, Drum, Role
from agent.song.ids import TrackId
from agent.song.palette import Family


class Wish(Struct, frozen=True):
    """An instrument, role (`whole_role`) or tracks that a request names; `label` is what it is called in answers.
    `role` and `families` are those of what is named, `instruments` are in order of preference; `tracks` are set if it
    names tracks of the song.

    With `pieces` only these drums of a kit are meant. `stands_in`: the first instrument only substitutes what was
    named, which the palette lacks. `whole_family`: all instruments of its families are meant ("brass"); `sections` are
    instruments that include it among others (a string section for a cello). `but` inverts it: all parts of the song
    except these.
    """

    label: str
    role: Role | None = None
    families: tuple[Family, ...] = ()
    instruments: tuple[str, ...] = ()
    tracks: tuple[TrackId, ...] = ()
    whole_role: bool = False
    pieces: tuple[Drum, ...] = ()
    stands_in: bool = False
    whole_family: bool = False
    sections: tuple[str, ...] = ()
    but: tuple[Wish, ...] = ()

    def meets(self, name: str, instrument: str, role: Role, family: Family) -> bool:
        """Whether a track of that name, instrument, role and family is meant; "flute" does not mean an oboe."""
        if self.label.casefold() in name.casefold():
            return True
        if self.whole_role or self.whole_family or self.pieces or not self.instruments:
            return self.covers(role, family)
        return family in self.families and instrument in (*self.instruments, *self.sections)

    def covers(self, role: Role, family: Family) -> bool:
        """Whether a part of that role, played by that family, is meant."""
        if self.role in RHYTHMIC and self.whole_role:
            return role in RHYTHMIC or family in RHYTHMIC
        return family in self.families or (self.whole_role and role == self.role)


def same(one: Wish | None, other: Wish | None) -> bool:
    """Whether two wishes name the same part, whatever their `sections`; None equals None."""
    if one is None or other is None:
        return one is other
    return structs.replace(one, sections=()) == structs.replace(other, sections=())


def without(wishes: Sequence[Wish], refused: Sequence[Wish]) -> list[Wish]:
    """The wishes that are not among those refused."""
    return [wish for wish in wishes if wish not in refused]


def different(wishes: Sequence[Wish]) -> tuple[Wish, ...]:
    """The wishes in order, without duplicates."""
    return tuple(dict.fromkeys(wishes))
