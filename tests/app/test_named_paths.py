"""Paths that people name: at the command line, in the environment and in the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.paths import DEEPEST_PATH, LONGEST_PATH, PathError, find_paths, named_path


def test_a_tilde_is_the_home_of_the_person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert named_path("~/songs/a.mid") == tmp_path / "songs" / "a.mid"
    assert named_path("songs/a.mid") == Path("songs/a.mid")


@pytest.mark.parametrize("text", [
    "~nobody-of-that-name/x", "a" * (LONGEST_PATH + 1), "d/" * (DEEPEST_PATH + 1), "~/" + "d/" * 20_000, "a\0b",
])
def test_a_path_that_no_file_can_have_is_one_clear_error(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PathError) as caught:
        named_path(text)
    assert caught.value.why
    assert caught.value.advice
    if "\0" not in text:
        monkeypatch.setenv("BANDLEADER_HOME", text)
        with pytest.raises(PathError):
            find_paths()
