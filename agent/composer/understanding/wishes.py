"""Wishes: instruments, roles and tracks that a request names."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.styles import RHYTHMIC, Drum, Role
from agent.song.ids import TrackId
from agent.song.palette import Family


class Wish(Struct, frozen=True):
    """An instrument, a `whole_role` or tracks that the request names; `instruments` in order of preference.

    With `pieces` only those of a drum kit are meant: the hi-hats. `stands_in` says that the first of `instruments`
    only takes the place of what was named, which nobody here plays.
    """

    label: str
    role: Role | None = None
    families: tuple[Family, ...] = ()
    instruments: tuple[str, ...] = ()
    tracks: tuple[TrackId, ...] = ()
    whole_role: bool = False
    pieces: tuple[Drum, ...] = ()
    stands_in: bool = False

    def covers(self, role: Role, family: Family) -> bool:
        """Whether a part of that role, played by that family, is meant."""
        if self.role in RHYTHMIC and self.whole_role:
            return role in RHYTHMIC or family in RHYTHMIC
        return family in self.families or (self.whole_role and role == self.role)
