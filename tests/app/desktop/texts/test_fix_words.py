"""Advice in the words of the window: no command to be typed where there is a button."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent.errors import BandleaderError
from app.desktop.texts.fix_words import for_window

_APP = Path(__file__).parents[4] / "app"
_FILES = sorted(
    path for place in ("services/mcp_servers", "services/machines", "studio/doors")
    for path in ((_APP / place).rglob("*.py") if (_APP / place).is_dir() else [_APP / place])
)


def advice() -> list[str]:
    """All that these rooms advise to type."""
    written = "\n".join(path.read_text(encoding="utf-8") for path in _FILES)
    found = re.findall(r'fix=f?"([^"]*(?:bandleader |--[a-z])[^"]*)"', written)
    return [re.sub(r"\{[^}]*\}", "booth", text) for text in found]


@pytest.mark.parametrize("fix", advice())
def test_no_advice_in_the_settings_is_a_command(fix: str) -> None:
    told = for_window(BandleaderError("it went wrong", why="it did", fix=fix))
    assert not re.search(r"bandleader (services|machines|folders|library|keys) |--[a-z]", told.fix), told.fix
    assert told.fix
    assert (told.what, told.why) == ("it went wrong", "it did")


def test_there_is_such_advice() -> None:
    assert len(advice()) > 10


def test_other_advice_stays_and_its_absence_is_filled() -> None:
    assert for_window(BandleaderError("x", fix="switch it on")).fix == "switch it on"
    assert for_window(BandleaderError("x"), "look at it").fix == "look at it"
