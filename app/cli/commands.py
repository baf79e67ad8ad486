"""The commands, and where each lies: a command is imported only when it is called."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cli.stopping import Command


@dataclass(frozen=True)
class CommandEntry:
    """The function `name` of a `module` in this package. An `interruptible` command is cancelled at once by a signal,
    as it leaves nothing half done.

    `tells` are the actions that only read what is stored (None: the command without an action). A command with
    `archive` gets only the archive instead of the studio, which takes long to open."""

    module: str
    name: str
    interruptible: bool = False
    tells: frozenset[str | None] = frozenset()
    archive: bool = False

    def load(self) -> Command:
        """Import and return the command."""
        command: Command = getattr(import_module(f"app.cli.{self.module}"), self.name)
        if not self.interruptible:
            return command
        from app.cli.stopping import interruptible

        return interruptible(command)

    def only_reads(self, arguments: argparse.Namespace) -> bool:
        """Whether the command with these arguments only reads, so that it works where nothing can be written."""
        return getattr(arguments, "action", None) in self.tells and not getattr(arguments, "follow", False)


_SHOW = frozenset({None, "list", "show", "find"})
_ALONE: frozenset[str | None] = frozenset({None})

COMMANDS = {
    "projects": CommandEntry("projects", "projects", tells=_SHOW, archive=True),
    "list": CommandEntry("about", "list_shelf", interruptible=True, tells=_ALONE),
    "ask": CommandEntry("asking", "ask", interruptible=True, tells=_ALONE),
    "plan": CommandEntry("planning", "plan", interruptible=True),
    "run": CommandEntry("planning", "run"),
    "compose": CommandEntry("planning", "compose"),
    "runs": CommandEntry("runs", "runs", tells=_SHOW),
    "worker": CommandEntry("worker", "worker"),
    "history": CommandEntry("history", "history", interruptible=True, tells=_ALONE, archive=True),
    "restore": CommandEntry("history", "restore", archive=True),
    "chords": CommandEntry("chords", "chords"),
    "soundfont": CommandEntry("soundfonts", "soundfont", tells=_SHOW),
    "diff": CommandEntry("history", "diff", interruptible=True, tells=_ALONE, archive=True),
    "import": CommandEntry("files", "bring"),
    "export": CommandEntry("files", "take"),
    "check": CommandEntry("check", "check", interruptible=True),
    "keys": CommandEntry("keys", "keys", interruptible=True),
    "machines": CommandEntry("machines", "machines", interruptible=True, tells=_SHOW),
    "services": CommandEntry("services", "services", interruptible=True, tells=_SHOW),
    "folders": CommandEntry("folders", "folders", tells=_SHOW),
    "library": CommandEntry("library", "library", tells=_SHOW),
}
