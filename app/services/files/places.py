"""Where a path of a plan leads: below which allowed folder, or nowhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath

from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from app.services.files.errors import NotAllowed
from app.services.files.names import hidden, shown

_LONGEST = 4096
_DEEPEST = 64


class Grant(Struct, frozen=True):
    """An allowed folder by its absolute path, without links when it was allowed; `write`: it may also be written."""

    path: str
    write: bool = False


class Allowed(Struct, frozen=True):
    """The folders that a project's steps may use. `home` is the export folder: made on the first write, and the base of
    relative paths."""

    home: Grant
    folders: tuple[Grant, ...] = ()

    @property
    def grants(self) -> tuple[Grant, ...]:
        """All allowed folders."""
        return (self.home, *self.folders)


class Place(Struct, frozen=True):
    """A file or folder below an allowed one; `parts` are its path below that, empty for the folder itself."""

    grant: Grant
    parts: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The absolute path; for messages, never for opening."""
        return os.path.join(self.grant.path, *self.parts)

    @property
    def shown(self) -> str:
        """The path for display."""
        return shown(self.path)

    @property
    def name(self) -> str:
        """The last component of the path."""
        return self.parts[-1] if self.parts else PurePath(self.grant.path).name

    def below(self, name: str) -> Place:
        """The place of an entry of this folder."""
        return Place(self.grant, (*self.parts, name))


def place_of(text: str, allowed: Allowed, *, write: bool = False) -> Place:
    """The place of a path in the text of a plan; with `write` only folders that may be written count. Raises
    `NotAllowed` if it is not below an allowed folder, or is no plain path.

    Nothing is opened here: whoever opens the place walks down from the allowed folder without following links.
    """
    where = f"the path {shown(text)!r}"
    _refuse_odd(text, where)
    path = PurePath(text)
    if not path.is_absolute():
        return Place(allowed.home, path.parts)
    fitting = [one for one in (_below(path, grant) for grant in allowed.grants) if one is not None]
    fitting = fitting or _by_another_way(path, allowed.grants)
    if not fitting:
        folders = ", ".join(shown(grant.path) for grant in allowed.grants[:8])
        raise NotAllowed(
            msg("{where} is not in an allowed folder", where=where), why=msg("allowed are: {folders}", folders=folders),
            fix=FixKind.ALLOW_FOLDER(),
        )
    writable = [one for one in fitting if one.grant.write]
    if write and not writable:
        raise NotAllowed(
            msg("{where} may only be read", where=where), fix=FixKind.ALLOW_WRITING(shown(fitting[0].grant.path))
        )
    return min(writable or fitting, key=lambda one: len(one.parts))


def _refuse_odd(text: str, where: str) -> None:
    parts = PurePath(text).parts
    why = ""
    if not text.strip():
        why = "it is empty"
    elif hidden(text):
        why = "it holds signs that cannot be seen"
    elif len(text) > _LONGEST or len(parts) > _DEEPEST:
        why = "it is too long"
    elif ".." in parts:
        why = "it leads upward with .."
    elif text.startswith("~"):
        why = "~ is not understood here: write the whole path"
    elif PurePath(text).drive and not PurePath(text).is_absolute():
        why = "it names a drive and no folder"
    if why:
        raise NotAllowed(
            msg("{where} cannot be used", where=where), why=why,
            fix=msg("give the path of a file in an allowed folder"),
        )


def _below(path: PurePath, grant: Grant) -> Place | None:
    """The path as a place of that folder, by its words alone."""
    root = PurePath(grant.path)
    return Place(grant, path.relative_to(root).parts) if path.is_relative_to(root) else None


def _by_another_way(path: PurePath, grants: Sequence[Grant]) -> list[Place]:
    """Places for a path that reaches an allowed folder through links above it, as /tmp is one on some systems."""
    real = {grant.path: grant for grant in grants}
    for root in (path, *path.parents):
        grant = real.get(os.path.realpath(root))
        if grant is not None:
            return [Place(grant, path.relative_to(root).parts)]
    return []
