"""Advice in the words of the window: no command to be typed where there is a button."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.errors import BandleaderError
from app.desktop.texts.fix_words import in_window
from app.desktop.texts.fixes import for_window

_HOME = Path(__file__).parents[4]
_TYPED = re.compile(r"bandleader [a-z-]|(?<![\w-])--[a-z]")
_ELSEWHERE = (
    "app/cli/", "app/window/display.py", "app/desktop/texts/fix_words.py", "app/services/mcp_servers/mortal.py",
    "agent/chat/answering/program.py",
)
"""What only a terminal tells, the words themselves, what another program is given, what fills a door's words."""


def written(source: str) -> Iterator[str]:
    """All texts of a module but docstrings; what is filled in later is called "booth"."""
    nodes = list(ast.walk(ast.parse(source)))
    left_out = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    left_out |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if id(node) in left_out:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "booth" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def advice() -> list[str]:
    """All that the program advises to type."""
    files = [path for place in ("app", "agent") for path in sorted((_HOME / place).rglob("*.py"))]
    told = [path for path in files if not path.relative_to(_HOME).as_posix().startswith(_ELSEWHERE)]
    read = [path.read_text(encoding="utf-8") for path in told]
    sources = [source for source in read if "bandleader " in source or "--" in source]
    found = [text for source in sources for text in written(source)]
    return sorted({text for text in found if _TYPED.search(text)})


@pytest.mark.parametrize("fix", advice())
def test_no_advice_in_the_window_is_a_command(fix: str) -> None:
    told = for_window(BandleaderError("it went wrong", why="it did", fix=fix))
    assert not _TYPED.search(told.advice), told.advice
    assert told.advice
    assert (told.what, told.why) == ("it went wrong", "it did")


def test_there_is_such_advice() -> None:
    assert len(advice()) > 10


def test_no_advice_stays_none() -> None:
    assert in_window("") == ""
