"""`bandleader ask`, and questions, commands and talk given to `plan` and `compose`: answered, and nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from chatting import sayings
from commandline import CommandLine
from hypothesis import given, settings
from hypothesis import strategies as st

KEYS = {"answer", "facts", "links"}
NO_REQUESTS = [
    "what key is this in?", "why did you take the bass out?", "undo", "export as mp3", "ok do it", "thanks",
    "mach das Lied ruhiger", "undo that and make it faster", "write me a poem",
]  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    command_line = CommandLine(tmp_path_factory.mktemp("asked") / "home")
    request = "a pop piece in D minor at 100 bpm, 8 bars, with drums and bass"
    command_line.ask("compose", request, "--seed", "4", "--yes")
    return command_line


def test_a_question_is_answered_from_the_song(home: CommandLine) -> None:
    document = home.ask("ask", "what key is this in?")
    assert set(document) == KEYS
    assert {"name": "key", "value": "D minor", "unit": ""} in document["facts"]
    assert "D minor" in home.run("ask", "what key is this in?").stdout


def test_what_changed_and_why_come_from_versions_and_runs(home: CommandLine) -> None:
    assert "100" in home.ask("ask", "what did you change?")["answer"]
    links = home.ask("ask", "why is there a bass?")["links"]
    assert {"run", "row"} <= {link["kind"] for link in links}


def test_who_wrote_a_part_comes_from_the_songs_of_the_versions(home: CommandLine) -> None:
    document = home.ask("ask", "who wrote the bass?")
    assert document["answer"].startswith("I did: ")
    assert {"name": "by", "value": "ai_iteration", "unit": ""} in document["facts"]


@pytest.mark.parametrize("text", NO_REQUESTS)
@pytest.mark.parametrize("command", [("plan",), ("plan", "--yes"), ("plan", "--queue"), ("compose", "--yes")])
def test_what_is_no_request_is_answered_and_changes_nothing(
    home: CommandLine, command: tuple[str, ...], text: str
) -> None:
    before = home.content()
    document = home.ask(command[0], text, *command[1:])
    assert set(document) == KEYS
    assert document["answer"] == home.ask("ask", text)["answer"]
    assert home.content() == before


def test_a_command_is_answered_with_what_to_type(home: CommandLine) -> None:
    links = home.ask("ask", "undo that")["links"]
    assert [link["command"].startswith("bandleader restore 1") for link in links] == [True]


def test_ask_says_of_a_request_which_command_plans_it_and_plans_nothing(home: CommandLine) -> None:
    before = home.content()
    document = home.ask("ask", "make it faster")
    assert "bandleader compose 'make it faster'" in document["links"][0]["command"]
    assert home.content() == before


def test_a_fresh_home_answers_and_makes_no_project(tmp_path: object) -> None:
    command_line = CommandLine(tmp_path / "fresh")  # type: ignore[operator]
    for command in (("ask",), ("plan",), ("compose", "--yes")):
        assert set(command_line.ask(command[0], "which styles do you have?", *command[1:])) == KEYS
    assert command_line.ask("projects") == {"projects": []}


@settings(max_examples=12)
@given(
    st.sampled_from([text for name in ("questions", "questions_never_planned") for _, text in sayings(name)]),
    st.sampled_from(["", "hey, ", "ok so ", "Please tell me: ", "by the way, "]),
    st.sampled_from(["", " thanks", "??"]),
)
def test_no_question_changes_anything(home: CommandLine, text: str, before: str, after: str) -> None:
    stored = home.content()
    said = home.run("compose", f"{before}{text.rstrip('?')}?{after}", "--yes", "--json")
    assert (said.status, set(said.json)) == (0, KEYS)
    assert home.content() == stored


def test_words_about_a_plan_file_refine_it(home: CommandLine, tmp_path: Path) -> None:
    base, refined = tmp_path / "base.json", tmp_path / "refined.json"
    planned = home.ask("plan", "add strings and make the drums louder", "--out", str(base))
    before = home.content()
    document = home.ask("plan", "without the strings", "--base", str(base))
    assert home.content() == before
    home.ask("plan", "without the strings", "--base", str(base), "--out", str(refined))
    kept = [step for step in planned["steps"] if "trings" not in step["title"]]
    assert document["steps"] == kept
    assert document["hash"] != planned["hash"]
    assert home.ask("plan", "--file", str(refined))["hash"] == document["hash"]


@pytest.mark.parametrize("text", ["ok do it", "what would step 1 do?", "thanks"])
def test_what_is_no_change_of_a_plan_file_is_answered(home: CommandLine, tmp_path: Path, text: str) -> None:
    base = tmp_path / "base.json"
    home.ask("plan", "add strings and make the drums louder", "--out", str(base))
    before = home.content()
    assert set(home.ask("plan", text, "--base", str(base))) == KEYS
    assert home.content() == before


def test_a_base_needs_words(home: CommandLine, tmp_path: Path) -> None:
    assert home.run("plan", "--base", str(tmp_path / "none.json")).status == 2
