"""What to do about an error, at a terminal: the command that does it, which there is."""

from __future__ import annotations

import re

import pytest

from agent.fixes import FixKind
from app.cli.arguments import parser
from app.cli.fixes import typed

_COMMAND = re.compile(r"bandleader ([a-z]+)")


@pytest.mark.parametrize("kind", list(FixKind))
def test_each_fix_names_commands_that_there_are(kind: FixKind) -> None:
    words, usage = typed(kind(*("booth" for _ in kind.fields))), parser().format_help()
    assert words
    assert "{" not in words
    for command in _COMMAND.findall(words):
        assert re.search(rf"\b{command}\b", usage), words


def test_a_fix_names_what_it_is_about() -> None:
    assert typed(FixKind.SETTLE_RUN("r-1")) == "bandleader runs resume r-1, or cancel, or rollback"
    assert typed(FixKind.LIST_VERSIONS()) == "`bandleader history` lists them"
    assert typed(FixKind.SAY("switch {it} on")) == "switch {it} on"
    assert typed(None) == ""
