"""Styles of the user at the real command line: listed, understood, and left out where they are broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine

STYLES = Path(__file__).parents[3] / "resources" / "styles"


@pytest.fixture(scope="module")
def command_line(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A home with a style of its own, one that replaces house, and two that cannot be used."""
    home = tmp_path_factory.mktemp("own") / "home"
    folder = home / "styles"
    folder.mkdir(parents=True)
    pop = (STYLES / "pop.toml").read_text(encoding="utf-8")
    mine = pop.replace('name = "pop"', 'name = "harbour"').replace('label = "Pop"', 'label = "[b]Harbour"')
    head, _, rest = mine.partition("words = ")
    mine = f'{head}words = ["sea shanty"]\n{rest.partition(chr(10))[2]}'
    (folder / "harbour.toml").write_text(mine, encoding="utf-8")
    house = (STYLES / "house.toml").read_text(encoding="utf-8")
    (folder / "my_house.toml").write_text(house.replace('label = "House"', 'label = "My house"'), encoding="utf-8")
    (folder / "bad.toml").write_text(house.replace("centre = 38", "center = 38"), encoding="utf-8")
    (folder / "torn.toml").write_bytes(b"\xff\xfe")
    return CommandLine(home)


def test_the_list_shows_own_styles_and_says_what_is_left_out(command_line: CommandLine) -> None:
    said = command_line.run("list", "styles")
    assert said.status == 0
    rows = {line.split()[0]: line for line in said.stdout.splitlines()}
    assert "[b]Harbour" in rows["harbour"]
    assert "yours" in rows["harbour"]
    assert "yours, replaces the one that ships" in rows["house"]
    assert "yours" not in rows["jazz"]
    assert 'bad.toml: parts 3 "Bass", center (there is no such key); try: did you mean centre?' in said.stderr
    assert "torn.toml" in said.stderr


def test_the_document_has_both(command_line: CommandLine) -> None:
    document = command_line.ask("list", "styles")
    styles = {one["name"]: one for one in document["styles"]}
    assert styles["harbour"]["tags"] == ["yours"]
    assert styles["house"]["label"] == "My house"
    assert [sorted(one) for one in document["left_out"]] == [["try", "what", "why"]] * 2


def test_an_own_style_is_asked_for_by_its_words(command_line: CommandLine) -> None:
    command_line.ask("projects", "new", "Quay")
    plan = command_line.ask("plan", "a sea shanty", "--seed", "1")
    assert "style: [b]Harbour" in plan["understood"]


def test_the_doctor_tells_it_and_nothing_needed_is_missing(command_line: CommandLine) -> None:
    said = command_line.run("doctor", "--json")
    checks = {one["name"]: one for one in said.json["checks"]}
    assert not checks["own styles"]["ok"]
    assert "bad.toml" in checks["own styles"]["detail"]
    assert "1 more" in checks["own styles"]["detail"]
    assert checks["resources"]["ok"]
