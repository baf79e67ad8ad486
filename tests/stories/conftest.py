"""A command line with a home of its own, and a bank of sounds that each of its programs loads at once."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from commandline import CommandLine

from app.sound.soundfont import VARIABLE

_WITH_THE_BANK_OF_USERS = ("test_main_job", "test_ambient_recomposition", "test_fourteen_steps", "test_offline")
"""Stories about how it sounds from the first second on, with what people have."""


@pytest.fixture(scope="module", autouse=True)
def a_bank_at_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Unpacking the compressed bank anew in each program took a fifth of the time of all stories."""
    library = find_spec("pretty_midi")
    assert library is not None
    assert library.origin is not None
    with pytest.MonkeyPatch.context() as environment:
        if request.path.stem not in _WITH_THE_BANK_OF_USERS:
            environment.setenv(VARIABLE, str(Path(library.origin).parent / "TimGM6mb.sf2"))
        yield


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    """The command line over an empty home."""
    return CommandLine(tmp_path / "home")
