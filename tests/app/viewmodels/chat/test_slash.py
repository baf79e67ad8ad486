"""What a person means by words that begin with a slash."""

from __future__ import annotations

import pytest

from app.viewmodels.chat.slash import PlainRequest, SlashCommand, Unknown, commands, fitting, help_text, read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("make it slow", "make it slow"), ("/plan make it slow", "make it slow"), ("//plan x", "/plan x"),
        ("/tempo 92", "set the tempo to 92 BPM"), ("/KEY D minor", "change the key to D minor"),
        ("/plan {0} {x}", "{0} {x}"), ("a / b", "a / b"),
    ],
)
def test_requests(text: str, words: str) -> None:
    assert read(text) == PlainRequest(words)


@pytest.mark.parametrize("text", ["/foo", "/", "/tempo", "/tempo  ", "/undo twice", "/ plan x", "/plan/x"])
def test_what_is_no_command_is_told_and_not_sent(text: str) -> None:
    found = read(text)
    assert isinstance(found, Unknown)
    assert found.why


def test_commands_are_read_with_what_stands_behind_them() -> None:
    found = read("  /lock bars 9-16 ")
    assert isinstance(found, SlashCommand)
    assert (found.slash.name, found.rest) == ("lock", "bars 9-16")
    for one in commands():
        meant = read(f"/{one.name} x" if one.takes else f"/{one.name}")
        assert not isinstance(meant, Unknown), one


def test_completion_offers_names_that_begin_so() -> None:
    assert [one.name for one in fitting("/un")] == ["unlock", "undo"]
    assert fitting("/") == commands()
    for text in ("", "un", "//", "/un x", "/zzz", " /un"):
        assert fitting(text) == ()


def test_help_names_every_command() -> None:
    for one in commands():
        assert f"/{one.name}" in help_text()
