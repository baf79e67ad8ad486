"""Words that a command does not know are refused with the way to its own help."""

from __future__ import annotations

import pytest

from app.cli.arguments import parser
from app.cli.errors import UsageError


@pytest.mark.parametrize(("words", "help_of"), [
    (("worker", "--bogus"), "bandleader worker"), (("runs", "retry", "r1", "s2"), "bandleader runs retry"),
    (("plan", "a song", "--intensty", "3"), "bandleader plan"), (("machines", "list", "x"), "bandleader machines list"),
    (("--bogus", "worker"), "bandleader"), (("runs", "amend", "r1", "s2", "--most", "0"), "bandleader runs amend"),
])
def test_a_word_that_does_not_fit_leads_to_the_commands_own_help(words: tuple[str, ...], help_of: str) -> None:
    with pytest.raises(UsageError) as refused:
        parser().parse_args(words)
    assert refused.value.advice == f"{help_of} --help"


def test_what_fits_is_read() -> None:
    read = parser().parse_args(("runs", "--project", "One", "amend", "r1", "s2", "--most", "7", "--json"))
    assert (read.project, read.action, read.run, read.step) == ("One", "amend", "r1", "s2")
    assert (read.most, read.json) == (7, True)
