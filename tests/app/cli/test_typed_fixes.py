"""What to do about an error, at a terminal: the command that does it, which there is."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from msgspec.structs import fields

from agent.fixes.advice import Say
from agent.fixes.fix import Fix
from agent.fixes.songs import ListVersions, SettleRun
from app.cli.arguments import parser
from app.cli.fixes import typed

_COMMAND = re.compile(r"bandleader ([a-z]+)")


@pytest.mark.parametrize("kind", get_args(Fix))
def test_each_fix_names_commands_that_there_are(kind: type[Fix]) -> None:
    words, usage = typed(kind(*("booth" for _ in fields(kind)))), parser().format_help()
    assert words
    assert "{" not in words
    for command in _COMMAND.findall(words):
        assert re.search(rf"\b{command}\b", usage), words


def test_a_fix_names_what_it_is_about() -> None:
    assert typed(SettleRun("r-1")) == "bandleader runs resume r-1, or cancel, or rollback"
    assert typed(ListVersions()) == "`bandleader history` lists them"
    assert typed(Say("switch {it} on")) == "switch {it} on"
    assert typed(None) == ""
