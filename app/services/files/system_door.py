"""The door to files that this system can have."""

from __future__ import annotations

import os

from app.services.files.door import Door


def open_door() -> Door:
    """The door that holds folders open where the system can do so, else the one that looks at paths."""
    if os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW"):
        from app.services.files.posix_door import PosixDoor

        return PosixDoor()
    from app.services.files.path_door import PathDoor

    return PathDoor()
