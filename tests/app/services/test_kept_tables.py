"""What a file came to is parsed once for as long as its text stays the same."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from agent.composer.styles import StyleError
from app.services.kept_tables import KeptTables
from app.services.toml_files import read_toml


class Parser:
    """Gives one answer, and counts how often it is asked."""

    def __init__(self, **tables: Any) -> None:
        self.tables = tables
        self.asked = 0

    def __call__(self, text: str) -> dict[str, Any]:
        self.asked += 1
        return self.tables


def test_a_text_is_parsed_once_for_all_processes_and_another_text_anew(tmp_path: Path) -> None:
    parse = Parser(name="pop", swing=0.5, bars=[4, 8], nested={"on": True, "words": ["ä", ""]})
    for asked in (1, 1):
        kept = KeptTables(tmp_path / "cache")
        assert kept.of("text", parse) == parse.tables
        kept.write()
        assert parse.asked == asked
    KeptTables(tmp_path / "cache").of("text ", parse)
    assert parse.asked == 2


def test_what_nobody_asks_for_any_more_is_not_kept(tmp_path: Path) -> None:
    for text in ("old", "new"):
        kept = KeptTables(tmp_path)
        kept.of(text, Parser())
        kept.write()
    old, new = Parser(), Parser()
    kept = KeptTables(tmp_path)
    kept.of("old", old)
    kept.of("new", new)
    assert (old.asked, new.asked) == (1, 0)


@pytest.mark.parametrize("broken", [b"", b"no tables", b"\0" * 100])
def test_a_broken_file_only_costs_the_parsing(tmp_path: Path, broken: bytes) -> None:
    (tmp_path / "tables.msgpack").write_bytes(broken)
    parse = Parser(name="pop")
    assert KeptTables(tmp_path).of("text", parse) == {"name": "pop"}


def test_a_file_of_which_one_byte_has_changed_is_not_believed(tmp_path: Path) -> None:
    kept = KeptTables(tmp_path)
    kept.of("text", Parser(name="pop"))
    kept.write()
    file = tmp_path / "tables.msgpack"
    file.write_bytes(file.read_bytes().replace(b"pop", b"pip"))
    assert KeptTables(tmp_path).of("text", Parser(name="pop")) == {"name": "pop"}


@pytest.mark.parametrize("value", [datetime.date(2026, 11, 28), 2**70])
def test_what_would_come_back_as_another_value_is_parsed_each_time(tmp_path: Path, value: object) -> None:
    parse = Parser(value=value)
    for _ in range(2):
        kept = KeptTables(tmp_path)
        assert kept.of("text", parse) == {"value": value}
        kept.write()
    assert parse.asked == 2


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    kept = KeptTables(tmp_path / "cache")
    assert kept.of("text", Parser(name="pop")) == {"name": "pop"}
    kept.write()
    assert (tmp_path / "cache").read_text() == "a file"


def test_a_file_is_read_from_what_is_kept_until_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "style.toml"
    file.write_text('name = "pop"')
    kept = KeptTables(tmp_path)
    assert read_toml(file, StyleError, kept) == {"name": "pop"}
    kept.write()
    file.write_text('name = "rock"')
    assert read_toml(file, StyleError, KeptTables(tmp_path)) == {"name": "rock"}
    file.write_text("name = ")
    with pytest.raises(StyleError, match="not valid TOML"):
        read_toml(file, StyleError, KeptTables(tmp_path))
