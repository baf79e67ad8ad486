"""What the pages of services are told by."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from qt_fixtures import Loop
from settings_rooms import Settings, in_settings

from app.ui.kit.theme import Theme

Told = Callable[[Callable[[Settings], Awaitable[None]]], None]


@pytest.fixture
def in_the_settings(qloop: Loop, theme: Theme, tmp_path: Path) -> Told:
    """Runs a story of a person in the settings over a real studio."""
    return lambda story: qloop.run(in_settings(theme, tmp_path / "home", story))
