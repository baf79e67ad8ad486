"""Where user data, caches and the resources that ship with the program lie."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from agent.errors import BandleaderError
from agent.message import msg

_APP = "bandleader"
LONGEST_PATH, DEEPEST_PATH = 4_096, 256
"""Characters of a path that a person names, and folders in one another."""


class PathError(BandleaderError):
    """A path that a person named and that no file can have here."""


def named_path(text: str) -> Path:
    """The path that a person named; `~` is their home.

    Raises `PathError` for the home of a user whom this machine does not know, and beyond `LONGEST_PATH` and
    `DEEPEST_PATH`, which no disk takes.
    """
    path = Path(text)
    if len(text) > LONGEST_PATH or len(path.parts) > DEEPEST_PATH:
        raise PathError(
            msg("the path {text}… is too long", text=text[:60]),
            why=msg(
                "it has {count:,} characters and {count_2:,} folders in one another",
                count=len(text), count_2=len(path.parts),
            ),
            fix=msg("name a shorter one"),
        )
    if "\0" in text:
        raise PathError(msg("the path holds a zero sign"), why=msg("no disk takes one"), fix=msg("name another"))
    try:
        return path.expanduser()
    except RuntimeError:
        user = path.parts[0]
        raise PathError(
            msg("{text} is not found", text=text[:200]),
            why=msg("{user} would be the home of a user who is not known here", user=user[:60]),
            fix=(
                msg("write ./{user} for a folder of that name", user=user[:60]) if user != "~"
                else msg("name the whole path")
            ),
        ) from None


@dataclass(frozen=True)
class Paths:
    """The folders of one installation; `BANDLEADER_HOME` moves all of them except `resources`.

    `chosen` says that a person named `data` there: it may hold more than what is Bandleader's.
    """

    data: Path
    cache: Path
    logs: Path
    resources: Path
    chosen: bool = False

    @property
    def database(self) -> Path:
        """The one local database."""
        return self.data / "bandleader.db"

    @property
    def styles(self) -> Path:
        """Where the user's own styles lie."""
        return self.data / "styles"

    @property
    def soundfonts(self) -> Path:
        """Where SoundFonts lie that songs and tracks name."""
        return self.data / "soundfonts"

    @property
    def exports(self) -> Path:
        """Where exports go that name no folder."""
        return self.data / "exports"

    @property
    def backups(self) -> Path:
        """Copies of the database, newest last by name."""
        return self.data / "backups"

    @property
    def running(self) -> Path:
        """What programs that are alive leave to be found by."""
        return self.data / "running"

    @property
    def plug_ins(self) -> Path:
        """A folder for each added service."""
        return self.data / "plug-ins"

    @property
    def private_folders(self) -> tuple[Path, ...]:
        """The folders that hold what is Bandleader's and nothing else."""
        own = (self.cache, self.logs, self.backups, self.running, self.plug_ins)
        return own if self.chosen else (self.data, *own)

    def private_files(self) -> tuple[Path, ...]:
        """The files that are there now and hold what is the user's: the database, its copies, reports, logs."""
        near = (self.database.with_name(self.database.name + ending) for ending in ("", "-wal", "-shm", "-journal"))
        kept = (file for folder in (self.backups, self.logs, self.running) for file in folder.glob("*"))
        return tuple(file for file in (*near, *kept, *self.cache.glob("*.json")) if file.exists())


def find_paths() -> Paths:
    """The folders for this user and process; nothing is created."""
    home = os.environ.get("BANDLEADER_HOME")
    if home:
        root = named_path(home).absolute()
        return Paths(root, root / "cache", root / "logs", _resources(), chosen=True)
    dirs = platformdirs.PlatformDirs(_APP, appauthor=False)
    return Paths(dirs.user_data_path, dirs.user_cache_path, dirs.user_log_path, _resources())


def _resources() -> Path:
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if bundle else Path(__file__).parent.parent
    return root / "resources"
