"""Where user data, caches and the resources that ship with the program lie."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_APP = "bandleader"


@dataclass(frozen=True)
class Paths:
    """The folders of one installation; `BANDLEADER_HOME` moves all of them except `resources`."""

    data: Path
    cache: Path
    logs: Path
    resources: Path

    @property
    def database(self) -> Path:
        """The one local database."""
        return self.data / "bandleader.db"

    @property
    def styles(self) -> Path:
        """Where the user's own styles lie."""
        return self.data / "styles"

    @property
    def exports(self) -> Path:
        """Where exports go that name no folder."""
        return self.data / "exports"

    @property
    def backups(self) -> Path:
        """Copies of the database, newest last by name."""
        return self.data / "backups"


def find_paths() -> Paths:
    """The folders for this user and process; nothing is created."""
    home = os.environ.get("BANDLEADER_HOME")
    if home:
        root = Path(home).expanduser().absolute()
        return Paths(root, root / "cache", root / "logs", _resources())
    dirs = platformdirs.PlatformDirs(_APP, appauthor=False)
    return Paths(dirs.user_data_path, dirs.user_cache_path, dirs.user_log_path, _resources())


def _resources() -> Path:
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if bundle else Path(__file__).parent.parent
    return root / "resources"
