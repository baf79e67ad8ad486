"""`--yes` lets no row take music away that the words did not plainly ask for; the other rows run."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine

SONG = "a calm lofi beat with drums, bass, piano and a melody, 8 bars"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    command_line = CommandLine(tmp_path_factory.mktemp("kept") / "home")
    command_line.ask("projects", "new", "One")
    command_line.ask("compose", SONG, "--project", "One", "--seed", "4", "--yes")
    return command_line


def parts(home: CommandLine) -> set[str]:
    """The parts that play."""
    document = home.ask("ask", "who plays?", "--project", "One")
    return {fact["name"] for fact in document["facts"]}


def removing(plan: dict[str, object]) -> list[object]:
    lint = plan["lint"]
    assert isinstance(lint, list)
    return [mark["step"] for mark in lint if mark["rule"] == "removes"]


def test_what_is_plainly_asked_for_goes(home: CommandLine) -> None:
    now = home.ask("history", "--project", "One")["head"]
    done = home.ask("compose", "take the bass out", "--project", "One", "--yes")
    assert done["state"] == "COMPLETED"
    assert removing(done["plan"])
    assert [clause["outcome"] for clause in done["plan"]["clauses"]] == ["done"]
    home.ask("restore", str(now), "--project", "One")


def test_where_something_is_strange_nothing_goes_and_the_rest_is_done(home: CommandLine, tmp_path: Path) -> None:
    words = "take the drums out, make the piano louder and frobnicate the melody"
    planned = home.ask("plan", words, "--project", "One", "--out", str(tmp_path / "plan.json"))
    gone = removing(planned)
    assert gone
    assert [clause["outcome"] for clause in planned["clauses"]] == ["done", "done", "told"]
    before = parts(home)
    done = home.ask("compose", words, "--project", "One", "--yes")
    assert done["state"] == "COMPLETED"
    assert removing(done["plan"]) == []
    assert done["done"] == done["approved"] == len(planned["steps"]) - len(gone)
    assert any("takes music away" in one for one in done["plan"]["ignored"])
    assert parts(home) == before
