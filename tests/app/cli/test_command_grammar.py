"""The grammar of the command line: words and options in whatever order a person types them."""

from __future__ import annotations

import inspect
import itertools
import re

import pytest

from app.cli.arguments import parser
from app.cli.commands import COMMANDS
from app.cli.errors import UsageError

MIXED = [
    (("folders",), ("allow", "/songs"), ("--write",), ("--project", "Mine"), {"path": "/songs", "write": True}),
    (("machines", "tag"), ("booth", "new"), ("--remove", "old"), ("--json",), {"tags": ["new"], "remove": ["old"]}),
    (("library", "find"), ("dusty", "keys"), ("--kind", "midi"), ("--key", "Am"), {"words": ["dusty", "keys"]}),
    (("runs", "amend"), ("r1", "s2"), ("--most", "3"), ("--json",), {"run": "r1", "step": "s2", "most": 3}),
]


@pytest.mark.parametrize(("command", "words", "one", "other", "meant"), MIXED)
def test_options_stand_before_between_and_behind_words(
    command: tuple[str, ...], words: tuple[str, str], one: tuple[str, ...], other: tuple[str, ...],
    meant: dict[str, object],
) -> None:
    first, second = words
    for parts in itertools.permutations(((first,), (second,), one, other)):
        if parts.index((first,)) < parts.index((second,)):
            found = vars(parser().parse_args([*command, *itertools.chain(*parts)]))
            assert {name: found[name] for name in meant} == meant


def test_what_stands_behind_two_dashes_is_a_word() -> None:
    assert parser().parse_args(["compose", "--", "--yes"]).request == "--yes"
    assert not parser().parse_args(["compose", "--", "--yes"]).yes


@pytest.mark.parametrize(("typed", "command"), [
    ("runs show r --nope", "runs show"), ("runs --nope", "runs"), ("plan a b", "plan"),
    ("folders allow a b", "folders"),
])
def test_what_a_command_does_not_know_is_refused_with_its_own_help(typed: str, command: str) -> None:
    with pytest.raises(UsageError, match="unrecognized arguments") as refused:
        parser().parse_args(typed.split())
    assert refused.value.advice == f"bandleader {command} --help"


def test_every_command_of_the_grammar_is_there() -> None:
    words = set(re.findall(r"^    ([a-z]+)(?: |$)", parser().format_help(), re.MULTILINE))
    assert words - {"doctor"} == set(COMMANDS)
    assert all(inspect.iscoroutinefunction(entry.load()) for entry in COMMANDS.values())
