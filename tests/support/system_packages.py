"""What a bare machine lacks for some tests: these are left out, and the last lines of a run say what to install."""

from __future__ import annotations

import shutil

import pytest


def reason(*packages: str) -> str:
    """Why a test is left out: the Debian packages that would have to be installed."""
    return f"needs {', '.join(packages)}: apt install {' '.join(packages)}"


def needs(*packages: str, available: bool) -> pytest.MarkDecorator:
    """Leave a test out unless what these Debian packages hold is available."""
    return pytest.mark.skipif(not available, reason=reason(*packages))


def has_programs(*names: str) -> bool:
    """Whether all these programs are on the PATH or among those of the administrator."""
    return all(shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin") for name in names)
