"""The journeys at one size; `make journeys` walks them at all sizes, in both themes, and keeps pictures."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from screens import a_screen, missing_packages
from system_packages import needs

JOURNEYS = Path(__file__).parents[1] / "journeys"
LACKING = missing_packages()


@needs(*LACKING, available=not LACKING)
@pytest.mark.parametrize("name", ["empty_to_export", "review_thirty_rows", "hand_and_agent"])
def test_a_person_gets_there_with_pointer_and_keyboard(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(JOURNEYS)
    walk = importlib.import_module(name).walk
    with a_screen() as screen:
        screen.start(tmp_path / "home")
        walk(screen, tmp_path / "home")
        told = screen.end()
    for module in ("hands", name):
        sys.modules.pop(module, None)
    assert "error:" not in told
