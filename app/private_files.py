"""Bandleader's own folders and files: for their user alone, whatever the umask.

What a person asked for, as an export or a saved plan, is no part of this: it follows the umask.
On Windows the user's profile keeps others out, and nothing is changed.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(folder: Path) -> None:
    """Make a folder, and the missing ones above it, that only the user may enter; one that is there stays as it is.

    Raises `OSError`, also where something that is no folder has the name.
    """
    if not folder.is_dir():
        if folder.parent != folder:
            make_private_folder(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def private_opener(path: str, flags: int) -> int:
    """An opener for `open`: a file that it makes is only the user's to read and write."""
    return os.open(path, flags, FILE_MODE)


def close_to_others(path: Path) -> None:
    """Take the rights of all others off a file or folder of the user. Links, what is not there and what belongs to
    another user stay as they are; so does what lies on a disk that keeps no rights."""
    with suppress(OSError):
        found = os.lstat(path)
        if mine(found) and open_to_others(found) and not stat.S_ISLNK(found.st_mode):
            os.chmod(path, stat.S_IMODE(found.st_mode) & ~_OTHERS)


def mine(found: os.stat_result) -> bool:
    """Whether what was found belongs to the user of this process."""
    return sys.platform == "win32" or found.st_uid == os.geteuid()


def open_to_others(found: os.stat_result) -> bool:
    """Whether anyone but its user may do anything with what was found."""
    return sys.platform != "win32" and bool(found.st_mode & _OTHERS)


def changeable_by_others(found: os.stat_result) -> bool:
    """Whether anyone but its user may write it; in a folder where each may remove only what is theirs, nobody may."""
    writable = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    return sys.platform != "win32" and writable and not found.st_mode & stat.S_ISVTX
