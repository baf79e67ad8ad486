"""The access to files that this system supports."""

from __future__ import annotations

import os

from app.services.files.door import Door


def open_door() -> Door:
    """The file access for this system: by folder descriptors where it supports them, else by checked paths."""
    if os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW"):
        from app.services.files.posix_door import PosixDoor

        return PosixDoor()
    from app.services.files.path_door import PathDoor

    return PathDoor()
