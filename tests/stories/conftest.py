"""A command line with a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    """The command line over an empty home."""
    return CommandLine(tmp_path / "home")
